import { expect } from "chai";
import type { Managed } from "../../../provider/lifecycle/device/record";
import { fromInputs, fromOutputs, inputsOf } from "../../../provider/lifecycle/device/state";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import { PartialError } from "../../../provider/lifecycle/run/errors";
import type { Device, DeviceRef } from "../../../provider/service/device";
import { pick } from "../../../provider/settings/objects";
import {
  type DeviceKind,
  fromDevice,
  keysOf,
  toPatch,
  type Value,
  type Values,
} from "../../../provider/settings/setting";
import { COMPLETE, FakeService, refused, runOf, uncertain } from "../../support/fakes";
import { refOf } from "../../support/sites";
import { expectLaws, isAdjusted } from "./laws";
import { type HandlerCall, type Program, Stack } from "./stack";

/** Faults of the next request of their kind. */
export const FAULTS = ["read fails", "refused", "lost", "answer lost", "edited meanwhile"] as const;
export type Fault = (typeof FAULTS)[number];

/** The one who last set a key of a device, and the time. */
export interface Writer {
  /** Name of the resource; undefined for somebody else. */
  readonly name?: string;
  readonly time: number;
}

/** A service that records whether the first read of a call showed the true values. */
class WatchedService extends FakeService {
  isCurrent: boolean | undefined;

  override async readDevice(device: DeviceRef): Promise<Device | undefined> {
    const shown = await super.readDevice(device);
    const visible = Object.entries(this.get(device) ?? {}).filter(([name]) => !this.hidden.has(name));
    this.isCurrent ??= JSON.stringify(Object.entries(shown ?? {}).sort()) === JSON.stringify(visible.sort());
    return shown;
  }
}

/** A stack with devices of one kind, and the facts that the provider cannot know: who set which value, and when. */
export class Ledger {
  readonly service = new WatchedService();
  readonly stack: Stack;
  program: Program = new Map();
  fault: Fault | undefined;
  /** The values of devices that the service no longer knows. */
  readonly gone = new Map<string, Readonly<Record<string, unknown>>>();
  /** The records that resources of this run give up, by device and key. */
  readonly offered = new Map<string, Managed>();
  /** The keys that the program of this run declares, as `device key`. */
  #claimed = new Map<string, Value>();
  #time = 0;
  #current: HandlerCall | undefined;
  /** By device and key; absent if nobody set it. */
  readonly #writers = new Map<string, Writer>();
  /** Every value that we ever sent, by device and key. */
  readonly #sent = new Map<string, Set<Value>>();
  /** The time at which each resource last saw its device's true values; absent if a stale cache misled it. */
  readonly #seen = new Map<string, number>();
  /**
   * Resources that saw the true values of their device when they were created, each with its device: a name may move to
   * another device.
   */
  readonly #adopted = new Set<string>();
  /** Resources whose delete failed. Whether it was applied is visible only if the cached read shows the key. */
  readonly #halfDeleted = new Set<string>();

  constructor(readonly kind: DeviceKind) {
    const environment = { ...COMPLETE, SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0" };
    const newProcess = () => {
      const run = runOf(environment, this.service);
      return deviceOperations(kind, () => run);
    };
    this.stack = new Stack(newProcess, (call, work) => this.#watch(call, work));
    this.service.beforeRead = () => {
      if (this.#takes("read fails")) throw refused(403);
    };
    this.service.beforeUpdate = () => {
      if (this.#takes("refused")) throw refused(422);
      this.#noteAttempt();
      if (this.#takes("lost")) throw uncertain();
    };
    this.service.afterUpdate = () => this.#noteUpdate();
  }

  async up(): Promise<void> {
    const claims = [...this.program.values()].map((declared) => fromInputs(this.kind, declared));
    this.#claimed = new Map(
      claims.flatMap(({ deviceId, values }) => Object.entries(values).map(([k, value]) => [`${deviceId} ${k}`, value])),
    );
    this.offered.clear();
    await this.stack.up(this.program);
    for (const name of this.program.keys()) this.#expectDeclared(name);
  }

  async destroy(): Promise<void> {
    this.#claimed.clear();
    await this.stack.destroy();
  }

  /** Advances the time. */
  tick(): number {
    this.#time += 1;
    return this.#time;
  }

  /** The true settings of a device. */
  settings(deviceId: string): Values {
    return fromDevice(this.kind, this.service.get(refOf(deviceId)) ?? {});
  }

  /** The one who last set a key; undefined if nobody did. */
  writer(deviceId: string, key: string): Writer | undefined {
    return this.#writers.get(`${deviceId} ${key}`);
  }

  /** Whether a value is one that we ever sent. */
  isOurs(deviceId: string, key: string, value: Value | undefined): boolean {
    return value !== undefined && (this.#sent.get(`${deviceId} ${key}`)?.has(value) ?? false);
  }

  /** Whether a resource saw the true values of its device when it was created. */
  isAdopted(name: string, deviceId: string): boolean {
    return this.#adopted.has(`${name} ${deviceId}`);
  }

  /** Whether the cached read shows a key. */
  isShown(key: string): boolean {
    return !this.service.hidden.has(this.kind.settings[key]?.wireName ?? "");
  }

  /** The declared value of a key. */
  claimed(deviceId: string, key: string): Value | undefined {
    return this.#claimed.get(`${deviceId} ${key}`);
  }

  /** Sets a key of a device as somebody else. */
  edit(deviceId: string, key: string, value: Value): void {
    const fields = this.service.get(refOf(deviceId));
    if (!fields) return;
    this.service.put(refOf(deviceId), { ...fields, ...toPatch(this.kind, { [key]: value }) });
    this.#writers.set(`${deviceId} ${key}`, { time: this.tick() });
  }

  /** Expects that state and device have the declared values, except changes by somebody else since the last read. */
  #expectDeclared(name: string): void {
    const { deviceId, values, onDelete = "retain" } = fromInputs(this.kind, this.program.get(name) ?? {});
    const state = fromOutputs(this.kind, this.stack.resources.get(name)?.outputs ?? {});
    const kept = fromInputs(this.kind, inputsOf(state));
    expect({ onDelete: "retain", ...kept }).to.deep.equal({ businessId: "acme", deviceId, values, onDelete });
    const seen = this.#seen.get(name);
    if (seen === undefined || this.gone.has(deviceId)) return;
    const known = Object.keys(values).filter((key) => {
      const writer = this.writer(deviceId, key);
      if (!this.isShown(key) && this.#halfDeleted.has(name)) return false;
      if (isAdjusted(state.settings[key], this.settings(deviceId)[key])) return false;
      return !writer || writer.name !== undefined || (writer.time <= seen && this.isShown(key));
    });
    expect(pick(this.settings(deviceId), known), `what ${name} declares`).to.deep.equal(pick(values, known));
  }

  async #watch<T>(call: HandlerCall, work: () => Promise<T>): Promise<T> {
    const { service } = this;
    const device = fromInputs(this.kind, call.operation === "delete" ? call.before : call.wanted);
    const live = this.settings(device.deviceId);
    const writers = new Map(keysOf(this.kind).map((key) => [key, this.writer(device.deviceId, key)]));
    service.requests.length = 0;
    service.sent.length = 0;
    service.isCurrent = undefined;
    this.#current = call;
    const start = this.#time;
    try {
      const result = await work();
      this.#noteRead(call, start);
      expectLaws(this, { ...call, device, live, writers, result });
      return result;
    } catch (error) {
      if (error instanceof PartialError) this.#noteRead(call, start);
      if (call.operation === "delete") {
        // The engine keeps the state from before the call.
        this.#seen.delete(call.name);
        this.#halfDeleted.add(call.name);
      }
      throw error;
    }
  }

  /** Updates the knowledge of a resource after a call. An update of a new setting reads first, too. */
  #noteRead({ operation, name, wanted }: HandlerCall, time: number): void {
    const isUpdate = operation === "update" && this.service.requests[0]?.startsWith("GET");
    if (operation !== "create" && operation !== "read" && !isUpdate) return;
    const adopted = `${name} ${fromInputs(this.kind, wanted).deviceId}`;
    if (this.service.isCurrent) {
      // An update reads only the new settings.
      if (!isUpdate) this.#seen.set(name, time);
      if (operation === "create") this.#adopted.add(adopted);
    } else {
      // If a stale cache misled it about a baseline or a change, it cannot correct that later.
      this.#seen.delete(name);
      this.#adopted.delete(adopted);
    }
    if (operation === "create") this.#halfDeleted.delete(name);
  }

  #noteAttempt(): void {
    for (const { id, value, isDelete } of this.#underWay()) {
      if (!isDelete) this.#sent.set(id, (this.#sent.get(id) ?? new Set()).add(value));
    }
  }

  #noteUpdate(): void {
    for (const { id, name, deviceId, key, isDelete } of this.#underWay()) {
      if (isDelete) this.#writers.delete(id);
      else this.#writers.set(id, { name, time: this.tick() });
      if (this.#takes("edited meanwhile")) this.edit(deviceId, key, otherValue(this.kind, key, this.#time));
    }
    if (this.#takes("answer lost")) throw uncertain();
  }

  /** The settings of the update in progress. */
  #underWay() {
    const { operation, name, before, wanted } = this.#current as HandlerCall;
    const isDelete = operation === "delete";
    const { deviceId } = fromInputs(this.kind, isDelete ? before : wanted);
    const sent = fromDevice(this.kind, this.service.sent.at(-1) ?? {});
    return Object.entries(sent).map(([key, value]) => {
      return { id: `${deviceId} ${key}`, name, deviceId, key, value, isDelete };
    });
  }

  #takes(fault: Fault): boolean {
    if (this.fault !== fault) return false;
    this.fault = undefined;
    return true;
  }
}

/** A value that no program declares, if the setting has enough values. */
export function otherValue(kind: DeviceKind, key: string, turn: number): Value {
  const setting = kind.settings[key];
  const choices = setting?.type === "choice" ? Object.keys(setting.choices) : [];
  if (setting?.type === "choice") return choices[turn % choices.length] as string;
  return (setting?.minimum ?? 0) + 10 + turn;
}
