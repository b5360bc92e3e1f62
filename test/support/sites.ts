import type { Change } from "../../provider/lifecycle/changes";
import { PartialError } from "../../provider/lifecycle/errors";
import { type Operations, siteOperations } from "../../provider/lifecycle/operations";
import type { Properties } from "../../provider/lifecycle/state";
import type { Run } from "../../provider/run";
import type { Device, DeviceRef } from "../../provider/service/device";
import type { Problem } from "../../provider/settings/schema";
import { COMPLETE, FakeService, runOf } from "./fakes";

type Fields = Readonly<Record<string, unknown>>;

/** Everything that a solar-aware site needs of a car and of an inverter. */
export const CAR_VALUES = { maxCapacity: 77_000, maxChargePower: 11_000 };
export const ROOF_VALUES = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
export const FORECAST = "CHARGE BY FORECAST";

/** What the devices of the service have before anybody manages them. */
const CAR_BEFORE = { dev_type: "Electric vehicle", max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" };
const ROOF_BEFORE = { dev_type: "Inverter", peak_power: 1, azimuth: 2, tilt: 3, cut_in_threshold: 4, base_load: 5 };

/** The baselines of these devices. */
export const CAR_BASELINE = { maxCapacity: 60_000, maxChargePower: 3000, policy: "CHARGE BY" };
export const ROOF_BASELINE = { peakPower: 1, azimuth: 2, tilt: 3, cutInThreshold: 4, baseLoad: 5 };

/** A site of two cars and two inverters that has everything. The second inverter has no base load: it counts once. */
export const SITE = {
  vehicles: { a: { deviceId: "car-a", ...CAR_VALUES }, b: { deviceId: "car-b", ...CAR_VALUES } },
  inverters: { p: { deviceId: "roof-p", ...ROOF_VALUES }, q: { deviceId: "roof-q", ...ROOF_VALUES, baseLoad: 0 } },
};

export function refOf(deviceId: string): DeviceRef {
  return { businessId: "acme", deviceId };
}

/** A service that takes a moment for each request, and notes if two are under way for one device. */
export class BusyService extends FakeService {
  /** The devices of which two requests were under way. */
  readonly overlaps: string[] = [];
  readonly #busy = new Set<string>();

  override async readDevice(device: DeviceRef): Promise<Device | undefined> {
    return await this.#alone(device, () => super.readDevice(device));
  }

  override async updateDevice(device: DeviceRef, fields: Fields): Promise<void> {
    await this.#alone(device, () => super.updateDevice(device, fields));
  }

  async #alone<T>({ deviceId }: DeviceRef, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(deviceId)) this.overlaps.push(deviceId);
    this.#busy.add(deviceId);
    try {
      await new Promise((next) => setImmediate(next));
      return await work();
    } finally {
      this.#busy.delete(deviceId);
    }
  }
}

/** The service with the devices of `SITE`, as they were before anybody managed them. */
export function siteService(): BusyService {
  const service = new BusyService();
  for (const deviceId of ["car-a", "car-b", "car-c"]) service.put(refOf(deviceId), { id: deviceId, ...CAR_BEFORE });
  for (const deviceId of ["roof-p", "roof-q"]) service.put(refOf(deviceId), { id: deviceId, ...ROOF_BEFORE });
  return service;
}

/** The engine's name of a site's resource. */
export function urnOf(site: string): string {
  return `urn:pulumi:dev::home::pulumi-nodejs:dynamic/solar-charging:SiteSettings::${site}`;
}

/** What came of an update of a site. */
export interface Outcome {
  /** Why it failed; empty if it did not. */
  readonly reasons: readonly string[];
  /** Requests in order: `GET car-a`, `PATCH roof-p {"tilt":35}`. */
  readonly requests: readonly string[];
  /** The requests of one device, without its name. */
  of(deviceId: string): readonly string[];
}

const QUIET = { ...COMPLETE, SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0", SOLAR_CHARGING_INVERTER_FIELDS: "{}" };

/** One site in a stack, as the engine runs it: what it calls, and what it keeps of the answers. */
export class SiteStack {
  inputs: Properties | undefined;
  outputs: Properties | undefined;
  /** Whether the last operation failed in part: then the engine updates, whatever the diff says. */
  isUnfinished = false;
  /** What the last operation showed. */
  shown: readonly string[] = [];

  constructor(
    readonly service: FakeService,
    readonly environment: NodeJS.ProcessEnv = {},
    readonly name = "home",
  ) {}

  /** A run of the engine: a process of its own. Several sites can share one. */
  run(changes: Partial<Run> = {}): Run & { readonly shown: string[] } {
    return Object.assign(runOf({ ...QUIET, ...this.environment }, this.service), changes);
  }

  /** The check of a program's arguments. */
  async check(args: Properties, run: Run = this.run(), facts: Properties = {}) {
    const news = { ...args, site: this.name, __program: { urn: urnOf(this.name), isPreview: false, ...facts } };
    return await this.#operations(run).check(this.inputs ?? {}, news);
  }

  /** What a preview shows of a change, by line. */
  async preview(
    args: Properties,
    facts: Properties = {},
  ): Promise<{ changes: readonly Change[]; shown: readonly string[] }> {
    const run = this.run();
    const { inputs } = await this.check(args, run, { ...facts, isPreview: true });
    const { changes } = await this.#operations(run).diff(this.outputs ?? {}, inputs);
    return { changes, shown: run.shown };
  }

  /** Whether the next update changes something, if nobody changes the program. */
  async differs(args: Properties): Promise<boolean> {
    const { inputs } = await this.check(args);
    return (await this.#operations(this.run()).diff(this.outputs ?? {}, inputs)).changes.length > 0;
  }

  /** `pulumi up` with these arguments. @throws Error if the check refuses them */
  async up(args: Properties, run: Run & { readonly shown: string[] } = this.run()): Promise<Outcome> {
    const { inputs, problems } = await this.check(args, run);
    if (problems.length > 0) throw new RefusedError(problems);
    return await this.#watch(
      run,
      async () => {
        const operations = this.#operations(run);
        if (!this.outputs) {
          this.#keep(inputs, (await operations.create(inputs)).outputs);
        } else if ((await operations.diff(this.outputs, inputs)).changes.length > 0 || this.isUnfinished) {
          this.#keep(inputs, await operations.update(this.outputs, inputs));
        } else {
          this.inputs = inputs;
        }
      },
      inputs,
    );
  }

  async refresh(run: Run & { readonly shown: string[] } = this.run()): Promise<Outcome> {
    return await this.#watch(run, async () => {
      const found = await this.#operations(run).read(this.name, this.outputs ?? {});
      if (found) this.#keep(found.inputs, found.outputs);
    });
  }

  async destroy(run: Run & { readonly shown: string[] } = this.run()): Promise<Outcome> {
    return await this.#watch(run, async () => {
      await this.#operations(run).delete(this.outputs ?? {});
      this.outputs = undefined;
      this.inputs = undefined;
    });
  }

  /** What is kept of a device, such as `vehicle/a`. */
  device(label: string): Properties | undefined {
    return (this.outputs?.devices as Record<string, Properties> | undefined)?.[label];
  }

  #operations(run: Run): Operations {
    return siteOperations(() => run);
  }

  async #watch(run: { readonly shown: string[] }, work: () => Promise<void>, inputs?: Properties): Promise<Outcome> {
    const { service } = this;
    service.requests.length = 0;
    service.sent.length = 0;
    let reasons: readonly string[] = [];
    try {
      await work();
    } catch (error) {
      reasons = error instanceof PartialError ? error.reasons : [(error as Error).message];
      if (error instanceof PartialError) this.#keep(this.inputs ?? inputs ?? {}, error.outputs, true);
    }
    this.shown = run.shown;
    const made = { requests: [...service.requests], sent: [...service.sent] };
    return { reasons, requests: requestsOf(made), of: (deviceId) => requestsOf(made, deviceId) };
  }

  /** State is JSON. */
  #keep(inputs: Properties, outputs: Properties, isUnfinished = false): void {
    this.inputs = JSON.parse(JSON.stringify(inputs));
    this.outputs = JSON.parse(JSON.stringify(outputs));
    this.isUnfinished = isUnfinished;
  }
}

/** What a check refuses. */
export class RefusedError extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ property, reason }) => `${property} ${reason}`).join("\n"));
  }
}

function requestsOf({ requests, sent }: Pick<FakeService, "requests" | "sent">, only?: string): string[] {
  let updates = 0;
  return requests.flatMap((request) => {
    const [method = "", id = ""] = request.split(" ");
    const deviceId = id.split("/")[1];
    const body = method === "PATCH" ? ` ${JSON.stringify(sent[updates++])}` : "";
    if (only !== undefined && deviceId !== only) return [];
    return only === undefined ? `${method} ${deviceId}${body}` : `${method}${body}`;
  });
}
