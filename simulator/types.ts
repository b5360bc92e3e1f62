import type { ChargingStatus, ServiceStatus } from "./statuses";

/** Settings of one device by their wire names, such as `{ max_capacity: 60000, policy: "CHARGE BY" }`. */
export type Settings = Record<string, unknown>;

/** The wire names of the inverter's settings. The service does not document them, so they can be chosen. */
export interface InverterFields {
  /** Peak power. */
  peakPower: string;
  /** Azimuth. */
  azimuth: string;
  /** Tilt. */
  tilt: string;
  /** Cut-in threshold. */
  cutInThreshold: string;
  /** Base load. */
  baseLoad: string;
}

/** The devices of the simulated service when it starts. A fleet file has the same shape. */
export interface Fleet {
  /** The bearer token that each request must carry. Default: `simulator-token`. */
  token?: string;
  /** Business id → device id → device. */
  businesses: Record<string, Record<string, FleetDevice>>;
}

/** A device of the simulated service. */
export interface FleetDevice {
  /** The kind of device. */
  type: "vehicle" | "inverter";
  /** `dev_make`. Default "simulated". */
  make?: string;
  /** `connector_data.title`. Default: the device id. */
  title?: string;
  /** `phys_id`. Default: an id of its own. Two devices with the same one are the same car, linked twice. */
  physId?: string;
  /** Initial values, not validated. A vehicle's policy defaults to CHARGE BY; the other values are absent. */
  settings?: Settings;
  /** The differences of this device from the behaviour of all. */
  behaviour?: Partial<Behaviour>;
}

/** Behaviour that the service does not document. Each form can be chosen, to test a client with it. */
export interface Behaviour {
  /** The place of all settings in the cached read, except `policy`, which is always top-level. Default "top-level". */
  reports: "top-level" | "config" | "metadata" | "nowhere";
  /** The cached read shows values from this many seconds ago. Default: 0. */
  cacheLagSeconds: number;
  /** This many cached reads after each PATCH still show the earlier values. Default: 0. */
  cacheLagReads: number;
  /** Wait before a request is handled. Default: 0. */
  latencySeconds: number;
  /** A valid PATCH is answered with 200 and applies nothing. Default false. */
  ignoresPatches: boolean;
  /**
   * The wire names of an inverter's settings. Default: peak_power, azimuth, tilt, cut_in_threshold, base_load, which
   * are our choice, because the service documents none. Values that were set under an earlier name stay there.
   */
  inverterFields: Partial<InverterFields>;
  /**
   * The `service_status` of vehicles in the cached read, and with it a `charging_status` that it appears with.
   * "derived": `active_solar_charging` if the policy is CHARGE BY FORECAST and an inverter of the business has all five
   * values, otherwise `active_scheduled`. Both are top-level, which is our choice. Default "none"; the default of the
   * command is "derived".
   */
  serviceStatus: "none" | "derived" | ServiceStatus;
  /** The `charging_status`, if it appears with the service status. Default: the first one that does. */
  chargingStatus?: ChargingStatus;
  /** The cached read shows 80000 Wh and 7200 W of a vehicle without these values. Default false. */
  showsDefaults: boolean;
}

/**
 * A scripted answer or a broken connection. The first fault in the script that matches a request is used for it.
 * With a fault that is only an answer, and with the kinds "reset" and "stall-headers", the request has no effect. With
 * the other kinds it takes effect first.
 */
export interface Fault {
  /** Matches only these requests. Default: all. */
  method?: "GET" | "PATCH";
  /** Matches only requests for devices of this business. Default: all. */
  businessId?: string;
  /** Matches only requests for this device. Default: all. */
  deviceId?: string;
  /** Number of requests that it is used for. Default 1. */
  times?: number;
  /** Status of the answer that replaces the real one. It is sent before the token is checked. Default 200. */
  status?: number;
  /** Headers of that answer. Default: none. */
  headers?: Record<string, string>;
  /** Body of that answer. Default: empty. */
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

/** One request to the service, logged when it is answered. It contains no header. */
export interface RequestLogEntry {
  /** Time of its arrival, ISO 8601. */
  time: string;
  /** Method, in capitals. */
  method: string;
  /** The path as it was sent, still percent-encoded. */
  path: string;
  /** The business in the path; absent if the path has none. */
  businessId?: string;
  /** The device in the path; absent if the path has none. */
  deviceId?: string;
  /** The kind of request. */
  operation: "read" | "latest" | "update" | "other";
  /** The sent status, or the way in which the connection was broken. */
  status: number | BrokenConnection;
  /** Body of a PATCH: parsed if it is JSON, otherwise the text. */
  body?: unknown;
  /** Time from its arrival to its answer, in milliseconds. */
  latencyMs: number;
}

/** The ways in which a connection can be broken. */
export type BrokenConnection = "reset" | "stalled" | "truncated";

/** The options of `startSimulator`. */
export interface SimulatorOptions {
  /** The devices of the service. */
  fleet: Fleet;
  /** Default 0: any free port. */
  port?: number;
  /** A file that keeps the current settings over a restart. Settings in it override those of the fleet. */
  stateFile?: string;
  /** The behaviour of all devices. */
  behaviour?: Partial<Behaviour>;
  /** Called after each request. */
  onRequest?: (entry: RequestLogEntry) => void;
  /** The clock of the log and the cache, in milliseconds since the epoch. Default `Date.now`. */
  now?: () => number;
}

/** A running simulator. Methods that take a device throw if there is no device with these ids. */
export interface Simulator {
  /** The base URL of the service: `http://127.0.0.1:<port>`. */
  url: string;
  /** The bearer token that each request must carry. */
  token: string;
  /** The requests answered so far, without those to the control API. */
  requests: RequestLogEntry[];
  /** The number of latest reads among them. Each may have woken a car. */
  readonly latestReads: number;
  /** The true settings of a device, whatever the cached read shows. */
  device(businessId: string, deviceId: string): Settings;
  /** Changes settings as somebody does in the app. The values are not validated. */
  appUserSets(businessId: string, deviceId: string, settings: Settings): void;
  /** Changes the behaviour of one device; without ids, of all devices that have none of their own. */
  behave(behaviour: Partial<Behaviour>, ...device: [] | [businessId: string, deviceId: string]): void;
  /** Adds faults to the end of the script. */
  fail(...faults: Fault[]): void;
  /** Adds or replaces a device. */
  add(businessId: string, deviceId: string, device: FleetDevice): void;
  /** Removes a device. */
  remove(businessId: string, deviceId: string): void;
  /** Ends all connections at once, stalled and idle ones too. */
  close(): Promise<void>;
}
