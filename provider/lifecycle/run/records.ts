import type { DeviceRef } from "../../service/device";
import type { DeviceKind, Value, Values } from "../../settings/setting";
import type { SettingStatus } from "../../settings/verification";

/** The interfaces through which operations keep records. The code that starts the run implements them. */

/** Records updates, to show later who set a value. */
export interface Recorder {
  /** Call it before the update is sent. @throws Error if it cannot write: then the update must not be sent */
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

/** An update in progress. The code that sends it reports each step. */
export interface Recording {
  /** The service has accepted it. */
  accepted(): void;
  /** It was read back, or will not be. */
  end(verification?: Readonly<Record<string, SettingStatus>>): Promise<void>;
  /** It was not accepted, as far as is known. */
  failed(error: unknown): Promise<void>;
}

/** The values of a device before its first update, and the values of that update. */
export interface PlannedDevice {
  readonly device: DeviceRef;
  /** The name in its site, if it has one. */
  readonly label?: string;
  readonly baseline: Values;
  readonly sent: Values;
}

/** A setting that a resource stops managing: its possible values because of us, and the value before them. */
export interface LeftSetting {
  readonly key: string;
  readonly ours: readonly Value[];
  /** Absent if the service did not report it. */
  readonly before?: Value | undefined;
}

/** An event of a setting that we caused. */
export interface SettingEvent extends LeftSetting {
  /**
   * `planned`: a first update was about to be sent. `sent`: a later update was about to be sent. `left`: a resource
   * stopped managing the setting. `restored`: a resource wrote the baseline or the service's default.
   */
  readonly event: "planned" | "sent" | "left" | "restored";
}

/** Keeps baselines beyond a run. */
export interface Journal {
  readonly path: string;
  /** @throws Error if they cannot be written: then nothing may be sent */
  plan(devices: readonly PlannedDevice[], urn: string | undefined): void;
  /** Records the baselines of settings that are no longer managed and were not restored. */
  leave(device: DeviceRef, settings: readonly LeftSetting[], urn: string | undefined): Promise<void>;
  /** Records that settings have their baselines again. */
  restored(device: DeviceRef, sent: Values, urn: string | undefined): Promise<void>;
  /**
   * The events of a device, in order. @throws Error if the file exists and cannot be read: without it, our own value
   * would count as a baseline
   */
  eventsOf(device: DeviceRef): readonly SettingEvent[];
}

/** The declarations of a device by one resource. */
export interface Claim {
  /** The engine's name of the resource; absent if it is not known. */
  readonly urn?: string | undefined;
  /** The name of the resource in messages: `VehicleSettings 'car'`, `vehicle/car of SiteSettings 'berlin'`. */
  readonly words: string;
  readonly kind?: DeviceKind["name"] | undefined;
  readonly values: Values;
}

/** A line that one provider process shares with the others of its run. */
export interface SharedLine {
  readonly claim?: (SharedDevice & Claim) | undefined;
  /** The engine's name of a resource whose claims no longer count. */
  readonly release?: string | undefined;
  readonly former?: (SharedDevice & LeftSetting) | undefined;
  readonly restored?: (SharedDevice & { readonly values: Values }) | undefined;
}

interface SharedDevice extends DeviceRef {
  readonly service?: string | undefined;
}

/** The other provider processes of a run. */
export interface SharedLines {
  append(lines: readonly SharedLine[]): void;
  /** The lines of the other processes since the last call. */
  news(): readonly { readonly pid: number; readonly line: SharedLine }[];
  isAlive(pid: number): boolean;
  /** Call it at the end of the run. */
  remove(): void;
}
