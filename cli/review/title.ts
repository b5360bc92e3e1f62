import { plainTitle } from "../markdown";
import type { Review } from "./review";
import { partWords, verdictOf } from "./verdict";
import { driftWords, shortName } from "./words";

/** Longest title of an issue: GitHub takes 256 characters, GitLab 255. */
const LONGEST = 200;

/** The title of an issue about drift: `Drift: home, roof: azimuth 202.5° → 22.5° and 2 more`. Without drift, the verdict. */
export function titleOf(review: Review): string {
  const drifted = review.sites.flatMap(({ name, isSite, drift }) =>
    drift.flatMap((device) =>
      driftWords(device).map((words) => `${isSite ? `${name}, ` : ""}${shortName(device.label)}: ${words}`),
    ),
  );
  const [first, ...rest] = drifted;
  if (first === undefined) return plainTitle(verdictOf(review).parts.map(partWords).join(", "), LONGEST);
  const more = rest.length > 0 ? ` and ${rest.length} more` : "";
  return `${plainTitle(`Drift: ${first}`, LONGEST - more.length)}${more}`;
}
