import type { Message } from "../../provider/messages/message";
import type { FleetManifest } from "../../provider/resources/fleetManifest";
import type { DeclaredDevice, Outcomes, SiteOutcome, Warning } from "./outcome/outcome";
import type { DeviceStep } from "./progress/tally";

/** What can be done with the stacks of a fleet. */
export type FleetOperation = "preview" | "up" | "refresh" | "drift" | "destroy";

/** Whether it is about what the manifest declares; the others are about what is in state. */
export function isOfManifest(operation: FleetOperation): boolean {
  return operation === "preview" || operation === "up";
}

/** The result of a run of one stack. */
export interface StackResult {
  readonly stack: string;
  readonly outcomes: Outcomes;
  readonly sites: readonly SiteOutcome[];
  readonly warnings: readonly Warning[];
  /** Facts to keep after the run, such as the baselines that leave the state. */
  readonly notes?: readonly string[];
  /** The backend's mark of the stack after an update. Absent if that is not known. */
  readonly revision?: string;
  /** The problem of the stack as a whole; the problems of its devices are in `outcomes`. */
  readonly error?: Message;
}

export interface StackRunOptions {
  /** How many stacks run at the same time: they share the requests that may be in flight. */
  readonly atOnce: number;
  /** Whether an `up` or a `preview` reads the devices first, so that it repairs, or shows, drift. */
  readonly refresh?: boolean;
  /** The declarations of the stack; absent if they do not matter. */
  readonly manifest?: FleetManifest;
  /** The devices in that manifest. */
  readonly declared?: readonly DeclaredDevice[];
  /** The only site that it is about. Default: all. */
  readonly onlySite?: string;
  /** Whether none of its sites is in the manifest any more: its resources are deleted, and the stack is removed. */
  readonly isEmptied?: boolean;
  readonly onDevice?: (step: DeviceStep) => void;
}

/** Runs one stack. It never rejects: what went wrong is in the result. */
export type RunStack = (stack: string, operation: FleetOperation, options: StackRunOptions) => Promise<StackResult>;

/** One run of a stack. */
export interface StackTask extends Omit<StackRunOptions, "onDevice"> {
  readonly stack: string;
  readonly operation: FleetOperation;
  /** Whether the stack has to be made. */
  readonly isNew: boolean;
}

/** The result of a run that could not begin. */
export function notRun(stack: string, error: Message): StackResult {
  return { stack, outcomes: new Map(), sites: [], warnings: [], error };
}

/** Why a stack could not be run, if its engine says nothing. */
export function notRunning(finding: string): Message {
  return { code: "stackNotRun", finding };
}

/** Whether a stack is as declared, all of it. */
export function isWhole({ error, outcomes }: StackResult): boolean {
  return error === undefined && [...outcomes.values()].every(({ result }) => result !== "failed" && result !== "held");
}
