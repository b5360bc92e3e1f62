import { CARDINAL_NAMES, CONVENTIONS } from "../settings/azimuth";
import { ON_DELETE } from "../settings/declaration";
import { ARGUMENTS, describe } from "../settings/describe";
import { inverter } from "../settings/inverter";
import { LINT_NAMES } from "../settings/lints";
import { FOLDED, MOST_PLANES, PLANES } from "../settings/planes";
import { patternOf } from "../settings/quantity";
import { LATITUDE } from "../settings/schema";
import { type DeviceKind, type NumberSetting, pick, type Setting } from "../settings/setting";
import { GROUP_NAMES, kindOf } from "../settings/site";
import { vehicle } from "../settings/vehicle";
import { LONGEST_NAME, MOST_SHARDS, NAME } from "./form";
import { DURATION, PERCENT } from "./rollout";

type Schema = Readonly<Record<string, unknown>>;

const refTo = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

function object(properties: Schema, description: string, required: readonly string[] = []): Schema {
  return { type: "object", description, properties, required, additionalProperties: false };
}

const ID: Schema = { type: "string", minLength: 1, maxLength: 256 };

const BUSINESS: Schema = {
  ...ID,
  description: `${ARGUMENTS.businessId} The device's wins over the site's, then the fleet's, then the configuration's.`,
};

const IGNORE_LINTS: Schema = {
  type: "array",
  items: { enum: LINT_NAMES },
  description: ARGUMENTS.ignoreLints,
};

function onDelete(choices: readonly string[]): Schema {
  return {
    enum: choices,
    default: "retain",
    description: ARGUMENTS.onDelete,
  };
}

/** A number in the unit of the setting, or a text with a unit. */
function quantity(setting: NumberSetting): Schema {
  const { minimum, maximum } = setting;
  const forms = [
    { type: "number", minimum, maximum },
    { type: "string", pattern: patternOf(setting) },
  ];
  const degrees = { degrees: { type: "number" }, convention: { enum: Object.keys(CONVENTIONS) } };
  const otherForms = [{ enum: CARDINAL_NAMES }, object(degrees, "Degrees in a convention.", Object.keys(degrees))];
  return { anyOf: setting.otherForms ? [...forms, ...otherForms] : forms };
}

function settingSchema(setting: Setting): Schema {
  const description = describe(setting);
  if (setting.type === "choice") return { enum: setting.choices, description };
  return { ...quantity(setting), description, examples: setting.examples };
}

const byKey = (settings: DeviceKind["settings"]) =>
  Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, settingSchema(setting)]));

const PLANES_SCHEMA: Schema = {
  ...{ type: "array", minItems: 1, maxItems: MOST_PLANES, description: PLANES },
  items: object(byKey(pick(inverter.settings, FOLDED)), "One plane of panels.", FOLDED),
  examples: [
    [
      { peakPower: "5 kWp", azimuth: "E", tilt: 30 },
      { peakPower: "5 kWp", azimuth: "W", tilt: 30 },
    ],
  ],
};

/** The declarations of one device, or the defaults of all. */
function declarationsOf({ name, settings }: DeviceKind): Schema {
  const hasDefaults = Object.values(settings).every((setting) => setting.default !== undefined);
  return {
    ...byKey(settings),
    ...(name === inverter.name && { planes: PLANES_SCHEMA }),
    onDelete: onDelete(hasDefaults ? ON_DELETE : ON_DELETE.filter((choice) => choice !== "reset")),
    ignoreLints: IGNORE_LINTS,
  };
}

function deviceSchema(kind: DeviceKind): Schema {
  const observe = { type: "boolean", description: ARGUMENTS.observe };
  const ids = { deviceId: { ...ID, description: ARGUMENTS.deviceId }, businessId: BUSINESS, observe };
  const isObserved = { required: ["observe"], properties: { observe: { const: true } } };
  const declared = object({ ...ids, ...declarationsOf(kind) }, `One ${kind.name}.`, ["deviceId"]);
  const observed = object(ids, `A device that is only read.`, ["deviceId"]);
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: isObserved, then: observed, else: declared };
}

const LABELS: Schema = { type: "array", minItems: 1, items: { type: "string", minLength: 1 } };
const SHARE: Schema = { type: "string", pattern: PERCENT.source, examples: ["10%"] };

const WAVE: Schema = {
  ...object(
    {
      sites: { ...LABELS, description: "Ids of the wave's sites." },
      labels: { ...LABELS, description: "The wave has the sites with one of these labels." },
      share: { ...SHARE, description: "The wave has sites with this share of the fleet's devices." },
      soak: {
        type: "string",
        pattern: DURATION.source,
        description: "How long to wait after the wave. Its devices are then read again.",
        examples: ["30m"],
      },
      maxFailures: { ...SHARE, description: "Share of the wave's devices that may fail. Default: --max-failures." },
    },
    "One wave. Sites that an earlier wave has are left out.",
  ),
  oneOf: ["sites", "labels", "share"].map((key) => ({ required: [key] })),
};

const ROLLOUT: Schema = object(
  {
    waves: {
      type: "array",
      minItems: 1,
      items: WAVE,
      description: "The waves in turn. Other sites follow in a last one.",
    },
  },
  "How fleet up goes through the sites. Default: one site, then 10% of the devices, then the rest.",
  ["waves"],
);

const SITE: Schema = object(
  {
    ...Object.fromEntries(
      GROUP_NAMES.map((group) => [
        group,
        {
          type: "object",
          description: ARGUMENTS[group],
          additionalProperties: refTo(kindOf({ group }).name),
        },
      ]),
    ),
    labels: { ...LABELS, description: "By which the waves of a rollout choose sites." },
    latitude: {
      ...quantity(LATITUDE),
      description: describe(LATITUDE),
    },
    solar: {
      type: "boolean",
      description: ARGUMENTS.solar,
    },
    requireReady: {
      type: "boolean",
      default: false,
      description: ARGUMENTS.requireReady,
    },
    businessId: BUSINESS,
    onDelete: onDelete(ON_DELETE),
    ignoreLints: IGNORE_LINTS,
    defaults: refTo("defaults"),
  },
  "One site: the arguments of a SiteSettings, and defaults for its devices.",
);

/** The form of a manifest as a JSON Schema, in the draft that editors support best. */
export function jsonSchemaOfManifests(): Schema {
  const properties = {
    $schema: { type: "string", description: "For editors: where the schema of this file is." },
    fleet: {
      type: "string",
      pattern: NAME.source,
      maxLength: LONGEST_NAME,
      description: "What the fleet is called; also its Pulumi project.",
    },
    businessId: BUSINESS,
    shards: {
      type: "integer",
      minimum: 1,
      maximum: MOST_SHARDS,
      description:
        "How many stacks the fleet is split into. Default: as many as it has, and at first one for each 1,000 devices.",
    },
    defaults: refTo("defaults"),
    rollout: refTo("rollout"),
    sites: {
      type: "object",
      description: "Sites by id; all devices of a site are in one stack.",
      propertyNames: { pattern: NAME.source, maxLength: LONGEST_NAME },
      additionalProperties: refTo("site"),
    },
  };
  const kinds = [vehicle, inverter];
  const defaults = Object.fromEntries(
    kinds.map((kind) => [kind.name, object(declarationsOf(kind), `Settings of each ${kind.name}.`)]),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Manifest of a fleet",
    ...object(properties, "Vehicles and solar inverters, by site, whose settings are declared.", ["fleet", "sites"]),
    definitions: {
      ...Object.fromEntries(kinds.map((kind) => [kind.name, deviceSchema(kind)])),
      site: SITE,
      rollout: ROLLOUT,
      defaults: object(defaults, "What holds for devices that do not say it themselves."),
    },
  };
}
