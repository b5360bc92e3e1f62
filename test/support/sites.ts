import { deviceOperations } from "../../provider/lifecycle/deviceOperations";
import type { Operations } from "../../provider/lifecycle/operations";
import type { Change } from "../../provider/lifecycle/run/changes";
import type { Context } from "../../provider/lifecycle/run/context";
import { PartialError } from "../../provider/lifecycle/run/errors";
import { siteOperations } from "../../provider/lifecycle/siteOperations";
import { textOf } from "../../provider/messages/message";
import type { EngineRun } from "../../provider/run";
import type { Device, DeviceRef } from "../../provider/service/device";
import { inverter } from "../../provider/settings/inverter";
import type { Properties } from "../../provider/settings/objects";
import type { Problem } from "../../provider/settings/schema";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { CAR, COMPLETE, contextOf, FakeService, fleet, type Noted, type NotedRun, ROOF, runOf } from "./fakes";
import { eachIn } from "./records";

type Fields = Readonly<Record<string, unknown>>;

/** The settings that a solar-aware site needs from a car. Those of an inverter follow. */
export const CAR_VALUES = { maxCapacity: 77_000, maxChargePower: 11_000 };
export const ROOF_VALUES = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
export const FORECAST = "CHARGE BY FORECAST";

/** The fields of the service's devices before anybody manages them. */
const CAR_BEFORE = { dev_type: "Electric vehicle", max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" };
const ROOF_BEFORE = { dev_type: "Inverter", peak_power: 1000, azimuth: 2, tilt: 3, cut_in_threshold: 4, base_load: 5 };

/** The baselines of these devices. */
export const CAR_BASELINE = { maxCapacity: 60_000, maxChargePower: 3000, policy: "CHARGE BY" };
export const ROOF_BASELINE = { peakPower: 1000, azimuth: 2, tilt: 3, cutInThreshold: 4, baseLoad: 5 };

/**
 * A ready site of two cars and two inverters. The second inverter has no base load, because the load of a site counts
 * once.
 */
export const SITE = {
  vehicles: { a: { deviceId: "car-a", ...CAR_VALUES }, b: { deviceId: "car-b", ...CAR_VALUES } },
  inverters: { p: { deviceId: "roof-p", ...ROOF_VALUES }, q: { deviceId: "roof-q", ...ROOF_VALUES, baseLoad: 0 } },
};

export function refOf(deviceId: string): DeviceRef {
  return { businessId: "acme", deviceId };
}

/** A service that delays each request, and records a device with two requests at the same time. */
export class BusyService extends FakeService {
  /** The devices with two requests at the same time. */
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

/** Makes a car an inverter, or an inverter a car, until the returned function is called. */
export function otherType(service: FakeService, deviceId: string): () => void {
  const before = service.get(refOf(deviceId)) ?? {};
  service.set(refOf(deviceId), { dev_type: deviceId.startsWith("car") ? "Inverter" : "Electric vehicle" });
  return () => service.put(refOf(deviceId), before);
}

/** The engine's name of a site's resource. */
export function urnOf(site: string): string {
  return `urn:pulumi:dev::home::pulumi-nodejs:dynamic/solar-charging:SiteSettings::${site}`;
}

/** The outcome of one operation of a resource. */
export interface Outcome {
  /** The reasons why it failed; empty if it succeeded. */
  readonly reasons: readonly string[];
  /** The error with which it failed. */
  readonly error: Error | undefined;
  /** Requests in order: `GET car-a`, `PATCH roof-p {"tilt":35}`. Those of a single device are without its name. */
  readonly requests: readonly string[];
  /** The requests of one device of a site, without its name. */
  of(deviceId: string): readonly string[];
  /** The codes of the warnings. */
  readonly codes: readonly string[];
  /** The texts that need no action. */
  readonly infos: string;
}

const QUIET = { ...COMPLETE, SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0", SOLAR_CHARGING_INVERTER_FIELDS: "{}" };

/** One resource in a stack. It calls the operations as the engine does, and keeps inputs and outputs. */
abstract class ResourceStack {
  inputs: Properties | undefined;
  outputs: Properties | undefined;
  /** Whether the last operation failed in part. The engine then updates even if the diff finds nothing. */
  isUnfinished = false;
  /** The messages that the last operation showed. */
  shown: readonly string[] = [];
  /** The id of the only device; undefined for a site. */
  protected readonly only: string | undefined;

  constructor(
    readonly service: FakeService,
    readonly environment: NodeJS.ProcessEnv,
    private readonly urn: string,
  ) {}

  abstract operations(run: EngineRun): Operations;

  /** A run, as in a provider process of its own. Several resources can share it. */
  run(changes: Partial<EngineRun> = {}): NotedRun {
    return Object.assign(runOf({ ...QUIET, ...this.environment }, this.service), changes);
  }

  /** The check of a program's arguments. */
  async check(args: Properties, run: EngineRun = this.run(), facts: Partial<Context> = {}) {
    return await this.operations(run).check(this.context(facts), this.inputs ?? {}, args);
  }

  context(facts: Partial<Context> = {}): Context {
    return contextOf(this.urn, facts);
  }

  /** The lines that a preview shows. */
  async preview(
    args: Properties,
    facts: Partial<Context> = {},
  ): Promise<{ changes: readonly Change[]; shown: readonly string[] }> {
    const run = this.run();
    const preview = { ...facts, isPreview: true };
    const { inputs } = await this.check(args, run, preview);
    const { changes } = await this.operations(run).diff(this.context(preview), this.outputs ?? {}, inputs);
    return { changes, shown: run.shown };
  }

  /** Whether the next update with the same arguments changes something. */
  async differs(args: Properties): Promise<boolean> {
    const { inputs } = await this.check(args);
    return (await this.operations(this.run()).diff(this.context(), this.outputs ?? {}, inputs)).changes.length > 0;
  }

  /** `pulumi up` with these arguments. @throws Error if the check refuses them */
  async up(args: Properties, run: NotedRun = this.run()): Promise<Outcome> {
    const { inputs, problems } = await this.check(args, run);
    if (problems.length > 0) throw new RefusedError(problems);
    return await this.#watch(
      run,
      async () => {
        const operations = this.operations(run);
        if (!this.outputs) {
          this.#keep(inputs, (await operations.create(this.context(), inputs)).outputs);
        } else if (
          (await operations.diff(this.context(), this.outputs, inputs)).changes.length > 0 ||
          this.isUnfinished
        ) {
          this.#keep(inputs, await operations.update(this.context(), this.outputs, inputs));
        } else {
          this.inputs = inputs;
        }
      },
      inputs,
    );
  }

  async refresh(run: NotedRun = this.run()): Promise<Outcome> {
    return await this.#watch(run, async () => {
      const operations = this.operations(run);
      const id = operations.id(this.context(), this.outputs ?? {});
      const found = await operations.read(this.context(), id, this.outputs ?? {});
      if (found) this.#keep(found.inputs, found.outputs);
      else this.#forget();
    });
  }

  async destroy(run: NotedRun = this.run()): Promise<Outcome> {
    return await this.#watch(run, async () => {
      await this.operations(run).delete(this.context(), this.outputs ?? {});
      this.#forget();
    });
  }

  async #watch(run: NotedRun, work: () => Promise<void>, inputs?: Properties): Promise<Outcome> {
    const { service } = this;
    service.requests.length = 0;
    service.sent.length = 0;
    run.noted.length = 0;
    let reasons: readonly string[] = [];
    let failure: Error | undefined;
    try {
      await work();
    } catch (error) {
      failure = error as Error;
      reasons = error instanceof PartialError ? error.reasons : [failure.message];
      if (error instanceof PartialError) this.#keep(this.inputs ?? inputs ?? {}, error.outputs, true);
    }
    this.shown = run.shown;
    const made = { requests: [...service.requests], sent: [...service.sent] };
    const ofKind = (kind: Noted["kind"]) => run.noted.filter((one) => one.kind === kind).map(({ message }) => message);
    return {
      reasons,
      error: failure,
      requests: requestsOf(made, this.only),
      of: (deviceId) => requestsOf(made, deviceId),
      codes: ofKind("warn").map(({ code }) => code),
      infos: ofKind("info")
        .map((message) => textOf(message))
        .join("\n"),
    };
  }

  /** Keeps inputs and outputs as JSON, like the engine. */
  #keep(inputs: Properties, outputs: Properties, isUnfinished = false): void {
    this.inputs = JSON.parse(JSON.stringify(inputs));
    this.outputs = JSON.parse(JSON.stringify(outputs));
    this.isUnfinished = isUnfinished;
  }

  #forget(): void {
    this.outputs = undefined;
    this.inputs = undefined;
  }
}

/** One site in a stack. */
export class SiteStack extends ResourceStack {
  constructor(
    service: FakeService,
    environment: NodeJS.ProcessEnv = {},
    readonly name = "home",
  ) {
    super(service, environment, urnOf(name));
  }

  operations(run: EngineRun): Operations {
    return siteOperations(() => run);
  }

  /** The kept state of a device, such as `vehicle/a`. */
  device(label: string): Properties | undefined {
    return (this.outputs?.devices as Record<string, Properties> | undefined)?.[label];
  }
}

/** A site after its first update, and its service. */
export async function appliedSite(args: Properties = SITE, service: BusyService = siteService()) {
  const site = new SiteStack(service);
  return { site, service, ...(await site.up(args)) };
}

/** One device in a stack: `car` or `roof` of the business `acme`. */
export class DeviceStack extends ResourceStack {
  readonly ref: DeviceRef;
  protected override readonly only: string;

  constructor(
    readonly kind: DeviceKind,
    service: FakeService,
    environment: NodeJS.ProcessEnv = {},
  ) {
    super(service, environment, `urn:pulumi:dev::home::pulumi-nodejs:dynamic/solar-charging:${kind.resource}::one`);
    this.ref = kind === vehicle ? CAR : ROOF;
    this.only = this.ref.deviceId;
  }

  operations(run: EngineRun): Operations {
    return deviceOperations(this.kind, () => run);
  }

  override async check(args: Properties, run?: EngineRun, facts?: Partial<Context>) {
    return await super.check({ ...this.ref, ...args }, run, facts);
  }

  /** Sets fields as the app or the device itself does. */
  set(fields: Fields): void {
    this.service.set(this.ref, fields);
  }

  /** The record of each setting. */
  get settings(): Readonly<Record<string, Properties>> {
    return (this.outputs?.settings ?? {}) as Readonly<Record<string, Properties>>;
  }

  /** One property of the records, by setting. */
  each(property: string): Properties {
    return eachIn(this.outputs, property);
  }
}

/** A car with these fields, before its first update. */
export function carStack(fields: Fields = {}, environment: NodeJS.ProcessEnv = {}): DeviceStack {
  return new DeviceStack(vehicle, fleet(fields), environment);
}

/** A roof with these fields, before its first update. */
export function roofStack(fields: Fields = {}, environment: NodeJS.ProcessEnv = {}): DeviceStack {
  return new DeviceStack(inverter, fleet({}, fields), environment);
}

/** The problems for which a check refuses the arguments. */
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
