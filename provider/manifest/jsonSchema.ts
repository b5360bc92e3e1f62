import { CARDINAL_NAMES, CONVENTIONS } from "../settings/azimuth";
import { ON_DELETE, ON_DRIFT } from "../settings/declaration";
import { ARGUMENTS, describe } from "../settings/describe";
import { GROUP_NAMES, kindOf } from "../settings/groups";
import { inverter } from "../settings/inverter";
import { LINT_NAMES } from "../settings/lints";
import { FOLDED, MOST_PLANES, PLANES } from "../settings/planes";
import { patternOf } from "../settings/quantity";
import { LATITUDE } from "../settings/schema";
import { type DeviceKind, type NumberSetting, pick, type Setting } from "../settings/setting";
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
  description: `${ARGUMENTS.businessId} A device's own wins over the site's, the fleet's and the configured one, in this order.`,
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

const DRIFT_ANSWER: Schema = { enum: ON_DRIFT };

function onDrift(settings: readonly string[]): Schema {
  const bySetting = Object.fromEntries(settings.map((key) => [key, DRIFT_ANSWER]));
  return {
    anyOf: [DRIFT_ANSWER, object(bySetting, "The answer by setting.")],
    default: "repair",
    description: ARGUMENTS.onDrift,
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
  const otherForms = [
    { enum: CARDINAL_NAMES },
    object(degrees, "Degrees, and the convention in which they are counted.", Object.keys(degrees)),
  ];
  return { anyOf: setting.otherForms ? [...forms, ...otherForms] : forms };
}

function settingSchema(setting: Setting): Schema {
  const description = describe(setting);
  if (setting.type === "choice") return { enum: Object.keys(setting.choices), description };
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
    onDrift: onDrift(Object.keys(settings)),
    ignoreLints: IGNORE_LINTS,
  };
}

function deviceSchema(kind: DeviceKind): Schema {
  const observe = { type: "boolean", description: ARGUMENTS.observe };
  const ids = { deviceId: { ...ID, description: ARGUMENTS.deviceId }, businessId: BUSINESS, observe };
  const isObserved = { required: ["observe"], properties: { observe: { const: true } } };
  const declared = object({ ...ids, ...declarationsOf(kind) }, `One ${kind.name}.`, ["deviceId"]);
  const observed = object(ids, "A device that is only read, never updated.", ["deviceId"]);
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: isObserved, then: observed, else: declared };
}

const LABELS: Schema = { type: "array", minItems: 1, items: { type: "string", minLength: 1 } };
const SHARE: Schema = { type: "string", pattern: PERCENT.source, examples: ["10%"] };

const WAVE: Schema = {
  ...object(
    {
      sites: { ...LABELS, description: "Ids of the sites of the wave." },
      labels: { ...LABELS, description: "Labels: the wave has every site with one of them." },
      share: {
        ...SHARE,
        description: "Share of the fleet's devices in the wave, such as 10%. Whole sites are chosen.",
      },
      soak: {
        type: "string",
        pattern: DURATION.source,
        description: "Time to wait after the wave, such as 30m. Its devices are then read again.",
        examples: ["30m"],
      },
      maxFailures: { ...SHARE, description: "Share of the wave's devices that may fail. Default: --max-failures." },
    },
    "One wave of sites. It skips the sites of earlier waves.",
  ),
  oneOf: ["sites", "labels", "share"].map((key) => ({ required: [key] })),
};

const ROLLOUT: Schema = object(
  {
    waves: {
      type: "array",
      minItems: 1,
      items: WAVE,
      description: "The waves, in order. All other sites follow in a last wave.",
    },
  },
  "The order in which 'fleet up' applies the sites. Default: one site, then 10% of the devices, then the rest.",
  ["waves"],
);

const SITE_DEFAULTS = {
  latitude: { ...quantity(LATITUDE), description: describe(LATITUDE) },
  solar: { type: "boolean", description: ARGUMENTS.solar },
};

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
    title: {
      ...ID,
      description: "Name of the site for people, such as Bad Homburg. Status, report and review show it.",
    },
    labels: { ...LABELS, description: "Labels of the site. A wave can choose sites by them." },
    ...SITE_DEFAULTS,
    requireReady: {
      type: "boolean",
      default: false,
      description: ARGUMENTS.requireReady,
    },
    businessId: BUSINESS,
    onDelete: onDelete(ON_DELETE),
    onDrift: onDrift([vehicle, inverter].flatMap(({ settings }) => Object.keys(settings))),
    ignoreLints: IGNORE_LINTS,
    defaults: refTo("defaults"),
  },
  "One site: the arguments of a SiteSettings, and defaults for its devices.",
);

/** The form of a manifest as a JSON Schema, in the draft that editors support best. */
export function jsonSchemaOfManifests(): Schema {
  const kinds = [vehicle, inverter];
  const defaults = Object.fromEntries(
    kinds.map((kind) => [kind.name, object(declarationsOf(kind), `Default settings of every ${kind.name}.`)]),
  );
  const properties = {
    $schema: { type: "string", description: "Address of the schema of this file, for editors." },
    fleet: {
      type: "string",
      pattern: NAME.source,
      maxLength: LONGEST_NAME,
      description: "Name of the fleet and of its Pulumi project.",
    },
    businessId: BUSINESS,
    shards: {
      type: "integer",
      minimum: 1,
      maximum: MOST_SHARDS,
      description:
        "Number of stacks of the fleet. Default: the present number; for a new fleet, one for each 1,000 devices.",
    },
    defaults: object(
      { ...defaults, ...SITE_DEFAULTS },
      "Settings for sites and devices that do not declare their own.",
    ),
    rollout: refTo("rollout"),
    sites: {
      type: "object",
      description: "Sites by id. All devices of a site are in one stack.",
      propertyNames: { pattern: NAME.source, maxLength: LONGEST_NAME },
      additionalProperties: refTo("site"),
    },
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Manifest of a fleet",
    ...object(properties, "The settings of vehicles and solar inverters, by site.", ["fleet", "sites"]),
    definitions: {
      ...Object.fromEntries(kinds.map((kind) => [kind.name, deviceSchema(kind)])),
      site: SITE,
      rollout: ROLLOUT,
      defaults: object(defaults, "Settings for devices that do not declare their own."),
    },
  };
}
