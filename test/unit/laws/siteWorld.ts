import { expect } from "chai";
import { baselinesIn, managedIn, type Records } from "../../../provider/lifecycle/device/record";
import type { EngineRun } from "../../../provider/run";
import type { Device, DeviceRef } from "../../../provider/service/device";
import { type DriftAnswers, keepsDrift, type OnDelete } from "../../../provider/settings/declaration";
import { inverter } from "../../../provider/settings/inverter";
import type { Properties } from "../../../provider/settings/objects";
import { type DeviceKind, fromDevice, keysOf, toPatch, type Values } from "../../../provider/settings/setting";
import { RECOMMENDED, vehicle } from "../../../provider/settings/vehicle";
import { showsBaseline } from "../../support/baselines";
import { refused, uncertain } from "../../support/fakes";
import { BusyService, FORECAST, type Outcome, refOf, SiteStack } from "../../support/sites";

export const CARS = ["car1", "car2", "car3"];
export const ROOFS = ["roof1", "roof2"];
export const SITES = ["east", "west"] as const;
export type SiteName = (typeof SITES)[number];

export const FAULTS = ["read fails", "refused", "lost", "answer lost"] as const;
export type Fault = (typeof FAULTS)[number];

/** The declaration of a device. */
export interface Declared {
  readonly name: string;
  readonly values: Values;
  readonly observe?: boolean;
  readonly onDelete?: OnDelete;
  readonly onDrift?: DriftAnswers;
}

export function kindOf(deviceId: string): DeviceKind {
  return CARS.includes(deviceId) ? vehicle : inverter;
}

/** A service that reports accepted and shown values to the world. */
class WatchedService extends BusyService {
  onShown: (deviceId: string, values: Values) => void = () => {};
  onAccepted: (deviceId: string, values: Values) => void = () => {};

  override async readDevice(device: DeviceRef): Promise<Device | undefined> {
    const shown = await super.readDevice(device);
    if (shown) this.onShown(device.deviceId, fromDevice(kindOf(device.deviceId), shown));
    return shown;
  }

  override async updateDevice(device: DeviceRef, fields: Readonly<Record<string, unknown>>): Promise<void> {
    await super.updateDevice(device, fields);
    this.onAccepted(device.deviceId, fromDevice(kindOf(device.deviceId), fields));
  }
}

/** Two sites of a program, their devices, and the facts that the provider cannot know. */
export class World {
  readonly service = new WatchedService();
  readonly sites: Readonly<Record<SiteName, SiteStack>>;
  /** The declarations, by site and device. */
  readonly program: Record<SiteName, Map<string, Declared>> = { east: new Map(), west: new Map() };
  readonly solar: Record<SiteName, boolean | undefined> = { east: undefined, west: undefined };
  /** The fault of the next request of its kind to a device. */
  fault: { readonly fault: Fault; readonly deviceId: string } | undefined;
  /** Number of updates that were sent. */
  updates = 0;
  /** Number of requests after which the run is stopped. */
  stopAfter: number | undefined;
  readonly gone = new Map<string, Readonly<Record<string, unknown>>>();
  /**
   * By device, the values that the service last accepted, otherwise those that it showed first. A later change by
   * somebody else is drift.
   */
  readonly #accepted = new Map<string, Record<string, unknown>>();
  /** By device, the values that the service showed last. */
  readonly #shown = new Map<string, Values>();
  /** Every value that we ever sent or kept, by device and key. */
  readonly #ours = new Set<string>();
  readonly #violations: string[] = [];
  #current: SiteName | undefined;
  #stop = new AbortController();

  constructor() {
    const site = (name: SiteName) => new SiteStack(this.service, {}, name);
    this.sites = { east: site("east"), west: site("west") };
    this.service.beforeRead = ({ deviceId }) => {
      this.#count();
      if (this.#takes("read fails", deviceId)) throw refused(403);
    };
    this.service.beforeUpdate = ({ deviceId }) => {
      this.updates += 1;
      this.#count();
      this.#expectOrder(deviceId);
      this.#expectClaims(deviceId);
      // Until the update is accepted, its outcome is unknown.
      const sent = fromDevice(kindOf(deviceId), this.service.sent.at(-1) ?? {});
      for (const [key, value] of Object.entries(sent)) {
        delete this.#of(deviceId)[key];
        this.#noteOurs(deviceId, key, value);
      }
      if (this.#takes("refused", deviceId)) throw refused(422);
      if (this.#takes("lost", deviceId)) throw uncertain();
    };
    this.service.afterUpdate = ({ deviceId }) => {
      if (this.#takes("answer lost", deviceId)) throw uncertain();
    };
    this.service.onShown = (deviceId, values) => {
      this.#shown.set(deviceId, values);
      this.#accepted.set(deviceId, { ...values, ...this.#of(deviceId) });
    };
    this.service.onAccepted = (deviceId, values) => Object.assign(this.#of(deviceId), values);
  }

  /** Whether an operation may fail now. */
  get mayFail(): boolean {
    return this.fault !== undefined || this.gone.size > 0 || this.stopAfter !== undefined;
  }

  settings(deviceId: string): Values {
    return fromDevice(kindOf(deviceId), this.service.get(refOf(deviceId)) ?? {});
  }

  edit(deviceId: string, values: Values): void {
    // A kept value counts as ours, so that a delete restores the one from before.
    for (const key of this.keptKeys(deviceId)) this.#noteOurs(deviceId, key, values[key]);
    const fields = this.service.get(refOf(deviceId));
    if (fields) this.service.put(refOf(deviceId), { ...fields, ...toPatch(kindOf(deviceId), values) });
  }

  /** The settings of a declared device that somebody else may change for good. */
  keptKeys(deviceId: string): string[] {
    const site = this.siteOf(deviceId);
    const declared = site && this.program[site].get(deviceId);
    if (!declared || declared.observe) return [];
    const state = Object.values((this.sites[site].outputs?.devices ?? {}) as Record<string, Properties>);
    const records = state.find((one) => one.deviceId === deviceId)?.settings as Records | undefined;
    return managedIn(records ?? {}).flatMap(([key]) => (keepsDrift(declared, key) ? [key] : []));
  }

  siteOf(deviceId: string): SiteName | undefined {
    return SITES.find((site) => this.program[site].has(deviceId));
  }

  /** The arguments of a site. */
  argumentsOf(site: SiteName): Properties {
    const group = (devices: readonly string[]) =>
      Object.fromEntries(
        devices.flatMap((deviceId) => {
          const declared = this.program[site].get(deviceId);
          if (!declared) return [];
          const { name, values, observe, onDelete, onDrift } = declared;
          const managed = { ...values, ...(onDelete && { onDelete }), ...(onDrift && { onDrift }) };
          return [[name, { deviceId, ...(observe ? { observe } : managed) }]];
        }),
      );
    const solar = this.solar[site];
    return { vehicles: group(CARS), inverters: group(ROOFS), ...(solar !== undefined && { solar }) };
  }

  /**
   * Updates both sites in one run, in this order. The declarations of both are known before the first one changes
   * anything.
   */
  async up(order: readonly SiteName[] = SITES): Promise<void> {
    this.#stop = new AbortController();
    const run = this.sites.east.run({ stopping: this.#stop.signal });
    for (const site of order) await this.sites[site].check(this.argumentsOf(site), run);
    for (const site of order) {
      // A stopped engine starts nothing more.
      if (this.#stop.signal.aborted) return;
      await this.#watch(site, () => this.sites[site].up(this.argumentsOf(site), run), run);
    }
  }

  async refresh(): Promise<void> {
    for (const site of SITES) {
      if (this.sites[site].outputs) await this.#watch(site, () => this.sites[site].refresh());
    }
  }

  /** Deletes a site that the program no longer declares. */
  async destroy(site: SiteName): Promise<void> {
    const other = SITES.find((one) => one !== site) as SiteName;
    this.program[site].clear();
    if (!this.sites[site].outputs) return;
    this.#stop = new AbortController();
    const run = this.sites[site].run({ stopping: this.#stop.signal });
    await this.sites[other].check(this.argumentsOf(other), run);
    await this.#watch(site, () => this.sites[site].destroy(run), run);
  }

  /** Runs an operation of a site, and checks the laws. */
  async #watch(
    site: SiteName,
    work: () => Promise<Outcome>,
    run?: EngineRun & { readonly shown: string[] },
  ): Promise<void> {
    const { mayFail } = this;
    const before = this.sites[site].outputs;
    this.#current = site;
    const { reasons } = await work();
    this.#current = undefined;
    if (!mayFail) expect(reasons).to.deep.equal([]);
    expect(this.#violations).to.deep.equal([]);
    expect(this.service.overlaps, "two requests at once").to.deep.equal([]);
    this.#expectBaselines(before, this.sites[site].outputs, [...this.sites[site].shown, ...(run?.shown ?? [])]);
  }

  /**
   * A baseline stays the same, and leaves the state only if it is written back or shown. If it is a value of ours, the
   * baseline replaces it.
   */
  #expectBaselines(before: Properties | undefined, after: Properties | undefined, shown: readonly string[]): void {
    const devicesOf = (outputs: Properties | undefined): Properties[] =>
      Object.entries((outputs?.devices ?? {}) as Record<string, Properties>).map(([label, device]) => {
        const policy = (outputs?.policies as Values | undefined)?.[label.replace("vehicle/", "")];
        return { ...(policy !== undefined && { policy }), ...device };
      });
    const left = devicesOf(after);
    const baselines = ({ settings = {} }: Properties) => baselinesIn(settings as Records);
    for (const { deviceId, onDelete, ...state } of devicesOf(before)) {
      const device = left.find((one) => one.deviceId === deviceId);
      const now = device && baselines(device);
      for (const [key, value] of Object.entries(baselines(state))) {
        if (now?.[key] !== value) {
          const isBack = this.settings(String(deviceId))[key] === value;
          const isReset = onDelete === "reset" && !now;
          const isShown = shown.some((text) => text.includes(`'${deviceId}'`) && showsBaseline(text, key, value));
          const message = `${deviceId}'s ${key}, which was ${value}, is written back or shown`;
          const isOurs = this.#ours.has(JSON.stringify([deviceId, key, value]));
          expect(isBack || isReset || isShown || isOurs || state[key] === value, message).to.equal(true);
        }
      }
    }
  }

  /** A car gets CHARGE BY FORECAST from its site only after all values that it needs. */
  #expectOrder(deviceId: string): void {
    const site = this.#current as SiteName;
    const declared = this.program[site].get(deviceId);
    if (!declared || this.service.sent.at(-1)?.policy !== FORECAST || declared.values.policy !== undefined) return;
    const roofs = ROOFS.flatMap((roof) => (this.program[site].has(roof) ? [roof] : []));
    const isNeeded = (roof: string) => {
      const { observe, values } = this.program[site].get(roof) as Declared;
      return keysOf(inverter).every((key) =>
        observe
          ? this.#shown.get(roof)?.[key] !== undefined
          : values[key] !== undefined && this.#of(roof)[key] === values[key],
      );
    };
    const isWhole = RECOMMENDED.every(
      (key) => (declared.values[key] ?? this.#shown.get(deviceId)?.[key]) !== undefined,
    );
    if (roofs.length > 0 && this.solar[site] !== false && isWhole && roofs.every(isNeeded)) return;
    this.#violations.push(`${deviceId} of ${site} got ${FORECAST} before what it needs`);
  }

  /** A site that gives up a device leaves the values that the other site declares. */
  #expectClaims(deviceId: string): void {
    const site = this.#current as SiteName;
    const other = this.siteOf(deviceId);
    if (other === undefined || other === site) return;
    const { values, observe } = this.program[other].get(deviceId) as Declared;
    if (observe) return;
    for (const [key, value] of Object.entries(fromDevice(kindOf(deviceId), this.service.sent.at(-1) ?? {}))) {
      if (key in values && values[key] !== value)
        this.#violations.push(`${site} changed ${key} of ${deviceId} in ${other}`);
    }
  }

  #noteOurs(deviceId: string, key: string, value: unknown): void {
    this.#ours.add(JSON.stringify([deviceId, key, value]));
  }

  #of(deviceId: string): Record<string, unknown> {
    const accepted = this.#accepted.get(deviceId) ?? {};
    this.#accepted.set(deviceId, accepted);
    return accepted;
  }

  #count(): void {
    if (this.stopAfter === undefined) return;
    this.stopAfter -= 1;
    if (this.stopAfter < 0) this.#stop.abort();
  }

  #takes(fault: Fault, deviceId: string): boolean {
    if (this.fault?.fault !== fault || this.fault.deviceId !== deviceId) return false;
    this.fault = undefined;
    return true;
  }
}
