import { counted } from "../counted";
import { code, codeLine, head, marker, prose, row } from "../markdown";
import { ASSUMPTIONS, sunChangeOf } from "../sun/change";
import { sunMarkdown } from "../sun/markdown";
import { fitted, type Section } from "./fit";
import type { DeviceChange, Review, SiteChange } from "./review";
import { inOrder, isChanged, readinessWords, verdictLine, verdictOf } from "./verdict";
import { deviceWords, driftWords, shortName } from "./words";

/** How many bytes a report may have. */
export const LIMITS = {
  /** A comment at GitHub takes 65,536 characters; the summary of a step, 1 MiB. */
  github: 65_536,
  /** A note at GitLab takes 1,000,000 characters. */
  gitlab: 1_000_000,
} as const;
export type Forge = keyof typeof LIMITS;

/** The review in Markdown, verdict first, in at most as many bytes as the forge takes. */
export function markdownOf(review: Review, forge: Forge): string {
  const beginning = [
    markerOf(review),
    `### ${verdictLine(verdictOf(review))}`,
    "",
    [`${TITLES[review.operation]} of ${subjectWords(review)}`, readinessWords(review)].filter(Boolean).join(": "),
    "",
  ];
  const sections = sectionsOf(review);
  const used = Buffer.byteLength(beginning.join("\n")) + 1;
  return [...beginning, ...fitted(sections, LIMITS[forge] - used)].join("\n");
}

/** Most sites of which a report estimates the sun, at 4 ms each (our choice). */
const MOST_SUNS = 100;

const TITLES: Readonly<Record<Review["operation"], string>> = {
  change: "Preview",
  drift: "Drift check",
  applied: "Update",
};

/** By which a comment is known again: it is replaced by the next review of the same. */
export function markerOf({ subjects }: Review): string {
  return marker(`solar-charging review of ${subjects.join(", ").slice(0, 500)}`);
}

function subjectWords({ subjects }: Review): string {
  const shown = subjects.slice(0, 5).map(code).join(", ");
  return subjects.length > 5 ? `${shown} and ${subjects.length - 5} more` : shown;
}

function sectionsOf(review: Review): Section[] {
  const sites = inOrder(review.sites);
  const changed = sites.filter(isChanged);
  const rest = sites.filter((site) => !isChanged(site));
  const several = review.subjects.length > 1;
  const nameOf = (site: SiteChange) => (several ? `${code(site.name)} of ${code(site.subject)}` : code(site.name));
  return [
    section(
      [],
      review.errors.map((text) => [`- ❌ ${prose(text)}`]),
      "error",
    ),
    section(
      head(["site", "ready", "changes"]),
      changed.map((site) => [siteRow(site, nameOf(site))]),
      "site",
    ),
    section(["#### What to look at", ""], findings(changed, nameOf), "finding"),
    sunSection(changed),
    section(
      [...(review.operation === "drift" ? [] : ["#### Drift", ""]), ...head(["site", "device", "applied → reported"])],
      sites.flatMap((site) => site.drift.map((device) => [driftRow(site.isSite ? nameOf(site) : "-", device)])),
      "device",
      review.repair === undefined
        ? []
        : ["", `To put back what was applied, run ${code(review.repair)}; or declare what was set elsewhere.`],
    ),
    folded("Sites and warnings that do not change", [
      ...findings(rest, nameOf),
      ...review.warnings.map((text) => [`- ⚠️ ${prose(text)}`]),
    ]),
    folded(
      "Everything that was printed",
      review.log.map((line) => [codeLine(line)]),
      "last",
    ),
  ];
}

function siteRow(site: SiteChange, name: string): string {
  const changes = site.devices.map((device) => `${code(shortName(device.label))}: ${phrases(deviceWords(device))}`);
  const refused = site.errors.length > 0 ? ["refused"] : [];
  return row([site.isSite ? name : "-", readyWords(site), [...refused, ...changes].join("<br>") || "-"]);
}

/** `✅ → ❌`, with a word for those who do not see signs. */
function readyWords({ isSite, readyBefore, readyAfter, errors }: SiteChange): string {
  if (!isSite) return "-";
  if (errors.length > 0) return "❌ refused";
  // A site that is not to be solar-aware, and never was, is not ready; nobody needs to hear it.
  if (readyAfter === undefined && readyBefore === false) return "-";
  const [before, after] = [readyBefore, readyAfter].map(readyWord);
  return readyBefore === readyAfter || readyBefore === undefined ? (after as string) : `${before} → ${after}`;
}

function readyWord(ready: boolean | undefined): string {
  return ready === undefined ? "-" : ready ? "✅ ready" : "❌ not ready";
}

/** Gaps, problems and warnings, site by site. */
function findings(sites: readonly SiteChange[], nameOf: (site: SiteChange) => string): string[][] {
  return sites.flatMap((site) => [
    ...site.errors.map((text) => [`- ❌ ${nameOf(site)}: ${prose(text)}`]),
    ...(site.missing.length > 0 ? [[`- ❌ ${nameOf(site)} is not ready: ${site.missing.map(prose).join("; ")}`]] : []),
    ...site.warnings.map((text) => [`- ⚠️ ${nameOf(site)}: ${prose(text)}`]),
  ]);
}

function sunSection(sites: readonly SiteChange[]): Section {
  const changes = sites.slice(0, MOST_SUNS).flatMap(({ name, sun }) => {
    const change = sunChangeOf(sun.before, sun.after);
    return change ? [{ name, change }] : [];
  });
  const items = changes.map(({ name, change }, index) => sunMarkdown(name, change, index));
  const rest = sites.length - MOST_SUNS;
  const others = rest > 0 ? [`The sun of ${counted(rest, "more site")} is not estimated here.`, ""] : [];
  return section(["#### The sun", ""], items, "site", ["", ...others, `<sub>${ASSUMPTIONS}</sub>`]);
}

function driftRow(name: string, device: DeviceChange): string {
  return row([name, code(shortName(device.label)), phrases(driftWords(device))]);
}

/** Values and reasons can contain anything. */
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
    `\nand ${counted(count, `more ${noun}`)}: \`solar-charging review --json\` has all of them`;
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
