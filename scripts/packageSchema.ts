import { SECRET_KEYS } from "../provider/configuration/configurationKeys";
import { type Package, pluginOf } from "../provider/engine/plugin";
import { dynamicType, nativeType } from "../provider/engine/tokens";
import type { Dialect, PublishedTypes, Schema } from "./published";
import { repositoryOf } from "./repository";

/** Example programs of a resource, by the name of the language. */
export type Programs = Readonly<Record<string, string>>;

/** The arguments of `pulumi import` for a resource that can be imported. */
const IMPORTED: Readonly<Record<string, string>> = {
  VehicleSettings: "car acme/car",
  InverterSettings: "roof acme/roof",
};

/** Texts with names of their own in each language. */
const ENUMERATIONS = ["ChargePolicy", "OnDelete", "OnDrift", "GapReason", "SettingStatus"];

/** Types that stand in the place of each use: `choice` names the enumerations, and `refined` the devices of a site. */
const IN_PLACE = [...ENUMERATIONS, "LintName", "CardinalName", "AzimuthConvention", "ObservedDeviceArgs"];

/** The types of the devices of a site, by the argument that has them. */
const SITE_DEVICES: Readonly<Record<string, string>> = { vehicles: "SiteVehicleArgs", inverters: "SiteInverterArgs" };

/** What the types of TypeScript show in another way. */
const MORE: Readonly<Record<string, Schema>> = {
  ignoreLints: { items: { type: "string" } },
  onDelete: { $ref: `#/types/${nativeType("OnDelete")}` },
};

/** The dialect of the schema of a Pulumi package. Types with a name are collected. */
function dialectOf(types: PublishedTypes, collected: Map<string, Schema>): Dialect {
  const named = (full: string, make: () => Schema): Schema => {
    const token = nativeType(full.replace(/Args$/, ""));
    if (!collected.has(token)) {
      collected.set(token, {}); // Its place in the order, before the types that it names.
      const { additionalProperties: _, ...schema } = make();
      collected.set(token, { ...schema, description: types.docOf(types.exported(full)) });
    }
    return { $ref: `#/types/${token}` };
  };
  const enumerations = ENUMERATIONS.map((name) => ({ name, values: types.valuesOf(name) }));
  return {
    object: {},
    named: (name, make) => (IN_PLACE.includes(name) ? undefined : named(name, make)),
    union: (all, merged) =>
      all.every(({ properties }) => properties)
        ? merged()
        : {
            oneOf: all
              .filter(({ type, additionalProperties }) => type !== "object" || additionalProperties)
              // Beside an enumeration, the generators forget the other forms: Python fails for a map, and Go takes none.
              .map((one) => (one.$ref ? { type: "string" } : one)),
          },
    choice(values) {
      const { name, values: own } = enumerations.find((one) => values.every((value) => one.values.has(value))) ?? {};
      if (!name || !own) return { type: "string" };
      return named(name, () => ({ type: "string", enum: Array.from(own, ([value, of]) => ({ name: of, value })) }));
    },
    refined(schema, property) {
      const { const: _, oneOf, ...one } = { ...schema, ...MORE[property] } as Record<string, unknown>;
      if (property in MORE && one.$ref) delete one.type;
      // The SDKs have no object in the place of a number.
      if (property === "azimuth" && one.description !== undefined)
        one.description = String(one.description).replace(
          / Other forms:[^.]*\./,
          " Or it is a point of the compass, such as SSW.",
        );
      const { additionalProperties: values } = one as { readonly additionalProperties?: Schema };
      if (values && Object.keys(values).length === 0) one.additionalProperties = { $ref: "pulumi.json#/Any" };
      if (SITE_DEVICES[property]) one.additionalProperties = named(SITE_DEVICES[property], () => values ?? {});
      if (!Array.isArray(oneOf)) return one;
      const inOrder = oneOf.toSorted(
        (a: Schema, b: Schema) =>
          Number("additionalProperties" in a) - Number("additionalProperties" in b) ||
          String(a.type).localeCompare(String(b.type)),
      );
      return { oneOf: inOrder, ...one };
    },
  };
}

/** The schema of the package, from which Pulumi's generators make the SDKs. */
export function packageSchema(types: PublishedTypes, own: Package, programs: Readonly<Record<string, Programs>> = {}) {
  const collected = new Map<string, Schema>();
  const dialect = dialectOf(types, collected);
  const of = (key: string) => {
    const { type: _, ...schema } = types.schemaOf(key, dialect);
    return schema as { readonly properties: Readonly<Record<string, Schema>>; readonly required?: readonly string[] };
  };
  const resource = (name: string) => {
    const [inputs, outputs] = [of(`${name}Args`), of(name)];
    const replacing = (properties: Readonly<Record<string, Schema>>) =>
      Object.fromEntries(
        Object.entries(properties).map(([key, schema]) => [
          key,
          name in IMPORTED && ["deviceId", "businessId"].includes(key) ? { ...schema, replaceOnChanges: true } : schema,
        ]),
      );
    return {
      description: withExamples(name, types.docOf(types.exported(name)), programs[name]),
      aliases: [{ type: dynamicType(name) }],
      inputProperties: replacing(inputs.properties),
      ...(inputs.required && { requiredInputs: inputs.required }),
      properties: replacing(outputs.properties),
      // A device that a program only reads has no settings.
      required: outputs.required?.filter((key) => key !== "settings"),
    };
  };
  const callable = (name: string) => ({
    description: types.docOf(types.exported(name)),
    inputs: { type: "object", ...of(`${name}Args`) },
    outputs: { type: "object", ...of(name) },
  });
  const byToken = (names: readonly string[], make: (name: string) => object) =>
    Object.fromEntries(names.map((name) => [nativeType(name), make(name)]));
  const configuration = Object.fromEntries(
    Object.entries(of("configuration").properties).map(([key, schema]) => [
      key,
      SECRET_KEYS.some((secret) => secret === key) ? { ...schema, secret: true } : schema,
    ]),
  );
  const { name, keywords, license, author } = own;
  const address = repositoryOf(own);
  const resources = byToken(["VehicleSettings", "InverterSettings", "SiteSettings"], resource);
  const functions = byToken(["getDevice", "getLatestMetrics", "explainStatus"], callable);
  return {
    name: "solar-charging",
    ...pluginOf(own),
    displayName: "Solar Charging",
    description: own.description,
    keywords: [...keywords, "category/infrastructure", "kind/native"],
    homepage: address,
    repository: address,
    // From the published package: generators fetch it, take no SVG, and the repository may move.
    logoUrl: `https://cdn.jsdelivr.net/npm/${name}@${own.version}/docs/logo.png`,
    publisher: author,
    license,
    config: { variables: configuration },
    provider: { description: types.docOf(types.exported("Provider")), inputProperties: configuration },
    types: Object.fromEntries(collected),
    resources,
    functions,
    language: {
      nodejs: { packageName: `${name}-native`, respectSchemaVersion: true },
      python: { packageName: name.replaceAll("-", "_"), pyproject: { enabled: true }, respectSchemaVersion: true },
      go: { importBasePath: `${address.replace(/^https:\/\//, "")}/sdk/go/solarcharging`, respectSchemaVersion: true },
      csharp: { namespaces: { "solar-charging": "SolarCharging" }, respectSchemaVersion: true },
    },
  };
}

/** A description with an example in each language, and with the command that imports the resource. */
function withExamples(name: string, description: string, programs: Programs = {}): string {
  const blocks = Object.entries(programs).map(([language, text]) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`);
  const examples =
    blocks.length > 0
      ? ["{{% examples %}}", "## Example Usage", "{{% example %}}", ...blocks, "{{% /example %}}", "{{% /examples %}}"]
      : [];
  const id = IMPORTED[name];
  const importing = id ? ["", "## Import", "", `\`\`\`sh\npulumi import ${nativeType(name)} ${id}\n\`\`\``] : [];
  return [description, ...examples, ...importing].join("\n");
}
