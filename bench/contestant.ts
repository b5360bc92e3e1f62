import type { Engine } from "../scripts/engine";
import type { Command } from "./measure";

/** What is measured, in this order. */
export const OPERATIONS = ["first preview", "first up", "preview", "refresh", "one change"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Fleets of more vehicles than this are split into stacks by those that can (our choice). */
export const LARGEST_STACK = 1000;

/** What a contestant is given. */
export interface Setting {
  /** A folder of its own, empty. */
  readonly folder: string;
  readonly vehicles: number;
  readonly url: string;
  readonly engine: Engine;
}

/** Something that declares `maxCapacity`, `maxChargePower` and `policy` of each vehicle. */
export interface Contestant {
  readonly name: string;
  /** It is not run with more vehicles than this. */
  readonly upTo?: number;
  /** Makes everything ready that is not measured. */
  prepare(setting: Setting): Promise<Prepared>;
}

export interface Prepared {
  /** Makes an operation ready, and gives its command; undefined where the contestant has no such operation. */
  command(operation: Operation): Command | undefined;
  /** Bytes of state; undefined without one. */
  stateBytes(): number | undefined;
}

/** The arguments of `pulumi` for an operation with one stack. */
export const PULUMI_ARGUMENTS: Record<Operation, readonly string[]> = {
  "first preview": ["preview"],
  "first up": ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "one change": ["up", "--yes", "--skip-preview"],
};
