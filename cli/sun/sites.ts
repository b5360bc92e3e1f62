import { readManifest } from "../../provider/manifest/manifest";
import { isSolar, type Manifest, membersOf, type Site } from "../../provider/manifest/model";
import { planSite } from "../../provider/settings/planSite";
import type { Gap } from "../../provider/settings/readiness";
import { labelOf } from "../../provider/settings/site";
import { byPriceOf, type SunSide } from "../clearDays/sunSite";
import { readReview } from "../review/read";

/** A site, before a change and after it. */
export interface SunCandidate {
  readonly name: string;
  readonly before?: SunSide;
  readonly after?: SunSide;
}

/** The sites of a manifest, each with the site of the same id in an earlier manifest. */
export function sitesOfManifests(file: string, earlier?: string): SunCandidate[] {
  const before = new Map((earlier === undefined ? [] : readManifest(earlier).sites).map((site) => [site.id, site]));
  const { sites }: Manifest = readManifest(file);
  return sites.map((site) => {
    const old = before.get(site.id);
    return { name: site.id, after: sideOf(site), ...(old && { before: sideOf(old) }) };
  });
}

/** The sites in the output of a preview. */
export async function sitesOfPreview(file: string): Promise<SunCandidate[]> {
  const { sites } = await readReview(file);
  return sites.filter(({ isSite }) => isSite).map(({ name, sun }) => ({ name, ...sun }));
}

function sideOf(site: Site): SunSide {
  const devices = membersOf(site);
  return {
    latitude: site.latitude,
    byPrice: byPriceOf(gapsIn(site).length === 0, isSolar(site) ? [1] : []),
    devices: devices.map(({ group, name, values, planes }) => ({ label: labelOf({ group, name }), values, planes })),
  };
}

/**
 * The gaps that the manifest of a site shows. The manifest does not show whether the service accepts the values, nor
 * what a device reports.
 */
function gapsIn(site: Site): readonly Gap[] {
  return planSite({ ...site }).gaps;
}
