import type { Writer } from "../../provider/ledger/events";

import type { Baselines } from "../../provider/ledger/logs";
import type { Claim } from "../../provider/ledger/runFile";
import { Store } from "../../provider/ledger/store";
import type { Call } from "../../provider/lifecycle/device/call";
import { diff } from "../../provider/lifecycle/device/diff";
import { fromInputs, fromOutputs } from "../../provider/lifecycle/device/state";
import type { Difference } from "../../provider/lifecycle/run/changes";
import type { Context } from "../../provider/lifecycle/run/context";
import { toId } from "../../provider/lifecycle/run/ids";
import type { Report } from "../../provider/lifecycle/run/run";
import { SecretInputs } from "../../provider/lifecycle/run/secretInputs";
import { type Message, textOf } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import { type EngineRun, startRun } from "../../provider/run";
import type { DeviceService } from "../../provider/service/client";
import { type Device, type DeviceRef, deviceSchema } from "../../provider/service/device";
import { failureOfStatus, failureOfTimeout, ServiceError } from "../../provider/service/errors";
import type { Properties } from "../../provider/settings/objects";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";

export const CAR = { businessId: "acme", deviceId: "car" } satisfies DeviceRef;
export const ROOF = { businessId: "acme", deviceId: "roof" } satisfies DeviceRef;

type Fields = Readonly<Record<string, unknown>>;

/** The device service in memory. It behaves as documented unless a test changes that. */
export class FakeService implements DeviceService {
  /** Requests in order: "GET acme/car", "GET acme/car/metrics/latest", "PATCH acme/car". */
  readonly requests: string[] = [];
  /** Bodies of the updates in order. */
  readonly sent: Fields[] = [];
  /** Number of reads after an update that still show the earlier values. */
  staleReads = 0;
  /** Fields of the device that the cached read does not show. */
  readonly hidden = new Set<string>();
  /** Whether `confirmGone` confirms that unknown devices are gone. Otherwise the address counts as wrong. */
  believesInGone = true;
  /** Called before a read or an update; an error that it throws is the outcome. */
  beforeRead: (device: DeviceRef) => void = () => {};
  beforeUpdate: (device: DeviceRef) => void = () => {};
  /** Called after an update was applied; an error that it throws is the outcome nevertheless. */
  afterUpdate: (device: DeviceRef) => void = () => {};
  #devices = new Map<string, Fields>();
  #stale = new Map<string, { shown: Fields; reads: number }>();

  put(device: DeviceRef, fields: Fields): this {
    this.#devices.set(toId(device), fields);
    this.#stale.delete(toId(device));
    return this;
  }

  /** Sets fields as the app or the device itself does. */
  set(device: DeviceRef, fields: Fields): void {
    this.put(device, { ...this.get(device), ...fields });
  }

  remove(device: DeviceRef): void {
    this.#devices.delete(toId(device));
  }

  /**
   * Makes requests fail until the returned function is called: reads; updates, which are lost; or the answers to
   * updates, which are applied.
   * @param only id of the device; default: all
   */
  fail(what: "reads" | "updates" | "answers", error: () => Error, only?: string): () => void {
    const hook = ({ reads: "beforeRead", updates: "beforeUpdate", answers: "afterUpdate" } as const)[what];
    this[hook] = ({ deviceId }) => {
      if (only === undefined || deviceId === only) throw error();
    };
    return () => {
      this[hook] = () => {};
    };
  }

  /** The true fields of the device. */
  get(device: DeviceRef): Fields | undefined {
    return this.#devices.get(toId(device));
  }

  async readDevice(device: DeviceRef): Promise<Device | undefined> {
    this.requests.push(`GET ${toId(device)}`);
    this.beforeRead(device);
    const fields = this.#shown(toId(device));
    return (
      fields && deviceSchema.parse(Object.fromEntries(Object.entries(fields).filter(([k]) => !this.hidden.has(k))))
    );
  }

  async confirmGone(): Promise<void> {
    if (!this.believesInGone) throw refused(404, { isGone: false });
  }

  readObject(device: DeviceRef): Promise<Device | undefined> {
    return this.readDevice(device);
  }

  async readLatestMetrics(device: DeviceRef): Promise<Fields | undefined> {
    this.requests.push(`GET ${toId(device)}/metrics/latest`);
    return this.#devices.has(toId(device)) ? { state_of_charge: 62 } : undefined;
  }

  async updateDevice(device: DeviceRef, fields: Fields): Promise<void> {
    const id = toId(device);
    this.requests.push(`PATCH ${id}`);
    this.sent.push(fields);
    this.beforeUpdate(device);
    const before = this.#devices.get(id);
    if (!before) throw refused(404);
    this.#stale.set(id, { shown: before, reads: this.staleReads });
    this.#devices.set(id, { ...before, ...fields });
    this.afterUpdate(device);
  }

  #shown(id: string): Fields | undefined {
    const stale = this.#stale.get(id);
    if (!stale || stale.reads === 0 || !this.#devices.has(id)) return this.#devices.get(id);
    stale.reads -= 1;
    return stale.shown;
  }
}

/** The service with one vehicle and one inverter. */
export function fleet(car: Fields = {}, roof: Fields = {}): FakeService {
  return new FakeService()
    .put(CAR, { dev_type: "Electric vehicle", ...car })
    .put(ROOF, { dev_type: "Inverter", ...roof });
}

/** The error of an update that the service permanently refused at its first try, because of the device. */
export function refused(
  status: number,
  { isGone = status === 404 || status === 410, maybeApplied = false } = {},
): ServiceError {
  const failure = { ...failureOfStatus(status, ""), advice: "Check it", transient: false, isGone };
  return new ServiceError("update", CAR, failure, { maybeApplied });
}

/** The error of an update of unknown outcome. */
export function uncertain(): ServiceError {
  return new ServiceError("update", CAR, failureOfTimeout(30), { maybeApplied: true });
}

export function said(finding: string): Message {
  return { code: "internal", finding };
}

/** The writer of a line, without secret settings. */
export function writerOf(urn?: string): Writer {
  return { urn, isSecret: () => false };
}

/** Logs that have and keep nothing, but for these functions. */
export function logsWith(changes: Partial<Baselines>): Baselines {
  return {
    isShownNext: true,
    plan: () => {},
    begin: () => undefined,
    release: async () => undefined,
    eventsOf: () => [],
    close: () => {},
    ...changes,
  };
}

/** The context of an operation on a device. It keeps the messages that the operation reports. */
export function callOf(kind: DeviceKind, service: DeviceService, changes: Partial<Call> = {}) {
  const warnings: string[] = [];
  const codes: string[] = [];
  const infos: string[] = [];
  const call: Call = {
    kind,
    service,
    operation: "update",
    ...writerOf(),
    store: new Store(),
    info: async (message) => {
      infos.push(textOf(message));
    },
    warn: async (message) => {
      codes.push(message.code);
      warnings.push(textOf(message));
    },
    verifyTimeoutSeconds: 10,
    signal: new AbortController().signal,
    onSend: () => {},
    ...changes,
  };
  return { ...call, warnings, codes, infos };
}

/** The diff of outputs and new inputs. */
export function diffOf(kind: DeviceKind, olds: Properties, news: Properties, store = new Store()): Difference {
  return diff(fromOutputs(kind, olds), fromInputs(kind, news), store);
}

export type Owner = Pick<Claim, "urn" | "words" | "kind">;

/** The owner of a resource's declarations; without a URN, an unknown one. */
export function ownerOf(urn?: string, { resource, name: kind }: DeviceKind = vehicle): Owner {
  return { urn, words: `${resource} '${urn}'`, kind };
}

/** Declares keys of one device. @returns their other owners */
export function claimed(
  store: Store,
  device: DeviceRef,
  values: object,
  owner: Owner,
): Readonly<Record<string, string>> {
  const { businessId, deviceId } = device;
  return store.add([{ businessId, deviceId, ...owner, values: { ...values } }])[0] ?? {};
}

export function contextOf(urn?: string, facts: Partial<Context> = {}): Context {
  return { name: partsOf(urn).name, urn, isPreview: false, secrets: new SecretInputs(), live: {}, ...facts };
}

/** One message of a run, as data. */
export interface Noted {
  readonly kind: "warn" | "info";
  readonly message: Message;
  /** The resource that it is about, if any. */
  readonly urn: string | undefined;
}

export interface NotedRun extends EngineRun {
  /** The texts that the user saw. */
  readonly shown: string[];
  readonly noted: Noted[];
}

/** A run with this environment. It keeps the messages that it shows. */
export function runOf(environment: NodeJS.ProcessEnv, service?: DeviceService): NotedRun {
  const shown: string[] = [];
  const noted: Noted[] = [];
  const show = async (message: string) => {
    shown.push(message);
  };
  const run = startRun(() => undefined, environment, { warn: show, info: show, progress: async () => {} });
  const noting =
    (kind: Noted["kind"]): Report =>
    async (message, urn) => {
      noted.push({ kind, message, urn });
      await run.report[kind](message, urn);
    };
  const report = { ...run.report, warn: noting("warn"), info: noting("info") };
  return { ...run, report, ...(service && { service: () => service }), shown, noted };
}

export const COMPLETE: NodeJS.ProcessEnv = {
  SOLAR_CHARGING_BASE_URL: "https://api.example.com",
  SOLAR_CHARGING_BUSINESS_ID: "acme",
  SOLAR_CHARGING_ACCESS_TOKEN: "t0ken",
};
