/** Settings of one device by their wire names, e.g. `{ max_capacity: 60000, policy: "CHARGE BY" }`. */
export type Settings = Record<string, unknown>;

/** The wire names of the inverter's settings. Interface 2.7 does not show them, so they can be chosen. */
export interface InverterFields {
  peakPower: string;
  azimuth: string;
  tilt: string;
  cutInThreshold: string;
  baseLoad: string;
}

/** What the service knows when it starts. This is also the shape of a fleet file. */
export interface Fleet {
  /** The bearer token each request must carry. Default "simulator-token". */
  token?: string;
  /** Business id → device id → device. */
  businesses: Record<string, Record<string, FleetDevice>>;
}

export interface FleetDevice {
  type: "vehicle" | "inverter";
  /** `dev_make`. Default "simulated". */
  make?: string;
  /** `connector_data.title`. Default: the device id. */
  title?: string;
  /** Initial values, not validated. A vehicle's policy defaults to CHARGE BY, all else is absent. */
  settings?: Settings;
  /** Where this device differs from the behaviour set for all. */
  behaviour?: Partial<Behaviour>;
}

/** What the service does not document, so that a client can be tried against each form of it. */
export interface Behaviour {
  /** Where the cached read shows all settings but `policy`, which is always top-level. Default "top-level". */
  reports: "top-level" | "config" | "metadata" | "nowhere";
  /** The cached read shows the values of that long ago. Default 0. */
  cacheLagSeconds: number;
  /** That many cached reads after each PATCH still show what was shown before it. Default 0. */
  cacheLagReads: number;
  /** Wait before a request is looked at. Default 0. */
  latencySeconds: number;
  /** A valid PATCH is answered with 200 and applies nothing. Default false. */
  ignoresPatches: boolean;
  /**
   * Under which names an inverter takes its settings. Default peak_power, azimuth, tilt, cut_in_threshold, base_load:
   * our choice, as the service documents none. What was set under an earlier name stays there.
   */
  inverterFields: Partial<InverterFields>;
}

/**
 * A scripted answer or a broken connection. The first fault in the script that matches a request is used for it.
 * A fault that is only an answer keeps the request from having any effect, as do the kinds "reset" and
 * "stall-headers"; with the other kinds the request is carried out first.
 */
export interface Fault {
  /** Matches only these requests. Default: all. */
  method?: "GET" | "PATCH";
  businessId?: string;
  deviceId?: string;
  /** How many requests it is used for. Default 1. */
  times?: number;
  /** The answer given instead of the real one, before the token is checked. Default 200, no headers, no body. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /**
   * Breaks the connection instead of answering.
   * - "reset": TCP reset, the request has no effect
   * - "reset-after-apply": TCP reset after the request took effect
   * - "stall-headers": never answers, the request has no effect
   * - "stall-body": sends the headers and half of the body, then nothing
   * - "truncate": sends the headers and half of the body, then closes
   */
  kind?: "reset" | "reset-after-apply" | "stall-headers" | "stall-body" | "truncate";
}

/** One request to the service, logged when it is answered. Never holds a header. */
export interface RequestLogEntry {
  /** When it arrived, ISO 8601. */
  time: string;
  method: string;
  /** As sent, still percent-encoded. */
  path: string;
  businessId?: string;
  deviceId?: string;
  operation: "read" | "latest" | "update" | "other";
  /** The status sent, or how the connection was broken. */
  status: number | BrokenConnection;
  /** Of a PATCH, as received: parsed when it is JSON, else the text. */
  body?: unknown;
  latencyMs: number;
}

export type BrokenConnection = "reset" | "stalled" | "truncated";

export interface SimulatorOptions {
  fleet: Fleet;
  /** Default 0: any free port. */
  port?: number;
  /** Keeps the current settings over a restart. Settings found in it go before those of the fleet. */
  stateFile?: string;
  /** For all devices. */
  behaviour?: Partial<Behaviour>;
  onRequest?: (entry: RequestLogEntry) => void;
  /** Milliseconds since the epoch; dates the log and ages the cache. Default `Date.now`. */
  now?: () => number;
}

/** A running simulator. Methods that take a device throw when there is none of these ids. */
export interface Simulator {
  /** `http://127.0.0.1:<port>`, the {base_url} of interface 4. */
  url: string;
  token: string;
  /** The requests answered so far, without those to the control API. */
  requests: RequestLogEntry[];
  /** How many of them were latest reads: each may have woken the car. */
  readonly latestReads: number;
  /** The true settings now, whatever the cached read shows. */
  device(businessId: string, deviceId: string): Settings;
  /** The app user changes settings behind the client's back. Not validated. */
  appUserSets(businessId: string, deviceId: string, settings: Settings): void;
  /** Changes the behaviour of one device or, without ids, of all where the device has none of its own. */
  behave(behaviour: Partial<Behaviour>, ...device: [] | [businessId: string, deviceId: string]): void;
  /** Adds to the end of the script. */
  fail(...faults: Fault[]): void;
  /** Adds or replaces a device. */
  add(businessId: string, deviceId: string, device: FleetDevice): void;
  remove(businessId: string, deviceId: string): void;
  /** Ends all connections at once, stalled and idle ones too. */
  close(): Promise<void>;
}
