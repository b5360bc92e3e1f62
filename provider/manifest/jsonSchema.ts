import { CARDINAL_NAMES, CONVENTIONS } from "../settings/azimuth";
import { ON_DELETE } from "../settings/declaration";
import { inverter } from "../settings/inverter";
import { LINT_NAMES } from "../settings/lints";
import { patternOf, unitsOf } from "../settings/quantity";
import { LATITUDE } from "../settings/schema";
import type { DeviceKind, NumberSetting, Setting } from "../settings/setting";
import { GROUP_NAMES, kindOf } from "../settings/site";
import { vehicle } from "../settings/vehicle";
import { LONGEST_NAME, MOST_SHARDS, NAME } from "./form";

type Schema = Readonly<Record<string, unknown>>;

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  maxCapacity: "Battery capacity.",
  maxChargePower: "Maximum charge power.",
  policy: "Charging policy. A vehicle that declares one keeps it, and is left out of the site's readiness.",
  peakPower: "Peak power of the panels.",
  azimuth:
    "Where the panels face: a compass bearing (0 north, 90 east), a point of the compass, or degrees in a named convention.",
  tilt: "How steep the panels stand, from horizontal.",
  cutInThreshold: "Power from which the inverter delivers.",
  baseLoad: "What the site uses all the time.",
};

const EXAMPLES: Readonly<Record<string, unknown[]>> = {
  maxCapacity: ["77 kWh"],
  maxChargePower: ["11 kW"],
  peakPower: ["9.8 kWp"],
  azimuth: ["S", 202.5, { degrees: -22.5, convention: "south-zero" }],
  tilt: [30],
  cutInThreshold: ["50 W"],
  baseLoad: ["300 W"],
};

const refTo = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

function object(properties: Schema, description: string, required: readonly string[] = []): Schema {
  return { type: "object", description, properties, required, additionalProperties: false };
}

const ID: Schema = { type: "string", minLength: 1, maxLength: 256 };

const BUSINESS: Schema = {
  ...ID,
  description:
    "The business of the devices. The device's wins over the site's, then the fleet's, then the configuration's.",
};

const IGNORE_LINTS: Schema = {
  type: "array",
  items: { enum: LINT_NAMES },
  description: "Lints that are switched off.",
};

function onDelete(choices: readonly string[]): Schema {
  return {
    enum: choices,
    default: "retain",
    description:
      "What a delete does to the device: nothing (retain), or it writes what was before (restore), or the service's defaults (reset).",
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

function settingSchema(key: string, setting: Setting): Schema {
  const fallback = setting.default === undefined ? "" : ` The service assumes ${setting.default} if nothing is known.`;
  if (setting.type === "choice") return { enum: setting.choices, description: `${DESCRIPTIONS[key]}${fallback}` };
  const { minimum, maximum, unit } = setting;
  const units = Object.keys(unitsOf(setting)).join(", ");
  const below = setting.below ? ` Has to be below ${setting.below}.` : "";
  const description = `${DESCRIPTIONS[key]} A number is in ${unit}, ${minimum} to ${maximum}; a text has its unit: ${units}.${below}${fallback}`;
  return { ...quantity(setting), description, examples: EXAMPLES[key] };
}

/** What can be declared of one device, or of all that do not declare it. */
function declarationsOf({ settings }: DeviceKind): Schema {
  const hasDefaults = Object.values(settings).every((setting) => setting.default !== undefined);
  return {
    ...Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, settingSchema(key, setting)])),
    onDelete: onDelete(hasDefaults ? ON_DELETE : ON_DELETE.filter((choice) => choice !== "reset")),
    ignoreLints: IGNORE_LINTS,
  };
}

function deviceSchema(kind: DeviceKind): Schema {
  const observe = { type: "boolean", description: "Whether the device is only read: something else manages it." };
  const ids = { deviceId: { ...ID, description: "The device at the service." }, businessId: BUSINESS, observe };
  const isObserved = { required: ["observe"], properties: { observe: { const: true } } };
  const declared = object({ ...ids, ...declarationsOf(kind) }, `One ${kind.name}.`, ["deviceId"]);
  const observed = object(ids, `A device that is only read.`, ["deviceId"]);
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: isObserved, then: observed, else: declared };
}

const SITE: Schema = object(
  {
    ...Object.fromEntries(
      GROUP_NAMES.map((group) => [
        group,
        {
          type: "object",
          description: `${group} by name, which stays if the device is swapped.`,
          additionalProperties: refTo(kindOf({ group }).name),
        },
      ]),
    ),
    latitude: {
      ...quantity(LATITUDE),
      description: "Where the site is, in degrees, north positive. With it, azimuths are checked.",
    },
    solar: {
      type: "boolean",
      description: "Whether the site is made ready for solar-aware charging. Default: whether it has inverters.",
    },
    requireReady: {
      type: "boolean",
      default: false,
      description: "Whether a site that lacks something is refused, in the preview already.",
    },
    businessId: BUSINESS,
    onDelete: onDelete(ON_DELETE),
    ignoreLints: IGNORE_LINTS,
    defaults: refTo("defaults"),
  },
  "One site: the arguments of a SiteSettings, and defaults for its devices.",
);

/** The form of a manifest as a JSON Schema, in the draft that editors know best. */
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
      defaults: object(defaults, "What holds for devices that do not say it themselves."),
    },
  };
}
