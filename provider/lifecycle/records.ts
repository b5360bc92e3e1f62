import type { DeviceRef } from "../service/device";
import type { Values } from "../settings/setting";
import type { Verification } from "../settings/verification";

/** What operations have written down, by whoever starts the run. */

/** Has updates recorded for those who later ask who set what, and when. */
export interface Recorder {
  /**
   * Has to be called before the update is sent. @throws Error if it could not be written down: then it must not be sent
   */
  begin(update: PlannedUpdate): Recording;
}

/** An update that is about to be sent. */
export interface PlannedUpdate {
  readonly operation: string;
  readonly device: DeviceRef;
  /** The resource, if it is known. */
  readonly urn: string | undefined;
  /** Any resource of the run, if one is known. */
  readonly urnOfRun: string | undefined;
  readonly sent: Values;
  /** The values of the keys, as far as they are known. */
  readonly old: Values;
}

/** What becomes of an update. */
export interface Recording {
  /** The service has accepted it. */
  accepted(): void;
  /** It is read back, or will not be. */
  end(verification?: Readonly<Record<string, Verification>>): Promise<void>;
  /** It was not accepted, as far as is known. */
  failed(error: unknown): Promise<void>;
}

/** The values of a device before its first update, and the values of that update. */
export interface JournalEntry {
  readonly device: DeviceRef;
  /** The name in its site, if it has one. */
  readonly label?: string;
  readonly baseline: Values;
  readonly sent: Values;
}

/** Has baselines written down before they can be lost, and finds them again. */
export interface Journal {
  /** Ends when they are written. @throws Error if they cannot be: then nothing may be sent */
  record(entries: readonly JournalEntry[], urn: string | undefined): Promise<void>;
  /** The baseline of a device whose first update was written down by a run that could not save its state. */
  recall(device: DeviceRef, values: Values): Values | undefined;
}
