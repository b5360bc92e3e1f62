import { z } from "zod";
import { grouped } from "../grouped";
import type { SiteOutcome } from "../stacks/outcome";
import { sunSidesOf } from "../stacks/siteSun";
import { changesOf, type DeviceSummary, type Summary } from "../stacks/summary";
import { textOf } from "../stacks/summaryText";
import { type DeviceChange, type DeviceChangeKind, type Review, type SiteChange, settingOf } from "./review";
import { identityOf, lintsOfSite } from "./standing";

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
  const known = lintsBefore(own, outcome?.latitude);
  const found = warnings.flatMap(({ code, reason, sites: where, devices }) => {
    const labels = own.filter(({ device }) => devices.includes(device)).map(({ label }) => label);
    const ofDevices = labels.map((device) => ({ text: `${device}: ${reason}`, lint: identityOf({ code, device }) }));
    return labels.length > 0 || !where.includes(name) ? ofDevices : [{ text: reason, lint: identityOf({ code }) }];
  });
  const textsOf = (isKnown: boolean) => found.flatMap(({ text, lint }) => (known.has(lint) === isKnown ? [text] : []));
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
    warnings: textsOf(false),
    standing: textsOf(true),
    errors: [],
    sun: sunSidesOf(summary, name, own),
  };
}

/**
 * The lints of a site before the run. The earlier manifest is not known, so these include lints that it switched off.
 */
function lintsBefore(devices: readonly DeviceSummary[], latitude: number | undefined): ReadonlySet<string> {
  const group = (kind: string) =>
    Object.fromEntries(
      devices
        .filter(({ label }) => label.startsWith(kind))
        .map(({ label, before }) => [label.slice(kind.length), before]),
    );
  const lints = lintsOfSite({ latitude, vehicles: group("vehicle/"), inverters: group("inverter/") });
  return new Set(lints.map(identityOf));
}

/** Whether readiness matters for a site. It does not for one that is not, and never was, solar-aware. */
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

/** The drift of a device that the run read first. */
function driftOf({ label, drifted }: DeviceSummary): DeviceChange[] {
  return drifted ? [{ label, kind: "changed", settings: changesOf(drifted).map(settingOf) }] : [];
}
