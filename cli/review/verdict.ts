import { counted } from "../counted";
import { isNotable, type Review, type SiteChange } from "./review";

/** How serious it is. `bad`: something stops to work; `warning`: look at it; `good`: nothing to look at. */
export type Level = "bad" | "warning" | "good";

/** The verdict of a review, most important first. */
export interface Verdict {
  readonly level: Level;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly level: Level;
  readonly what: What;
  readonly count: number;
}

/** What is counted, and how serious one of them is. */
const WHATS = {
  errors: "bad",
  refused: "bad",
  failed: "bad",
  stopsBeingReady: "bad",
  newNotReady: "warning",
  drifted: "warning",
  becomesReady: "good",
  changed: "good",
  added: "good",
  leaving: "good",
  warned: "warning",
  others: "good",
  unchanged: "good",
} as const satisfies Record<string, Level>;
export type What = keyof typeof WHATS;

/** The effect of a site on the verdict. */
export function stopsBeingReady({ readyBefore, readyAfter }: SiteChange): boolean {
  return readyBefore === true && readyAfter === false;
}

export function isChanged(site: SiteChange): boolean {
  const { devices, errors, readyBefore, readyAfter } = site;
  return devices.length + errors.length > 0 || (readyBefore !== readyAfter && readyAfter !== undefined);
}

export function verdictOf({ sites, others, errors }: Review): Verdict {
  const devices = sites.flatMap((site) => site.devices);
  const kinds = (...some: string[]) => devices.filter(({ kind }) => some.includes(kind)).length;
  const { same: _, ...changing } = others;
  const counts: Record<What, number> = {
    errors: errors.length,
    refused: sites.filter((site) => site.errors.length > 0).length,
    failed: kinds("failed", "held"),
    stopsBeingReady: sites.filter(stopsBeingReady).length,
    newNotReady: sites.filter((site) => site.readyBefore === undefined && site.missing.length > 0).length,
    drifted: sites.flatMap(({ drift }) => drift).length,
    becomesReady: sites.filter(({ readyBefore, readyAfter }) => readyBefore === false && readyAfter === true).length,
    changed: kinds("changed", "resent", "secret"),
    added: kinds("new"),
    leaving: kinds("leaves"),
    warned: sites.filter(isChanged).flatMap(({ warnings }) => warnings).length,
    others: Object.values(changing).reduce((total, count) => total + count, 0),
    unchanged: sites.reduce((total, { unchanged }) => total + unchanged, 0) + (others.same ?? 0),
  };
  const parts = (Object.keys(WHATS) as What[])
    .filter((what) => counts[what] > 0)
    .map((what): Part => ({ level: WHATS[what], what, count: counts[what] }));
  const worst = (["bad", "warning"] as const).find((level) => parts.some((part) => part.level === level));
  return { level: worst ?? "good", parts: parts.length > 0 ? parts : [{ level: "good", what: "unchanged", count: 0 }] };
}

const WORDS: Readonly<Record<What, (count: number) => string>> = {
  errors: (count) => counted(count, "error"),
  refused: (count) => `${count} refused`,
  failed: (count) => `${counted(count, "device")} failed`,
  stopsBeingReady: (count) => `${counted(count, "site")} ${verb(count, "stop")} being ready`,
  newNotReady: (count) => `${counted(count, "new site")} not ready`,
  drifted: (count) => `${counted(count, "device")} drifted`,
  becomesReady: (count) => `${counted(count, "site")} ${verb(count, "become")} ready`,
  changed: (count) => `${counted(count, "device")} ${verb(count, "change")}`,
  added: (count) => `${count} new`,
  leaving: (count) => `${count} no longer managed`,
  warned: (count) => counted(count, "warning"),
  others: (count) => `${counted(count, "other resource")} ${verb(count, "change")}`,
  unchanged: (count) => (count === 0 ? "no change" : `${count} unchanged`),
};

/** A part of a verdict in words: `1 site stops being ready`. */
export function partWords({ what, count }: Part): string {
  return WORDS[what](count);
}

/** `❌`, `⚠️` or `✅`. */
export const ICONS: Readonly<Record<Level, string>> = { bad: "❌", warning: "⚠️", good: "✅" };

/** The first line: `❌ 1 site stops being ready · 2 devices change · 298 unchanged`. */
export function verdictLine(verdict: Verdict): string {
  return `${ICONS[verdict.level]} ${verdict.parts.map(partWords).join(" · ")}`;
}

function verb(count: number, word: string): string {
  return count === 1 ? `${word}s` : word;
}

/** How many of the solar sites are ready afterwards: `5 of 6 sites ready`; undefined if there is none. */
export function readinessWords({ sites }: Review): string | undefined {
  const known = sites.filter(({ readyAfter }) => readyAfter !== undefined);
  const ready = known.filter(({ readyAfter }) => readyAfter === true).length;
  return known.length === 0 ? undefined : `${ready} of ${counted(known.length, "site")} ready`;
}

/** The sites to show, the most serious first. */
export function inOrder(sites: readonly SiteChange[]): SiteChange[] {
  const rank = (site: SiteChange) => {
    if (site.errors.length > 0) return 0;
    if (site.devices.some(({ kind }) => kind === "failed" || kind === "held")) return 1;
    if (stopsBeingReady(site)) return 2;
    return site.missing.length > 0 ? 3 : site.warnings.length > 0 ? 4 : 5;
  };
  const by = new Intl.Collator("en", { numeric: true });
  return sites.filter(isNotable).sort((a, b) => rank(a) - rank(b) || by.compare(a.name, b.name));
}
