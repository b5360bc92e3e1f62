import { readManifest } from "../../provider/manifest/manifest";
import { type Manifest, membersOf, type Site } from "../../provider/manifest/model";
import { labelOf } from "../../provider/settings/site";
import { readReview } from "../review/read";
import type { SunSide } from "./sunSite";

/** A site, before a change and after it. */
export interface SunCandidate {
  readonly name: string;
  readonly before?: SunSide;
  readonly after?: SunSide;
}

/** The sites of a manifest, each beside the one of the same id in an earlier manifest. */
export function sitesOfManifests(file: string, earlier?: string): SunCandidate[] {
  const before = new Map((earlier === undefined ? [] : readManifest(earlier).sites).map((site) => [site.id, site]));
  const { sites }: Manifest = readManifest(file);
  return sites.map((site) => {
    const old = before.get(site.id);
    return { name: site.id, after: sideOf(site), ...(old && { before: sideOf(old) }) };
  });
}

/** The sites in what a preview printed. */
export async function sitesOfPreview(file: string): Promise<SunCandidate[]> {
  const { sites } = await readReview(file);
  return sites.filter(({ isSite }) => isSite).map(({ name, sun }) => ({ name, ...sun }));
}

function sideOf(site: Site): SunSide {
  return {
    latitude: site.latitude,
    devices: membersOf(site).map(({ group, name, values }) => ({ label: labelOf({ group, name }), values })),
  };
}
