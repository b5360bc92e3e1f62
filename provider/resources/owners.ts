import * as pulumi from "@pulumi/pulumi";
import { type DeviceKind, keysOf } from "../settings/setting";
import { oncePerProgram } from "./programRun";

/** Which resource declares a device first, and as what, and which resource declares each key of it. */
interface Owners {
  readonly kind: DeviceKind;
  readonly first: string;
  readonly byKey: Map<string, string>;
}

const ownersOfProgram = oncePerProgram(() => new Map<string, Owners>());

/**
 * The keys that another resource of the program declares for the same device, with that resource: the check refuses
 * them, so that two resources never overwrite each other in turn. `deviceId`, where it is declared as another kind of
 * device. Undefined when there is none.
 */
export async function declaredElsewhere(
  kind: DeviceKind,
  name: string,
  declared: Promise<pulumi.Unwrap<pulumi.Inputs>>,
): Promise<Record<string, string> | undefined> {
  const ownersOf = ownersOfProgram();
  const resource = `${kind.resource} '${name}'`;
  const { businessId, deviceId, ...values } = await declared;
  if (pulumi.isUnknown(businessId) || pulumi.isUnknown(deviceId)) return undefined;
  const device = JSON.stringify([businessId, deviceId]);
  const owners = ownersOf.get(device) ?? { kind, first: resource, byKey: new Map<string, string>() };
  ownersOf.set(device, owners);
  if (owners.kind !== kind) return { deviceId: owners.first };
  const others: Record<string, string> = {};
  for (const key of keysOf(kind).filter((key) => values[key] !== undefined)) {
    const owner = owners.byKey.get(key);
    if (owner) others[key] = owner;
    else owners.byKey.set(key, resource);
  }
  return Object.keys(others).length > 0 ? others : undefined;
}
