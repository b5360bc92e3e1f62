import { z } from "zod";
import { defined } from "../defined";
import { grouped } from "../grouped";
import { changesOfSites, type DeviceSummary, type Summary } from "../stacks/summary";
import { summaryText } from "../stacks/summaryText";
import { changesBetween, lintId, lintIds } from "../view/compare";
import type { DeviceChange, SiteChange, SiteView } from "../view/model";
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
  const { repair, stackErrors, stopped, broken } = summary;
  const found = summary.changed + summary.unmanaged;
  return {
    subjects: [name],
    operation,
    sites: changesOfSites(summary, names, name).map((site) =>
      reviewOfSite(summary, site, bySite.get(site.name) ?? [], operation),
    ),
    others: {},
    errors: [
      ...stackErrors.map(({ stack, error }) => `${stack}: ${error}`),
      ...[stopped, broken].flatMap((text) => text ?? []),
    ],
    warnings: summary.warnings
      .filter(({ sites, devices }) => sites.length + devices.length === 0)
      .map(({ reason }) => reason),
    ...(repair !== undefined && found > 0 && { repair }),
    log: summaryText(summary).split("\n"),
  };
}

function reviewOfSite(
  summary: Summary,
  site: SiteChange,
  own: readonly DeviceSummary[],
  operation: Review["operation"],
): SiteReview {
  const results = new Map(own.map((one) => [one.label, one]));
  const done = site.devices.map((change) => withResult(change, results.get(change.label)));
  const open = own
    .filter(({ result, label }) => !isDone(result) && !done.some((change) => change.label === label))
    .map((one) => withResult({ label: one.label, kind: "held", settings: [] }, one));
  const changed = [...done, ...open];
  const isDrift = ({ kind }: DeviceChange) => operation === "drift" && kind !== "failed" && kind !== "held";
  const { texts, known } = warningsOf(summary, site.name, own, site.before);
  return {
    ...site,
    devices: changed.filter((change) => !isDrift(change)),
    unchanged: own.filter(({ isElsewhere }) => !isElsewhere).length - changed.length,
    drift: [...changed.filter(isDrift), ...own.flatMap(driftFirstRead)],
    warnings: texts.flatMap(({ text, id }) => (known.has(id) ? [] : [text])),
    standing: texts.flatMap(({ text, id }) => (known.has(id) ? [text] : [])),
    errors: [],
  };
}

/**
 * The warnings of a site, and the identities of the lints that it had before the run. The earlier manifest is not
 * known, so these include lints that it switched off.
 */
function warningsOf({ warnings }: Summary, name: string, own: readonly DeviceSummary[], before: SiteView | undefined) {
  const texts = warnings.flatMap(({ code, reason, sites: where, devices }) => {
    const labels = own.filter(({ device }) => devices.includes(device)).map(({ label }) => label);
    const ofDevices = labels.map((device) => ({ text: `${device}: ${reason}`, id: lintId(code, device) }));
    return labels.length > 0 || !where.includes(name) ? ofDevices : [{ text: reason, id: lintId(code) }];
  });
  return { texts, known: before ? lintIds(before) : new Set<string>() };
}

function isDone(result: DeviceSummary["result"]): boolean {
  return result !== "failed" && result !== "held" && result !== "notDone";
}

/** The change of a device, with the result of the run. */
function withResult(change: DeviceChange, { result, reason }: Partial<DeviceSummary> = {}): DeviceChange {
  if (result === undefined || isDone(result)) return change;
  return { ...change, kind: result === "failed" ? "failed" : "held", ...defined({ reason }) };
}

/** The drift of a device that the run read first. */
function driftFirstRead({ label, drifted }: DeviceSummary): DeviceChange[] {
  return drifted ? [{ label, kind: "changed", settings: changesBetween(drifted.before, drifted.after ?? {}) }] : [];
}
