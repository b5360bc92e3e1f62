import * as pulumi from "@pulumi/pulumi";
import type { ProgramFacts } from "../lifecycle/program";
import type { DeviceKind } from "../settings/setting";
import { bareValue } from "./bareValue";
import { liveReading } from "./livePreview";
import { declaredElsewhere } from "./owners";
import { configured } from "./programRun";

/** The facts as the program has them. Promises, because an output would make the resource depend on what it is from. */
type Facts = { readonly [K in keyof ProgramFacts]: ProgramFacts[K] | Promise<unknown> | undefined };

const factsForChildren = new WeakMap<pulumi.Resource, (child: string) => Facts>();

/** Has the check told facts about the children of a component, by their names; they are made after this. */
export function tellOfChildren(component: pulumi.ComponentResource, factsOf: (child: string) => Facts): void {
  factsForChildren.set(component, factsOf);
}

/** What the check is told about a resource that the program declares. */
export function factsOf(
  kind: DeviceKind,
  type: string,
  name: string,
  args: pulumi.Inputs,
  parent: pulumi.Resource | undefined,
): Facts {
  const declared = bareValue(args).then(({ businessId = configured("businessId"), ...values }) => ({
    businessId,
    ...values,
  }));
  return {
    urn: bareValue(pulumi.createUrn(name, type, parent)),
    declaredElsewhere: declaredElsewhere(kind, name, declared),
    live: liveReading(kind, declared),
    ...(parent && factsForChildren.get(parent)?.(name)),
  };
}
