import { readManifest } from "../../provider/manifest/manifest";
import { readReview } from "../review/read";
import { plannedSite } from "../view/manifest";
import type { SiteView } from "../view/model";

/** A site, before a change and after it. */
export interface SunCandidate {
  readonly name: string;
  readonly before?: SiteView;
  readonly after?: SiteView;
}

/** The sites of a manifest, each with the site of the same id in an earlier manifest. */
export function sitesOfManifests(file: string, earlier?: string): SunCandidate[] {
  const before = new Map((earlier === undefined ? [] : readManifest(earlier).sites).map((site) => [site.id, site]));
  return readManifest(file).sites.map((site) => {
    const old = before.get(site.id);
    return { name: site.id, after: plannedSite(site), ...(old && { before: plannedSite(old) }) };
  });
}

/** The sites in the output of a preview. */
export async function sitesOfPreview(file: string): Promise<SunCandidate[]> {
  const { review } = await readReview(file);
  return review.sites.filter(({ isSite }) => isSite);
}
