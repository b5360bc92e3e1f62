import { Server } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import { failureOf, jsonClean } from "../engine/answers";
import { endWithEngine } from "../engine/gone";
import { ours, PROVIDER_KEY } from "../engine/tokens";
import { PartialError } from "../lifecycle/errors";
import { deviceOperations, type Operations, siteOperations } from "../lifecycle/operations";
import type { Properties } from "../lifecycle/state";
import { type Run, startRun } from "../run";
import { inverter as inverterKind } from "../settings/inverter";
import { vehicle as vehicleKind } from "../settings/vehicle";

// One run for both providers of this process, so that they share limits and claims.
let run: Run | undefined;

// The provider string in every stack's state names this module, and Pulumi's host of dynamic resources loads it. The
// exports have to stay, and to accept the state of every earlier version.

/** The provider of `VehicleSettings`. */
export const vehicle = dynamicProvider(deviceOperations(vehicleKind, currentRun));
/** The provider of `InverterSettings`. */
export const inverter = dynamicProvider(deviceOperations(inverterKind, currentRun));
/** The provider of `SiteSettings`. */
export const site = dynamicProvider(siteOperations(currentRun));

function dynamicProvider(handlers: Operations): pulumi.dynamic.ResourceProvider<Properties, Properties> {
  return {
    // Done before the first await: the host calls the next resource's handler without waiting for this one.
    async configure({ config }) {
      if (run) return;
      connectToEngine();
      run = startRun(
        (key) => config.get(`solar-charging:${key}`),
        process.env,
        {
          warn: (message, urn) => pulumi.log.warn(message, resourceOf(urn)),
          info: (message, urn) => pulumi.log.info(message, resourceOf(urn)),
          progress: (message, urn) => pulumi.log.info(message, resourceOf(urn), undefined, true),
        },
        { stopping: engineStops() },
      );
    },
    async check(olds, news) {
      const { inputs, problems } = await brief(handlers.check(ours(olds), ours(news)));
      return { inputs: jsonClean(inputs), failures: problems.map(failureOf) };
    },
    async diff(_id, olds, news) {
      const { changes, replaces } = await brief(handlers.diff(ours(olds), ours(news)));
      return { changes: changes.length > 0, replaces: [...replaces] };
    },
    async create(inputs) {
      const { id, outputs } = await resumable(handlers.id(inputs), inputs, handlers.create(ours(inputs)));
      return { id, outs: jsonClean(outputs) };
    },
    async update(id, olds, news) {
      return { outs: jsonClean(await resumable(id, news, handlers.update(ours(olds), ours(news)))) };
    },
    async read(id, props = {}) {
      const found = await brief(handlers.read(id, ours(props)));
      return found
        ? { id: found.id, props: jsonClean(found.outputs), inputs: jsonClean(found.inputs) }
        : { id: "", props: {} };
    },
    async delete(_id, props) {
      await brief(handlers.delete(ours(props)));
    },
  };
}

function currentRun(): Run {
  if (!run) throw new Error("the provider host called a handler before configure");
  return run;
}

/** Rejects with an error of one line: the host prints it as text and stack. */
async function brief<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const { message } = error as Error;
    throw Object.assign(new Error(message), { toString: () => "solar-charging", stack: message });
  }
}

/** Rejects so that the engine keeps what was applied of a resource that is not whole. */
async function resumable<T>(id: string, inputs: Properties, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof PartialError)) throw error;
    const properties = { ...jsonClean(error.outputs), [PROVIDER_KEY]: inputs[PROVIDER_KEY] };
    throw Object.assign(new Error(error.message), { id, properties, reasons: [...error.reasons] });
  }
}

/** As much of a resource as a log entry needs. */
function resourceOf(urn: string | undefined): pulumi.Resource | undefined {
  return urn === undefined ? undefined : ({ urn: pulumi.output(urn) } as pulumi.Resource);
}

/**
 * Aborted when the engine asks this process to cancel, as after Ctrl-C. Pulumi's host answers that request and does
 * not pass it on, so it is seen where it arrives: at the HTTP/2 server of this process. Without it, a site of 500 devices would
 * go on to its last device after Ctrl-C.
 */
function engineStops(): AbortSignal {
  const stop = new AbortController();
  // No other way leads to a server that another module has made.
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
  const servers = handles.call(process).filter((handle): handle is Server => handle instanceof Server);
  for (const server of servers) {
    server.on("stream", (_stream: unknown, headers: Readonly<Record<string, unknown>>) => {
      if (headers[":path"] === "/pulumirpc.ResourceProvider/Cancel") stop.abort();
    });
  }
  return stop.signal;
}

/** Lets this process log to the engine, whose address is the host's only argument that is not a flag, and end with it. */
function connectToEngine(): void {
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  if (!address) return;
  pulumi.runtime.resetOptions("", "", -1, address, "", false, "");
  endWithEngine(address);
}
