import { firstNames } from "../../provider/settings/explain";
import { decisiveChange, type SunChange, sunChangeOf, type YearChange } from "../clearDays/change";
import { shareWords } from "../clearDays/words";
import { compareNames } from "../names";
import type { Styler } from "../terminal";
import type { SiteChange } from "../view/model";
import { counted, numbered } from "../words";
import { losesReadiness, missingIn, readinessOf } from "./change";
import { isChanged, isNotable, isOfDrift, type Review, type SiteReview } from "./review";

/** Severity. `bad`: something stops working; `warning`: look at it; `good`: nothing to look at. */
type Level = "bad" | "warning" | "good";

/** The verdict of a review, most important first. */
export interface ReviewVerdict {
  readonly level: Level;
  readonly parts: readonly Part[];
  /** Sites whose solar energy changes, the largest loss first. */
  readonly energy: readonly EnergyChange[];
}

/** The change of a site's energy in a year of clear days. */
interface EnergyChange {
  readonly site: string;
  /** As a fraction: -0.86 is a loss of 86 %. */
  readonly share: number;
  /** The energy of its roofs, or the one for its cars: the one that loses more. */
  readonly of: keyof YearChange;
}

export interface Part {
  readonly what: What;
  readonly count: number;
}

/** The kinds of findings, the most important first, each with its severity and its words. */
const WHATS = {
  errors: ["bad", (count) => counted(count, "error")],
  refused: ["bad", (count) => `${numbered(count)} refused`],
  failed: ["bad", counting("device", "failed")],
  held: ["bad", counting("device", "not done")],
  left: ["warning", (count) => `${counted(count, "device")} left as ${count === 1 ? "it is" : "they are"}`],
  stopsBeingReady: ["bad", (count) => `${counted(count, "site")} ${verb(count, "stop")} being ready`],
  notReadyNow: ["warning", counting("site", "not ready now")],
  newNotReady: ["warning", counting("new site", "not ready")],
  unapplied: ["warning", counting("site", "not applied yet")],
  drifted: ["warning", counting("device", "drifted")],
  becomesReady: ["good", (count) => `${counted(count, "site")} ${verb(count, "become")} ready`],
  changed: ["good", (count) => `${counted(count, "device")} ${verb(count, "change")}`],
  renamed: ["good", counting("site", "renamed")],
  added: ["good", (count) => `${numbered(count)} new`],
  leaving: ["good", (count) => `${numbered(count)} no longer managed`],
  vehiclesKeep: ["warning", counting("value", "of cars not restored")],
  invertersKeep: ["warning", counting("value", "of inverters not restored")],
  vehiclesRestored: ["good", counting("value", "of cars restored")],
  invertersRestored: ["good", counting("value", "of inverters restored")],
  warned: ["warning", (count) => counted(count, "warning")],
  others: ["good", (count) => `${counted(count, "other resource")} ${verb(count, "change")}`],
  unchanged: ["good", (count) => (count === 0 ? "no change" : `${numbered(count)} unchanged`)],
} as const satisfies Record<string, readonly [Level, (count: number) => string]>;
type What = keyof typeof WHATS;

/** `2 devices failed`. */
export function counting(noun: string, words: string) {
  return (count: number) => `${counted(count, noun)} ${words}`;
}

function verb(count: number, word: string): string {
  return count === 1 ? `${word}s` : word;
}

/** Whether a change makes a site lose its readiness. After a check for drift, the site is not ready now. */
function stopsBeingReady(site: SiteChange): boolean {
  return losesReadiness(site) && !site.after?.observed;
}

/** The number of findings of each kind. */
export function countsOf({ sites, others, errors }: Review): Readonly<Record<What, number>> {
  const ready = sites.map((site) => ({ site, ...readinessOf(site) }));
  const devices = sites.flatMap((site) => site.devices);
  const kinds = (...some: string[]) => devices.filter(({ kind }) => some.includes(kind)).length;
  const left = (group: string, way: "kept" | "restored") =>
    devices
      .filter(({ kind, label }) => kind === "leaves" && label.startsWith(group))
      .flatMap(({ settings }) => settings.filter(({ to }) => (to === undefined) === (way === "kept"))).length;
  const { same: _, ...changing } = others;
  return {
    errors: errors.length,
    refused: sites.filter((site) => site.errors.length > 0).length,
    failed: kinds("failed"),
    held: kinds("held"),
    left: kinds("left"),
    stopsBeingReady: sites.filter(stopsBeingReady).length,
    notReadyNow: ready.filter(({ site, after }) => site.after?.observed && after === false).length,
    newNotReady: ready.filter(({ site, before }) => before === undefined && missingIn(site).length > 0).length,
    unapplied: sites.filter(({ before, after = before, devices }) => !after && devices.length === 0).length,
    drifted: sites.flatMap(({ drift }) => drift).length,
    becomesReady: ready.filter(({ before, after }) => before === false && after === true).length,
    changed: kinds("changed", "secret"),
    renamed: sites.filter(({ was }) => was !== undefined).length,
    added: kinds("new"),
    leaving: kinds("leaves"),
    vehiclesKeep: left("vehicle", "kept"),
    invertersKeep: left("inverter", "kept"),
    vehiclesRestored: left("vehicle", "restored"),
    invertersRestored: left("inverter", "restored"),
    warned: sites.filter(isChanged).flatMap(({ warnings }) => warnings).length,
    others: Object.values(changing).reduce((total, count) => total + count, 0),
    unchanged: sites.reduce((total, { unchanged }) => total + unchanged, 0) + (others.same ?? 0),
  };
}

export function verdictOf(review: Review): ReviewVerdict {
  const counts = countsOf(review);
  const parts = (Object.keys(WHATS) as What[])
    .filter((what) => counts[what] > 0)
    .map((what): Part => ({ what, count: counts[what] }));
  const worst = (["bad", "warning"] as const).find((level) => parts.some(({ what }) => WHATS[what][0] === level));
  return {
    level: worst ?? "good",
    parts: parts.length > 0 ? parts : [{ what: "unchanged", count: 0 }],
    energy: energyOf(review.sites),
  };
}

/** Smallest change of a year's energy that is mentioned, as a fraction (our choice). */
const LEAST_SHARE = 0.01;

function energyOf(sites: readonly SiteReview[]): EnergyChange[] {
  return sites
    .filter(hasSun)
    .flatMap((site) => {
      const change = energyChangeOf(site);
      return change ? [{ site: site.name, ...change }] : [];
    })
    .filter(({ share }) => Math.abs(share) >= LEAST_SHARE)
    .sort((a, b) => a.share - b.share);
}

/** Whether the sun of a site can differ: the site changes, or its devices have drifted. */
export function hasSun(site: SiteReview): boolean {
  return isChanged(site) || site.drift.length > 0;
}

/** The change of a site's energy in a year; undefined if there is none. */
export function energyChangeOf(site: SiteChange): Omit<EnergyChange, "site"> | undefined {
  const change = sunOfSite(site);
  return change && decisiveChange(change);
}

/** The effect of a change on the sun of a site. Cached, because verdict, title and text all need it. */
export function sunOfSite(site: SiteChange): SunChange | undefined {
  if (!SUNS.has(site)) SUNS.set(site, sunChangeOf(site.before, site.after));
  return SUNS.get(site);
}

const SUNS = new WeakMap<SiteChange, SunChange | undefined>();

/** A part of a verdict in words: `1 site stops being ready`. */
export function partWords({ what, count }: Part): string {
  return WHATS[what][1](count);
}

/** `❌`, `⚠️` or `✅`. */
const ICONS: Readonly<Record<Level, string>> = { bad: "❌", warning: "⚠️", good: "✅" };

/**
 * The first line: `❌ 1 site stops being ready · 2 devices change · 298 unchanged · berlin −86 % sun`.
 * @param nameOf formats the name of a site
 */
export function verdictLine(
  verdict: ReviewVerdict,
  nameOf: (name: string) => string,
  styled: Styler = (_, text) => text,
): string {
  const wordsOf = (part: Part) => {
    const [level] = WHATS[part.what];
    return level === "good" ? partWords(part) : styled(level, partWords(part));
  };
  return `${ICONS[verdict.level]} ${[...verdict.parts.map(wordsOf), ...energyNames(verdict, nameOf)].join(" · ")}`;
}

/** Maximum number of sites whose energy the verdict names. */
const MOST_NAMED = 3;

/** The changes of energy in words: `berlin −86 % sun, bonn −100 % sun for its cars`. @param nameOf formats the name of a site */
function energyNames({ energy }: ReviewVerdict, nameOf: (name: string) => string): string[] {
  const names = energy.map((one) => `${nameOf(one.site)} ${sunShare(one)}`);
  return names.length === 0 ? [] : [firstNames(names, MOST_NAMED)];
}

/** `−86 % sun for its cars`; empty below one percent. */
export function sunShare({ share, of }: Partial<EnergyChange> = {}): string {
  const words = shareWords(share);
  return words && `${words} sun${of === "cars" ? " for its cars" : ""}`;
}

/**
 * The number of solar sites that are ready afterwards, or now after a check for drift: `5 of 6 sites ready now, 1 not
 * known`; undefined without solar sites. Only the update knows a site whose car may report a value that is not declared.
 */
export function readinessWords(review: Review): string | undefined {
  const solar = review.sites.flatMap((site) => {
    const { after } = readinessOf(site);
    // A site that the run did not reach has no views. Without it, a stopped run would say that all its sites are ready.
    const isOpen = site.isSite && (site.after?.solar ?? !site.before) && site.after?.change !== "leaving";
    return after !== undefined || isOpen ? [after] : [];
  });
  if (solar.length === 0) return undefined;
  const count = (state?: boolean) => solar.filter((after) => after === state).length;
  const unknown = count() === 0 ? "" : `, ${numbered(count())} not known`;
  return `${numbered(count(true))} of ${counted(solar.length, "site")} ready${isOfDrift(review) ? " now" : ""}${unknown}`;
}

/** The sites to show, the most serious first. */
export function inOrder(sites: readonly SiteReview[]): SiteReview[] {
  const rank = (site: SiteReview) => {
    if (site.errors.length > 0) return 0;
    if (site.devices.some(({ kind }) => kind === "failed" || kind === "held")) return 1;
    if (stopsBeingReady(site)) return 2;
    return missingIn(site).length > 0 ? 3 : site.warnings.length > 0 ? 4 : 5;
  };
  return sites.filter(isNotable).sort((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name));
}
