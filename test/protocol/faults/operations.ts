import { isDeepStrictEqual } from "node:util";
import { status as codes, type ServiceError } from "@grpc/grpc-js";
import type { Settings } from "solar-charging-simulator";
import { providerString } from "../../../provider/engine/tokens";
import { vehicle } from "../../../provider/settings/vehicle";
import { initFailureOf } from "../failures";
import type { Properties, ProviderHost } from "../host";
import { NEW, OLD, wordFor } from "./device";
import { BUSINESS, type FaultyService } from "./service";

/** The outcome of an operation that met a fault. */
export interface Outcome {
  /** The text for the user: the error, otherwise the warnings; empty if all went well. */
  readonly says: string;
  /** The settings of the device, in a word. */
  readonly device: string;
  /** The state of the resource, in a word. */
  readonly state: string;
  /** The number of requests that arrived. */
  readonly requests: { readonly GET: number; readonly PATCH: number; readonly POST: number };
  /** Requests to another server, which follow a redirect. */
  readonly requestsElsewhere: number;
  /** The largest sent part of an answer, in MiB. */
  readonly largestAnswer: number;
  readonly seconds: number;
  /** The outcome of the next call, which is about another device and meets no fault. */
  readonly next: string;
  /** All output of both calls to the user and to the engine, by kind. */
  readonly shown: Readonly<Record<string, string>>;
}

interface Prepared {
  /** The settings of the device at the start of the operation. */
  readonly device: Settings;
  /** The settings from before the first update. */
  readonly before: Settings;
  /** @returns the properties that the engine would keep; undefined if the resource leaves the stack */
  run(host: ProviderHost, id: string, ids: Properties): Promise<Properties | undefined>;
}

const declared = ({ max_capacity, max_charge_power }: Settings) => ({
  maxCapacity: max_capacity,
  maxChargePower: max_charge_power,
});

/** Outputs of a resource after an update that was read back, or that is still pending. */
const outputs = (settings: Settings, before: Settings, status: "verified" | "pending") => {
  const records = Object.entries(declared(before)).map(([key, baseline]) => [
    key,
    { ...(status !== "verified" && { status }), baseline },
  ]);
  return { ...declared(settings), settings: Object.fromEntries(records) };
};

const EARLIER: Settings = { max_capacity: 50_000, max_charge_power: 5_000 };

/** Every operation that makes requests. Each changes a device from old to new; a delete changes it back. */
const OPERATIONS = {
  create: {
    device: OLD,
    before: OLD,
    run: async (host, _, ids) => (await host.create({ ...ids, ...declared(NEW) })).properties,
  },
  read: {
    device: NEW,
    before: OLD,
    async run(host, id, ids) {
      const read = await host.read(id, { ...ids, ...outputs(NEW, OLD, "verified") });
      return read.id === "" ? undefined : read.properties;
    },
  },
  update: {
    device: OLD,
    before: EARLIER,
    run: (host, id, ids) =>
      host.update(id, { ...ids, ...outputs(OLD, EARLIER, "verified") }, { ...ids, ...declared(NEW) }),
  },
  delete: {
    device: NEW,
    before: OLD,
    async run(host, id, ids) {
      await host.delete(id, { ...ids, ...outputs(NEW, OLD, "pending"), onDelete: "restore" });
      return undefined;
    },
  },
} satisfies Record<string, Prepared>;

export type Operation = keyof typeof OPERATIONS;

/** Runs an operation on its own device. `begin` starts the fault. */
export async function perform(
  operation: Operation,
  host: ProviderHost,
  service: FaultyService,
  begin: () => void,
): Promise<Outcome> {
  const { device, before, run }: Prepared = OPERATIONS[operation];
  const messages = host.engine.messages.length;
  const requests = { ...service.requests };
  const deviceId = addDevice(service, operation, device);
  begin();
  const start = performance.now();
  const result = await settle(run(host, `${BUSINESS}/${deviceId}`, ids(deviceId)));
  const seconds = (performance.now() - start) / 1000;
  service.end();
  const made = {
    GET: service.requests.GET - requests.GET,
    PATCH: service.requests.PATCH - requests.PATCH,
    POST: service.requests.POST - requests.POST,
  };
  const says = result.error?.details ?? host.engine.messages.slice(messages).join(" / ");

  const next = await readHealthy(host, service);
  return {
    says,
    device: wordFor(service.device(deviceId)),
    state: result.error ? keptWord(operation, result.error, before) : stateWord(result.value, before),
    requests: made,
    requestsElsewhere: service.requestsElsewhere,
    largestAnswer: service.largestAnswer / 2 ** 20,
    seconds,
    next: next.error ? refusalWord(next.error) : "answered",
    shown: {
      error: shownOf(result.error),
      state: JSON.stringify(result.value ?? (result.error && initFailureOf(result.error)) ?? {}),
      messages: host.engine.messages.slice(messages).join("\n"),
      "next call": shownOf(next.error) + JSON.stringify(next.value ?? {}),
    },
  };
}

/** Reads another device, which meets no fault. */
export async function readHealthy(host: ProviderHost, service: FaultyService): Promise<Result<unknown>> {
  addDevice(service, "healthy", NEW);
  return await settle(OPERATIONS.read.run(host, `${BUSINESS}/healthy`, ids("healthy")));
}

/** An error with all its details. */
function shownOf(error: ServiceError | undefined): string {
  if (!error) return "";
  const { message, details, metadata, stack } = error;
  return [message, details, stack, ...Object.values(metadata.getMap())].map(String).join("\n");
}

function addDevice({ simulator }: FaultyService, deviceId: string, settings: Settings): string {
  simulator.add(BUSINESS, deviceId, { type: "vehicle", settings });
  return deviceId;
}

function ids(deviceId: string): Properties {
  return { businessId: BUSINESS, deviceId, __provider: providerString(vehicle.name) };
}

type Result<T> =
  | { readonly value: T; readonly error?: never }
  | { readonly value?: never; readonly error: ServiceError };

async function settle<T>(answer: Promise<T>): Promise<Result<T>> {
  return await answer.then(
    (value) => ({ value }),
    (error: ServiceError) => ({ error }),
  );
}

/** A word for the provider's error, or for a process that hangs or has ended. */
function refusalWord({ code, details }: ServiceError): string {
  return code === codes.UNKNOWN ? "refused" : `lost: ${details}`;
}

function keptWord(operation: Operation, error: ServiceError, before: Settings): string {
  const kept = initFailureOf(error);
  if (kept) return stateWord(kept.properties, before);
  if (error.code !== codes.UNKNOWN) return refusalWord(error);
  return operation === "create" ? "nothing" : "as before";
}

/** The status of the declared settings, and whether the baseline is from before the first update. */
function stateWord(properties: Properties | undefined, before: Settings): string {
  if (!properties) return "gone";
  const { settings } = properties as { settings: Record<string, Properties> };
  const own = Object.keys(declared(before)).map((key) => [key, settings[key] ?? {}] as const);
  const words = new Set(own.map(([, { status = "verified" }]) => status));
  const baselines = Object.fromEntries(own.map(([key, { baseline }]) => [key, baseline]));
  if (!isDeepStrictEqual(baselines, declared(before))) words.add("baseline lost");
  return [...words].join(", ");
}
