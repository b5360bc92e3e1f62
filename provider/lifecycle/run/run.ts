import type { Done } from "../../ledger/done";
import type { Store } from "../../ledger/store";
import type { Audience, Message } from "../../messages/message";
import type { DeviceService } from "../../service/client";
import type { Approved } from "../approval/approved";

/** The state that all operations of one engine run share. The code that starts the run creates it. */
export interface Run {
  /** @throws MessageError of the code `notUsable`, see `isNotUsable` */
  readonly configuration: () => RunConfiguration;
  /** @throws as `configuration` */
  readonly service: () => DeviceService;
  readonly store: Store;
  /** The values that this run may send; undefined if it may send all. @throws MessageError if they cannot be read */
  readonly approved: () => Approved | undefined;
  readonly report: Reporter;
  /** Aborted when the user stops the run: devices in progress are finished, and no other is started. */
  readonly stopping: AbortSignal;
  /** Aborted two seconds after `stopping`, which ends the requests still in flight. */
  readonly aborting: AbortSignal;
}

/** Shows messages to the user, and to the command that started the run. */
interface Reporter {
  /** The names of configuration keys for the user. */
  readonly names: NonNullable<Audience["names"]>;
  /** Shows a warning, once for each resource. The operation does not fail. */
  readonly warn: Report;
  /** Shows a fact that needs no action. */
  readonly info: Report;
  /** Reports an operation that is done to the command that started the run. Without one, `done` is not called. */
  readonly done: (done: () => Done) => void;
  /** Shows the progress of a resource; each message replaces the one before. */
  readonly progress: (message: string, urn: string | undefined) => void;
}

/** @param urn the resource that the message is about, if any */
export type Report = (message: Message, urn?: string) => Promise<void>;

/** The part of the configuration that operations need. */
interface RunConfiguration {
  readonly baseUrl?: string;
  readonly businessId?: string;
  /** Wire names of inverter keys. Absent if the user has not confirmed them. */
  readonly inverterFields?: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly requestTimeoutSeconds: number;
  readonly retryTimeoutSeconds: number;
  readonly verifyTimeoutSeconds: number;
  /** Whether a preview reads the declared devices. */
  readonly livePreview: boolean;
  /** Messages about missing configuration, without which the service cannot be called. */
  readonly unset: readonly Message[];
}
