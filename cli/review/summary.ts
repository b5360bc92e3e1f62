import { z } from "zod";
import type { SiteOutcome } from "../fleet/outcome/outcome";
import { sunSidesOf } from "../fleet/outcome/siteSun";
import { type Change, changesOf, type DeviceSummary, type Summary } from "../fleet/outcome/summary";
import { textOf } from "../fleet/outcome/summaryText";
import { grouped } from "../grouped";
import type { DeviceChange, DeviceChangeKind, Review, SiteChange } from "./review";

/** Tells the JSON of a fleet's run from others. What is in it, this package has written. */
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

/** The result of a run of a fleet. @param name what it is about; default: the fleet */
export function reviewOfSummary(summary: Summary, name = summary.fleet): Review {
  const operation = OPERATIONS[summary.operation];
  const bySite = grouped(summary.devices, ({ site }) => site);
  const names = new Set([...bySite.keys(), ...summary.sites.map(({ site }) => site)]);
  const { repair, stackErrors, stopped, broken } = summary;
  const found = summary.changed + summary.unmanaged;
  return {
    subjects: [name],
    operation,
    sites: [...names].map((site) => siteChangeOf(summary, site, bySite.get(site) ?? [], operation, name)),
    others: {},
    errors: [
      ...stackErrors.map(({ stack, error }) => `${stack}: ${error}`),
      ...[stopped, broken].flatMap((text) => text ?? []),
    ],
    warnings: summary.warnings
      .filter(({ sites, devices }) => sites.length + devices.length === 0)
      .map(({ reason }) => reason),
    ...(repair !== undefined && found > 0 && { repair }),
    log: textOf(summary).split("\n"),
  };
}

function siteChangeOf(
  summary: Summary,
  name: string,
  own: readonly DeviceSummary[],
  operation: Review["operation"],
  subject: string,
): SiteChange {
  const { sites, warnings } = summary;
  const outcome = sites.find(({ site }) => site === name);
  const changes = own.filter(({ isElsewhere }) => !isElsewhere).map(changeOf);
  const changed = changes.filter(({ kind }) => kind !== "same");
  const isDrift = ({ kind }: DeviceChange) => operation === "drift" && kind !== "failed" && kind !== "held";
  return {
    name,
    isSite: true,
    subject,
    ...(outcome?.readyBefore !== undefined && { readyBefore: outcome.readyBefore }),
    ...(outcome?.readyAfter !== undefined && isDecisive(outcome) && { readyAfter: outcome.readyAfter }),
    missing: outcome?.missing ?? [],
    devices: changed.filter((change) => !isDrift(change)),
    unchanged: changes.length - changed.length,
    drift: [...changed.filter(isDrift), ...own.flatMap(driftOf)],
    warnings: warnings.flatMap(({ reason, sites: where, devices }) => {
      const labels = own.filter(({ device }) => devices.includes(device)).map(({ label }) => label);
      return labels.length > 0 ? labels.map((label) => `${label}: ${reason}`) : where.includes(name) ? [reason] : [];
    }),
    errors: [],
    sun: sunSidesOf(summary, name, own),
  };
}

/** Whether somebody needs to know if the site is ready: not of one that is not to be solar-aware, and never was. */
function isDecisive({ readyBefore, readyAfter, missing }: SiteOutcome): boolean {
  return readyAfter === true || readyBefore === true || missing.length > 0;
}

const KINDS: Readonly<Record<DeviceSummary["result"], DeviceChangeKind>> = {
  unchanged: "same",
  changed: "changed",
  adopted: "new",
  unmanaged: "changed",
  held: "held",
  failed: "failed",
  notDone: "held",
};

function changeOf({ label, result, reason, before, changes, onDelete }: DeviceSummary): DeviceChange {
  const isNew = result === "changed" && Object.keys(before).length === 0;
  const kind = onDelete === undefined ? (isNew ? "new" : KINDS[result]) : result === "failed" ? "failed" : "leaves";
  return {
    label,
    kind,
    settings: changes.map(settingOf),
    ...(onDelete !== undefined && { onDelete }),
    ...(reason !== undefined && { reason }),
  };
}

/** What a run that reads first has found of a device before it compared it with what is declared. */
function driftOf({ label, drifted }: DeviceSummary): DeviceChange[] {
  return drifted ? [{ label, kind: "changed", settings: changesOf(drifted).map(settingOf) }] : [];
}

function settingOf({ key, from, to }: Change): DeviceChange["settings"][number] {
  return { setting: key, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
