import { z } from "zod";
import { LINT_CODES } from "../../messages/codes";
import type { DeviceRef } from "../../service/device";
import {
  type Declaration,
  type DeviceOptions,
  keepsDrift,
  OnDelete,
  OnDrift,
  OPTION_KEYS,
} from "../../settings/declaration";
import { listed } from "../../settings/explain";
import { omit, type Properties, pick } from "../../settings/objects";
import { declaredValues, FOLDED } from "../../settings/planes";
import { type DeviceKind, keysOf, type Setting, type Value, type Values } from "../../settings/setting";
import { acceptedBeforeDrift, isManaged, type Known, managedIn, type Records, recordsUnder } from "./record";

/** The facts about one device between two runs: the outputs of a settings resource. */
export interface State extends DeviceRef, DeviceOptions {
  /** The fingerprint of the car or inverter behind the device, if a read has shown it. */
  readonly physicalDevice?: string;
  /** The records of managed and of only reported settings, by key. */
  readonly settings: Records;
}

/** The values of the managed settings. */
export function valuesOf({ settings }: Pick<State, "settings">): Values {
  return Object.fromEntries(managedIn(settings).map(([key, { value }]) => [key, value]));
}

/**
 * The declared values. After a refresh, inputs and outputs show a value that somebody else set; the record keeps
 * ours.
 */
export function declaredIn(values: Values, { settings }: Pick<State, "settings">): Values {
  const entries = Object.entries(values).map(([key, value]) => {
    const record = settings[key];
    if (!isManaged(record) || record.value !== value) return [key, value];
    return [key, (record.status === "uncertain" ? record.sent.at(-1) : acceptedBeforeDrift(record)) ?? value];
  });
  return Object.fromEntries(entries);
}

/** The state before an update, with its records under the `onDrift` that the program declares now. */
export function stateUnder<S extends Pick<State, "settings" | "onDrift">>(
  state: S,
  declared: Pick<DeviceOptions, "onDrift">,
): S {
  const settings = recordsUnder(state.settings, {
    before: (key) => keepsDrift(state, key),
    after: (key) => keepsDrift(declared, key),
  });
  return { ...state, settings };
}

export function fromInputs(kind: DeviceKind, inputs: Properties): Declaration {
  return { ...optionsIn(inputs), values: declaredValues(kind, inputs, inputs.latitude) };
}

/** The ids and options of a device, from its arguments or outputs. */
export function optionsIn(device: object): Omit<State, "settings"> {
  const keys = ["businessId", "deviceId", "physicalDevice", ...OPTION_KEYS];
  return pick<unknown>({ ...device }, keys) as unknown as DeviceRef;
}

/** The inputs after a refresh. Settings that somebody else changed have the new value. */
export function inputsOf({ settings, physicalDevice: _, ...rest }: State): Record<string, unknown> {
  return { ...rest, ...besidePlanes(rest, valuesOf({ settings })) };
}

/**
 * The values of inputs that also declare planes. A value that somebody else set cannot be converted to planes. So the
 * inputs keep the declared planes, and the outputs show the service's values.
 */
export function besidePlanes({ planes }: Pick<DeviceOptions, "planes">, values: Values): Values {
  return planes === undefined ? values : omit<Value>(values, FOLDED);
}

export function toOutputs({ settings, ...rest }: State): Record<string, unknown> {
  return { ...rest, ...valuesOf({ settings }), settings: shownRecords(settings) };
}

/**
 * The records in the form of outputs: without the value of a managed setting, which has an output of its own, and
 * without the status `verified`, which is the rule. With it, the outputs of a site would have a third more values.
 */
export function shownRecords(records: Records): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(records).map(([key, { status, ...record }]) => [
      key,
      { ...(status !== "verified" && { status }), ...omit<unknown>({ ...record }, ["value"]) },
    ]),
  );
}

/** Whether these are the outputs of a created resource, rather than of one that is only read. */
export function isOwned(outputs: Properties): boolean {
  return outputs.settings !== undefined;
}

/**
 * The state of a resource.
 * @throws Error that names the device, if the outputs contain anything that this version would not write
 */
export function fromOutputs(kind: DeviceKind, outputs: Properties): State {
  const { deviceId } = outputs;
  const whose = typeof deviceId === "string" ? ` for device '${deviceId}'` : "";
  const shown = ["businessId", "deviceId", ...keysOf(kind)];
  return parseOutputs(stateSchemaOf(kind), outputs, `${kind.resource}${whose}`, shown);
}

/**
 * Parses the outputs of a resource. All outputs in state pass through here, those of the devices of a site too. There is
 * one form so far: `test/recorded` has the stacks of each release.
 * @param what the resource, for the error: `VehicleSettings for device 'car'`
 * @param shown the outputs of a resource that is only read
 */
export function parseOutputs<T>(
  schema: z.ZodType<T>,
  outputs: Properties,
  what: string,
  shown: readonly string[] = [],
): T {
  const parsed = schema.safeParse(outputs);
  if (parsed.success) return parsed.data;
  const isOnlyRead = Object.keys(outputs).every((key) => key.startsWith("__") || shown.includes(key));
  if (!isOnlyRead) throw notReadable(what, parsed.error);
  // `pulumi do` reads and deletes a resource that no stack manages by its id, without outputs or with those of a read.
  throw new Error(
    `there is no state of ${what}, so nothing is read or sent. Its id alone is not enough: use it in a program with a stack`,
  );
}

// Cached by the name of the kind: kinds also differ by wire names, which are not in state.
const stateSchemas = new Map<string, z.ZodType<State>>();

function stateSchemaOf(kind: DeviceKind): z.ZodType<State> {
  const schema = stateSchemas.get(kind.name) ?? outputsSchema(kind);
  stateSchemas.set(kind.name, schema);
  return schema;
}

/** The schemas of options in state. */
export const OPTIONS = {
  onDelete: z.enum(OnDelete).optional(),
  onDrift: z.union([z.enum(OnDrift), z.record(z.string(), z.enum(OnDrift))]).optional(),
  ignoreLints: z.array(z.enum(LINT_CODES)).optional(),
  latitude: z.number().optional(),
  planes: z.array(z.strictObject({ peakPower: z.number(), azimuth: z.number(), tilt: z.number() })).optional(),
};

/** The schema of outputs. It has no ranges or choices, because a refresh can store any value that somebody else set. */
function outputsSchema(kind: DeviceKind): z.ZodType<State> {
  const forEach = (schema: (setting: Setting) => z.ZodType) =>
    Object.fromEntries(Object.entries(kind.settings).map(([key, setting]) => [key, schema(setting).optional()]));
  return z
    .strictObject({
      businessId: z.string(),
      deviceId: z.string(),
      physicalDevice: z.string().optional(),
      ...OPTIONS,
      ...forEach(storedValueSchema),
      settings: z.strictObject(forEach(recordSchema)),
    })
    .transform((outputs, context): State => {
      const { settings, ...flat } = outputs as { settings: Records } & Record<string, unknown>;
      const values = pick(flat, keysOf(kind));
      const records = Object.entries(settings).map(([key, record]) => {
        const value = values[key] as Value | undefined;
        const isWhole = (record.status === "unmanaged") === (value === undefined);
        if (!isWhole) context.addIssue({ code: "custom", path: ["settings", key] });
        const { status = "verified" } = record;
        return [key, value === undefined ? record : { ...record, status, value }] as [string, Known];
      });
      for (const key of Object.keys(values)) if (!settings[key]) context.addIssue({ code: "custom", path: [key] });
      return { ...optionsIn(flat), settings: Object.fromEntries(records) };
    });
}

function storedValueSchema({ type }: Setting): z.ZodType<Value> {
  return type === "number" ? z.number() : z.string();
}

function recordSchema(setting: Setting): z.ZodType {
  const value = storedValueSchema(setting);
  const record = <S extends string>(status: S, rest: z.ZodRawShape = {}) =>
    z.strictObject({ status: z.literal(status), baseline: value.optional(), ...rest });
  return z.discriminatedUnion("status", [
    // Outputs of an earlier version name it.
    z.strictObject({ status: z.literal("verified").optional(), baseline: value.optional(), ours: value.optional() }),
    record("pending", { reported: value.optional() }),
    record("notReported"),
    record("adjusted", { reported: value, ours: value.optional() }),
    record("drifted", { ours: value }),
    record("kept", { reported: value, ours: value.optional() }),
    record("uncertain", { sent: z.array(value), ours: value.optional(), reported: value.optional() }),
    z.strictObject({ status: z.literal("unmanaged"), reported: value }),
  ]);
}

/**
 * The error of outputs that are not ours.
 * @param what the resource: `VehicleSettings for device 'car'`
 */
function notReadable(what: string, { issues }: z.ZodError): Error {
  // Paths only, because a value may be a secret.
  const paths = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
  return new Error(
    `the state of ${what} is not understood by this version (${listed(paths.map((path) => path.join(".")))}), so ` +
      "nothing is sent. A newer version of pulumi-solar-charging probably wrote it: install that version or a later one",
  );
}
