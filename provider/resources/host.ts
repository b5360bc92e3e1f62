import "../engine/shortLived";
import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { failureOf, jsonClean, sealed } from "../engine/answers";
import { endWithEngine } from "../engine/endWithEngine";
import { PROVIDER_KEY } from "../engine/tokens";
import { deviceOperations } from "../lifecycle/deviceOperations";
import type { Operations } from "../lifecycle/operations";
import type { Context } from "../lifecycle/run/context";
import { PartialError } from "../lifecycle/run/errors";
import { SecretInputs } from "../lifecycle/run/secretInputs";
import { siteOperations } from "../lifecycle/siteOperations";
import { type EngineRun, startRun } from "../run";
import { inverter as inverterKind } from "../settings/inverter";
import { isEmpty, type Properties } from "../settings/objects";
import { vehicle as vehicleKind } from "../settings/vehicle";
import { contextOf, ours, secretPathsIn, withHidden, withSecretPaths } from "./hidden";
import { connectToEngine, engineStops, withOneLineError } from "./privateHooks";

// One run for both providers of this process, so that they share limits and claims.
let run: EngineRun | undefined;

// The contexts of checks in a preview, by URN. The inputs of the next handler do not say that it belongs to a preview.
const previews = new Map<string | undefined, Pick<Context, "isPreview" | "live">>();

// The provider string in the state of every stack names this module. The exports must stay, and must accept the state
// of every earlier version.

/** The provider of `VehicleSettings`. */
export const vehicle = dynamicProvider(deviceOperations(vehicleKind, currentRun));
/** The provider of `InverterSettings`. */
export const inverter = dynamicProvider(deviceOperations(inverterKind, currentRun));
/** The provider of `SiteSettings`. */
export const site = dynamicProvider(siteOperations(currentRun));

function dynamicProvider(handlers: Operations): pulumi.dynamic.ResourceProvider<Properties, Properties> {
  const parsed = (context: Context, inputs: Properties) => withOneLineError(handlers.parse(context, ours(inputs)));
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
      const context = contextOf(news, olds);
      const { urn, isPreview, live } = context;
      if (isPreview) previews.set(urn, { isPreview, live });
      const { inputs, problems } = await withOneLineError(handlers.check(context, ours(olds), ours(news)));
      // The host has no handler for the preview of a create.
      const isNew = isPreview && problems.length === 0 && isEmpty(olds);
      if (isNew) await withOneLineError(handlers.diff(context, undefined, inputs));
      return { inputs: jsonClean(withHidden(inputs, news)), failures: problems.map(failureOf) };
    },
    async diff(_id, olds, news) {
      const context = contextOf(news, olds);
      const ofCheck = previews.get(context.urn);
      const { changes, replaces } = await withOneLineError(
        handlers.diff({ ...context, ...ofCheck }, ours(olds), await parsed(context, news)),
      );
      return { changes: changes.length > 0, replaces: [...replaces] };
    },
    async create(inputs) {
      const context = contextOf(inputs);
      const own = await parsed(context, inputs);
      const { id, outputs } = await resumable(handlers.id(context, own), inputs, handlers.create(context, own));
      return { id, outs: storedOutputs(outputs, inputs) };
    },
    async update(id, olds, news) {
      const context = contextOf(news, olds);
      const own = await parsed(context, news);
      const outputs = await resumable(id, news, handlers.update(context, ours(olds), own), olds);
      return { outs: storedOutputs(outputs, news, olds) };
    },
    async read(id, before = {}) {
      const found = await withOneLineError(handlers.read(contextOf(before), id, ours(before)));
      if (!found) return { id: "", props: {} };
      const props = storedOutputs(found.outputs, before);
      // Without drift, the engine keeps its own inputs. Inputs from a read lack the URN. Without this, the next `up`
      // would find all inputs changed, and write the whole state once for each resource.
      const isSame = isDeepStrictEqual(jsonClean(found.outputs), ours(before));
      return { id: found.id, props, ...(!isSame && { inputs: jsonClean(withHidden(found.inputs, before)) }) };
    },
    async delete(_id, props) {
      await withOneLineError(handlers.delete(contextOf(props), ours(props)));
    },
  };
}

/**
 * The outputs in the form that the engine keeps. The engine encrypts an output only if its path is that of a secret
 * input. It would not encrypt the reported value and the baseline of a secret setting, nor the values that are sent for
 * secret planes.
 * @param source the inputs, or the outputs before a refresh
 * @param before the outputs before an update: secrets in them stay secret, even if the update no longer declares them
 */
function storedOutputs(outputs: Properties, source: Properties, before: Properties = {}): Record<string, unknown> {
  const clean = jsonClean(outputs);
  const paths = [...new Set([source, before].flatMap(secretPathsIn))];
  if (paths.length === 0) return clean;
  return withSecretPaths(new SecretInputs(paths).shown(clean, sealed), paths);
}

function currentRun(): EngineRun {
  if (!run) throw new Error("the provider host called a handler before configure");
  return run;
}

/** Rejects in a way that makes the engine keep the applied part of a resource. */
async function resumable<T>(id: string, inputs: Properties, result: Promise<T>, before?: Properties): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof PartialError)) throw error;
    const properties = {
      ...storedOutputs(error.outputs, inputs, before),
      [PROVIDER_KEY]: inputs[PROVIDER_KEY],
    };
    throw Object.assign(new Error(error.message), { id, properties, reasons: [...error.reasons] });
  }
}

/** The part of a resource that a log entry needs. */
function resourceOf(urn: string | undefined): pulumi.Resource | undefined {
  return urn === undefined ? undefined : ({ urn: pulumi.output(urn) } as pulumi.Resource);
}
