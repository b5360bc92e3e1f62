import { z } from "zod";
import { nameIn } from "../../provider/lifecycle/urn";
import { isObject } from "../../provider/settings/setting";

/** One of our resources as the state of a stack has it. */
export interface ExportedResource {
  readonly kind: "site" | "vehicle" | "inverter";
  /** Its name in the program. */
  readonly name: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
  /** The ways to inputs and outputs that are secrets, which are left out of both. */
  readonly secrets: readonly (readonly string[])[];
}

type Fields = Readonly<Record<string, unknown>>;

export interface ExportedStack {
  /** Absent if the stack is empty. */
  readonly project?: string;
  readonly resources: readonly ExportedResource[];
}

const exportedSchema = z.looseObject({
  deployment: z
    .looseObject({
      resources: z
        .array(
          z.looseObject({
            urn: z.string(),
            type: z.string(),
            delete: z.boolean().optional(),
            external: z.boolean().optional(),
            inputs: z.record(z.string(), z.unknown()).default({}),
            outputs: z.record(z.string(), z.unknown()).default({}),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

/** The types of our resources: those of a program in TypeScript, and those of the native plugin. */
const TYPE = /^(?:pulumi-nodejs:dynamic\/solar-charging|solar-charging:index):(Site|Vehicle|Inverter)Settings$/;

const KINDS = { Site: "site", Vehicle: "vehicle", Inverter: "inverter" } as const;

/** What `pulumi stack export` printed, as far as it is ours. @throws Error if it is something else */
export function parseExported(text: string): ExportedStack {
  const { deployment } = exportedSchema.parse(JSON.parse(text));
  const all = deployment?.resources ?? [];
  // One that is replaced or only read (`VehicleSettings.get`) declares nothing.
  const own = all.filter((one) => TYPE.test(one.type) && !one.delete && !one.external);
  const project = all[0]?.urn.split("::")[1];
  return { ...(project !== undefined && { project }), resources: own.map(resourceOf) };
}

function resourceOf(resource: { urn: string; type: string; inputs: Fields; outputs: Fields }): ExportedResource {
  const [, type = ""] = TYPE.exec(resource.type) ?? [];
  const secrets: string[][] = [];
  const { __provider: _, ...outputs } = withoutSecrets(resource.outputs, [], secrets) as Fields;
  const { __provider: __, ...inputs } = withoutSecrets(resource.inputs, [], secrets) as Fields;
  const name = nameIn(resource.urn);
  return { kind: KINDS[type as keyof typeof KINDS], name, inputs, outputs, secrets };
}

/** The key of an object in state that stands for a secret, and what it has there. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** The value without what is encrypted in it. @param secrets takes the ways to that */
function withoutSecrets(value: unknown, path: readonly string[], secrets: string[][]): unknown {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const at = [...path, key];
      if (!isObject(one) || one[SIGNATURE] !== SECRET) return [[key, withoutSecrets(one, at, secrets)]];
      secrets.push(at);
      return [];
    }),
  );
}
