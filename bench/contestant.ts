import type { Command } from "./measure";
import { CAPACITY } from "./workload";

/** What is measured, in this order. What is "reading" asks the service what is, instead of relying on state. */
export const OPERATIONS = [
  "first preview",
  "first up",
  "preview",
  "preview, reading",
  "refresh",
  "one change",
  "one change, reading",
  "drift repair",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** More devices than this are split into stacks by those that can (our choice). */
export const LARGEST_STACK = 1000;

/** What a contestant is given. */
export interface Setting {
  /** A folder of its own, empty. */
  readonly folder: string;
  /** Number of solar sites. */
  readonly sites: number;
  readonly url: string;
  /** An environment in which `pulumi` is the engine, and its state is in `stateFolder`. */
  readonly env: NodeJS.ProcessEnv;
  readonly stateFolder: string;
}

/** Something that declares the settings of devices. */
export interface Contestant {
  readonly name: string;
  /** Its name in the tables. */
  readonly title: string;
  /** It is not run with more devices than this. */
  readonly upTo?: number;
  /** Whether it changes devices, so that it can be checked that it did. */
  readonly changesDevices: boolean;
  /** Makes everything ready that is not measured. */
  prepare(setting: Setting): Promise<Prepared>;
}

export interface Prepared {
  /** Makes an operation ready, and gives its command; undefined if the contestant has no such operation. */
  command(operation: Operation): Command | undefined;
  /** Bytes of state; undefined without one. */
  stateBytes(): number | undefined;
}

/** The capacity of the changed vehicle that an operation declares, in Wh. */
export function capacityOf(operation: Operation): number {
  const changes: readonly Operation[] = ["one change", "one change, reading"];
  const done = OPERATIONS.slice(0, OPERATIONS.indexOf(operation) + 1).filter((one) => changes.includes(one));
  return CAPACITY + 1000 * done.length;
}
