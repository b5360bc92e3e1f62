import { z } from "zod";
import type { DeviceRef } from "../service/device";
import { type Declaration, ON_DELETE, type OnDelete } from "../settings/declaration";
import { idSchema } from "../settings/schema";
import { type DeviceKind, keysOf, pick, type Setting, type Value, type Values } from "../settings/setting";
import { VERIFICATIONS, type Verification } from "../settings/verification";

/** What is kept about one device between runs: the outputs of a settings resource. */
export interface State extends Declaration {
  /** The settings that the cached read showed last. */
  readonly reported: Values;
  /** The values of the declared keys before we first wrote them, if the service reported them. */
  readonly baseline: Values;
  /** What we wrote last, for the keys whose value is not that: someone else set it, or an update of it is uncertain. */
  readonly written: Values;
  /** What updates of unknown outcome sent, for the keys that the service has accepted none of since. */
  readonly attempted: Readonly<Record<string, readonly Value[]>>;
  /** For each declared key that the service has accepted: every other one is in `attempted`. */
  readonly verification: Readonly<Record<string, Verification>>;
}

/** Inputs or outputs as the engine hands them over. */
export type Properties = Readonly<Record<string, unknown>>;

/** The flat inputs of a resource: ids, `onDelete` and the declared keys side by side. */
export function toInputs({ businessId, deviceId, onDelete, values }: Declaration): Record<string, unknown> {
  return { businessId, deviceId, ...(onDelete && { onDelete }), ...values };
}

export function fromInputs(kind: DeviceKind, inputs: Properties): Declaration {
  const { businessId, deviceId, onDelete } = inputs as { businessId: string; deviceId: string; onDelete?: OnDelete };
  return { businessId, deviceId, ...(onDelete && { onDelete }), values: pick(inputs as Values, keysOf(kind)) };
}

export function toOutputs(state: State): Record<string, unknown> {
  const { reported, baseline, written, attempted, verification } = state;
  const hasAny = (values: object) => Object.keys(values).length > 0;
  return {
    ...toInputs(state),
    reported,
    baseline,
    ...(hasAny(written) && { written }),
    ...(hasAny(attempted) && { attempted }),
    verification,
  };
}

/**
 * The state of a resource. A field that is missing counts as empty.
 * @throws Error that names the device, if the outputs have anything that this version would not write
 */
export function fromOutputs(kind: DeviceKind, outputs: Properties): State {
  const parsed = schemaOf(kind).safeParse(outputs);
  if (!parsed.success) {
    const { deviceId } = outputs;
    const whose = typeof deviceId === "string" ? ` for device '${deviceId}'` : "";
    throw notReadable(`${kind.resource}${whose}`, parsed.error);
  }
  const declaration = fromInputs(kind, parsed.data);
  const { reported, baseline, written, verification, ...others } = parsed.data as unknown as State;
  // State of an earlier version has no attempt but the last, in its values.
  const unverified = Object.entries(declaration.values).filter(([key]) => !(key in verification));
  const { attempted = Object.fromEntries(unverified.map(([key, value]) => [key, [value]])) } = others as Partial<State>;
  return { ...declaration, reported, baseline, written, attempted, verification };
}

// By name, because the wire names, in which kinds differ too, are not in state.
const schemas = new Map<string, z.ZodType<Properties>>();

function schemaOf(kind: DeviceKind): z.ZodType<Properties> {
  const schema = schemas.get(kind.name) ?? outputsSchema(kind);
  schemas.set(kind.name, schema);
  return schema;
}

/** Ranges and choices are not looked at: a value that somebody else set, and a refresh took over, may be any. */
function outputsSchema(kind: DeviceKind): z.ZodType<Properties> {
  const forEach = (schema: (setting: Setting) => z.ZodType) =>
    Object.fromEntries(Object.entries(kind.settings).map(([key, setting]) => [key, schema(setting).optional()]));
  const valueSchema = ({ type }: Setting) => (type === "number" ? z.number() : z.string());
  const values = forEach(valueSchema);
  return z.strictObject({
    businessId: z.string(),
    deviceId: z.string(),
    onDelete: z.enum(ON_DELETE).optional(),
    ...values,
    reported: z.strictObject(values).default({}),
    baseline: z.strictObject(values).default({}),
    written: z.strictObject(values).default({}),
    attempted: z.strictObject(forEach((setting) => z.array(valueSchema(setting)))).optional(),
    verification: z.strictObject(forEach(() => z.enum(VERIFICATIONS))).default({}),
  });
}

/** @param what the resource: `VehicleSettings for device 'car'` */
export function notReadable(what: string, { issues }: z.ZodError): Error {
  // Paths only, because a value may be a secret.
  const paths = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
  return new Error(
    `the state of ${what} is not understood by this version, and nothing is sent: look at ` +
      `${paths.map((path) => path.join(".")).join(", ")}. A newer version of pulumi-solar-charging probably wrote it: ` +
      "install that one or a later one",
  );
}

/** Whether a value that the device has is one that we wrote, as far as is known. */
export function isOurs(state: State, key: string, value: Value | undefined): boolean {
  const { values, written, attempted, verification, reported } = state;
  const adjusted = verification[key] === "adjusted" ? [reported[key]] : [];
  return [written[key] ?? values[key], ...(attempted[key] ?? []), ...adjusted].includes(value);
}

/** The values that the service is known to have accepted. */
export function acceptedValues({ values, verification }: State): Values {
  return pick(values, Object.keys(verification));
}

/** The resource id: `businessId/deviceId`, each part URI-encoded. */
export function toId({ businessId, deviceId }: DeviceRef): string {
  return `${encodeURIComponent(businessId)}/${encodeURIComponent(deviceId)}`;
}

/** @throws Error when `id` is not the id of a settings resource, or names what cannot be sent */
export function fromId(id: string): DeviceRef {
  try {
    const [businessId = "", deviceId = ""] = id.split("/").map(decodeURIComponent);
    const device = { businessId, deviceId };
    const isValid = idSchema.safeParse(businessId).success && idSchema.safeParse(deviceId).success;
    if (isValid && toId(device) === id) return device;
  } catch {
    // A broken percent sequence is answered like every other id that is not ours.
  }
  throw new Error(`'${id}' is not an id of the form businessId/deviceId, each part URI-encoded`);
}
