import type { Message } from "../../../provider/messages/message";

/** Settings of a device, by key. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * The outcome of a device. `changed`: something was sent, or is to be sent, or has drifted. `adopted`: it is managed now and
 * had all declared values, so that nothing was sent. `unmanaged`: it, or some of its settings, is no longer managed.
 * `held`: it keeps its policy, because something that it needs failed; or the run was stopped before its turn.
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
  /** Why it failed. */
  readonly problem?: Message;
  /** The managed settings before the run; of a device that is new what it had, as far as that is known. */
  readonly before: Settings;
  /** The managed settings after it. Absent if it is no longer managed. */
  readonly after?: Settings;
  /** If its site no longer declares it: what its `onDelete` says. */
  readonly onDelete?: string;
  /** The changes by somebody else since the last run, if this one read the device before it compared it. */
  readonly drifted?: { readonly before: Settings; readonly after?: Settings };
}

/** The outcome of one site. */
export interface SiteOutcome {
  readonly site: string;
  readonly readyBefore?: boolean;
  /** Absent if it is no longer declared, or is not decided yet. */
  readonly readyAfter?: boolean;
  /** The gaps of a solar site, in words. */
  readonly missing: readonly string[];
  /** In degrees, if the site declares it. */
  readonly latitude?: number;
}

/** A warning of a run. */
export interface Warning {
  /** Absent if it is about the stack as a whole. */
  readonly site?: string;
  /** Absent if it is about a site as a whole. */
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

/** The outcome of a device in two steps: of two sites, or of one site twice. */
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
