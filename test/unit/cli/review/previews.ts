import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reviewOf } from "../../../../cli/review/read";
import type { Review, SiteChange } from "../../../../cli/review/review";
import { ROOT } from "../../../support/project";

/** The engine's output for a small program (see the names of its resources), without times and places in files. */
export type RecordedPreview = "new" | "same" | "mistakes" | "refused" | "drift" | "hostile" | OneMistake;

/** The program examples/home after one value was changed. */
export type OneMistake = "northAzimuth" | "radianTilt" | "kilowattPower" | "baseLoad";

export function recorded(preview: RecordedPreview): string {
  return readFileSync(join(ROOT, "test", "unit", "cli", "review", "previews", `${preview}.json`), "utf8");
}

export function reviewed(preview: RecordedPreview): Review {
  return reviewOf(recorded(preview));
}

/** The site, or the device without a site, that has this name in a review. */
export function siteIn({ sites }: Review, name: string): SiteChange {
  const site = sites.find((one) => one.name === name);
  if (!site) throw new Error(`the review has no ${name}`);
  return site;
}
