import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceOf } from "../../../../cli/review/read";
import type { Review, SiteReview } from "../../../../cli/review/review";
import { lintsOfDevice } from "../../../../cli/view/lints";
import { textOf } from "../../../../provider/messages/message";
import { notReady } from "../../../../provider/settings/readiness";
import { ROOT } from "../../../support/project";

/** The engine's output for a small program (see the names of its resources), without times and places in files. */
export type RecordedPreview = "new" | "same" | "mistakes" | "refused" | "drift" | "hostile" | OneMistake;

/** The program examples/home after one value was changed. */
export type OneMistake = "northAzimuth" | "radianTilt" | "kilowattPower" | "baseLoad";

export function recorded(preview: RecordedPreview): string {
  const text = readFileSync(join(ROOT, "test", "unit", "cli", "review", "previews", `${preview}.json`), "utf8");
  return text.replace(/@(home|bike)/g, (_, name: keyof typeof WARNINGS) => JSON.stringify(WARNINGS[name]).slice(1, -1));
}

/** Warnings that a review has to recognise, by the name of their resource. The files have `@` and this name. */
const WARNINGS = {
  home: textOf(notReady("home", [{ device: "inverter/roof", setting: "baseLoad", reason: "notDeclared" }])),
  bike: lintsOfDevice("vehicles", { deviceId: "bike", maxCapacity: 21_000 })
    .map((message) => textOf({ ...message, device: "device 'bike'" }))
    .join(),
};

/** The review in a text. */
export function reviewOf(...source: Parameters<typeof sourceOf>): Review {
  return sourceOf(...source).review;
}

export function reviewed(preview: RecordedPreview): Review {
  return reviewOf(recorded(preview));
}

/** The site, or the device without a site, that has this name in a review. */
export function siteIn({ sites }: Review, name: string): SiteReview {
  const site = sites.find((one) => one.name === name);
  if (!site) throw new Error(`the review has no ${name}`);
  return site;
}
