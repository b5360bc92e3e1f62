import * as pulumi from "@pulumi/pulumi";
import type { ProgramFacts } from "../handlers/program";
import type { DeviceKind } from "../settings/setting";
import { liveReading } from "./livePreview";
import { declaredElsewhere } from "./owners";
import { configured } from "./programRun";

/** The facts as the program has them: each may be known later. */
type Facts = { readonly [K in keyof ProgramFacts]: pulumi.Input<ProgramFacts[K]> | undefined };

const heldBack = new WeakMap<pulumi.Resource, pulumi.Output<string | undefined>>();

/** Lets nothing be sent for the children of a component, which are made after this, where there is a reason. */
export function holdBack(component: pulumi.ComponentResource, reason: pulumi.Output<string | undefined>): void {
  heldBack.set(component, reason);
}

/** What the check is told about a resource that the program declares. */
export function factsOf(
  kind: DeviceKind,
  type: string,
  name: string,
  args: pulumi.Inputs,
  parent: pulumi.Resource | undefined,
): Facts {
  const { deviceId, businessId = configured("businessId", "SOLAR_CHARGING_BUSINESS_ID") } = args;
  return {
    // A promise, because the output would make the resource depend on its parent, and so on itself.
    urn: new Promise<string>((resolve) => pulumi.createUrn(name, type, parent).apply(resolve)),
    declaredElsewhere: declaredElsewhere(kind, name, { ...args, businessId }),
    heldBack: parent && heldBack.get(parent),
    live: liveReading(kind, { businessId, deviceId }),
  };
}
