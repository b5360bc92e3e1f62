import type { Message } from "../../provider/messages/message";
import type { Gap } from "../../provider/settings/readiness";
import type { Panels } from "../../sky/plane";

/** Settings of a device, by key. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * The outcome of a device. `changed`: an update sent or will send something, or the device has drifted. `adopted`:
 * newly managed, and it already had all declared values. `unmanaged`: it, or some of its settings, is no longer
 * managed. `held`: it keeps its policy because something that it needs failed, or the run was stopped before its
 * turn.
 */
export type Result = "unchanged" | "changed" | "adopted" | "unmanaged" | "held" | "failed";

/** The outcome of one device. */
export interface Outcome {
  /** `business/device`. */
  readonly device: string;
  readonly site: string;
  /** Its name in its site: `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly result: Result;
  /** The reason why it failed. */
  readonly problem?: Message;
  /** The managed settings before the run; for a new device its reported values, as far as they are known. */
  readonly before: Settings;
  /** The managed settings after it. Absent if it is no longer managed. */
  readonly after?: Settings;
  /** The planes of a declared inverter, before the run and after it. */
  readonly planes?: { readonly before?: readonly Panels[] | undefined; readonly after?: readonly Panels[] | undefined };
  /** Its `onDelete`, if its site no longer declares it. */
  readonly onDelete?: string;
  /** Changes by somebody else since the last run, if this run read the device first. */
  readonly drifted?: { readonly before: Settings; readonly after?: Settings };
}

/** The outcome of one site. */
export interface SiteOutcome {
  readonly site: string;
  readonly readyBefore?: boolean;
  /** Absent if the site is no longer declared, or if its readiness is not known yet. */
  readonly readyAfter?: boolean;
  /** The gaps of a solar site. */
  readonly gaps: readonly Gap[];
  /** Whether the manifest no longer declares it: an `up` removes it. */
  readonly isLeaving?: true;
  /** In degrees, if the site declares it. */
  readonly latitude?: number;
}

/** A warning of a run. */
export interface Warning {
  /** Absent if it concerns the whole stack. */
  readonly site?: string;
  /** Absent if it concerns the whole site. */
  readonly device?: string;
  readonly problem: Message;
}

/** A device that the manifest declares. */
export type DeclaredDevice = Pick<Outcome, "device" | "site" | "label">;

/** By device, as `business/device`. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** The outcomes of the devices that are still declared. */
export function declaredIn(outcomes: Outcomes): Outcome[] {
  return [...outcomes.values()].filter(({ onDelete }) => onDelete === undefined);
}

/** Merges the outcomes of a device in two steps: of two sites, or of one site twice. */
export function inTurn(one: Outcome | undefined, other: Outcome): Outcome {
  if (!one) return other;
  const [left, joined] = one.onDelete === undefined ? [other, one] : [one, other];
  if (left.onDelete !== undefined && joined.onDelete === undefined) {
    const isFailed = left.result === "failed" && joined.result !== "failed";
    const before = { ...left.before, ...joined.before };
    return { ...joined, before, ...(isFailed && { result: "failed", ...(left.problem && { problem: left.problem }) }) };
  }
  return rank(one) > rank(other) ? one : other;
}

const RANKS: readonly Result[] = ["unchanged", "adopted", "unmanaged", "changed", "held", "failed"];

function rank({ result }: Outcome): number {
  return RANKS.indexOf(result);
}
