import type { MeasuredSites } from "../../measure/results/model";
import { grouped } from "../../measure/sky/numbers";
import type { MessageCode } from "../../provider/messages/codes";
import { placeOf } from "../../provider/settings/groups";
import { measuredMove } from "../measured/beside";
import { measuredOf } from "../measured/read";
import { driftByCause, driftedName, nounOf } from "../view/causes";
import type { DeviceChange, SiteChange } from "../view/model";
import { counted } from "../words";
import { deviceWords, missingIn, readinessOf, removedWords } from "./change";

/** A text about a site, or about one of its devices. */
export interface Remark {
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly device?: string;
  /** Absent if it comes from a preview of Pulumi, which prints no codes. `stopped`: of a rollout. */
  readonly code?: MessageCode | "stopped";
  /** It does not name the device. */
  readonly text: string;
}

/** The devices and sites with the same finding. */
export interface Alike {
  readonly code: MessageCode;
  readonly reason: string;
  readonly devices: readonly string[];
  readonly sites: readonly string[];
}

/** The effect of a change on one site, or on one device without a site. Its stack is the one, or the fleet, that it belongs to. */
export interface SiteReview extends SiteChange {
  /** Number of its devices that do not change. */
  readonly unchanged: number;
  /** Devices whose reported values differ from the applied ones: `from` applied, `to` reported. */
  readonly drift: readonly DeviceChange[];
  /** Warnings that the change brings. */
  readonly warnings: readonly Remark[];
  /** Changes that move a setting to its measured value. */
  readonly notes?: readonly Remark[];
  /** Warnings that were there before. */
  readonly standing: readonly Remark[];
  /** The reasons why it was refused. */
  readonly errors: readonly string[];
}

/** The result of a change or of a run: of a program's stack, of a fleet, or of several of them together. */
export interface Review {
  /** Its subject: names of stacks or fleets. */
  readonly subjects: readonly string[];
  /** `drift`, `refresh`: nothing changes, and the devices were compared with the applied values. */
  readonly operation: "preview" | "up" | "refresh" | "drift" | "destroy";
  /** All known sites, and all devices without one, including those that do not change. */
  readonly sites: readonly SiteReview[];
  /** Number of other resources by operation, such as `create`. */
  readonly others: Readonly<Record<string, number>>;
  /** Problems that concern no site. */
  readonly errors: readonly Remark[];
  /** Warnings that concern no site. */
  readonly warnings: readonly Remark[];
  /** The command that repairs drift. */
  readonly repair?: string;
  /** The commands that apply the change. */
  readonly next?: readonly string[];
  /** The failures of a fleet's run by cause, and the changes that nobody has approved. */
  readonly failures?: readonly Alike[];
  readonly left?: readonly Alike[];
  /** Facts to keep, such as the baselines that leave the state. */
  readonly notes?: readonly string[];
  /** The requests of fleets' runs, by kind, each with the host of its service. No command makes a latest read. */
  readonly calls?: readonly {
    readonly service?: string;
    readonly get: number;
    readonly patch: number;
    readonly latest: number;
  }[];
  /** Whether a fleet's run was stopped before its end. */
  readonly interrupted?: true;
  /** The output of the source, line by line, for reference. Absent for a fleet. */
  readonly log?: readonly string[];
  /** The sources that were not the result of a preview: the content of each, in words. */
  readonly noPreview?: readonly string[];
}

/** Whether devices were compared with their applied values. */
export function isOfDrift({ operation }: Pick<Review, "operation">): boolean {
  return operation === "drift" || operation === "refresh";
}

export function isChanged(site: SiteReview): boolean {
  const { before, after } = readinessOf(site);
  return (
    site.devices.length + site.errors.length > 0 || (before !== after && after !== undefined) || site.was !== undefined
  );
}

/** The name of a site: `Bad Homburg (bad-homburg)`, or its id alone; after its old one, if it is renamed. */
export function titled({ name, was, before, after = before }: SiteChange): string {
  const own = after?.title === undefined ? name : `${after.title} (${name})`;
  return was === undefined ? own : `${was} → ${own}`;
}

/** Whether the review has something to show about a site. */
export function isNotable(site: SiteReview): boolean {
  const { drift, warnings, standing } = site;
  return isChanged(site) || drift.length + warnings.length + standing.length + missingIn(site).length > 0;
}

/**
 * The review with a warning for each change that moves a setting away from its measured value, and a note for each one
 * that moves it there. The verdict counts the warnings.
 */
export function withMeasuredMoves(review: Review, measured: MeasuredSites): Review {
  const movesOf = ({ name }: SiteReview, { label, settings, was = label }: DeviceChange) => {
    const place = placeOf(was);
    const result = place && measuredOf(measured, name, place.group, place.name);
    if (!result) return [];
    return settings.flatMap(({ setting, from, to }) => {
      const move = measuredMove(setting, from, to, result);
      return move ? [{ isAway: move.isAway, remark: { device: label, text: move.words } }] : [];
    });
  };
  const sites = review.sites.map((site) => {
    const moves = site.devices.flatMap((device) => movesOf(site, device));
    const remarks = (isAway: boolean) => moves.flatMap((move) => (move.isAway === isAway ? move.remark : []));
    return { ...site, warnings: [...site.warnings, ...remarks(true)], notes: remarks(false) };
  });
  return { ...review, sites };
}

/** The drift of a review by cause. */
export function driftInReview(sites: readonly SiteReview[]) {
  return driftByCause(
    sites.flatMap((of) =>
      of.drift.map((drift) => {
        // Nothing is written back to a device that the service no longer knows.
        const change = drift.kind === "leaves" ? { ...drift, settings: [] } : drift;
        return { ...(of.isSite && { site: titled(of) }), change, of };
      }),
    ),
  );
}

/** A remark in words: `vehicle/car: …`. */
function remarkText({ device, text }: Remark): string {
  return device === undefined ? text : `${device}: ${text}`;
}

/** Remarks about a site, with a sign for their severity. */
export function findingsOf(site: SiteReview, sign: string, remarks: readonly Remark[]) {
  return remarks.map((remark) => ({ sign, site, remark }));
}
export type Finding = ReturnType<typeof findingsOf>[number];

/** Equal findings, in order of first appearance: `number` is such as `38 cars`, and absent for one. */
export function alikeFindings(all: readonly Finding[]) {
  const groups = grouped(all, ({ sign, remark }) => JSON.stringify([sign, remark.text, nounOf(remark.device)]));
  return [...groups.values()].map((some) => {
    const [{ sign, remark }] = some as [Finding];
    const sites = distinct(some.map(({ site }) => site));
    return some.length > 1
      ? { sign, sites, number: counted(some.length, nounOf(remark.device)), text: remark.text }
      : { sign, sites, text: remarkText(remark) };
  });
}

/** Devices or sites with the same change, by their names. */
interface SharedLine {
  readonly words: string;
  readonly nouns: "devices" | "sites";
  readonly names: readonly string[];
}

/**
 * The changes of a review: a line for those that several devices share, for the devices that leave in the same way, and
 * for the sites that only become ready or are removed; then the sites with changes of their own.
 */
export function changesInReview(sites: readonly SiteReview[]) {
  const isPlain = ({ kind, was }: DeviceChange) => ["changed", "leaves", "new"].includes(kind) && was === undefined;
  const { shared, others } = driftByCause(
    sites.flatMap((of) =>
      of.devices.filter(isPlain).map((change) => ({ ...(of.isSite && { site: titled(of) }), change, of })),
    ),
    LEAST_CHANGES,
  );
  const leaving = atLeast(
    grouped(
      others.filter(({ change: { kind, settings } }) => kind === "leaves" && settings.length === 0),
      ({ change }) => JSON.stringify([nounOf(change.label), deviceWords(change)[0]]),
    ),
  );
  const isShown = new Set(leaving.flatMap(([, some]) => some));
  const left = grouped(
    others.filter((one) => !isShown.has(one)),
    ({ of }) => of,
  );
  // Only a run has these, and shows their causes apart: a wrong token would make a row for each device of a fleet.
  const kinds = sites.flatMap(({ devices }) => devices.map(({ kind }) => kind));
  const isMany = (kind: string) => kinds.filter((one) => one === kind).length >= LEAST_CHANGES;
  const unseen = ["left", ...["failed", "held"].filter(isMany)];
  const all = sites.map((site) => {
    const plain = new Map(left.get(site)?.map(({ change }) => [change.label, change]));
    const devices = site.devices
      .filter(({ kind }) => !unseen.includes(kind))
      .flatMap((device) => (isPlain(device) ? (plain.get(device.label) ?? []) : [device]));
    return { site, devices };
  });
  const more = all.filter(({ site, devices }) => {
    return devices.length > 0 || isChanged({ ...site, devices }) || removedWords(site) !== undefined;
  });
  const quiet = more.flatMap(({ site, devices }) => {
    const { before, after } = readinessOf(site);
    const words = removedWords(site) ?? (after && !before && `${before === false ? "not ready → " : ""}ready`);
    return words && devices.length + site.errors.length + site.drift.length === 0 ? [{ site, words }] : [];
  });
  const alike = atLeast(grouped(quiet, ({ words }) => words));
  const folded = new Set(alike.flatMap(([, some]) => some.map(({ site }) => site)));
  const lines: SharedLine[] = [
    ...shared.map((one) => ({ ...one, nouns: "devices" as const })),
    ...leaving.map(([, some]) => {
      const [{ change }] = some as [(typeof some)[number]];
      const words = `${counted(some.length, nounOf(change.label))}, each: ${deviceWords(change)[0]}`;
      return { words, nouns: "devices" as const, names: some.map(driftedName) };
    }),
    ...alike.map(([words, some]) => {
      const names = some.map(({ site }) => titled(site));
      return { words: `${counted(names.length, "site")}: ${words}`, nouns: "sites" as const, names };
    }),
  ];
  return { lines, own: more.filter(({ site }) => !folded.has(site)) };
}

/** Number of equal changes that make one line (our choice): a reader wants to see a site, and not 359 equal lines. */
const LEAST_CHANGES = 5;

/** The groups that are large enough for a line of their own. */
function atLeast<Key, T>(groups: ReadonlyMap<Key, readonly T[]>) {
  return [...groups].filter(([, some]) => some.length >= LEAST_CHANGES);
}

/** Reviews of parts, such as shards, as one. */
export function mergedReview(reviews: readonly Review[]): Review {
  const others: Record<string, number> = {};
  for (const [operation, count] of reviews.flatMap((review) => Object.entries(review.others))) {
    others[operation] = (others[operation] ?? 0) + count;
  }
  const noPreview = reviews.flatMap((review) => review.noPreview ?? []);
  const repairs = distinct(reviews.flatMap(({ repair = [] }) => repair));
  const [operation = "preview", ...rest] = distinct(reviews.map((review) => review.operation));
  return {
    subjects: distinct(reviews.flatMap(({ subjects }) => subjects)),
    operation: rest.length > 0 ? "preview" : operation,
    sites: reviews.flatMap(({ sites }) => sites),
    others,
    errors: distinct(reviews.flatMap(({ errors }) => errors)),
    warnings: distinct(reviews.flatMap(({ warnings }) => warnings)),
    next: distinct(reviews.flatMap(({ next = [] }) => next)),
    ...(repairs.length > 0 && { repair: repairs.join(" && ") }),
    failures: reviews.flatMap(({ failures = [] }) => failures),
    left: reviews.flatMap(({ left = [] }) => left),
    notes: reviews.flatMap(({ notes = [] }) => notes),
    calls: reviews.flatMap(({ calls = [] }) => calls),
    ...(reviews.some(({ interrupted }) => interrupted) && { interrupted: true as const }),
    log: reviews.flatMap(({ log = [] }) => log),
    ...(noPreview.length > 0 && { noPreview }),
  };
}

/** The different ones, in order of first appearance. */
export function distinct<T>(all: readonly T[]): T[] {
  return [...grouped(all, (one) => JSON.stringify(one)).values()].flatMap(([first]) => first ?? []);
}
