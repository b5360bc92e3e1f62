import { readFileSync, rmSync } from "node:fs";
import { expect } from "chai";
import { Journal } from "../../../provider/ledger/journal";
import { Logs } from "../../../provider/ledger/logs";
import { originOf } from "../../../provider/ledger/origin";
import { RunFile } from "../../../provider/ledger/runFile";
import { Store } from "../../../provider/ledger/store";
import { isManaged, type Known, managedIn, type Records } from "../../../provider/lifecycle/device/record";
import { fromOutputs } from "../../../provider/lifecycle/device/state";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import type { Operations } from "../../../provider/lifecycle/operations";
import { PartialError } from "../../../provider/lifecycle/run/errors";
import { fromSiteOutputs } from "../../../provider/lifecycle/site/state";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import type { EngineRun } from "../../../provider/run";
import type { DeviceRef } from "../../../provider/service/device";
import type { OnDelete } from "../../../provider/settings/declaration";
import type { Properties } from "../../../provider/settings/objects";
import { fromDevice, keysOf, toPatch, type Value, type Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { showsBaseline } from "../../support/baselines";
import { COMPLETE, contextOf, FakeService, refused, runOf, said, uncertain } from "../../support/fakes";
import { refOf } from "../../support/sites";
import { CARS, type Fault, kindOf, ROOFS } from "./siteWorld";

export const SITES = ["north", "south", "east"] as const;
export const SINGLES = ["one", "two"] as const;
export const PROVIDERS = ["default", "explicit", "other"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The declaration of a device. */
export interface Declared {
  readonly deviceId: string;
  readonly name: string;
  readonly values: Values;
  readonly observe: boolean;
  readonly onDelete?: OnDelete;
}

/** A resource of the program. Its name is the key and a number: another number is another resource. */
export interface Resource {
  readonly number: number;
  /** Whether the program has `ignoreChanges` for the first setting of its first device. */
  readonly isIgnoring?: boolean;
  readonly provider: ProviderName;
  readonly devices: readonly Declared[];
}

/** The engine's state of a resource. */
interface Kept {
  readonly urn: string;
  readonly isSite: boolean;
  readonly provider: ProviderName;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly isUnfinished: boolean;
}

/**
 * The time from the first management of a setting until its value is no longer ours. Only this test knows all of it.
 */
interface Era {
  /** The value from before it, and the values that the owner has set since. */
  readonly baselines: Set<Value | undefined>;
  /** Number of texts that were shown before it began, and so cannot be about it. */
  readonly shownBefore: number;
}

type Update = {
  readonly deviceId: string;
  readonly key: string;
  readonly before: Value | undefined;
  readonly value: Value;
};

/** A service that reports the values that it has applied. */
class WatchedService extends FakeService {
  onApplied: (update: Update) => void = () => {};

  override async updateDevice(device: DeviceRef, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const kind = kindOf(device.deviceId);
    const before = fromDevice(kind, this.get(device) ?? {});
    try {
      await super.updateDevice(device, fields);
    } finally {
      const after = fromDevice(kind, this.get(device) ?? {});
      for (const key of Object.keys(fromDevice(kind, fields))) {
        const value = after[key];
        const isApplied = value !== undefined && value !== before[key];
        if (isApplied) this.onApplied({ deviceId: device.deviceId, key, before: before[key], value });
      }
    }
  }
}

const URN = "urn:pulumi:dev::home::pulumi-nodejs:dynamic/solar-charging";
const ADDRESS = COMPLETE.SOLAR_CHARGING_BASE_URL as string;

class KilledError extends Error {}

/**
 * A stack of sites and single vehicles with three providers, its devices, their owners, and an engine that can be killed.
 */
export class Lives {
  readonly service = new WatchedService();
  program = new Map<string, Resource>();
  fault: { readonly fault: Fault; readonly deviceId: string } | undefined;
  /** Whether the engine is killed after the next operation that changes a device, before it saves. */
  isKilledNext = false;
  /** Whether the next run cannot use the file that its providers share. */
  isAloneNext = false;
  /**
   * Whether state lacks the changes of a killed run. Until a refresh, an update assumes the devices are as before that
   * run.
   */
  #isStateOld = false;
  readonly #kept = new Map<string, Kept>();
  #replaced: Kept[] = [];
  readonly #eras = new Map<string, Era>();
  readonly #ownersLast = new Set<string>();
  #shown: string[] = [];
  #operation: { readonly isDelete: boolean } | undefined;
  #hasChanged = false;
  /** The devices that were ever declared with `reset`. */
  readonly #resets = new Set<string>();
  /** The values of the devices before the last operation. */
  #before: ReadonlyMap<string, Values> = new Map();
  /** The managed settings before the last operation. */
  #managedBefore: ReadonlySet<string> = new Set();
  /** The settings of which the state before an update has several values. */
  #managedTwice: ReadonlySet<string> = new Set();
  #pid = 1;

  /** @param ledger file of the ledger; undefined if there is none */
  constructor(
    private readonly shared: string,
    readonly ledger: string | undefined,
    private readonly suffix = "",
  ) {
    this.service.beforeRead = ({ deviceId }) => {
      if (this.#takes("read fails", deviceId)) throw refused(403);
    };
    this.service.beforeUpdate = ({ deviceId }) => {
      if (this.#takes("refused", deviceId)) throw refused(422);
      if (this.#takes("lost", deviceId)) throw uncertain();
    };
    this.service.afterUpdate = ({ deviceId }) => {
      if (this.#takes("answer lost", deviceId)) throw uncertain();
    };
    this.service.onApplied = (update) => this.#noteUpdate(update);
  }

  settings(deviceId: string): Values {
    return fromDevice(kindOf(deviceId), this.service.get(refOf(deviceId)) ?? {});
  }

  /** The owner sets a value. An unmanaged setting is then no longer ours. */
  edit(deviceId: string, key: string, value: Value): void {
    if (this.settings(deviceId)[key] === value) return;
    const fields = this.service.get(refOf(deviceId)) ?? {};
    this.service.put(refOf(deviceId), { ...fields, ...toPatch(kindOf(deviceId), { [key]: value }) });
    this.#ownersLast.add(`${deviceId} ${key}`);
    if (this.#isManaged(deviceId, key)) this.#eras.get(`${deviceId} ${key}`)?.baselines.add(value);
    else this.#eras.delete(`${deviceId} ${key}`);
  }

  /** Removes a resource from state, as a user does by hand. */
  stateDelete(name: string): void {
    const urn = [...this.#kept.keys()].find((one) => one.includes(`::${name}`));
    if (urn) this.#kept.delete(urn);
  }

  /** @returns whether all operations succeeded */
  async up({
    reverse = false,
    checksFirst = false,
  }: {
    reverse?: boolean;
    checksFirst?: boolean;
  } = {}): Promise<boolean> {
    const names = [...this.program.keys()];
    const order = reverse ? names.reverse() : names;
    for (const { devices } of this.program.values()) {
      for (const { deviceId, onDelete } of devices) if (onDelete === "reset") this.#resets.add(deviceId);
    }
    this.#managedTwice = this.#ambiguous();
    return await this.#engine(async (operations) => {
      if (checksFirst) for (const name of order) await this.#check(operations, name);
      for (const name of order) await this.#register(operations, name);
      const declared = new Set(order.map((name) => this.#urnOf(name)));
      for (const kept of [...this.#kept.values()]) if (!declared.has(kept.urn)) await this.#delete(operations, kept);
      for (const kept of [...this.#replaced]) await this.#delete(operations, kept);
      if (!this.#isStateOld) this.#expectDeclared();
    });
  }

  async refresh(): Promise<boolean> {
    return await this.#engine(async (operations) => {
      for (const kept of [...this.#kept.values()]) {
        const { businessId, deviceId } = kept.outputs;
        const id = kept.isSite ? "site" : `${businessId}/${deviceId}`;
        const found = await this.#operation_(false, () => operations(kept).read(contextOf(kept.urn), id, kept.outputs));
        if (found) this.#keep({ ...kept, ...found });
      }
      this.#isStateOld = false;
    });
  }

  /** Expects that every value of ours is restored, or that its baseline can be found. */
  expectNothingLost(): void {
    for (const [id, { baselines, shownBefore }] of this.#eras) {
      const [deviceId = "", key = ""] = id.split(" ");
      if (this.#isManaged(deviceId, key) || this.#ownersLast.has(id)) continue;
      const value = this.settings(deviceId)[key];
      if (baselines.has(undefined) || baselines.has(value)) continue;
      if (this.#resets.has(deviceId) && value === vehicle.settings[key]?.default) continue;
      const isKnown = [...baselines].some(
        (one) =>
          one !== undefined && (this.#isShown(deviceId, key, one, shownBefore) || this.#isWritten(deviceId, key, one)),
      );
      const message = `${deviceId}'s ${key} is ${value}: somebody knows that it was ${[...baselines].join(" or ")}`;
      expect(isKnown, message).to.equal(true);
    }
  }

  #isShown(deviceId: string, key: string, value: Value, from: number): boolean {
    return this.#shown.slice(from).some((text) => text.includes(deviceId) && showsBaseline(text, key, value));
  }

  #isWritten(deviceId: string, key: string, value: Value): boolean {
    if (this.ledger === undefined) return false;
    return readFileSync(this.ledger, "utf8")
      .split("\n")
      .filter((line) => line.includes(`"deviceId":"${deviceId}"`))
      .some((line) => line.includes(`{"key":"${key}","old":${JSON.stringify(value)},`));
  }

  /** Expects that devices have the declared values, except changes by their owners since. */
  #expectDeclared(): void {
    const ignored = this.#ignoredSettings();
    for (const { devices } of this.program.values()) {
      for (const { deviceId, values, observe } of devices) {
        if (observe) continue;
        for (const [key, value] of Object.entries(values)) {
          if (ignored.has(`${deviceId} ${key}`) || this.#managedTwice.has(`${deviceId} ${key}`)) continue;
          if (this.#ownersLast.has(`${deviceId} ${key}`)) continue;
          // Example: the cache was behind after our update, and a killed run has set the value from before it again. For
          // every reader, the service then keeps that value: the outputs show both, and ours is not sent again.
          if (this.#recordsOf(deviceId, key).some((record) => record?.status === "adjusted")) continue;
          expect(this.settings(deviceId)[key], `${deviceId}'s ${key} as declared`).to.equal(value);
        }
      }
    }
  }

  #noteUpdate({ deviceId, key, before, value }: Update): void {
    const id = `${deviceId} ${key}`;
    this.#hasChanged = true;
    const era = this.#eras.get(id);
    if (!this.#operation?.isDelete) {
      // In its update, a site restores devices that leave it, even before their next resource is registered.
      const isDeclared = [...this.program.values()].some(({ devices }) =>
        devices.some(
          (one) =>
            one.deviceId === deviceId && !one.observe && (one.values[key] ?? (key === "policy" && value)) === value,
        ),
      );
      if (isDeclared || this.#ignoredSettings().has(id)) {
        this.#ownersLast.delete(id);
        if (!era) this.#begin(id, before);
        return;
      }
    }
    const isReset = value === vehicle.settings[key]?.default;
    const isShown = [...(era?.baselines ?? [])].some(
      (one) => one !== undefined && this.#isShown(deviceId, key, one, era?.shownBefore ?? 0),
    );
    // Without a ledger, a resource that adopted the device too early has a value of ours, and the baseline was printed.
    // Or another resource that a failed run left in state still has the baseline, and prints it at the end.
    const isHeld = this.#recordsOf(deviceId, key).some((one) => isManaged(one) && era?.baselines.has(one.baseline));
    const isExcused = isReset || (this.ledger === undefined && (isShown || isHeld || era?.baselines.has(undefined)));
    if (era && !isExcused)
      expect([...era.baselines], `has what a delete writes to ${key} of ${deviceId}`).to.include(value);
    this.#ownersLast.delete(id);
    if (era?.baselines.has(value)) this.#eras.delete(id);
    // The next resource that adopts the device may have either value as its baseline.
    else if (isReset) era?.baselines.add(value);
  }

  #begin(id: string, baseline: Value | undefined): void {
    this.#eras.set(id, { baselines: new Set([baseline]), shownBefore: this.#shown.length });
  }

  /** Records the settings that are managed from now on, even if nothing had to be sent. */
  #beginManaged(before: ReadonlyMap<string, Values>): void {
    for (const [deviceId, values] of before) {
      for (const key of keysOf(kindOf(deviceId))) {
        const id = `${deviceId} ${key}`;
        const isNew = !this.#eras.has(id) && !this.#managedBefore.has(id);
        if (isNew && this.#isManaged(deviceId, key)) this.#begin(id, values[key]);
      }
    }
  }

  #isManaged(deviceId: string, key: string): boolean {
    return this.#recordsOf(deviceId, key).some(isManaged);
  }

  /**
   * The settings for which two resources in state have different values, because a failed run did not get to the delete
   * of the first one. Only a refresh shows which value is set, if the first one is registered before the other.
   */
  #ambiguous(): ReadonlySet<string> {
    const values = new Map<string, Value>();
    const managed = this.#states().flatMap(({ deviceId, settings }) =>
      managedIn(settings).map(([key, { value }]) => [`${deviceId} ${key}`, value] as const),
    );
    for (const [id, value] of managed) if (!values.has(id)) values.set(id, value);
    return new Set(managed.flatMap(([id, value]) => (values.get(id) === value ? [] : [id])));
  }

  /** The records of a setting in all resources in state. */
  #recordsOf(deviceId: string, key: string): (Known | undefined)[] {
    return this.#states()
      .filter((state) => state.deviceId === deviceId)
      .map(({ settings }) => settings[key]);
  }

  #states(): { readonly deviceId: string; readonly settings: Records }[] {
    return [...this.#kept.values(), ...this.#replaced].flatMap(({ isSite, outputs }) =>
      isSite ? fromSiteOutputs(outputs).devices.filter(({ observe }) => !observe) : [fromOutputs(vehicle, outputs)],
    );
  }

  /** Runs the engine with two provider processes. @returns whether all operations succeeded */
  async #engine(
    work: (operations: (of: Pick<Kept, "isSite" | "provider">) => Operations) => Promise<void>,
  ): Promise<boolean> {
    const environment = {
      ...COMPLETE,
      SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0",
      SOLAR_CHARGING_INVERTER_FIELDS: "{}",
      ...(this.ledger !== undefined && { SOLAR_CHARGING_LEDGER_FILE: this.ledger }),
    };
    // Between two runs, the cache catches up.
    for (const deviceId of [...CARS, ...ROOFS])
      this.service.put(refOf(deviceId), this.service.get(refOf(deviceId)) ?? {});
    const alive = new Set<number>();
    const isAlone = this.isAloneNext;
    this.isAloneNext = false;
    const sent = this.service.sent.length;
    const place = () => {
      if (isAlone) throw new Error("the disk is full");
      return this.shared;
    };
    const files: RunFile[] = [];
    const processes = PROVIDERS.map((provider) => {
      const own = this.#pid++;
      alive.add(own);
      const shared = new RunFile(place, { own, isAlive: (pid) => alive.has(pid) });
      files.push(shared);
      const run = runOf(environment, this.service);
      const { warn } = run.report;
      const ledger =
        this.ledger === undefined ? undefined : new Journal(this.ledger, originOf(environment, ADDRESS), warn);
      const journal = new Logs({ ledger });
      const store = new Store({ shared, journal: () => journal, service: () => ADDRESS });
      return [provider, { ...run, store }] as const;
    });
    const runs = new Map<ProviderName, EngineRun & { readonly shown: string[] }>(processes);
    try {
      await work(({ isSite, provider }) => {
        const run = () => runs.get(provider) as EngineRun;
        return isSite ? siteOperations(run) : deviceOperations(vehicle, run);
      });
      return true;
    } catch (error) {
      if (!this.#mayFail(error) && !isAlone) throw error;
      return false;
    } finally {
      if (isAlone) expect(this.service.sent.length, "requests of a provider that is alone").to.equal(sent);
      for (const { shown } of runs.values()) this.#shown.push(...shown);
      alive.clear();
      for (const file of files) file.close();
      rmSync(this.shared, { force: true });
    }
  }

  #mayFail(error: unknown): boolean {
    return error instanceof KilledError || error instanceof FaultError;
  }

  #urnOf(name: string): string {
    const { number } = this.program.get(name) as Resource;
    return `${URN}:${isSite(name) ? "SiteSettings" : "VehicleSettings"}::${name}${number}${this.suffix}`;
  }

  #argumentsOf(name: string): Properties {
    const { devices } = this.program.get(name) as Resource;
    const argumentsOfDevice = ({ deviceId, values, observe, onDelete }: Declared) =>
      observe ? { deviceId, observe } : { deviceId, ...values, ...(onDelete && { onDelete }) };
    if (!isSite(name)) return argumentsOfDevice(devices[0] as Declared);
    const group = (ids: readonly string[]) =>
      Object.fromEntries(
        devices.filter(({ deviceId }) => ids.includes(deviceId)).map((one) => [one.name, argumentsOfDevice(one)]),
      );
    return { vehicles: group(CARS), inverters: group(ROOFS) };
  }

  /** The path of the setting whose changes the program ignores: the name of a site's device, and the setting. */
  #ignored(
    name: string,
  ): { readonly deviceId: string; readonly path: readonly string[]; readonly key: string } | undefined {
    const { isIgnoring, devices } = this.program.get(name) as Resource;
    const [first] = devices;
    const [key] = Object.keys(first?.values ?? {});
    if (!isIgnoring || !first || first.observe || key === undefined) return undefined;
    const group = CARS.includes(first.deviceId) ? "vehicles" : "inverters";
    return { deviceId: first.deviceId, path: isSite(name) ? [group, first.name] : [], key };
  }

  /** The settings whose changes the program ignores. They have the value of the resource's last inputs. */
  #ignoredSettings(): ReadonlySet<string> {
    const found = [...this.program.keys()].flatMap((name) => this.#ignored(name) ?? []);
    return new Set(found.map(({ deviceId, key }) => `${deviceId} ${key}`));
  }

  /** The arguments with the old inputs of ignored settings in place of the new ones, as the engine gives them. */
  #withIgnored(name: string, old: Properties): Properties {
    const args = this.#argumentsOf(name);
    const ignored = this.#ignored(name);
    const at = (properties: unknown) =>
      ignored?.path.reduce<Record<string, unknown> | undefined>(
        (one, key) => one?.[key] as Record<string, unknown> | undefined,
        properties as Record<string, unknown>,
      );
    const [from, to] = [at(old), at(args)];
    // The engine compares paths only: another device may have the name now.
    if (ignored && from?.[ignored.key] !== undefined && to) to[ignored.key] = from[ignored.key];
    return args;
  }

  async #check(operations: (of: Kept) => Operations, name: string): Promise<{ kept: Kept; inputs: Properties }> {
    const urn = this.#urnOf(name);
    const { provider } = this.program.get(name) as Resource;
    const old = this.#kept.get(urn);
    const kept: Kept = { urn, isSite: isSite(name), inputs: {}, outputs: {}, isUnfinished: false, ...old, provider };
    const args = this.#withIgnored(name, kept.inputs);
    const { inputs, problems } = await operations(kept).check(contextOf(urn), kept.inputs, args);
    expect(problems, name).to.deep.equal([]);
    return { kept, inputs };
  }

  async #register(operations: (of: Kept) => Operations, name: string): Promise<void> {
    const { kept, inputs } = await this.#check(operations, name);
    const old = this.#kept.get(kept.urn);
    const [own, context] = [operations(kept), contextOf(kept.urn)];
    const create = async () => {
      await this.#whole({ ...kept, inputs }, async () => (await own.create(context, inputs)).outputs, old);
    };
    if (!old) return await create();
    const { changes, replaces } = await own.diff(context, old.outputs, inputs);
    if (replaces.length > 0) {
      await create();
      this.#replaced.push(old);
    } else if (changes.length > 0 || old.isUnfinished) {
      await this.#whole({ ...kept, inputs }, () => own.update(context, old.outputs, inputs));
    } else {
      this.#keep({ ...kept, inputs });
    }
  }

  /** Keeps the result of an operation, even a partial one. */
  async #whole(kept: Kept, work: () => Promise<Properties>, replaced?: Kept): Promise<void> {
    try {
      this.#keep({ ...kept, outputs: await this.#operation_(false, work), isUnfinished: false });
    } catch (error) {
      if (!(error instanceof FaultError) || !error.outputs) throw error;
      if (replaced) this.#replaced.push(replaced);
      this.#keep({ ...kept, outputs: error.outputs, isUnfinished: true });
      throw error;
    }
  }

  async #delete(operations: (of: Kept) => Operations, kept: Kept): Promise<void> {
    await this.#operation_(true, () => operations(kept).delete(contextOf(kept.urn), kept.outputs));
    if (this.#kept.get(kept.urn) === kept) this.#kept.delete(kept.urn);
    this.#replaced = this.#replaced.filter((one) => one !== kept);
  }

  async #operation_<T>(isDelete: boolean, work: () => Promise<T>): Promise<T> {
    const mayFail = this.fault !== undefined;
    this.#operation = { isDelete };
    this.#hasChanged = false;
    this.#before = new Map([...CARS, ...ROOFS].map((deviceId) => [deviceId, this.settings(deviceId)]));
    const keys = [...this.#before.keys()].flatMap((deviceId) => keysOf(kindOf(deviceId)).map((key) => [deviceId, key]));
    this.#managedBefore = new Set(
      keys.flatMap(([id = "", key = ""]) => (this.#isManaged(id, key) ? `${id} ${key}` : [])),
    );
    try {
      const result = await work();
      if (this.isKilledNext && this.#hasChanged) {
        this.isKilledNext = false;
        this.#isStateOld = true;
        throw new KilledError();
      }
      return result;
    } catch (error) {
      if (error instanceof KilledError || !mayFail) throw error;
      throw new FaultError(error instanceof PartialError ? error.outputs : undefined);
    } finally {
      this.#operation = undefined;
    }
  }

  #keep(kept: Kept): void {
    this.#kept.set(kept.urn, JSON.parse(JSON.stringify(kept)));
    this.#beginManaged(this.#before);
  }

  #takes(fault: Fault, deviceId: string): boolean {
    if (this.fault?.fault !== fault || this.fault.deviceId !== deviceId) return false;
    this.fault = undefined;
    return true;
  }
}

/** The error of an operation that failed because of a fault. */
class FaultError extends Error {
  constructor(readonly outputs: Properties | undefined) {
    super(said("fault").finding);
  }
}

function isSite(name: string): boolean {
  return SITES.some((site) => site === name);
}
