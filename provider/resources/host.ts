import { connect } from "node:http2";
import * as pulumi from "@pulumi/pulumi";
import { UncertainError } from "../lifecycle/errors";
import { deviceOperations, type Operations } from "../lifecycle/operations";
import type { Properties } from "../lifecycle/state";
import { type Run, startRun } from "../run";
import { inverter as inverterKind } from "../settings/inverter";
import { vehicle as vehicleKind } from "../settings/vehicle";

// One run for both providers of this process, so that limits and claims hold across them.
let run: Run | undefined;

/**
 * The module that the provider string in every stack's state names: Pulumi's host of dynamic resources loads it.
 * `vehicle` and `inverter` have to stay exported, and to accept the state of every earlier version.
 */
export const vehicle = dynamicProvider(deviceOperations(vehicleKind, currentRun));
export const inverter = dynamicProvider(deviceOperations(inverterKind, currentRun));

/** The key under which the engine keeps the provider string of a dynamic resource. */
const PROVIDER_KEY = "__provider";

/** What is ours of a resource's inputs or outputs. */
function ours({ [PROVIDER_KEY]: _, ...properties }: Properties): Properties {
  return properties;
}

function dynamicProvider(handlers: Operations): pulumi.dynamic.ResourceProvider<Properties, Properties> {
  return {
    // Done before the first await: the host calls the next resource's handler without waiting for this one.
    async configure({ config }) {
      if (run) return;
      connectToEngine();
      run = startRun(
        (key) => config.get(`solar-charging:${key}`),
        process.env,
        (message, urn) => pulumi.log.warn(message, urn === undefined ? undefined : resourceOf(urn)),
      );
    },
    async check(olds, news) {
      const { inputs, problems } = await brief(handlers.check(ours(olds), ours(news)));
      return { inputs: jsonClean(inputs), failures: [...problems] };
    },
    async diff(_id, olds, news) {
      const { changes, replaces } = await brief(handlers.diff(ours(olds), ours(news)));
      return { changes, replaces: [...replaces] };
    },
    async create(inputs) {
      const { id, outputs } = await resumable(inputs, handlers.create(ours(inputs)));
      return { id, outs: jsonClean(outputs) };
    },
    async update(_id, olds, news) {
      return { outs: jsonClean(await resumable(news, handlers.update(ours(olds), ours(news)))) };
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

/** The engine takes plain JSON only: an `undefined` in it would fail the operation after the device was changed. */
function jsonClean(properties: Properties): Properties {
  return JSON.parse(JSON.stringify(properties));
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

/** Rejects so that the engine keeps what is known of an update whose outcome is not. */
async function resumable<T>(inputs: Properties, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof UncertainError)) throw error;
    const properties = { ...jsonClean(error.outputs), [PROVIDER_KEY]: inputs[PROVIDER_KEY] };
    throw Object.assign(new Error(error.message), { id: error.id, properties, reasons: [error.message] });
  }
}

/** As much of a resource as a log entry needs. */
function resourceOf(urn: string): pulumi.Resource {
  return { urn: pulumi.output(urn) } as pulumi.Resource;
}

/** Lets this process log to the engine, whose address is the host's only argument that is not a flag, and end with it. */
function connectToEngine(): void {
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  if (!address) return;
  pulumi.runtime.resetOptions("", "", -1, address, "", false, "");
  endWithEngine(address);
}

/** Longest time, in milliseconds, between a connection that is lost and the next (our choice). */
const RECONNECT_AFTER = 100;

/**
 * Ends this process when its engine is gone. A killed engine leaves its host behind, which would write to devices while
 * the user's next run is under way already. A request under way is given up: nobody can learn its outcome any more.
 */
function endWithEngine(address: string): void {
  const engine = connect(`http://${address}`);
  engine.unref();
  engine.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "ECONNREFUSED") process.exit(1);
  });
  // An engine may close an idle connection and live on: only a refusal tells that it is gone.
  engine.on("connect", () => {
    engine.on("close", () => setTimeout(endWithEngine, RECONNECT_AFTER, address).unref());
  });
}
