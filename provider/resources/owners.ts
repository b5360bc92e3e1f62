import * as pulumi from "@pulumi/pulumi";
import { type DeviceKind, keysOf } from "../settings/setting";
import { oncePerProgram } from "./programRun";

/** Which resource declares a key of a device. */
const ownersOfProgram = oncePerProgram(() => new Map<string, string>());

/**
 * The keys that another resource of the program declares for the same device, with that resource: the check refuses
 * them, so that two resources never overwrite each other in turn. Undefined when there is none.
 */
export function declaredElsewhere(
  kind: DeviceKind,
  name: string,
  args: pulumi.Inputs,
): pulumi.Output<Record<string, string> | undefined> {
  const owners = ownersOfProgram();
  return pulumi.output(args).apply(({ businessId, deviceId, ...values }) => {
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
