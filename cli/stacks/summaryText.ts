import { type Gap, reasonOfGap } from "../../provider/settings/readiness";
import { sunChangeOf } from "../clearDays/change";
import { roofWords } from "../clearDays/words";
import { counted, numbered } from "../counted";
import { grouped } from "../grouped";
import { someNames } from "../names";
import type { Styler } from "../style";
import { driftByCause, driftedNames, sharedWords } from "../view/causes";
import type { DeviceChange, SiteChange } from "../view/model";
import { deviceWords, driftWords, losesReadiness, removedWords } from "../view/words";
import type { SiteOutcome } from "./outcome";
import type { FleetOperation } from "./stack";
import {
  type Alike,
  changesOfSites,
  type DeviceSummary,
  type PlacedWarning,
  type Summary,
  warningsByPlace,
} from "./summary";

/** Maximum number of lines of one kind (our choice). */
const MOST_LINES = 50;

/** The words for `changed` devices. */
const CHANGED: Readonly<Record<FleetOperation, string>> = {
  preview: "to change",
  drift: "drifted",
  up: "sent",
  refresh: "changed",
  destroy: "changed",
};

const SAVED = "the state has what the service accepted. Run the same command again to continue";
const UNCHANGED = "nothing was changed. Run the same command again";

/** The state after an interrupted run. */
const INTERRUPTED: Readonly<Record<FleetOperation, string>> = {
  preview: UNCHANGED,
  drift: UNCHANGED,
  up: SAVED,
  refresh: "the state has what was read. Run the same command again to continue",
  destroy: SAVED,
};

/** The summary as lines for people, site by site; changes come first. */
export function summaryText(summary: Summary, styled: Styler = (_, text) => text): string {
  const { operation, devices, calls, service, broken, sites } = summary;
  const isShown = ({ result }: DeviceSummary) => ["changed", "adopted", "unmanaged"].includes(result);
  const shown = ["preview", "drift", "refresh"].includes(operation) ? devices.filter(isShown) : [];
  // After an interruption, the gaps of an unfinished site are only devices that follow in the next run.
  const open = new Set(summary.interrupted ? devices.filter(isOpen).map(({ site }) => site) : []);
  const lacking = sites.filter(({ site, gaps, isLeaving }) => gaps.length > 0 && !isLeaving && !open.has(site));
  const found = summary.changed + summary.unmanaged;
  return [
    ...most(siteLines(summary, shown, styled), "line", (line) => line),
    // All baselines are printed, because this is the last time that they can be seen.
    ...summary.notes.map((note) => `note: ${note}`),
    ...warningLines(summary, styled),
    ...most(summary.failures, "failure", (failure) => `${styled("bad", "failed:")} ${alikeText(failure)}`),
    ...[...grouped(summary.stackErrors, ({ error }) => error)].map(
      ([error, of]) =>
        `${styled("bad", "failed:")} ${of.length === 1 ? "stack" : "stacks"} ${someNames(of.map(({ stack }) => stack))}: ${error}`,
    ),
    ...most([...grouped(lacking, ({ gaps }) => gapsText(gaps))], "gap", ([gaps, of]) => {
      const [{ site }] = of as [SiteOutcome];
      const ready = (words: string) => `${styled("bad", words)} for solar-aware charging: ${gaps}`;
      if (of.length === 1) return `${site} ${ready("is not ready")}`;
      return `${counted(of.length, "site")} ${ready("are not ready")} (${someNames(of.map((one) => one.site))})`;
    }),
    ...(broken === undefined ? [] : [`${styled("bad", "failed:")} ${broken}`]),
    countsText(summary),
    `calls${service === undefined ? "" : ` to ${service}`}: ${calls.get} GET, ${calls.patch} PATCH, ${calls.latest} latest reads`,
    ...(summary.stopped === undefined ? [] : [`${styled("bad", "stopped:")} ${summary.stopped}`]),
    ...(summary.repair === undefined || found === 0 ? [] : [`repair: ${summary.repair}`]),
    ...(summary.interrupted ? [`${styled("warning", "interrupted:")} ${INTERRUPTED[operation]}`] : []),
  ].join("\n");
}

/**
 * The devices that change, below their sites, and the effect of a preview's changes on the sun. Sites that stop being
 * ready come first.
 */
function siteLines(summary: Summary, devices: readonly DeviceSummary[], styled: Styler): string[] {
  const { operation } = summary;
  const isDrift = ["drift", "refresh"].includes(operation);
  const all = devices.map((of) => ({ site: of.site, change: changeOf(of, operation), of }));
  const { shared, others } = isDrift ? driftByCause(all) : { shared: [], others: all };
  const wordsOf = isDrift ? driftWords : deviceWords;
  const bySite = grouped(others, ({ site }) => site);
  const causes = shared.map((one) => `${styled("warning", sharedWords(one))} (${driftedNames(one)})`);
  const names = [...new Set(devices.map(({ site }) => site))];
  const sites = changesOfSites(summary, names)
    .filter((site) => bySite.has(site.name) || (!isDrift && losesReadiness(site)))
    .sort((a, b) => Number(losesReadiness(b)) - Number(losesReadiness(a)));
  const lines = causes;
  for (const site of sites) {
    // Without this, a large fleet would wait for estimates in lines that are not shown.
    const isEstimated = operation === "preview" && lines.length < MOST_LINES;
    lines.push(siteLine(site, styled));
    for (const { change, of } of bySite.get(site.name) ?? []) {
      const words = of.isElsewhere ? ["another part of the fleet declares it now"] : wordsOf(change);
      lines.push(`  ${of.label} (${of.device}): ${words.join(", ") || "no setting"}`);
    }
    if (isEstimated) lines.push(...sunLines(site));
  }
  return lines;
}

/** The new warnings, and the number of those that were there before: in full, they would hide the new ones. */
function warningLines(summary: Summary, styled: Styler): string[] {
  const placed = warningsByPlace(summary);
  const fresh = grouped(
    placed.filter(({ isOld }) => !isOld),
    ({ warning }) => warning,
  );
  const old = placed.filter(({ isOld }) => isOld).length;
  const lineOf = ([warning, places]: [Alike, readonly PlacedWarning[]]) => {
    const devices = places.flatMap(({ device }) => device?.device ?? []);
    const sites = places.flatMap(({ site }) => site ?? []);
    return `${styled("warning", "warning:")} ${alikeText({ ...warning, devices, sites })}`;
  };
  return [
    ...most([...fresh], "warning", lineOf),
    ...(old > 0 ? [styled("quiet", `as before: ${counted(old, "warning")} (--json shows all)`)] : []),
  ];
}

/** The gaps of a site, each device once: `vehicle/car: maxCapacity is not declared; policy is not accepted yet`. */
function gapsText(gaps: readonly Gap[]): string {
  return [...grouped(gaps, ({ device }) => device)]
    .map(([device, own]) => `${device}: ${own.map((gap) => reasonOfGap(gap)).join("; ")}`)
    .join("; ");
}

function isOpen({ result }: DeviceSummary): boolean {
  return result === "held" || result === "notDone";
}

/** `berlin stops being ready`, `bonn is not ready now`, `bern removed (was ready)`, or the name alone. */
function siteLine(site: SiteChange, styled: Styler): string {
  const removed = removedWords(site);
  const lost = site.after?.observed ? "is not ready now" : "stops being ready";
  const words = losesReadiness(site) ? styled("bad", lost) : removed && styled("quiet", removed);
  return [styled("strong", site.name), ...(words ? [words] : [])].join(" ");
}

function sunLines({ before, after }: SiteChange): string[] {
  const change = sunChangeOf(before, after);
  return (change?.roofs ?? []).map((roof) => `  sun on ${roof.name}: ${roofWords(roof)}`);
}

/** `acme, 500 devices: 500 adopted, 0 sent, 0 unchanged, 0 failed`. */
function countsText(summary: Summary): string {
  const { fleet, operation, devices, adopted, changed, unmanaged, unchanged, failed, notDone } = summary;
  const some = (count: number, word: string) => (count > 0 ? [`${numbered(count)} ${word}`] : []);
  const added = devices.filter((one) => one.result === "changed" && changeOf(one, operation).kind === "new").length;
  return `${fleet}, ${counted(devices.length, "device")}: ${[
    ...some(adopted, operation === "preview" ? "to adopt" : "adopted"),
    ...some(added, "new"),
    `${numbered(changed - added)} ${CHANGED[operation]}`,
    ...some(unmanaged, operation === "preview" ? "to stop managing" : "no longer managed"),
    `${numbered(unchanged)} unchanged`,
    `${numbered(failed)} failed`,
    ...some(notDone, "not done"),
  ].join(", ")}`;
}

function most<T>(all: readonly T[], noun: string, lineOf: (one: T) => string): string[] {
  const lines = all.slice(0, MOST_LINES).map(lineOf);
  const more = all.length - MOST_LINES;
  return more > 0 ? [...lines, `and ${more} more ${noun}${more === 1 ? "" : "s"}: --json shows all`] : lines;
}

/** One cause, and the affected devices or sites. */
function alikeText({ reason, devices, sites }: Alike): string {
  if (devices.length > 0) return `${counted(devices.length, "device")}: ${reason} (${someNames(devices)})`;
  return sites.length > 0 ? `${counted(sites.length, "site")}: ${reason} (${someNames(sites)})` : reason;
}

/** The change of a device. A preview that does not read does not know the values of a new one. */
function changeOf({ label, before, settings, onDelete }: DeviceSummary, operation: FleetOperation): DeviceChange {
  if (onDelete !== undefined) return { label, kind: "leaves", settings: [], onDelete };
  const isNew = operation === "preview" && settings.length > 0 && Object.keys(before).length === 0;
  return { label, kind: isNew ? "new" : "changed", settings };
}
