import { shortName } from "../../provider/settings/groups";
import { ASSUMPTIONS } from "../clearDays/change";
import { chartPlaces, sunMarkdown } from "../clearDays/markdown";
import { shareWords } from "../clearDays/words";
import { counted } from "../counted";
import { code, codeLine, head, marker, plainTitle, prose, row } from "../markdown";
import { firstNames } from "../names";
import { driftedName, type SharedDrift, sharedWords } from "../view/causes";
import { missingIn, readinessOf } from "../view/compare";
import type { DeviceChange } from "../view/model";
import { deviceWords, driftWords, removedWords } from "../view/words";
import { approvalWords } from "./approve";
import { decisionWords, type Judgement } from "./conditions";
import { fitted, type Section } from "./fit";
import {
  alikeFindings,
  BECOME_READY,
  changesInReview,
  driftInReview,
  type Finding,
  findingsOf,
  isChanged,
  type Remark,
  type Review,
  remarkText,
  type SiteReview,
  titled,
} from "./review";
import {
  energyChangeOf,
  hasSun,
  inOrder,
  MOST_SUNS,
  partWords,
  readinessWords,
  sunOfSite,
  verdictLine,
  verdictOf,
} from "./verdict";

/** Largest report, in bytes. */
export const LIMITS = {
  /** GitHub allows 65,536 characters in a comment, and 1 MiB in the summary of a step. */
  github: 65_536,
  /** GitLab allows 1,000,000 characters in a note. */
  gitlab: 1_000_000,
} as const;
export type Forge = keyof typeof LIMITS;

/**
 * The review in Markdown, within the size limit of the forge. The conditions that it meets come first, then the
 * verdict.
 */
export function markdownOf(review: Review, forge: Forge, { decision, approval, notApproved }: Judgement = {}): string {
  const decided = decision && decisionWords(decision, code, prose);
  const beginning = [
    markerOf(review),
    ...(decided === undefined ? [] : [`### ${decided}`, ""]),
    `${decided === undefined ? "###" : "####"} ${verdictLine(verdictOf(review), code)}`,
    "",
    [`${TITLES[review.operation]} of ${firstNames(review.subjects.map(code), 5)}`, readinessWords(review)]
      .filter(Boolean)
      .join(": "),
    "",
    ...(approval ? [`🔏 Approved set: ${approvalWords(approval, review.next ?? [], code)}`, ""] : []),
    ...(notApproved === undefined ? [] : [`🔏 No approved set: ${prose(notApproved)}.`, ""]),
  ];
  const sections = sectionsOf(review);
  const used = Buffer.byteLength(beginning.join("\n")) + 1;
  return [...beginning, ...fitted(sections, LIMITS[forge] - used)].join("\n");
}

const TITLES: Readonly<Record<Review["operation"], string>> = {
  change: "Preview",
  drift: "Drift check",
  applied: "Update",
};

/** The marker that identifies a comment, so that the next review of the same subjects replaces it. */
export function markerOf({ subjects }: Review): string {
  return marker(`solar-charging review of ${subjects.join(", ").slice(0, 500)}`);
}

/** Longest title of an issue: GitHub takes 256 characters, GitLab 255. */
const LONGEST = 200;

/**
 * The title of an issue about drift: `Drift: home, roof: azimuth SSW → NNE (202.5° → 22.5°) and 2 more`. Without drift,
 * the verdict.
 */
export function reviewTitle(review: Review): string {
  const { shared, others } = driftInReview(review.sites);
  const drifted = [
    ...shared.map(sharedWords),
    ...others.flatMap(({ site, change }) =>
      driftWords(change).map((words) => `${site === undefined ? "" : `${site}, `}${shortName(change.label)}: ${words}`),
    ),
  ];
  const [first, ...rest] = drifted;
  if (first === undefined) return plainTitle(verdictOf(review).parts.map(partWords).join(", "), LONGEST);
  const more = rest.length > 0 ? ` and ${rest.length} more` : "";
  return `${plainTitle(`Drift: ${first}`, LONGEST - more.length)}${more}`;
}

function sectionsOf(review: Review): Section[] {
  const sites = inOrder(review.sites);
  const changed = sites.filter(isChanged);
  const { shared, devicesOf, becomeReady } = changesInReview(changed);
  const ofOwn = changed.filter(
    (site) => !becomeReady.has(site) && (devicesOf(site).length > 0 || isChanged({ ...site, devices: [] })),
  );
  const rest = sites.filter((site) => !isChanged(site));
  const several = review.subjects.length > 1;
  const nameOf = (site: SiteReview) => (several ? `${code(titled(site))} of ${code(site.stack)}` : code(titled(site)));
  return [
    section(
      [],
      review.errors.map((text) => [`- ❌ ${prose(text)}`]),
      "error",
    ),
    section(
      head(["site", "ready", "sun of a year", "changes"]),
      ofOwn.map((site, index) => {
        const energy = index < MOST_SUNS ? energyChangeOf(site) : undefined;
        return [siteRow(site, devicesOf(site), nameOf(site), energy)];
      }),
      "site",
    ),
    section([], [...shared.map(sharedItem), ...readyItem([...becomeReady].map(nameOf))], "change"),
    section(["#### Findings", ""], findingLines(changed.flatMap(newFindings), nameOf), "finding"),
    sunSection(sites.filter((site) => hasSun(site) && !becomeReady.has(site))),
    ...driftSections(review, sites, nameOf),
    folded("Sites and warnings that do not change", [
      ...findingLines(
        [...changed.flatMap(oldFindings), ...rest.flatMap(newFindings), ...rest.flatMap(oldFindings)],
        nameOf,
      ),
      ...review.warnings.map((text) => [`- ⚠️ ${prose(text)}`]),
    ]),
    folded(
      "Full output",
      review.log.map((line) => [codeLine(line)]),
      "last",
    ),
  ];
}

function siteRow(
  site: SiteReview,
  devices: readonly DeviceChange[],
  name: string,
  energy: ReturnType<typeof energyChangeOf>,
): string {
  const changes = devices.map((device) => `${code(shortName(device.label))}: ${phrases(deviceWords(device))}`);
  const refused = site.errors.length > 0 ? ["refused"] : [];
  return row([
    site.isSite ? name : "-",
    readyWords(site),
    shareWords(energy?.share) ? `${shareWords(energy?.share)}${energy?.of === "cars" ? " for its cars" : ""}` : "-",
    [...refused, ...changes].join("<br>") || "-",
  ]);
}

/** `✅ → ❌`, with a word for screen readers. */
function readyWords(site: SiteReview): string {
  if (!site.isSite) return "-";
  if (site.errors.length > 0) return "❌ refused";
  const { before: readyBefore, after: readyAfter } = readinessOf(site);
  const removed = removedWords(site);
  if (removed !== undefined) return removed;
  // A site that is not solar-aware is never ready, so its readiness is not shown.
  if (readyAfter === undefined && readyBefore === false) return "-";
  const [before, after] = [readyBefore, readyAfter].map(readyWord);
  return readyBefore === readyAfter || readyBefore === undefined ? (after as string) : `${before} → ${after}`;
}

function readyWord(ready: boolean | undefined): string {
  return ready === undefined ? "-" : ready ? "✅ ready" : "❌ not ready";
}

/** Gaps, problems and new warnings. */
function newFindings(site: SiteReview): Finding[] {
  const missing = missingIn(site);
  const bad = [...site.errors, ...(missing.length > 0 ? [`is not ready: ${missing.join("; ")}`] : [])];
  return [
    ...findingsOf(
      site,
      "❌",
      bad.map((text) => ({ text })),
    ),
    ...findingsOf(site, "⚠️", site.warnings),
    ...findingsOf(site, "✅", site.notes ?? []),
  ];
}

/** Warnings that were there before the change. */
function oldFindings(site: SiteReview): Finding[] {
  return findingsOf(site, "⚠️", site.standing);
}

/** Equal findings of several sites or devices are one line. */
function findingLines(all: readonly Finding[], nameOf: (site: SiteReview) => string): string[][] {
  return alikeFindings(all).map(({ sign, remarks, number, sites }) => {
    const names = firstNames(sites.map(nameOf), 5);
    const [first, second] = remarks as [Remark, Remark?];
    return [
      `- ${sign} ${second ? `${number} (${names}): ${prose(first.text)}` : `${names}: ${prose(remarkText(first))}`}`,
    ];
  });
}

function sunSection(sites: readonly SiteReview[]): Section {
  const changes = sites.slice(0, MOST_SUNS).flatMap((site) => {
    const change = sunOfSite(site);
    return change ? [{ name: site.name, change }] : [];
  });
  const places = chartPlaces(changes.map(({ change }) => change));
  const items = changes.map(({ name, change }, index) => sunMarkdown(name, change, places[index]));
  const rest = sites.length - MOST_SUNS;
  const others = rest > 0 ? [`This review does not estimate the sun of ${counted(rest, "more site")}.`, ""] : [];
  return section(["#### The sun", ""], items, "site", ["", ...others, `<sub>${ASSUMPTIONS}</sub>`]);
}

/** Drift: first that of several devices, a line for each cause with its devices folded; then that of single devices. */
function driftSections(
  { repair, operation }: Review,
  sites: readonly SiteReview[],
  nameOf: (site: SiteReview) => string,
): Section[] {
  const { shared, others } = driftInReview(sites);
  const title = operation === "drift" ? [] : ["#### Drift", ""];
  const advice =
    repair === undefined
      ? []
      : ["", `To restore the applied values, run ${code(repair)}. To keep the new values, declare them.`];
  const rows = others.map(({ change, of }) => [
    row([of.isSite ? nameOf(of) : "-", code(shortName(change.label)), phrases(driftWords(change))]),
  ]);
  const isShared = shared.length > 0;
  return [
    section(title, shared.map(sharedItem), "cause", rows.length === 0 ? advice : []),
    section([...(isShared ? [] : title), ...head(["site", "device", "applied → reported"])], rows, "device", advice),
  ];
}

/** A line that unfolds to its devices. */
function sharedItem(shared: SharedDrift): string[] {
  const names = shared.devices.map((device) => code(driftedName(device)));
  return unfolding(prose(sharedWords(shared)), "devices", names);
}

function readyItem(names: readonly string[]): string[][] {
  return names.length === 0 ? [] : [unfolding(`${counted(names.length, "site")}: ${BECOME_READY}`, "sites", names)];
}

function unfolding(words: string, nouns: string, names: readonly string[]): string[] {
  return [`**${words}**`, "", `<details><summary>The ${nouns}</summary>`, "", names.join(", "), "", "</details>", ""];
}

/** Formats values and reasons, which can contain anything. */
function phrases(all: readonly string[]): string {
  return all.map(prose).join(", ");
}

function section(
  beginning: readonly string[],
  items: readonly (readonly string[])[],
  noun: string,
  tail: readonly string[] = [],
): Section {
  const more = (count: number) =>
    `\nand ${counted(count, `more ${noun}`)}: \`solar-charging review --json <preview>\` shows all`;
  return { head: beginning, items, tail: [...tail, ""], more, keep: "first" };
}

function folded(title: string, items: readonly (readonly string[])[], keep: Section["keep"] = "first"): Section {
  return {
    head: [`<details><summary>${title}</summary>`, ""],
    items,
    tail: ["", "</details>", ""],
    more: (count) => `${counted(count, "line")} left out\n`,
    keep,
  };
}
