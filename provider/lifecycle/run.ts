import { type Message, MessageError } from "../messages/message";
import type { Names } from "../messages/names";
import type { DeviceService } from "../service/client";
import type { Claims } from "./claims";
import type { Forecasts } from "./forecasts";
import type { Handover } from "./handover";
import type { Journal, Recorder } from "./records";
import type { SecretInputs } from "./secretInputs";

/** The things that all operations of one engine run share. The starter of the run provides them. */
export interface Run {
  /** @throws MessageError of the code `notUsable`, see `isNotUsable` */
  readonly configuration: () => RunConfiguration;
  /** The keys that have to be set before the service can be called. @throws as `configuration` */
  readonly unset: () => readonly Message[];
  /** @throws as `configuration` */
  readonly service: () => DeviceService;
  readonly claims: Claims;
  readonly handover: Handover;
  readonly forecasts: Forecasts;
  /** Where each update is reported; undefined if no ledger is configured. @throws as `configuration` */
  readonly ledger: () => Recorder | undefined;
  /** Where baselines are written down before they can be lost. @throws as `configuration` */
  readonly journal: () => Journal;
  /** What configuration keys are called for the user. */
  readonly names: Names;
  /** Shows the user something that does not fail the operation; the same message once for the same resource. */
  readonly warn: Report;
  /** Shows the user something that is worth knowing, and no reason to act. */
  readonly info: Report;
  /** Reports something about a device of a site to whoever started the run, beside what the user is shown. */
  readonly problem: (problem: SiteProblem) => void;
  /** Shows how far a resource has come; the next one takes its place. */
  readonly progress: (message: string, urn: string | undefined) => void;
  /** The sites of a preview, by what identifies them. */
  readonly previewed: Map<string, PreviewedSite>;
  /** Aborted when the user stops the run: what has begun is brought to its end, and nothing more is begun. */
  readonly stopping: AbortSignal;
  /** Aborted a little later: what is still under way then is given up. */
  readonly aborting: AbortSignal;
}

/** @param urn the resource that it is about, if it is about one */
export type Report = (message: Message, urn?: string) => Promise<void>;

/** The facts about a site between its check and its diff. */
export interface PreviewedSite {
  /** The engine's name of its resource. */
  readonly urn: string | undefined;
  readonly secrets: SecretInputs;
}

/** As much of the configuration as operations go by. */
export interface RunConfiguration {
  readonly businessId?: string;
  /** Wire names of inverter keys; absent: not confirmed by the user. */
  readonly inverterFields?: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly requestTimeoutSeconds: number;
  readonly retryTimeoutSeconds: number;
  readonly verifyTimeoutSeconds: number;
  /** Whether a preview reads the declared devices. */
  readonly livePreview: boolean;
}

/** Something about a site or one of its devices that whoever started the run has to know. */
export interface SiteProblem extends Message {
  /** `error`: the device could not be read, set or given back. */
  readonly severity: "error" | "warning";
  /** The operation that failed, or that found it. */
  readonly operation: string;
  readonly site: string;
}

/** Whether an error says that the configuration cannot be used: then every operation fails alike. */
export function isNotUsable(error: unknown): error is MessageError {
  return error instanceof MessageError && error.problem.code === "notUsable";
}
