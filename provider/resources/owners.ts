import * as pulumi from "@pulumi/pulumi";
import { type DeviceKind, keysOf } from "../settings/setting";

/** Which resource declares a key of a device, by program run. Several runs can share a process. */
const ownersByRun = new WeakMap<pulumi.Resource, Map<string, string>>();

/**
 * The keys that another resource of the program declares for the same device, with that resource: the check refuses
 * them, so that two resources never overwrite each other in turn. Undefined when there is none.
 */
export function declaredElsewhere(
  kind: DeviceKind,
  name: string,
  args: pulumi.Inputs,
): pulumi.Output<Record<string, string> | undefined> | undefined {
  const run = pulumi.runtime.getStackResource();
  if (!run) return undefined;
  const owners = ownersByRun.get(run) ?? new Map<string, string>();
  ownersByRun.set(run, owners);
  return pulumi.output(args).apply(({ businessId = configuredBusiness(), deviceId, ...values }) => {
    const others: Record<string, string> = {};
    for (const key of keysOf(kind).filter((key) => values[key] !== undefined)) {
      const place = JSON.stringify([businessId, deviceId, key]);
      const owner = owners.get(place);
      if (owner) others[key] = owner;
      else owners.set(place, `${kind.resource} '${name}'`);
    }
    return Object.keys(others).length > 0 ? others : undefined;
  });
}

function configuredBusiness(): string | undefined {
  return new pulumi.Config("solar-charging").get("businessId") ?? process.env.SOLAR_CHARGING_BUSINESS_ID;
}
