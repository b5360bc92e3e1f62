import { type Package, pluginOf } from "../engine/plugin";
import { repositoryOf } from "../engine/repository";
import { dynamicType, nativeType } from "../engine/tokens";
import { ARGUMENTS, describePlain } from "../settings/describe";
import { inverter } from "../settings/inverter";
import { LATITUDE } from "../settings/schema";
import type { DeviceKind } from "../settings/setting";
import { vehicle } from "../settings/vehicle";
import { configurationSchema } from "./schemaConfiguration";
import { functionSchemas } from "./schemaFunctions";
import {
  argument,
  byNames,
  capitalized,
  declared,
  FLAG,
  NUMBER,
  optionsOf,
  PHYSICAL_DEVICE,
  type Schema,
  type SchemaProperties,
  settingsOf,
  TEXT,
  TEXTS,
  typeRef,
  typeSchemas,
} from "./schemaTypes";

const LATITUDE_ARGUMENT = { latitude: { ...NUMBER, description: describePlain(LATITUDE) } };

function deviceResource(kind: DeviceKind): Schema {
  const { name } = kind;
  const ids = {
    deviceId: { ...TEXT, description: ARGUMENTS.deviceId, replaceOnChanges: true },
    businessId: {
      ...{ ...TEXT, replaceOnChanges: true },
      description: `The business of the ${name}. Default: the configured one.`,
    },
  };
  const options = { ...(name === "inverter" && LATITUDE_ARGUMENT), ...optionsOf(name) };
  return {
    description: `The settings of one ${name}. A setting that is not declared is never changed. For a whole site, see SiteSettings.`,
    aliases: [{ type: dynamicType(kind.resource) }],
    inputProperties: { ...ids, ...settingsOf(kind.settings, argument), ...options },
    requiredInputs: ["deviceId"],
    properties: {
      ...ids,
      ...settingsOf(kind.settings, declared),
      ...options,
      physicalDevice: PHYSICAL_DEVICE,
      settings: {
        ...typeRef(`${capitalized(name)}SettingStates`),
        description: "The state of each declared or reported setting. Absent for a device that is only read.",
      },
    },
    required: Object.keys(ids),
  };
}

/** The arguments of a site besides its devices. State has them too. */
const SITE_ARGUMENTS: SchemaProperties = {
  ...LATITUDE_ARGUMENT,
  solar: { ...FLAG, description: ARGUMENTS.solar },
  requireReady: { ...FLAG, description: `${ARGUMENTS.requireReady} Default: false.` },
  businessId: { ...TEXT, description: "Business of the devices that declare none. Default: the configured one." },
  ...optionsOf("site"),
};

const SITE_OUTPUTS: SchemaProperties = {
  ready: {
    ...FLAG,
    description: "Whether everything that solar-aware charging needs is declared and accepted.",
  },
  gaps: { type: "array", items: typeRef("Gap"), description: "What is missing, by device and setting." },
  missing: { ...TEXTS, description: "The gaps in words, such as `vehicle/van: maxCapacity is not declared`." },
  unverified: {
    ...TEXTS,
    description: "Settings that the service accepted, but does not report as declared.",
  },
  devices: { ...byNames(typeRef("SiteDevice")), description: "The devices, by `vehicle/<name>` or `inverter/<name>`." },
};

const SITE: Schema = {
  description:
    "The settings of all devices of one site. The provider sets the inverters first, then the vehicles. If nothing that " +
    "solar-aware charging needs is missing, each vehicle gets the policy CHARGE BY FORECAST.",
  aliases: [{ type: dynamicType("SiteSettings") }],
  inputProperties: {
    vehicles: { ...byNames(typeRef("SiteVehicle")), description: `The site's ${ARGUMENTS.vehicles}` },
    inverters: { ...byNames(typeRef("SiteInverter")), description: `The site's ${ARGUMENTS.inverters}` },
    ...SITE_ARGUMENTS,
  },
  properties: {
    ...SITE_OUTPUTS,
    ...SITE_ARGUMENTS,
    policies: {
      ...byNames(typeRef("ChargePolicy")),
      description: "The policies that the site gives its vehicles, by their names.",
    },
  },
  required: Object.keys(SITE_OUTPUTS),
};

/** Programs that show a resource, by language: `typescript`, `python`, `go`, `yaml`. */
export type Programs = Readonly<Record<string, string>>;

/** The id that imports a device, by resource. A site needs no import. */
const IMPORTED: Readonly<Record<string, string>> = {
  VehicleSettings: "car acme/car",
  InverterSettings: "roof acme/roof",
};

/** A resource whose description has its programs and its import, as the Registry and the docstrings of SDKs show them. */
function withExamples(name: string, resource: Schema, programs: Programs = {}): Schema {
  const blocks = Object.entries(programs).map(([language, text]) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`);
  const examples =
    blocks.length > 0
      ? ["{{% examples %}}", "## Example Usage", "{{% example %}}", ...blocks, "{{% /example %}}", "{{% /examples %}}"]
      : [];
  const id = IMPORTED[name];
  const importing = id ? ["", "## Import", "", `\`\`\`sh\npulumi import ${nativeType(name)} ${id}\n\`\`\``] : [];
  return { ...resource, description: [resource.description, ...examples, ...importing].join("\n") };
}

function byToken(schemas: Readonly<Record<string, Schema>>): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [nativeType(name), schema]));
}

/**
 * The schema of the package, from which Pulumi generates the SDKs of all languages.
 * @param own the package's package.json
 * @param programs the examples of each resource
 */
export function packageSchema(own: Package, programs: Readonly<Record<string, Programs>> = {}): Schema {
  const configuration = configurationSchema();
  const { name, keywords, license, author } = own;
  const address = repositoryOf(own);
  const resources: Readonly<Record<string, Schema>> = {
    [vehicle.resource]: deviceResource(vehicle),
    [inverter.resource]: deviceResource(inverter),
    SiteSettings: SITE,
  };
  return {
    name: "solar-charging",
    // With them, `pulumi package add` of the file makes the same SDK as that of the plugin.
    ...pluginOf(own),
    displayName: "Solar Charging",
    description:
      "Settings of electric vehicles and solar inverters, so that solar-aware charging engages and stays engaged.",
    keywords: [...keywords, "category/infrastructure", "kind/native"],
    homepage: address,
    repository: address,
    logoUrl: `${address}/raw/main/docs/logo.svg`,
    publisher: author,
    license,
    config: { variables: configuration },
    provider: {
      description: "A provider for the device service. Its arguments win over the environment.",
      inputProperties: configuration,
    },
    types: byToken(typeSchemas()),
    resources: byToken(
      Object.fromEntries(
        Object.entries(resources).map(([resource, schema]) => [
          resource,
          withExamples(resource, schema, programs[resource]),
        ]),
      ),
    ),
    functions: byToken(functionSchemas()),
    // Each SDK asks for the plugin of its own version.
    language: {
      // Programs of `pulumi import` and `pulumi convert` import it. A path such as `${name}/native` is not a name for npm, so
      // `pulumi package add` would leave a package.json that npm refuses.
      nodejs: { packageName: `${name}-native`, respectSchemaVersion: true },
      python: { packageName: name.replaceAll("-", "_"), pyproject: { enabled: true }, respectSchemaVersion: true },
      // The path that `pulumi package add` prints. Without it, the SDK would be in another folder than programs import.
      go: { importBasePath: `${address.replace(/^https:\/\//, "")}/sdk/go/solarcharging`, respectSchemaVersion: true },
      csharp: { namespaces: { "solar-charging": "SolarCharging" }, respectSchemaVersion: true },
    },
  };
}
