import { shortName } from "../../provider/settings/groups";
import { ASSUMPTIONS, type SunChange } from "../clearDays/change";
import { carWords, roofWords } from "../clearDays/words";
import { counted } from "../counted";
import { someNames } from "../names";
import type { Meaning, Styler } from "../style";
import { printable } from "../terminal";
import { driftedName, sharedWords } from "../view/causes";
import { missingIn, readinessOf } from "../view/compare";
import { deviceWords, driftWords, removedWords } from "../view/words";
import { approvalWords } from "./approve";
import { decisionWords, isFailed, type Judgement } from "./conditions";
import {
  BECOME_READY,
  changesInReview,
  driftInReview,
  isChanged,
  type Review,
  remarkText,
  type SiteReview,
  titled,
} from "./review";
import { hasSun, inOrder, type ReviewVerdict, readinessWords, sunOfSite, verdictLine, verdictOf } from "./verdict";

/** Maximum number of sites that are listed (our choice). */
const MOST_SITES = 50;

/**
 * The review as lines for a terminal: the conditions that it meets, then the verdict, the sites that change, and drift.
 * @param options `most`: number of sites that are listed; `verdict`: default, that of the review
 */
export function reviewText(
  review: Review,
  styled: Styler = (_, text) => text,
  {
    decision,
    approval,
    most = MOST_SITES,
    verdict = verdictOf(review),
  }: Judgement & { most?: number | undefined; verdict?: ReviewVerdict } = {},
): string {
  const decided = decision && decisionWords(decision, printable, printable);
  const moving = inOrder(review.sites).filter(hasSun);
  const changes = changesInReview(moving);
  const sites = moving.filter(
    (site) =>
      !changes.becomeReady.has(site) &&
      (changes.devicesOf(site).length + missingIn(site).length + changes.warningsOf(site).length + site.drift.length >
        0 ||
        isChanged({ ...site, devices: [] })),
  );
  const ready = [...changes.becomeReady].map(titled);
  const shown = sites.slice(0, most);
  const more = sites.length - shown.length;
  const { shared, others } = driftInReview(sites);
  const about = [review.subjects.slice(0, 5).join(", "), readinessWords(review)].filter(Boolean).join(": ");
  const isEstimated = shown.some(sunOfSite);
  return [
    ...(decided === undefined ? [] : [styled(decision && isFailed(decision) ? "bad" : "warning", decided)]),
    verdictLine(verdict, printable, styled),
    // A source that is not a preview names no subject.
    ...(review.noPreview && review.sites.length === 0 ? [] : [styled("quiet", printable(about))]),
    ...review.errors.map((text) => styled("bad", `error: ${printable(text)}`)),
    ...review.warnings.map((text) => styled("warning", `warning: ${printable(text)}`)),
    ...shared.map(
      (one) =>
        `${styled("warning", "drifted:")} ${printable(`${sharedWords(one)} (${someNames(one.devices.map(driftedName))})`)}`,
    ),
    ...changes.warned.map(
      ({ number, remarks: [remark], sites: of }) =>
        `${styled("warning", "warning:")} ${printable(`${number}: ${remark?.text} (${someNames(of.map(titled))})`)}`,
    ),
    ...(most > 0
      ? changes.shared.map((one) => printable(`${sharedWords(one)} (${someNames(one.devices.map(driftedName))})`))
      : []),
    ...(most > 0 && ready.length > 0
      ? [printable(`${counted(ready.length, "site")}: ${BECOME_READY} (${someNames(ready)})`)]
      : []),
    ...shown.flatMap((site) => {
      const drift = others.flatMap(({ of, change }) => (of === site ? [change] : []));
      return [
        "",
        ...siteLines(
          { ...site, drift, devices: changes.devicesOf(site), warnings: changes.warningsOf(site) },
          sunOfSite(site),
          styled,
        ),
      ];
    }),
    ...(more > 0 && most > 0 ? ["", `and ${more} more sites: --json shows all`] : []),
    ...(review.repair === undefined ? [] : ["", `repair: ${printable(review.repair)}`]),
    ...(isEstimated ? ["", styled("quiet", ASSUMPTIONS)] : []),
    ...(approval ? ["", `approved set: ${approvalWords(approval, review.next ?? [], printable)}`] : []),
  ].join("\n");
}

function siteLines(site: SiteReview, sun: SunChange | undefined, styled: Styler): string[] {
  const line = (meaning: Meaning, label: string, text: string) => `  ${styled(meaning, label)} ${printable(text)}`;
  return [
    `${styled("strong", printable(titled(site)))} ${readyText(site, styled)}`.trimEnd(),
    ...site.errors.map((text) => line("bad", "refused:", text)),
    ...site.devices.map((one) =>
      line(MEANINGS[one.kind] ?? "strong", `${name(one.label)}:`, deviceWords(one).join(", ")),
    ),
    ...missingIn(site).map((text) => line("bad", "missing:", text)),
    ...site.warnings.map((one) => line("warning", "warning:", remarkText(one))),
    ...(site.notes ?? []).map((one) => line("good", "measured:", remarkText(one))),
    ...(site.standing.length > 0 ? [line("quiet", "as before:", counted(site.standing.length, "warning"))] : []),
    ...site.drift.map((one) => line("warning", `${name(one.label)} drifted:`, driftWords(one).join(", "))),
    ...(sun?.roofs ?? []).map((roof) => line("strong", `sun on ${printable(roof.name)}:`, roofWords(roof))),
    ...(sun?.planes ?? []).map(({ name, sent }) => line("strong", `planes of ${printable(name)}:`, sent)),
    ...(sun ? [line("strong", "sun:", carWords(sun, printable))] : []),
  ];
}

const MEANINGS: Readonly<Record<string, Meaning>> = { failed: "bad", held: "bad", new: "good", leaves: "warning" };

function readyText(site: SiteReview, styled: Styler): string {
  const removed = removedWords(site);
  if (removed !== undefined) return styled("quiet", removed);
  const { before, after } = readinessOf(site);
  const word = (ready: boolean) => (ready ? styled("good", "ready") : styled("bad", "not ready"));
  if (after === undefined) return "";
  return before === undefined || before === after ? word(after) : `${word(before)} → ${word(after)}`;
}

function name(label: string): string {
  return printable(shortName(label));
}
