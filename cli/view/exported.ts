import { z } from "zod";
import { isSealed } from "../../provider/engine/answers";
import { kindOfType, type ResourceKind, withoutFront } from "../../provider/engine/tokens";
import { SECRET } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import { kindOf, placeOf } from "../../provider/settings/groups";
import { inverter } from "../../provider/settings/inverter";
import { defined, isObject, omit, type Properties, pick } from "../../provider/settings/objects";
import { type DeviceKind, keysOf } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";

/** One of our resources in the state of a stack. */
export interface ExportedResource {
  readonly kind: ResourceKind;
  readonly urn: string;
  /** Its name in the program. */
  readonly name: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The paths of secret inputs and outputs, which are left out of both. A secret id is `SECRET`. */
  readonly secrets: readonly (readonly string[])[];
}

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

/** Our resources in the output of `pulumi stack export`. @throws Error if it is something else */
export function parseExported(text: string): ExportedStack {
  const { deployment } = exportedSchema.parse(JSON.parse(text));
  const all = deployment?.resources ?? [];
  // A resource that is being replaced or only read (`VehicleSettings.get`) declares nothing.
  const resources = all.flatMap((one) => {
    const kind = kindOfType(one.type);
    return kind === undefined || one.delete || one.external ? [] : [resourceOf(kind, one)];
  });
  return defined({ project: all[0]?.urn.split("::")[1], resources });
}

interface Resource extends Pick<ExportedResource, "inputs" | "outputs"> {
  readonly urn: string;
  readonly type: string;
}

/** One of our resources, from its inputs and outputs. In place of a secret value, they have the engine's mark, or a text. */
export function resourceOf(kind: ResourceKind, resource: Resource): ExportedResource {
  const secrets: string[][] = [];
  const outputs = withoutSecrets(withoutFront(resource.outputs), [], secrets) as Properties;
  const readable = withoutPartialRecords(kind, outputs, secrets);
  const inputs = withoutSecrets(withoutFront(resource.inputs), [], secrets) as Properties;
  return { kind, urn: resource.urn, name: partsOf(resource.urn).name, inputs, outputs: readable, secrets };
}

/** The outputs without partly encrypted records of settings: the rest of a record means nothing alone. */
function withoutPartialRecords(kind: ResourceKind, outputs: Properties, secrets: readonly string[][]): Properties {
  if (kind !== "site") return withoutSettings(kind === "vehicle" ? vehicle : inverter, outputs, secrets);
  const { devices, policies } = outputs;
  if (!isObject(devices)) return outputs;
  // A policy without its record means nothing, either.
  const lost = secrets.flatMap(([first, of = "", records, key]) =>
    first === "devices" && records === "settings" && key === "policy" ? [placeOf(of)?.name ?? ""] : [],
  );
  const readable = Object.entries(devices).map(([label, device]) => {
    const own = secrets.flatMap(([first, of, ...path]) => (first === "devices" && of === label ? [path] : []));
    const place = placeOf(label);
    return [label, place && isObject(device) ? withoutSettings(kindOf(place), device, own) : device];
  });
  return {
    ...outputs,
    devices: Object.fromEntries(readable),
    ...(isObject(policies) && { policies: omit<unknown>(policies, lost) }),
  };
}

function withoutSettings(kind: DeviceKind, device: Properties, secrets: readonly string[][]): Properties {
  const { settings } = device;
  // All records are encrypted, as with `additionalSecretOutputs`.
  if (secrets.some((path) => path.length === 1 && path[0] === "settings")) {
    return { ...omit<unknown>(device, keysOf(kind)), settings: {} };
  }
  const lost = secrets.flatMap(([first = "", key = ""]) => (first === "settings" ? [key] : [first]));
  const readable = { ...omit<unknown>(device, lost), ...pick<unknown>(device, IDS) };
  return { ...readable, ...(isObject(settings) && { settings: omit<unknown>(settings, lost) }) };
}

/** Every device has them. Without a text in place of a secret one, its state would not be understood. */
const IDS = ["businessId", "deviceId"];

/** Whether state hides the id of a device, so that it cannot be read. */
export function hasSecretId({ businessId, deviceId }: { businessId?: string | undefined; deviceId: string }): boolean {
  return [businessId, deviceId].includes(SECRET);
}

/** The value without its encrypted parts. @param secrets collects their paths */
function withoutSecrets(value: unknown, path: readonly string[], secrets: string[][]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const at = [...path, key];
      const isSecret = isObject(one) && isSealed(one);
      if (!isSecret) return [[key, withoutSecrets(one, at, secrets)]];
      secrets.push(at);
      return IDS.includes(key) ? [[key, SECRET]] : [];
    }),
  );
}
