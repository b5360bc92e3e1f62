import type { Command } from "./measure";
import { CAPACITY } from "./workload";

/** The measured operations, in this order. Those with "reading" read the devices instead of relying on state. */
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

/** Most devices in one stack, for contestants that can split them (our choice). */
export const LARGEST_STACK = 1000;

/** The folder, sites and environment of a contestant. */
export interface Setting {
  /** Its own folder, empty. */
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
  /** Most devices with which it is run. */
  readonly upTo?: number;
  /** Whether it changes devices. Each run of such a contestant checks that the change arrived. */
  readonly changesDevices: boolean;
  /** Prepares all that is not measured. */
  prepare(setting: Setting): Promise<Prepared>;
}

export interface Prepared {
  /** Prepares an operation, and returns its command; undefined if the contestant has no such operation. */
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
