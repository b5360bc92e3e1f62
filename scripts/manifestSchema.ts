import { LONGEST_NAME, MOST_SHARDS, NAME } from "../provider/manifest/form";
import { DURATION, PERCENT } from "../provider/manifest/rollout";
import { CARDINAL_NAMES } from "../provider/settings/azimuth";
import { inverter } from "../provider/settings/inverter";
import { MOST_PLANES } from "../provider/settings/planes";
import { isFixed, type Measure, unitsOf } from "../provider/settings/quantity";
import { LATITUDE } from "../provider/settings/schema";
import type { Setting } from "../provider/settings/setting";
import { vehicle } from "../provider/settings/vehicle";
import type { Dialect, PublishedTypes, Schema } from "./published";

const ID = { minLength: 1, maxLength: 256 };
const LIST = { minItems: 1 };
const SETTINGS: Readonly<Record<string, Setting>> = { ...vehicle.settings, ...inverter.settings, latitude: LATITUDE };

/** What a type does not show, by property. */
const MORE: Readonly<Record<string, Schema>> = {
  fleet: { pattern: NAME.source, maxLength: LONGEST_NAME },
  shards: { type: "integer", minimum: 1, maximum: MOST_SHARDS },
  sites: { propertyNames: { pattern: NAME.source, maxLength: LONGEST_NAME } },
  deviceId: ID,
  businessId: ID,
  title: ID,
  planes: { minItems: 1, maxItems: MOST_PLANES },
  waves: LIST,
  labels: LIST,
  share: { pattern: PERCENT.source },
  maxFailures: { pattern: PERCENT.source },
  soak: { pattern: DURATION.source },
};

const MANIFEST: Dialect = {
  named: () => undefined,
  object: { additionalProperties: false },
  union: (all) => ({ anyOf: all }),
  choice: (values) => ({ enum: values }),
  refined(schema, property) {
    const setting = SETTINGS[property];
    if (setting) return { ...withRange(schema, setting), ...(setting.examples && { examples: setting.examples }) };
    // A list of sites in a wave has texts, and the sites of a fleet are by id.
    return { ...schema, ...(property === "sites" && schema.type === "array" ? LIST : MORE[property]) };
  },
};

/** The schema of a setting, with its range, and the units of its texts. */
function withRange({ type: _, anyOf, ...schema }: Schema, setting: Setting): Schema {
  if (setting.type === "choice") return { ...schema };
  const { minimum, maximum, otherForms } = setting;
  const objects = (anyOf as readonly Schema[]).filter((one) => one.type === "object");
  return {
    ...schema,
    anyOf: [
      { type: "number", minimum, maximum },
      { type: "string", pattern: patternOf(setting) },
      ...(otherForms ? [{ enum: CARDINAL_NAMES }] : []),
      ...objects,
    ],
  };
}

/** A pattern for the texts that the provider accepts as a quantity. It uses no flags, because editors use it too. */
export function patternOf(measure: Measure): string {
  const spellings = Object.keys(unitsOf(measure)).map((unit) =>
    [...unit].map((letter) => (isFixed(letter) ? letter : `[${letter.toLowerCase()}${letter.toUpperCase()}]`)).join(""),
  );
  return `^[+-]?([0-9]+(\\.[0-9]+)?|\\.[0-9]+)\\s*(${spellings.join("|")})$`;
}

/** The JSON Schema of a fleet's file. */
export function manifestSchema(types: PublishedTypes): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Manifest of a fleet",
    ...types.schemaOf("manifest", MANIFEST),
    description: "The settings of vehicles and solar inverters, by site.",
  };
}
