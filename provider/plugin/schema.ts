import { dynamicType, nativeType } from "../engine/tokens";
import { CONVENTIONS } from "../settings/azimuth";
import { ON_DELETE } from "../settings/declaration";
import { ARGUMENTS, describe } from "../settings/describe";
import { inverter } from "../settings/inverter";
import { LATITUDE } from "../settings/schema";
import type { DeviceKind, Setting } from "../settings/setting";
import { ChargePolicy, vehicle } from "../settings/vehicle";
import { configurationSchema } from "./schemaConfiguration";
import { functionSchemas, type Schema } from "./schemaFunctions";

const TEXT = { type: "string" };
const NUMBER = { type: "number" };
const FLAG = { type: "boolean" };
const TEXTS = { type: "array", items: TEXT };

const typeRef = (name: string) => ({ $ref: `#/types/${nativeType(name)}` });

function object(properties: Schema, description: string, required: readonly string[] = []): Schema {
  return { type: "object", description, properties, ...(required.length > 0 && { required }) };
}

/** What a program may give as a setting. */
function argument(setting: Setting): Schema {
  const description = describe(setting);
  if (setting.type === "choice") return { ...typeRef("ChargePolicy"), description };
  return { oneOf: [NUMBER, TEXT, ...(setting.otherForms ? [typeRef("AzimuthInDegrees")] : [])], description };
}

/** A setting as state and the service have it. */
function value(setting: Setting): Schema {
  return { ...(setting.type === "number" ? NUMBER : TEXT), description: setting.description };
}

function settingsOf({ settings }: DeviceKind, schemaOf: (setting: Setting) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, schemaOf(setting)]));
}

const IDS = {
  deviceId: { ...TEXT, description: ARGUMENTS.deviceId, replaceOnChanges: true },
  businessId: { ...TEXT, description: `${ARGUMENTS.businessId} Default: the configured one.`, replaceOnChanges: true },
};
const ON_DELETE_ARGUMENT = { ...typeRef("OnDelete"), description: `${ARGUMENTS.onDelete} Default: retain.` };
const IGNORE_LINTS = { ...TEXTS, description: `${ARGUMENTS.ignoreLints} Default: none.` };
const LATITUDE_ARGUMENT = { oneOf: [NUMBER, TEXT], description: describe(LATITUDE) };

const named = ({ name }: DeviceKind) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

function deviceResource(kind: DeviceKind): Schema {
  const reported = typeRef(`Reported${named(kind)}Settings`);
  const latitude = kind.name === "inverter" ? { latitude: LATITUDE_ARGUMENT } : {};
  return {
    description: `The settings of one ${kind.name}. A setting that is not declared is never changed. For a whole site, see SiteSettings.`,
    aliases: [{ type: dynamicType(kind.resource) }],
    inputProperties: {
      ...IDS,
      ...settingsOf(kind, argument),
      ...latitude,
      onDelete: ON_DELETE_ARGUMENT,
      ignoreLints: IGNORE_LINTS,
    },
    requiredInputs: ["deviceId"],
    properties: {
      ...IDS,
      ...settingsOf(kind, value),
      onDelete: { ...TEXT, description: ARGUMENTS.onDelete },
      reported: { ...reported, description: "The settings that the cached read showed last, declared or not." },
      baseline: {
        ...reported,
        description: "What the declared settings were before this stack first wrote them, if the service reported it.",
      },
      written: { ...reported, description: "The last value that we wrote, if somebody has changed it since." },
      attempted: {
        type: "object",
        additionalProperties: { type: "array", items: { $ref: "pulumi.json#/Any" } },
        description:
          "What updates of unknown outcome sent, for settings of which the service has accepted nothing since.",
      },
      verification: {
        type: "object",
        additionalProperties: TEXT,
        description: "How each declared setting reads back: verified, pending, adjusted or notReported.",
      },
    },
    required: ["deviceId", "businessId", "reported"],
  };
}

/** A device of a site: its settings, or `observe: true`. */
function siteDevice(kind: DeviceKind): Schema {
  const { replaceOnChanges: _, ...deviceId } = IDS.deviceId;
  const properties = {
    deviceId,
    businessId: { ...TEXT, description: `${ARGUMENTS.businessId} Default: the site's.` },
    observe: { ...FLAG, description: ARGUMENTS.observe },
    ...settingsOf(kind, argument),
    onDelete: ON_DELETE_ARGUMENT,
    ignoreLints: IGNORE_LINTS,
  };
  return object(properties, `One ${kind.name} of a site.`, ["deviceId"]);
}

const DEVICES_BY_NAME = (kind: DeviceKind, description: string) => ({
  type: "object",
  additionalProperties: typeRef(`Site${named(kind)}`),
  description: `The site's ${description}`,
});

const SITE: Schema = {
  description:
    "The settings of all devices of one site, which makes it ready for solar-aware charging: inverters first, then " +
    "vehicles, each with the policy CHARGE BY FORECAST if nothing that it needs is missing.",
  aliases: [{ type: dynamicType("SiteSettings") }],
  inputProperties: {
    vehicles: DEVICES_BY_NAME(vehicle, ARGUMENTS.vehicles),
    inverters: DEVICES_BY_NAME(inverter, ARGUMENTS.inverters),
    latitude: LATITUDE_ARGUMENT,
    solar: { ...FLAG, description: ARGUMENTS.solar },
    requireReady: { ...FLAG, description: `${ARGUMENTS.requireReady} Default: false.` },
    businessId: { ...TEXT, description: `${ARGUMENTS.businessId} Default: the configured one.` },
    onDelete: ON_DELETE_ARGUMENT,
    ignoreLints: IGNORE_LINTS,
  },
  properties: {
    ready: {
      ...FLAG,
      description: "Whether nothing is missing: all that a solar-aware site needs is declared and accepted.",
    },
    gaps: { type: "array", items: typeRef("Gap"), description: "What is missing, by device and setting." },
    missing: { ...TEXTS, description: "The gaps in words, such as `vehicle/van: maxCapacity is not declared`." },
    unverified: { ...TEXTS, description: "What was accepted and is not seen." },
    devices: {
      type: "object",
      additionalProperties: { $ref: "pulumi.json#/Any" },
      description: "What is kept of each device, by `vehicle/<name>` or `inverter/<name>`.",
    },
  },
  required: ["ready", "gaps", "missing", "unverified", "devices"],
};

function enumeration(description: string, values: Readonly<Record<string, string>>): Schema {
  return { ...TEXT, description, enum: Object.entries(values).map(([name, one]) => ({ name, value: one })) };
}

const capitalized = (text: string) =>
  text
    .split("-")
    .map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}`)
    .join("");
const byName = (values: readonly string[]) => Object.fromEntries(values.map((one) => [capitalized(one), one]));

function typeSchemas(): Schema {
  const kinds = [vehicle, inverter];
  const degrees = { degrees: NUMBER, convention: typeRef("AzimuthConvention") };
  const gap = { device: TEXT, setting: TEXT, reason: TEXT };
  const types: Record<string, Schema> = {
    ChargePolicy: enumeration("Charging policy of a vehicle.", ChargePolicy),
    OnDelete: enumeration("What happens to a device when its resource is deleted.", byName(ON_DELETE)),
    AzimuthConvention: enumeration("How an azimuth is counted.", byName(Object.keys(CONVENTIONS))),
    AzimuthInDegrees: object(degrees, "Degrees in a named convention.", Object.keys(degrees)),
    Gap: object(gap, "One thing that keeps a site from being ready for solar-aware charging.", Object.keys(gap)),
    ...Object.fromEntries(kinds.map((kind) => [`Site${named(kind)}`, siteDevice(kind)])),
    ...Object.fromEntries(
      kinds.map((kind) => [
        `Reported${named(kind)}Settings`,
        object(settingsOf(kind, value), `Values of a ${kind.name} that the service reports.`),
      ]),
    ),
  };
  return byToken(types);
}

function byToken(schemas: Readonly<Record<string, Schema>>): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [nativeType(name), schema]));
}

/** The package as Pulumi knows it, in every language: made from the table of settings. */
export function packageSchema(): Schema {
  const configuration = configurationSchema();
  return {
    name: "solar-charging",
    displayName: "Solar Charging",
    description:
      "Settings of electric vehicles and solar inverters, so that solar-aware charging engages and stays engaged.",
    keywords: ["pulumi", "ev-charging", "solar", "inverter", "category/infrastructure", "kind/native"],
    license: "Apache-2.0",
    config: { variables: configuration },
    provider: {
      description: "A provider of the device service. What it is given wins over the environment.",
      inputProperties: configuration,
    },
    types: typeSchemas(),
    resources: byToken({
      [vehicle.resource]: deviceResource(vehicle),
      [inverter.resource]: deviceResource(inverter),
      SiteSettings: SITE,
    }),
    functions: byToken(functionSchemas()),
    // Each SDK asks for the plugin of its own version.
    language: {
      // What `pulumi import` writes for TypeScript is then a program that runs with the npm package.
      nodejs: { packageName: "pulumi-solar-charging/native", respectSchemaVersion: true },
      python: { packageName: "pulumi_solar_charging", pyproject: { enabled: true }, respectSchemaVersion: true },
      // As Pulumi names an SDK that nobody publishes. Without it, the SDK would be in another folder than programs import.
      go: { importBasePath: "example.com/pulumi-solar-charging/sdk/go/solar-charging", respectSchemaVersion: true },
      csharp: { namespaces: { "solar-charging": "SolarCharging" }, respectSchemaVersion: true },
    },
  };
}
