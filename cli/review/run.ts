import { z } from "zod";
import { counted, numbered } from "../counted";
import { defined } from "../defined";
import { grouped } from "../grouped";
import { someNames } from "../names";
import type { FleetOperation } from "../stacks/stack";
import {
  changesOfSites,
  type DeviceSummary,
  type PlacedWarning,
  type Summary,
  warningsByPlace,
} from "../stacks/summary";
import { changesBetween } from "../view/compare";
import type { DeviceChange, SiteChange } from "../view/model";
import { type Review, type SiteReview, unique } from "./review";

/** Recognizes the JSON of a fleet's run. Its content is not checked, because this package wrote it. */
export const summarySchema = z.custom<Summary>(
  (value) =>
    z
      .looseObject({ fleet: z.string(), operation: z.string(), devices: z.array(z.looseObject({ site: z.string() })) })
      .safeParse(value).success,
);

const OPERATIONS: Readonly<Record<Summary["operation"], Review["operation"]>> = {
  preview: "change",
  drift: "drift",
  refresh: "drift",
  up: "applied",
  destroy: "applied",
};

/** The review of a fleet's run. @param name its subject; default: the fleet */
export function reviewOfSummary(summary: Summary, name = summary.fleet): Review {
  const operation = OPERATIONS[summary.operation];
  const bySite = grouped(summary.devices, ({ site }) => site);
  const names = unique([...bySite.keys(), ...summary.sites.map(({ site }) => site)]);
  const { repair, next, stackErrors, stopped, broken } = summary;
  const found = summary.changed + summary.unmanaged;
  const sites = changesOfSites(summary, names, name);
  const warnings = grouped(warningsByPlace(summary), ({ site }) => site);
  return {
    subjects: [name],
    operation,
    sites: sites.map((site) => {
      const own = bySite.get(site.name) ?? [];
      return { ...reviewOfSite(site, own, operation), ...remarksOf(warnings.get(site.name) ?? []) };
    }),
    others: {},
    errors: [
      ...[...grouped(stackErrors, ({ error }) => error)].map(
        ([error, of]) => `${someNames(of.map(({ stack }) => stack))}: ${error}`,
      ),
      ...[stopped, broken].flatMap((text) => text ?? []),
    ],
    warnings: (warnings.get(undefined) ?? []).map(({ warning }) => warning.reason),
    ...(repair !== undefined && found > 0 && { repair }),
    ...(next !== undefined && { next: [next] }),
    ...{ failures: summary.failures, left: summary.notApproved, notes: summary.notes, counts: countsOf(summary) },
    ...(summary.interrupted && { interrupted: true as const }),
    log: [],
  };
}

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

/** The counts of a run: `acme, 500 devices: 500 adopted, 0 sent, 0 unchanged, 0 failed`, and its requests. */
function countsOf(summary: Summary): string[] {
  const { fleet, operation, devices, adopted, changed, unmanaged, unchanged, failed, notDone, calls, service } =
    summary;
  const some = (count: number, word: string) => (count > 0 ? [`${numbered(count)} ${word}`] : []);
  const isNew = ({ result, before }: DeviceSummary) => result === "changed" && Object.keys(before).length === 0;
  const added = operation === "preview" ? devices.filter(isNew).length : 0;
  const numbers = [
    ...some(adopted, operation === "preview" ? "to adopt" : "adopted"),
    ...some(added, "new"),
    `${numbered(changed - added)} ${CHANGED[operation]}`,
    ...some(unmanaged, operation === "preview" ? "to stop managing" : "no longer managed"),
    `${numbered(unchanged)} unchanged`,
    `${numbered(failed)} failed`,
    ...some(notDone, "not done"),
  ];
  return [
    `${fleet}, ${counted(devices.length, "device")}: ${numbers.join(", ")}`,
    `calls${service === undefined ? "" : ` to ${service}`}: ${calls.get} GET, ${calls.patch} PATCH, ${calls.latest} latest reads`,
    ...(summary.interrupted ? [`interrupted: ${INTERRUPTED[operation]}`] : []),
  ];
}

function reviewOfSite(
  site: SiteChange,
  own: readonly DeviceSummary[],
  operation: Review["operation"],
): Omit<SiteReview, "warnings" | "standing"> {
  const results = new Map(own.map((one) => [one.label, one]));
  const done = site.devices.map((change) => withResult(change, results.get(change.label)));
  const open = own
    .filter(({ result, label }) => !isDone(result) && !done.some((change) => change.label === label))
    .map((one) => withResult({ label: one.label, kind: "held", settings: [] }, one));
  const changed = [...done, ...open];
  const isDrift = ({ kind }: DeviceChange) => operation === "drift" && kind !== "failed" && kind !== "held";
  return {
    ...site,
    devices: changed.filter((change) => !isDrift(change)),
    unchanged: own.filter(({ isElsewhere }) => !isElsewhere).length - changed.length,
    drift: [...changed.filter(isDrift), ...own.flatMap(driftFirstRead)],
    errors: [],
  };
}

/** The warnings of a site: the new ones, and those that were there before. */
function remarksOf(all: readonly PlacedWarning[]): Pick<SiteReview, "warnings" | "standing"> {
  const remarks = (which: boolean) =>
    all.flatMap(({ warning: { reason: text }, device, isOld }) =>
      isOld === which ? defined({ device: device?.label, text }) : [],
    );
  return { warnings: remarks(false), standing: remarks(true) };
}

function isDone(result: DeviceSummary["result"]): boolean {
  return !["failed", "held", "notDone"].includes(result);
}

/** The change of a device, with the result of the run. */
function withResult(change: DeviceChange, { result, reason }: Partial<DeviceSummary> = {}): DeviceChange {
  if (result === undefined || isDone(result)) return change;
  const kind = result === "failed" ? "failed" : reason === undefined ? "held" : "left";
  return { ...change, kind, ...defined({ reason }) };
}

/** The drift of a device that the run read first. */
function driftFirstRead({ label, drifted }: DeviceSummary): DeviceChange[] {
  return drifted ? [{ label, kind: "changed", settings: changesBetween(drifted.before, drifted.after ?? {}) }] : [];
}
