import type { Engine } from "../scripts/engine";
import type { Where } from "./measure";

/** What is measured, in this order. */
export const OPERATIONS = ["first preview", "first up", "preview", "refresh", "one change"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What a contestant is given. */
export interface Setting {
  /** A folder of its own, empty. */
  readonly folder: string;
  readonly vehicles: number;
  readonly url: string;
  readonly engine: Engine;
}

export interface Command extends Where {
  readonly command: string;
  readonly args: readonly string[];
}

/** Something that declares `maxCapacity`, `maxChargePower` and `policy` of each vehicle. */
export interface Contestant {
  readonly name: string;
  /** Makes everything ready that is not measured. */
  prepare(setting: Setting): Promise<Prepared>;
}

export interface Prepared {
  /** Undefined where the contestant has no such operation. */
  command(operation: Operation): Command | undefined;
  /** Bytes of state; undefined without one. */
  stateBytes(): number | undefined;
}
