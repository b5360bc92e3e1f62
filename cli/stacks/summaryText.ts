import { type Gap, reasonOfGap } from "../../provider/settings/readiness";
import { counted, numbered } from "../counted";
import { grouped } from "../grouped";
import { someNames } from "../names";
import type { Styler } from "../style";
import { isExpectedReady } from "../view/model";
import type { FleetOperation } from "./stack";
import { type Alike, type DeviceSummary, type PlacedWarning, type Summary, warningsByPlace } from "./summary";

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

/** The effect of a run as lines for people: the remarks beside its review, then the counts. */
export function runLines(summary: Summary, styled: Styler = (_, text) => text): string[] {
  const { operation, devices, calls, service, sites } = summary;
  // In a preview, the lines of a site that changes show them. After an interruption, they are only devices that follow.
  const isElsewhere = ({ result }: DeviceSummary) =>
    ["up", "destroy"].includes(operation)
      ? summary.interrupted && ["held", "notDone"].includes(result)
      : result !== "unchanged";
  const shown = new Set(devices.filter(isElsewhere).map(({ site }) => site));
  const lacking = sites.flatMap(({ site, after }) =>
    after && isExpectedReady(after) && after.gaps.length > 0 && !shown.has(site) ? [{ site, gaps: after.gaps }] : [],
  );
  return [
    // All baselines are printed, because this is the last time that they can be seen.
    ...summary.notes.map((note) => `note: ${note}`),
    ...warningLines(summary, styled),
    ...most(summary.failures, "failure", (failure) => `${styled("bad", "failed:")} ${alikeText(failure)}`),
    ...most(summary.notApproved, "change", (one) => `${styled("warning", "left as it is:")} ${alikeText(one)}`),
    ...most([...grouped(lacking, ({ gaps }) => gapsText(gaps))], "gap", ([gaps, of]) => {
      const ready = (words: string) => `${styled("bad", words)} for solar-aware charging: ${gaps}`;
      if (of.length === 1) return `${of[0]?.site} ${ready("is not ready")}`;
      return `${counted(of.length, "site")} ${ready("are not ready")} (${someNames(of.map((one) => one.site))})`;
    }),
    countsText(summary),
    `calls${service === undefined ? "" : ` to ${service}`}: ${calls.get} GET, ${calls.patch} PATCH, ${calls.latest} latest reads`,
    ...(summary.interrupted ? [`${styled("warning", "interrupted:")} ${INTERRUPTED[operation]}`] : []),
  ];
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

/** `acme, 500 devices: 500 adopted, 0 sent, 0 unchanged, 0 failed`. */
function countsText(summary: Summary): string {
  const { fleet, operation, devices, adopted, changed, unmanaged, unchanged, failed, notDone } = summary;
  const some = (count: number, word: string) => (count > 0 ? [`${numbered(count)} ${word}`] : []);
  const isNew = ({ result, before }: DeviceSummary) => result === "changed" && Object.keys(before).length === 0;
  const added = operation === "preview" ? devices.filter(isNew).length : 0;
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
