import type { DeviceRef } from "../service/device";
import type { Declaration, OnDelete } from "../settings/declaration";
import { idSchema } from "../settings/schema";
import { type DeviceKind, keysOf, pick, type Value, type Values } from "../settings/setting";
import type { Verification } from "../settings/verification";

/** What is kept about one device between runs: the outputs of a settings resource. */
export interface State extends Declaration {
  /** The settings that the cached read showed last. */
  readonly reported: Values;
  /** What the declared keys were before we first wrote them, where the service reported it. */
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

export function fromOutputs(kind: DeviceKind, outputs: Properties): State {
  const declaration = fromInputs(kind, outputs);
  const { reported = {}, baseline = {}, written = {}, verification = {}, ...others } = outputs as Partial<State>;
  // State of an earlier version has no attempt but the last, in its values.
  const unverified = Object.entries(declaration.values).filter(([key]) => !(key in verification));
  const { attempted = Object.fromEntries(unverified.map(([key, value]) => [key, [value]])) } = others;
  return { ...declaration, reported, baseline, written, attempted, verification };
}

/** Whether a value that the device has is one that we wrote, as far as is known. */
export function isOurs({ values, written, attempted }: State, key: string, value: Value | undefined): boolean {
  return [written[key] ?? values[key], ...(attempted[key] ?? [])].includes(value);
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
  const parts = id.split("/");
  try {
    const [businessId = "", deviceId = ""] = parts.map(decodeURIComponent);
    const device = { businessId, deviceId };
    const isValid = idSchema.safeParse(businessId).success && idSchema.safeParse(deviceId).success;
    if (parts.length === 2 && isValid && toId(device) === id) return device;
  } catch {
    // A broken percent sequence is answered like every other id that is not ours.
  }
  throw new Error(`'${id}' is not an id of the form businessId/deviceId, each part URI-encoded`);
}
