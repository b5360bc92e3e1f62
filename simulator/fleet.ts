import { HTTPException } from "hono/http-exception";
import { Device } from "./device";
import { loadState, type State, saveState } from "./stateFile";
import type { Behaviour, FleetDevice, Settings, SimulatorOptions } from "./types";

const DEFAULT_TOKEN = "simulator-token";

export const DEFAULT_BEHAVIOUR: Behaviour = {
  reports: "top-level",
  cacheLagSeconds: 0,
  cacheLagReads: 0,
  latencySeconds: 0,
  ignoresPatches: false,
  inverterFields: {},
  serviceStatus: "none",
  showsDefaults: false,
};

/** All devices of all businesses. Every change of settings goes through here, so that it is saved. */
export class SimulatedFleet {
  readonly token: string;
  readonly #businesses = new Map<string, Map<string, Device>>();
  readonly #behaviour: Behaviour;
  readonly #now: () => number;
  readonly #stateFile: string | undefined;

  constructor({ fleet, behaviour, stateFile, now = Date.now }: SimulatorOptions) {
    this.token = fleet.token ?? DEFAULT_TOKEN;
    this.#behaviour = { ...DEFAULT_BEHAVIOUR, ...behaviour };
    this.#now = now;
    this.#stateFile = stateFile;
    const saved = stateFile === undefined ? {} : loadState(stateFile);
    for (const [businessId, devices] of Object.entries(fleet.businesses)) {
      for (const [deviceId, device] of Object.entries(devices)) {
        const settings = saved[businessId]?.[deviceId];
        this.#put(businessId, deviceId, settings ? { ...device, settings } : device);
      }
    }
  }

  find(businessId: string, deviceId: string): Device | undefined {
    return this.#businesses.get(businessId)?.get(deviceId);
  }

  /** All devices of a business. */
  devicesOf(businessId: string): Device[] {
    return [...(this.#businesses.get(businessId)?.values() ?? [])];
  }

  get(businessId: string, deviceId: string): Device {
    const device = this.find(businessId, deviceId);
    if (!device) {
      const message = `business ${JSON.stringify(businessId)} has no device ${JSON.stringify(deviceId)}`;
      throw new HTTPException(404, { message });
    }
    return device;
  }

  add(businessId: string, deviceId: string, device: FleetDevice): void {
    this.#put(businessId, deviceId, device);
    this.#save();
  }

  remove(businessId: string, deviceId: string): void {
    this.get(businessId, deviceId);
    this.#businesses.get(businessId)?.delete(deviceId);
    this.#save();
  }

  appUserSets(businessId: string, deviceId: string, settings: Settings): void {
    this.get(businessId, deviceId).set(settings);
    this.#save();
  }

  patch(device: Device, changes: Settings): void {
    device.patch(changes, this.behaviourOf(device));
    this.#save();
  }

  behave(behaviour: Partial<Behaviour>, ...ids: [] | [businessId: string, deviceId: string]): void {
    Object.assign(ids.length === 0 ? this.#behaviour : this.get(...ids).behaviour, behaviour);
  }

  behaviourOf(device: Device | undefined): Behaviour {
    return { ...this.#behaviour, ...device?.behaviour };
  }

  #put(businessId: string, deviceId: string, device: FleetDevice): void {
    const devices = this.#businesses.get(businessId) ?? new Map<string, Device>();
    this.#businesses.set(businessId, devices.set(deviceId, new Device(device, this.#now)));
  }

  #save(): void {
    if (this.#stateFile === undefined) return;
    const state: State = {};
    for (const [businessId, devices] of this.#businesses) {
      state[businessId] = Object.fromEntries([...devices].map(([id, device]) => [id, device.settings]));
    }
    saveState(this.#stateFile, state);
  }
}
