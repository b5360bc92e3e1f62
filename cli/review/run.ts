import { z } from "zod";
import { firstNames } from "../../provider/settings/explain";
import { defined } from "../../provider/settings/objects";
import { grouped } from "../grouped";
import type { DeviceSummary, Summary } from "../stacks/summary";
import { asReported, changesBetween, compare, lintId, lintIds } from "../view/compare";
import type { DeviceChange, SiteChange } from "../view/model";
import { observedSince } from "../view/readiness";
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
  const known = new Map(summary.sites.map((site) => [site.site, site]));
  const remarks = remarksOf(summary);
  return {
    subjects: [name],
    operation,
    sites: names.map((site) => {
      const own = remarks.get(site) ?? [];
      const some = (which: boolean) => own.flatMap(({ isOld, remark }) => (isOld === which ? remark : []));
      const change = { ...changeOf(site, known.get(site) ?? {}, operation), stack: name };
      const devices = bySite.get(site) ?? [];
      return { ...reviewOfSite(change, devices, operation), warnings: some(false), standing: some(true) };
    }),
    others: {},
    errors: [
      ...[...grouped(stackErrors, ({ error }) => error)].map(
        ([error, of]) => `${firstNames(of.map(({ stack }) => stack))}: ${error}`,
      ),
      ...[stopped, broken].flatMap((text) => text ?? []),
    ],
    warnings: (remarks.get(undefined) ?? []).map(({ remark }) => remark.text),
    ...(repair !== undefined && found > 0 && { repair }),
    ...(next !== undefined && { next: [next] }),
    ...{ failures: summary.failures, left: summary.notApproved, notes: summary.notes, counts: countsOf(summary) },
    ...(summary.interrupted && { interrupted: true as const }),
    log: [],
  };
}

/** The requests of a run. The verdict has its devices. */
function countsOf({ calls, service, interrupted }: Summary): string[] {
  return [
    `calls${service === undefined ? "" : ` to ${service}`}: ${calls.get} GET, ${calls.patch} PATCH, ${calls.latest} latest reads`,
    ...(interrupted ? ["interrupted: the state has all that was done. Run the same command again to continue"] : []),
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
    unchanged: own.length - changed.length,
    drift: [...changed.filter(isDrift), ...own.flatMap(driftFirstRead)],
    errors: [],
  };
}

/** The change of a site. After a check for drift, it has the readiness that the reported values give it. */
function changeOf(
  name: string,
  { before, after }: Pick<SiteChange, "before" | "after">,
  operation: Review["operation"],
): Omit<SiteChange, "stack"> {
  if (!before && !after) return { name, isSite: true, devices: [] };
  if (operation === "drift" && before) {
    const now = after ?? { ...before, devices: [] };
    return { ...compare(before, now), after: asReported(before, now) };
  }
  // The state of a site that an update could not change has drift.
  const isDrifted = after?.solar && after.devices.some(({ drift }) => drift.length > 0);
  return compare(before, isDrifted ? { ...after, observed: observedSince(after) } : after);
}

/**
 * The warnings of a run by site, each beside its device; those of whole stacks under `undefined`. The earlier manifest is
 * not known, so a lint that it switched off counts as an old one.
 */
function remarksOf({ sites, warnings, devices }: Summary) {
  const known = new Map(sites.map(({ site, before }) => [site, before && lintIds(before)]));
  const ofRun = new Map(devices.map((one) => [one.device, one]));
  const placed = warnings.flatMap((warning) => {
    const own = warning.devices.flatMap((name) => ofRun.get(name) ?? []);
    const covered = new Set(own.map(({ site }) => site));
    const others = warning.sites.filter((site) => !covered.has(site));
    const places: Partial<DeviceSummary>[] = [...own, ...others.map((site) => ({ site }))];
    return (places.length > 0 ? places : [{}]).map(({ site, label: device }) => ({
      site,
      isOld: known.get(site ?? "")?.has(lintId(warning.code, device)) === true,
      remark: defined({ device, text: warning.reason }),
    }));
  });
  return grouped(placed, ({ site }) => site);
}

function isDone(result = ""): boolean {
  return !["failed", "held", "notDone"].includes(result);
}

/** The change of a device, with the result of the run. */
function withResult(change: DeviceChange, { result, reason, onDelete }: Partial<DeviceSummary> = {}): DeviceChange {
  if (onDelete === "moves") return { ...change, settings: [], onDelete };
  if (isDone(result)) return change;
  const kind = result === "failed" ? "failed" : reason === undefined ? "held" : "left";
  return { ...change, kind, ...defined({ reason }) };
}

/** The drift of a device that the run read first. */
function driftFirstRead({ label, drifted }: DeviceSummary): DeviceChange[] {
  return drifted ? [{ label, kind: "changed", settings: changesBetween(drifted.before, drifted.after ?? {}) }] : [];
}
