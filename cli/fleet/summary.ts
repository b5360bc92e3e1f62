import { grouped } from "../grouped";
import { mergedOutcomes } from "./merged";
import type { Outcome, Warning } from "./outcomes";
import type { Operation, StackResult } from "./stack";

/** Requests that the run made, by kind. */
export interface Calls {
  readonly get: number;
  readonly patch: number;
  /** Latest reads, which can wake a car. None of the commands makes one. */
  readonly latest: number;
}

/** What is the same of many devices. */
export interface Alike {
  readonly reason: string;
  readonly devices: readonly string[];
}

/** What a run of the fleet comes to. It is what `--json` prints. */
export interface Summary {
  readonly fleet: string;
  readonly operation: Operation;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Of which nothing is known, as their stack could not be run, or nothing more was begun, or what they depend on failed. */
  readonly notDone: number;
  readonly failures: readonly Alike[];
  /** What was warned of, but for sites that are not ready. Without devices where it is about whole stacks. */
  readonly warnings: readonly Alike[];
  readonly stackErrors: readonly { readonly stack: string; readonly error: string }[];
  readonly notReady: readonly string[];
  /** All but the unchanged ones. */
  readonly devices: readonly {
    readonly device: string;
    readonly result: Outcome["result"] | "notDone";
    readonly changes: Outcome["changes"];
    /** What its onDelete says, where it is let go of. */
    readonly letGo?: string;
    /** Whether it is in another stack now. */
    readonly isMoved?: true;
  }[];
  readonly calls: Calls;
  /** The command that repairs what has drifted. */
  readonly repair?: string;
  /** Why a rollout stopped between waves. */
  readonly stopped?: string;
  /** Why a rollout could not go on. */
  readonly broken?: string;
  readonly interrupted: boolean;
}

/** Which devices a run is about, as `business/device`. */
export interface Devices {
  /** Those that the run was to deal with. */
  readonly expected: readonly string[];
  /** All that are declared, also by stacks that this run was not about. */
  readonly declared: readonly string[];
}

/** Sums up. What one stack lets go of and another declares has moved, or is not done where the other one was not run. */
export function summaryOf(
  about: Pick<Summary, "fleet" | "operation" | "calls" | "interrupted" | "stopped" | "broken" | "repair">,
  results: readonly StackResult[],
  { expected, declared }: Devices = { expected: [], declared: [] },
): Summary {
  const outcomes = mergedOutcomes(results);
  const isDeclared = new Set(declared);
  const isLeft = ({ device, letGo }: Outcome) => letGo !== undefined && isDeclared.has(device);
  const notDone = expected.filter((device) => {
    const outcome = outcomes.get(device);
    return !outcome || isLeft(outcome);
  });
  for (const device of notDone) outcomes.delete(device);
  const all = [...outcomes.values()].map((outcome): Outcome => {
    if (!isLeft(outcome)) return outcome;
    const { letGo: _, ...left } = outcome;
    return { ...left, changes: [], isMoved: true };
  });
  const count = (result: Outcome["result"]) => all.filter((outcome) => outcome.result === result).length;
  return {
    ...about,
    changed: count("changed"),
    unchanged: count("unchanged"),
    failed: count("failed"),
    notDone: notDone.length,
    failures: alike(all.filter(({ result }) => result === "failed")),
    warnings: alike(results.flatMap(({ warnings }) => warnings)),
    stackErrors: results.flatMap(({ stack, error }) => (error === undefined ? [] : [{ stack, error }])),
    notReady: [...new Set(results.flatMap(({ notReady }) => notReady))],
    devices: [
      ...all.filter(({ result }) => result !== "unchanged").map(({ reason: _, ...told }) => told),
      ...notDone.map((device) => ({ device, result: "notDone" as const, changes: [] })),
    ],
  };
}

/** The same reason of many devices is one: ids, and names of temporary files, are left out. Most devices first. */
function alike(all: readonly Partial<Warning>[]): Alike[] {
  return [...grouped(all, generalReason)]
    .map(([reason, some]) => ({ reason, devices: [...new Set(some.flatMap(({ device = [] }) => device))] }))
    .sort((a, b) => b.devices.length - a.devices.length);
}

function generalReason({ device, reason = "the engine gave no reason" }: Partial<Warning>): string {
  const general = reason
    .replace(/^(pre|post)-step event returned an error: /, "")
    .replace(/\.[0-9a-f]{16}\.tmp\b/g, "");
  if (device === undefined) return general;
  const ids = [device, device.slice(device.indexOf("/") + 1)].map((id) => id.replace(/[^a-z0-9]/gi, "\\$&"));
  return general.replace(new RegExp(`(?<![\\w.-])(?:${ids.join("|")})(?![\\w-])`, "g"), "<device>");
}

/** What has to be done by whoever started the run, as an exit code. They are explained in the help. */
export function exitCode(summary: Summary): number {
  const { operation, interrupted, failed, notDone, stackErrors, stopped, broken, changed } = summary;
  if (interrupted) return 130;
  if (stackErrors.length > 0 || broken !== undefined) return 1;
  if (stopped !== undefined) return 3;
  if (failed > 0 || notDone > 0) return 1;
  return changed > 0 && ["preview", "drift"].includes(operation) ? 2 : 0;
}

/** Most ids shown of devices of which the same is told, and most lines of one kind (our choice). */
const MOST_IDS = 5;
const MOST_LINES = 50;

const CHANGED: Readonly<Record<Operation, string>> = {
  preview: "to change",
  drift: "drifted",
  up: "changed",
  refresh: "changed",
  destroy: "let go of",
};

/** The summary as lines for a person. */
export function textOf(summary: Summary): string {
  const { operation, changed, unchanged, failed, notDone, devices, calls, broken } = summary;
  const word = CHANGED[operation];
  const shown = ["preview", "drift", "refresh"].includes(operation)
    ? devices.filter(({ result }) => result === "changed")
    : [];
  return [
    ...most(shown, "devices", (one) => `${one.device}: ${toldOf(operation, one)}`),
    ...most(summary.warnings, "warnings", (warning) => `warning: ${toldOnce(warning)}`),
    ...most(summary.failures, "failures", (failure) => `failed: ${toldOnce(failure)}`),
    ...[...grouped(summary.stackErrors, ({ error }) => error)].map(
      ([error, of]) =>
        `failed: ${of.length === 1 ? "stack" : "stacks"} ${listed(of.map(({ stack }) => stack))}: ${error}`,
    ),
    ...most(summary.notReady, "sites", (site) => site),
    ...(broken === undefined ? [] : [`failed: ${broken}`]),
    `${summary.fleet}: ${changed} devices ${word}, ${unchanged} unchanged, ${failed} failed${notDone > 0 ? `, ${notDone} not done` : ""}`,
    `calls: ${calls.get} GET, ${calls.patch} PATCH, ${calls.latest} latest reads`,
    ...(summary.stopped === undefined ? [] : [`stopped: ${summary.stopped}`]),
    ...(summary.repair === undefined || changed === 0 ? [] : [`repair: ${summary.repair}`]),
  ].join("\n");
}

function most<T>(all: readonly T[], what: string, lineOf: (one: T) => string): string[] {
  const lines = all.slice(0, MOST_LINES).map(lineOf);
  return all.length > MOST_LINES ? [...lines, `and ${all.length - MOST_LINES} more ${what}, see --json`] : lines;
}

function toldOnce({ reason, devices }: Alike): string {
  return devices.length === 0 ? reason : `${devices.length} × ${reason} (${listed(devices)})`;
}

function toldOf(operation: Operation, { changes, letGo, isMoved }: Summary["devices"][number]): string {
  if (letGo === undefined) {
    return changes.map(described).join(", ") || (isMoved ? "is in another stack now" : "no setting");
  }
  return ["drift", "refresh"].includes(operation)
    ? "there is no such device any more"
    : `let go of (onDelete: ${letGo})`;
}

/** What is declared for the first time may be what the device has already: a preview does not ask it. */
function described({ key, from, to }: Outcome["changes"][number]): string {
  if (from === undefined) return `${key} ${shownValue(to)} (new: sent where the device has another value)`;
  return to === undefined
    ? `${key} ${shownValue(from)} (no longer declared)`
    : `${key} ${shownValue(from)} → ${shownValue(to)}`;
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listed(ids: readonly string[]): string {
  return ids.length > MOST_IDS ? `${ids.slice(0, MOST_IDS).join(", ")}, …` : ids.join(", ");
}
