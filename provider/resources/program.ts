import * as pulumi from "@pulumi/pulumi";
import type { ProgramFacts } from "../lifecycle/program";
import { GROUPS } from "../settings/readiness";
import { type DeviceKind, isObject } from "../settings/setting";
import { bareValue } from "./bareValue";
import { isLive, liveReading } from "./livePreview";
import { configured, oncePerProgram } from "./programRun";
import { secretsIn } from "./secretsIn";

/** The facts as the program has them. Promises, because an output would make the resource depend on what it is from. */
export type Facts = { readonly [K in keyof ProgramFacts]: ProgramFacts[K] | Promise<unknown> | undefined };

const invertersOfProgram = oncePerProgram(() => ({ count: 0 }));

/** The program's facts for the check of a device. */
export function factsOf(
  kind: DeviceKind,
  type: string,
  name: string,
  args: pulumi.Inputs,
  parent: pulumi.Resource | undefined,
): Facts {
  if (kind.name === "inverter") invertersOfProgram().count += 1;
  return {
    urn: bareValue(pulumi.createUrn(name, type, parent)),
    isPreview: pulumi.runtime.isDryRun(),
    secrets: secretsIn(args),
    ...(kind.name === "vehicle" && args.policy !== undefined && { hasInverter: hasInverter() }),
    live: isLive() ? withBusiness(args).then((declared) => liveReading(kind, declared)) : undefined,
  };
}

/** The program's facts for the check of a site. */
export function siteFacts(type: string, name: string, args: pulumi.Inputs, parent: pulumi.Resource | undefined): Facts {
  const isAlone = args.inverters === undefined || Object.keys(args.inverters).length === 0;
  if (!isAlone) invertersOfProgram().count += 1;
  return {
    urn: bareValue(pulumi.createUrn(name, type, parent)),
    isPreview: pulumi.runtime.isDryRun(),
    secrets: secretsIn(args),
    ...(isAlone && { hasInverter: hasInverter() }),
    liveDevices: isLive() ? liveSite(args) : undefined,
  };
}

/** Whether the program declares an inverter in its first turn; what it declares later, nobody can wait for. */
async function hasInverter(): Promise<boolean> {
  const inverters = invertersOfProgram();
  await new Promise((turn) => setImmediate(turn));
  return inverters.count > 0;
}

/** In a live preview, what the service shows of each device of a site, by its label. */
async function liveSite(args: pulumi.Inputs): Promise<ProgramFacts["liveDevices"]> {
  const { businessId, ...groups } = await withBusiness(args);
  const devices = Object.entries(GROUPS).flatMap(([group, kind]) =>
    Object.entries(isObject(groups[group]) ? groups[group] : {}).map(async ([name, device]) => {
      const declared = { businessId, ...(isObject(device) ? device : {}) };
      return [`${kind.name}/${name}`, await liveReading(kind, declared)] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(devices));
}

async function withBusiness(args: pulumi.Inputs): Promise<Record<string, unknown>> {
  const { businessId = configured("businessId"), ...values } = await bareValue(args);
  return { businessId, ...values };
}
