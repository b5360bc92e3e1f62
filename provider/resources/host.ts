import * as pulumi from "@pulumi/pulumi";
import { failureOf, jsonClean, sealed } from "../engine/answers";
import { endWithEngine } from "../engine/gone";
import { PROVIDER_KEY } from "../engine/tokens";
import type { Properties } from "../lifecycle/device/state";
import { deviceOperations, type Operations, siteOperations } from "../lifecycle/operations";
import type { Context } from "../lifecycle/run/context";
import { PartialError } from "../lifecycle/run/errors";
import { type Run, startRun } from "../run";
import { inverter as inverterKind } from "../settings/inverter";
import { FOLDED } from "../settings/planes";
import { vehicle as vehicleKind } from "../settings/vehicle";
import { contextOf, ours, withHidden } from "./hidden";
import { brief, connectToEngine, engineStops } from "./privateHooks";

// One run for both providers of this process, so that they share limits and claims.
let run: Run | undefined;

// The provider string in every stack's state names this module, and Pulumi's host of dynamic resources loads it. The
// exports must stay, and must accept the state of every earlier version.

/** The provider of `VehicleSettings`. */
export const vehicle = dynamicProvider(deviceOperations(vehicleKind, currentRun));
/** The provider of `InverterSettings`. */
export const inverter = dynamicProvider(deviceOperations(inverterKind, currentRun));
/** The provider of `SiteSettings`. */
export const site = dynamicProvider(siteOperations(currentRun));

function dynamicProvider(handlers: Operations): pulumi.dynamic.ResourceProvider<Properties, Properties> {
  return {
    // Finish before the first await: the host calls the next resource's handler without waiting for this one.
    async configure({ config }) {
      if (run) return;
      const engine = connectToEngine();
      if (engine) endWithEngine(engine);
      run = startRun(
        (key) => config.get(`solar-charging:${key}`),
        process.env,
        {
          warn: (message, urn) => pulumi.log.warn(message, resourceOf(urn)),
          info: (message, urn) => pulumi.log.info(message, resourceOf(urn)),
          progress: (message, urn) => pulumi.log.info(message, resourceOf(urn), undefined, true),
        },
        { stopping: engineStops(), engine },
      );
    },
    async check(olds, news) {
      const context = contextOf(news);
      const { inputs, problems } = await brief(handlers.check(context, ours(olds), ours(news)));
      // The host has no handler for the preview of a create.
      const isNew = context.isPreview && problems.length === 0 && Object.keys(olds).length === 0;
      if (isNew) await brief(handlers.diff(context, undefined, inputs));
      return { inputs: jsonClean(withHidden(inputs, news, olds)), failures: problems.map(failureOf) };
    },
    async diff(_id, olds, news) {
      const { changes, replaces } = await brief(handlers.diff(contextOf(news), ours(olds), ours(news)));
      return { changes: changes.length > 0, replaces: [...replaces] };
    },
    async create(inputs) {
      const [context, own] = [contextOf(inputs), ours(inputs)];
      const { id, outputs } = await resumable(handlers.id(context, own), inputs, handlers.create(context, own));
      return { id, outs: jsonClean(withSecretFold(context, outputs)) };
    },
    async update(id, olds, news) {
      const context = contextOf(news);
      const outputs = await resumable(id, news, handlers.update(context, ours(olds), ours(news)));
      return { outs: jsonClean(withSecretFold(context, outputs)) };
    },
    async read(id, props = {}) {
      const found = await brief(handlers.read(contextOf(props), id, ours(props)));
      return found
        ? { id: found.id, props: jsonClean(found.outputs), inputs: jsonClean(found.inputs) }
        : { id: "", props: {} };
    },
    async delete(_id, props) {
      await brief(handlers.delete(contextOf(props), ours(props)));
    },
  };
}

/**
 * The outputs with the values that are sent for secret planes as secrets. The engine encrypts an output only if its
 * path is that of a secret input, and these have other paths.
 */
function withSecretFold({ secrets }: Context, outputs: Properties): Properties {
  if (outputs.planes === undefined || !secrets.has("planes")) return outputs;
  return { ...outputs, ...Object.fromEntries(FOLDED.map((key) => [key, sealed(outputs[key])])) };
}

function currentRun(): Run {
  if (!run) throw new Error("the provider host called a handler before configure");
  return run;
}

/** Rejects in a way that makes the engine keep the applied part of a resource. */
async function resumable<T>(id: string, inputs: Properties, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof PartialError)) throw error;
    const properties = {
      ...jsonClean(withSecretFold(contextOf(inputs), error.outputs)),
      [PROVIDER_KEY]: inputs[PROVIDER_KEY],
    };
    throw Object.assign(new Error(error.message), { id, properties, reasons: [...error.reasons] });
  }
}

/** The part of a resource that a log entry needs. */
function resourceOf(urn: string | undefined): pulumi.Resource | undefined {
  return urn === undefined ? undefined : ({ urn: pulumi.output(urn) } as pulumi.Resource);
}
