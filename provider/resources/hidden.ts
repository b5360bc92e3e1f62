import * as pulumi from "@pulumi/pulumi";
import { PROVIDER_KEY } from "../engine/tokens";
import type { Context } from "../lifecycle/run/context";
import { SecretInputs } from "../lifecycle/run/secretInputs";
import { partsOf } from "../messages/names";
import { typeName } from "../settings/explain";
import { GROUP_NAMES, kindOf, labelOf } from "../settings/groups";
import { isObject, type Properties, UNKNOWN } from "../settings/objects";
import { pathsOfPlanes } from "../settings/planes";
import type { DeviceKind } from "../settings/setting";
import { bareValue, userError } from "./privateHooks";
import { configured, oncePerProgram, programRun } from "./programRun";

/**
 * The hidden input. It contains facts that Pulumi's host of dynamic resources does not pass to a handler, such as the
 * resource's URN and its secrets. The host passes only inputs and outputs.
 */
const HIDDEN = "__program";

/** The hidden input. */
interface Facts {
  readonly urn?: string;
  readonly secrets?: readonly string[];
  /** Absent in an update, like `live`. Only a check gets the two, see `withHidden`. */
  readonly isPreview?: true;
  readonly live?: Context["live"];
}

/** The facts as a program has them. They are promises: an output of a resource would become a dependency. */
type Promised = { readonly [K in keyof Facts]: pulumi.Input<Facts[K]> | undefined };

interface ProgramResource {
  readonly type: string;
  readonly name: string;
  readonly args: pulumi.Inputs;
  readonly parent: pulumi.Resource | undefined;
  /** The result of a live preview. */
  readonly live: () => Promise<Context["live"]>;
}

/** The hidden input of a resource. */
export function hiddenInput({ type, name, args, parent, live }: ProgramResource): pulumi.Inputs {
  const facts: Promised = {
    // Pulumi's function makes outputs and promises, a tenth of the time of a program without parents.
    urn: parent
      ? bareValue(pulumi.createUrn(name, type, parent))
      : `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`,
    isPreview: pulumi.runtime.isDryRun() || undefined,
    secrets: secretsIn(args),
    // A preview prints inputs, and the service can report the value of a secret setting.
    // Most runs are no live preview, so they do not load the code that reads devices.
    live: pulumi.runtime.isDryRun() && configured("livePreview") !== undefined ? pulumi.secret(live()) : undefined,
  };
  return { [HIDDEN]: facts };
}

/** The paths of the secrets among the arguments of a resource; undefined if there are none. */
export function secretsIn(args: pulumi.Inputs): Promise<string[] | undefined> | undefined {
  const found = [...leavesIn(args)].filter(([, leaf]) => pulumi.Output.isInstance(leaf));
  if (found.length === 0) return undefined;
  const secrets = found.map(async ([path, leaf]) =>
    (await pulumi.isSecret(leaf as pulumi.Output<unknown>)) ? [path] : [],
  );
  return Promise.all(secrets).then((paths) => (paths.flat().length > 0 ? paths.flat() : undefined));
}

/** Whether Pulumi's SDK drops a value, as a function, or passes it empty, as a Date. */
const isLost = (value: unknown) =>
  / (BigInt|Date|Map|RegExp|Set|Symbol|\w*Function)\]/.test(Object.prototype.toString.call(value));

/** Each single value in arguments, with its path: `vehicles.car.maxCapacity`. */
function* leavesIn(value: unknown, path = ""): Generator<[string, unknown]> {
  const isOfPulumi = pulumi.Output.isInstance(value) || pulumi.Resource.isInstance(value);
  if (isOfPulumi || typeof value !== "object" || value === null || isLost(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* leavesIn(inner, path ? `${path}.${key}` : key);
}

/** @throws RunError for a value, or a name, that Pulumi's SDK would lose */
export function refuseLost(name: string, args: pulumi.Inputs): void {
  for (const [path, leaf] of leavesIn(args)) {
    const lost = path.split(".").includes("__proto__") ? "called __proto__" : isLost(leaf) && typeName(leaf);
    if (lost) throw userError(`${path} of '${name}' cannot be ${lost}`);
  }
}

/** Reads a device for a live preview. */
export async function liveDevice(kind: DeviceKind, args: pulumi.Inputs): Promise<Context["live"]> {
  return { [kind.name]: await liveReading(kind, await withBusiness(args)) };
}

/** Reads each device of a site for a live preview. The result is by label. */
export async function liveSite(args: pulumi.Inputs): Promise<Context["live"]> {
  const { businessId, ...groups } = await withBusiness(args);
  const devices = GROUP_NAMES.flatMap((group) =>
    Object.entries(isObject(groups[group]) ? groups[group] : {}).map(async ([name, device]) => {
      const declared = { businessId, ...(isObject(device) ? device : {}) };
      return [labelOf({ group, name }), await liveReading(kindOf({ group }), declared)] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(devices));
}

async function withBusiness(args: pulumi.Inputs): Promise<Record<string, unknown>> {
  const { businessId = configured("businessId"), ...values } = await bareValue(args);
  return { businessId, ...values };
}

/** The inputs or outputs of a resource, without the keys of Pulumi and of the hidden input. */
export function ours({ [PROVIDER_KEY]: _, [HIDDEN]: __, ...properties }: Properties): Record<string, unknown> {
  return properties;
}

/**
 * The inputs in the form that the engine keeps, with the facts for the resource's next handler. They are the same in a
 * preview and in an update. Without this, `pulumi up --plan` would refuse every resource.
 */
export function withHidden(inputs: Properties, { [HIDDEN]: hidden }: Properties): Properties {
  const { isPreview: _, live: __, ...facts } = knownFacts(hidden);
  return hidden === undefined ? inputs : { ...inputs, [HIDDEN]: facts };
}

/**
 * The paths of the secrets among the inputs, which the hidden input names. If the latitude is secret, the planes and
 * the values that are sent for them are hidden too: the latitude could be computed from them.
 */
export function secretPathsIn({ [HIDDEN]: hidden, planes, inverters }: Properties): readonly string[] {
  const { secrets = [] } = knownFacts(hidden);
  if (!secrets.includes("latitude")) return secrets;
  return [...secrets, ...pathsOfPlanes({ planes, inverters }).map((path) => path.join("."))];
}

/**
 * The outputs with the paths of the secrets among the inputs. `read` and `delete` need them, because the host passes
 * outputs only. Without this, a refresh that finds drift would make a secret plain.
 */
export function withSecretPaths(outputs: Properties, secrets: readonly string[]): Record<string, unknown> {
  return { ...outputs, [HIDDEN]: { secrets } };
}

/**
 * The context of a resource with these inputs. Outputs give only the secrets, because the host does not say which
 * resource they belong to.
 * @param before the inputs or outputs before: a secret in them stays hidden, even if it is no longer declared or secret
 */
export function contextOf(properties: Properties, before: Properties = {}): Context {
  const { urn, isPreview = false, live = {} } = knownFacts(properties[HIDDEN]);
  const secrets = [properties, before].flatMap(secretPathsIn);
  const values = [properties, before].flatMap((one) => secretPathsIn(one).flatMap((path) => leavesAt(one, path)));
  return { name: partsOf(urn).name, urn, isPreview, secrets: new SecretInputs(secrets, values), live };
}

/** All values at a path and below it. A name in a path can contain dots: `vehicles.my.car.policy`. */
function leavesAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesAt(one, ""));
  if (path === "" && !isObject(value)) return [value];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (path === "" || path === key) return leavesAt(inner, "");
    return path.startsWith(`${key}.`) ? leavesAt(inner, path.slice(key.length + 1)) : [];
  });
}

/**
 * The known facts. In a preview, a fact that depends on another resource is unknown. An undefined fact arrives as null
 * if it depends on a secret.
 */
function knownFacts(facts: unknown): Facts {
  const known = Object.entries(isObject(facts) ? facts : {}).filter(([, fact]) => fact !== UNKNOWN && fact !== null);
  return Object.fromEntries(known);
}

const liveReader = oncePerProgram(async () =>
  (await import("../lifecycle/livePreview.js")).livePreview(await programRun()),
);

/** Reads a declared device for a live preview. All devices are read in parallel. */
async function liveReading(kind: DeviceKind, declared: Properties): Promise<Context["live"][string]> {
  const { businessId, deviceId } = declared as { businessId: string; deviceId: string };
  return await (await liveReader())(kind, { businessId, deviceId });
}
