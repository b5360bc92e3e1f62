import { z } from "zod";
import { defined } from "../defined";
import { grouped } from "../grouped";
import { someNames } from "../names";
import {
  changesOfSites,
  type DeviceSummary,
  type PlacedWarning,
  type Summary,
  warningsByPlace,
} from "../stacks/summary";
import { runLines } from "../stacks/summaryText";
import type { Styler } from "../style";
import { changesBetween } from "../view/compare";
import type { DeviceChange, SiteChange } from "../view/model";
import { type Review, type SiteReview, unique } from "./review";
import { reviewText } from "./text";
import { verdictOf } from "./verdict";

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
    log: runLines(summary),
  };
}

/**
 * A fleet's run as lines for a terminal: its review, then the warnings by cause and the counts. The sites of an update
 * are only counted, because its preview has shown them.
 */
export function runText(summary: Summary, styled?: Styler): string {
  const review = reviewOfSummary(summary);
  const sites = review.sites.map((site) => ({ ...site, warnings: [], standing: [] }));
  return [
    reviewText({ ...review, sites, warnings: [] }, styled, {
      most: review.operation === "applied" ? 0 : undefined,
      verdict: verdictOf(review),
    }),
    "",
    ...runLines(summary, styled),
  ].join("\n");
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
