import { defined, pick } from "../../settings/objects";
import type { Value, Values } from "../../settings/setting";

/** Keys of `values` whose value in `known` is another one. */
export function differingKeys(values: Values, known: Values): string[] {
  return Object.keys(values).filter((key) => !isSame(values[key], known[key]));
}

/** Largest difference between two numbers that count as the same value, relative to the larger one (our choice). */
const NOISE = 1e-6;

/** Whether two values are the same. Without the tolerance, a service that stores floats would show drift for ever. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number") return one === other;
  return Math.abs(one - other) <= NOISE * Math.max(Math.abs(one), Math.abs(other));
}

/** The common part of the records of managed settings. */
interface Owned {
  /** The value of the setting in state: the accepted one, or the one that a refresh found. */
  readonly value: Value;
  /** The value from before our first update. Absent if the service did not report it then. */
  readonly baseline?: Value;
}

/** A managed setting between two runs. The status decides which other fields it has. */
export type Managed =
  /** The cached read shows the value. If the program adopted somebody else's value, `ours` is the last one that we sent. */
  | (Owned & { readonly status: "verified"; readonly ours?: Value })
  /** The service accepted the value. The cached read still shows another one, or failed. */
  | (Owned & { readonly status: "pending"; readonly reported?: Value })
  /** The service accepted the value, and does not report the setting. */
  | (Owned & { readonly status: "notReported" })
  /**
   * The service accepted the value, and stored another one. If it may be somebody else's, because the cached read showed
   * it before the update too, `ours` is the declared one.
   */
  | (Owned & { readonly status: "adjusted"; readonly reported: Value; readonly ours?: Value })
  /** A refresh found the value, which somebody else set; `ours` is our last one. */
  | (Owned & { readonly status: "drifted"; readonly ours: Value })
  /**
   * A refresh found `reported`, which somebody else set, and the program keeps it. The value is the declared one; `ours`
   * is our last one if it is another.
   */
  | (Owned & { readonly status: "kept"; readonly reported: Value; readonly ours?: Value })
  /**
   * Updates of unknown outcome sent these values, and the service has accepted none since. `ours` was accepted
   * earlier and may still be set.
   */
  | (Owned & {
      readonly status: "uncertain";
      readonly sent: readonly Value[];
      readonly ours?: Value;
      readonly reported?: Value;
    });

/** One setting of a device between two runs: managed, or only reported. */
export type Known = Managed | { readonly status: "unmanaged"; readonly reported: Value };

/** The records of a device, by setting. */
export type Records = Readonly<Record<string, Known>>;

export function isManaged(record: Known | undefined): record is Managed {
  return record !== undefined && record.status !== "unmanaged";
}

/** The managed settings of a device. */
export function managedIn(records: Records): [key: string, record: Managed][] {
  return Object.entries(records).flatMap(([key, record]) => (isManaged(record) ? [[key, record]] : []));
}

/** The value that the cached read showed last. */
export function reportedOf(record: Known | undefined): Value | undefined {
  if (record?.status === "verified" || record?.status === "drifted") return record.value;
  return record && "reported" in record ? record.reported : undefined;
}

/** The value that an update need not send again; undefined if it is not known to be set. */
export function acceptedOf(record: Known | undefined): Value | undefined {
  return isManaged(record) && record.status !== "uncertain" ? record.value : undefined;
}

/** The declared value that the service last accepted. A later change by somebody else is drift. */
export function acceptedBeforeDrift(record: Managed): Value | undefined {
  return record.status === "drifted" || record.status === "uncertain" ? record.ours : record.value;
}

/** The value that we last wrote and the service accepted. */
function oursOf(record: Known | undefined): Value | undefined {
  if (!isManaged(record)) return undefined;
  return ("ours" in record ? record.ours : undefined) ?? acceptedBeforeDrift(record);
}

/**
 * Other values that the setting can have because of us: the reported one if it was adjusted or kept, or those of updates
 * of unknown outcome. A kept value is one of them, so that a delete restores the baseline.
 */
function othersOf(record: Managed): readonly Value[] {
  if (record.status === "kept" || (record.status === "adjusted" && record.ours === undefined)) return [record.reported];
  return record.status === "uncertain" ? record.sent : [];
}

/** The values that the setting can have because of us. */
export function ourValues(record: Managed): readonly Value[] {
  return [oursOf(record), ...othersOf(record)].filter((value) => value !== undefined);
}

/** Whether a value of the device is one that we wrote, as far as is known. */
export function isOurs(record: Managed, value: Value | undefined): boolean {
  return ourValues(record).some((own) => isSame(own, value));
}

/**
 * Whether a delete replaces the value, as far as the last read shows: it is the baseline, or one that we wrote. Somebody
 * else's value stays, also one that the program has accepted.
 */
export function isReplaceable(record: Managed): boolean {
  const found = reportedOf(record);
  const isStale = record.status === "pending" || record.status === "uncertain";
  return isStale || isOurs(record, found) || isSame(found, record.baseline);
}

/** The values of these records, without the settings that have none. */
export function valuesBy(records: Records, value: (record: Known) => Value | undefined): Values {
  return Object.fromEntries(
    Object.entries(records).flatMap(([key, record]) => {
      const one = value(record);
      return one === undefined ? [] : [[key, one]];
    }),
  );
}

/** The baseline of a record, to be spread into another one. */
export function baselineOf(record: Known | undefined): { readonly baseline?: Value } {
  return isManaged(record) && record.baseline !== undefined ? { baseline: record.baseline } : {};
}

/** The reported value, or the known one that it equals but for the noise of a float. */
function withoutNoise(reported: Value | undefined, known: readonly (Value | undefined)[]): Value | undefined {
  return known.find((one) => isSame(one, reported)) ?? reported;
}

/** The record of a value that was just sent and accepted, after the cached read. @param before the previous record */
export function comparedWith(found: Value | undefined, value: Value, before: Known | undefined): Managed {
  const earlier = [reportedOf(before), isManaged(before) ? before.value : undefined];
  const reported = withoutNoise(found, [value, ...earlier]);
  const owned = { value, ...baselineOf(before) };
  if (reported === undefined) return { ...owned, status: "notReported" };
  if (reported === value) return { ...owned, status: "verified" };
  // A stale cache can still show the value that was there or declared before.
  return { ...owned, status: earlier.includes(reported) ? "pending" : "adjusted", reported };
}

/** The record of an update of unknown outcome. */
export function uncertainOf(value: Value, before: Known | undefined): Managed {
  const earlier = before?.status === "uncertain" ? before.sent : [];
  const ours = oursOf(before);
  const own = baselineOf(before);
  const reported = reportedOf(before);
  return {
    status: "uncertain",
    value,
    sent: [...new Set([...earlier, value])],
    // A value that equals the baseline needs no restore.
    ...(ours !== own.baseline && defined({ ours })),
    ...defined({ reported }),
    ...own,
  };
}

/** Whether somebody else's later value of a setting stays. Default: it does not. */
interface Answer {
  readonly keeps?: boolean;
}

/** The record after a read, in a later run than the last update of the setting. */
export function refreshedBy(
  found: Value | undefined,
  before: Known | undefined,
  answer: Answer = {},
): Known | undefined {
  if (!isManaged(before)) return found === undefined ? undefined : { status: "unmanaged", reported: found };
  const reported = withoutNoise(found, [before.value, reportedOf(before), ...ourValues(before), before.baseline]);
  if (before.status === "kept") return stillKept(reported, before);
  const baseline = baselineOf(before);
  if (reported === undefined) {
    // A setting that is no longer reported keeps its last known value.
    if (before.status === "drifted") return before;
    if (before.status !== "uncertain") return { ...baseline, status: "notReported", value: before.value };
    const { reported: _, ...rest } = before;
    return rest;
  }
  // A value that stays the same is not drift. Without this, every `up` would send ours again, for example after the
  // service has begun to limit it.
  if (before.status === "adjusted" && reported === before.reported) return before;
  if (before.status === "pending" && reported === before.reported) {
    return { ...before, status: "adjusted", reported, ours: before.value };
  }
  if (before.status === "verified" && reported === before.value) return before;
  if (!isOurs(before, reported)) return foundElsewhere(reported, before, answer);
  if (before.status !== "uncertain") return { ...baseline, status: "verified", value: reported };
  // An update of unknown outcome counts as accepted once its value is reported. Exception: if an earlier accepted
  // value exists and the cache still shows what it showed before, the cache may be older than both updates.
  const isBehind = before.ours !== undefined && reported === before.reported;
  if (before.sent.includes(reported) && !isBehind) return { ...baseline, status: "verified", value: reported };
  return { ...before, value: reported, reported };
}

/**
 * The record after the read of an update that sent other settings. Somebody else's value is left to the next refresh: an
 * update leaves no difference.
 */
export function besideUpdate(found: Value | undefined, before: Known | undefined): Known | undefined {
  const after = refreshedBy(found, before);
  if (!isManaged(before) || after?.status !== "drifted") return after;
  return { ...baselineOf(before), status: "pending", value: before.value };
}

/** The record of a setting that has a value that is not ours. */
function foundElsewhere(reported: Value, before: Managed, { keeps = false }: Answer): Managed {
  if (before.status === "uncertain") return { ...before, value: reported, reported };
  const found = { ...baselineOf(before), ours: oursOf(before) ?? before.value };
  // Under `keep`, a drifted value is one that another resource of ours restored: the declared one is sent again.
  if (!keeps || before.status === "drifted") return { ...found, status: "drifted", value: reported };
  // The cache may still show the value from before our update. Without this, it would count as somebody's choice.
  const isOld = before.status === "pending" && [before.reported ?? reported, before.baseline].includes(reported);
  return isOld ? { ...before, reported } : keptOf(reported, { ...found, value: before.value });
}

export type Kept = Extract<Managed, { readonly status: "kept" }>;

function keptOf(reported: Value, { ours, ...owned }: Owned & { readonly ours: Value }): Kept {
  return { ...owned, status: "kept", reported, ...(ours !== owned.value && { ours }) };
}

/** The record of a kept setting after a read. Once the declared value is reported, it is an ordinary one. */
function stillKept(reported: Value | undefined, { reported: old, ...before }: Kept): Managed {
  if (reported === before.value) return { ...before, status: "verified" };
  return { ...before, reported: reported ?? old };
}

/** Whether somebody else's later value of a setting stays. */
type Keeps = (key: string) => boolean;

/**
 * The records before an update that may declare another `onDrift`: somebody else's values that stayed are now drift, or
 * the reverse.
 */
export function recordsUnder(records: Records, { before, after }: { before: Keeps; after: Keeps }): Records {
  return Object.fromEntries(
    Object.entries(records).map(([key, record]): [string, Known] => {
      if (record.status === "kept" && !after(key)) {
        const ours = record.ours ?? record.value;
        return [key, { ...baselineOf(record), status: "drifted", value: record.reported, ours }];
      }
      if (record.status !== "drifted" || before(key) || !after(key)) return [key, record];
      const { ours } = record;
      return [key, keptOf(record.value, { ...baselineOf(record), value: ours, ours })];
    }),
  );
}

/** The values that the cached read showed last. */
export function reportedIn(records: Records): Values {
  return valuesBy(records, reportedOf);
}

/** A device as it is declared, kept and read. */
interface Compared {
  readonly declared: Values;
  readonly settings?: Records;
  readonly reported: Values;
  readonly observe: boolean;
}

/** The settings of a device that differ between its declaration, its records and the service. */
export function differencesIn({ declared, settings = {}, reported, observe }: Compared) {
  const keys = observe ? [] : Object.keys(declared);
  const managed = managedIn(settings);
  return {
    // A read shows neither the applied value nor the one that the service adjusted it to.
    drift: managed.flatMap(([key, { status, value }]) =>
      status === "drifted" && value !== declared[key] ? [key] : [],
    ),
    kept: managed.flatMap(([key, { status }]) => (status === "kept" ? [key] : [])),
    toApply: keys.filter((key) => acceptedOfUs(settings[key], declared[key]) !== declared[key]),
    unseen: keys.filter((key) => acceptedOf(settings[key]) !== undefined && reported[key] === undefined),
  };
}

/**
 * The accepted value. If somebody else has changed it, our value still counts as accepted: the change is drift, unless
 * the program now declares it.
 */
function acceptedOfUs(record: Known | undefined, declared: Value | undefined): Value | undefined {
  return record?.status === "drifted" && record.value !== declared ? record.ours : acceptedOf(record);
}

/** The baselines of a device, as far as they are known. */
export function baselinesIn(records: Records): Values {
  return valuesBy(records, (record) => baselineOf(record).baseline);
}

/** The values that replace the value from before us, so that no log has this one yet. */
export function overwriting(records: Records, sent: Values): Values {
  const isFirst = (record: Known | undefined) =>
    isManaged(record) && record.baseline !== undefined && acceptedBeforeDrift(record) === record.baseline;
  return Object.fromEntries(Object.entries(sent).filter(([key]) => isFirst(records[key])));
}

/** The declared values that the service is not known to have. A kept value that is declared now needs no update. */
export function unsent(records: Records, declared: Values): Values {
  const differing = differingKeys(declared, valuesBy(records, acceptedOf));
  return pick(
    declared,
    differing.filter((key) => !isKeptValue(records[key], declared[key])),
  );
}

/** The record of a setting whose declared value is one that somebody else set: ours stays known, and the baseline. */
export function asDeclared(record: Managed, declared: Value): Managed {
  if (record.status === "drifted") return { ...record, status: "verified" };
  return isKeptValue(record, declared)
    ? stillKept(declared, { ...record, value: declared, ours: record.ours ?? record.value })
    : record;
}

function isKeptValue(record: Known | undefined, value: Value | undefined): record is Kept {
  return isKept(record) && isSame(record.reported, value);
}

/** Whether somebody else set the value, and the program keeps it. */
export function isKept(record: Known | undefined): record is Kept {
  return record?.status === "kept";
}
