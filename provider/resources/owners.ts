import * as pulumi from "@pulumi/pulumi";
import { type DeviceKind, keysOf } from "../settings/setting";

/** Which resource declares which key of which device, by program run. Several runs can share a process. */
const ownersByRun = new WeakMap<pulumi.Resource, Map<string, string>>();

/**
 * The arguments, which fail to resolve when another resource of the program declares one of their keys for the same
 * device: the second resource is never registered, so that the two cannot overwrite each other in turn.
 */
export function owned(kind: DeviceKind, name: string, args: pulumi.Inputs): pulumi.Inputs {
  const run = pulumi.runtime.getStackResource();
  if (!run || args.deviceId === undefined) return args;
  const owners = ownersByRun.get(run) ?? new Map<string, string>();
  ownersByRun.set(run, owners);
  const keys = keysOf(kind).filter((key) => args[key] !== undefined);
  const deviceId = pulumi
    .all([args.businessId ?? configuredBusiness(), args.deviceId])
    .apply(([businessId, deviceId]) => {
      takeOwnership(owners, `${kind.resource} '${name}'`, businessId, deviceId, keys);
      return deviceId;
    });
  return { ...args, deviceId };
}

function takeOwnership(
  owners: Map<string, string>,
  owner: string,
  businessId: unknown,
  deviceId: unknown,
  keys: string[],
) {
  const clashes = new Map<string, string[]>();
  for (const key of keys) {
    const place = JSON.stringify([businessId, deviceId, key]);
    const other = owners.get(place);
    if (other) clashes.set(other, [...(clashes.get(other) ?? []), key]);
    else owners.set(place, owner);
  }
  for (const [other, shared] of clashes) {
    throw new pulumi.RunError(
      `${other} and ${owner} both declare ${shared.join(", ")} of device '${deviceId}': declare each setting of a device once`,
    );
  }
}

function configuredBusiness(): string | undefined {
  const config = new pulumi.Config("solar-charging");
  return config.get("businessId") ?? process.env.SOLAR_CHARGING_BUSINESS_ID;
}
