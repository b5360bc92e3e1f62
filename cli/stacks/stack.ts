import { nativeType } from "../../provider/engine/tokens";
import type { Message } from "../../provider/messages/message";
import type { Preview } from "../view/pulumiPreview";
import { isOpen, type Outcomes, type SiteInRun, type Warning } from "./outcome";
import type { StackPlan } from "./plan";

/** The type of a site in the stacks of a fleet. */
export const SITE_TYPE = nativeType("SiteSettings");

/** The operations on the stacks of a fleet. */
export type FleetOperation = "preview" | "up" | "refresh" | "drift" | "destroy";

/** Whether it works on the manifest's declarations; the other operations work on the state. */
export function isOfManifest(operation: FleetOperation): boolean {
  return operation === "preview" || operation === "up";
}

/** The result of a run of one stack. */
export interface StackResult {
  readonly stack: string;
  readonly outcomes: Outcomes;
  readonly sites: readonly Omit<SiteInRun, "devices">[];
  readonly warnings: readonly Warning[];
  /** Facts to keep after the run, such as the baselines that leave the state. */
  readonly notes?: readonly Warning[];
  /** The steps of a preview in JSON. */
  readonly steps?: Preview["steps"];
  /** The backend's revision of the stack after an update. Absent if it is not known. */
  readonly revision?: string;
  /** Whether its state has all that the run sent. */
  readonly isSaved?: boolean;
  /** The problem of the stack as a whole; the problems of its devices are in `outcomes`. */
  readonly error?: Message;
}

/** The facts of a run about one device. */
export interface DeviceStep {
  /** `business/device`. */
  readonly device: string;
  /** `read`: an `up` has read it, and has not compared it with its declaration yet. */
  readonly stage: "read" | "done";
  readonly isFailed: boolean;
}

export interface StackRunOptions {
  /** Number of stacks that run in parallel and share the limit of requests in flight. */
  readonly atOnce: number;
  /** Whether an `up` or a `preview` reads the devices first, and so repairs or shows drift. */
  readonly refresh?: boolean;
  /** The sites of the run. Default: all. */
  readonly only?: readonly string[];
  /** Whether the manifest has none of its sites any more: the run deletes its resources and removes the stack. */
  readonly isEmptied?: boolean;
  /** Whether the result is printed as JSON, which has each site in full. */
  readonly json?: boolean | undefined;
  readonly onDevice?: (step: DeviceStep) => void;
}

/** Runs one stack. It never rejects: the result contains any error. @param signal makes it save its progress and end */
export type RunStack = (
  stack: StackPlan,
  operation: FleetOperation,
  signal: AbortSignal,
  options: StackRunOptions,
) => Promise<StackResult>;

/** Whether the whole stack is as declared. */
export function isWhole({ error, outcomes }: StackResult): boolean {
  return error === undefined && ![...outcomes.values()].some(isOpen);
}
