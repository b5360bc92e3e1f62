import { z } from "zod";
import { CARDINAL_NAMES, CONVENTIONS } from "../settings/azimuth";
import { ON_DELETE } from "../settings/declaration";
import { didYouMean, typeName } from "../settings/explain";
import { inverter } from "../settings/inverter";
import { LINT_NAMES } from "../settings/lints";
import { notANumber, patternOf, readQuantity, unitsOf } from "../settings/quantity";
import { choiceSchema, idSchema, LATITUDE } from "../settings/schema";
import type { DeviceKind, NumberSetting, Setting } from "../settings/setting";
import { vehicle } from "../settings/vehicle";

/** What a fleet or a site is called: also the name of a Pulumi project or resource. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Longest name, which Pulumi's backends take for a project (our choice for a site). */
const LONGEST_NAME = 100;

/** Most stacks of a fleet (our choice). */
const MOST_SHARDS = 10_000;

/** Keys that hold a secret, whatever they are called exactly. */
const SECRET = /token|secret|password|passphrase|authorization|credential|api_?key/i;

/** The words about a value of another type than the form has at its place. */
const expecting = (what: string) => ({
  error: ({ input }: { input?: unknown }) => {
    if (input === undefined) return "is required";
    return input === null
      ? "has no value: give one, or leave the key out"
      : `has to be ${what}, not ${typeName(input)}`;
  },
});

/** An id as the check takes it. */
const id = () => z.string(expecting("a text, in quotes where it looks like a number")).pipe(idSchema);

const nameSchema = (what: string) =>
  z
    .string(expecting("a text, in quotes where it looks like a number"))
    .regex(
      NAME,
      `has to be letters, digits, ".", "_" and "-", and to begin with a letter or digit, as it becomes the name of ${what}`,
    )
    .max(LONGEST_NAME, `must not be longer than ${LONGEST_NAME} characters`);

const flag = () => z.boolean(expecting("true or false"));

/** A number, or a text with a unit. Its range is for editors only here: `problemsOf` looks at it, and says more. */
function quantity(setting: NumberSetting) {
  const { minimum, maximum } = setting;
  const unread = { error: ({ input }: { input?: unknown }) => unreadable(setting, input) };
  const text = z.string().regex(new RegExp(patternOf(setting)), unread);
  const otherForms = setting.otherForms ? [z.enum(CARDINAL_NAMES), degreesSchema] : [];
  return z.union([z.number().meta({ minimum, maximum }), text, ...otherForms], unread);
}

const degreesSchema = z.strictObject({
  degrees: z.number(),
  convention: z.enum(Object.keys(CONVENTIONS) as [string, ...string[]]),
});

/** Why a value is neither a number nor something that can be read as one. */
function unreadable(setting: NumberSetting, input: unknown): string {
  const isQuantity = typeof input === "string" && (!setting.otherForms || /\d/.test(input));
  const reading = isQuantity ? readQuantity(setting, input) : setting.otherForms?.(input);
  return input !== null && reading && "problem" in reading ? reading.problem : notANumber(setting, input);
}

function settingSchema(key: string, setting: Setting) {
  const fallback =
    setting.default === undefined ? "" : ` The service assumes ${setting.default} where nothing is known.`;
  if (setting.type === "choice")
    return choiceSchema(setting.choices).meta({ description: `${DESCRIPTIONS[key]}${fallback}` });
  const { minimum, maximum, unit } = setting;
  const units = Object.keys(unitsOf(setting)).join(", ");
  const below = setting.below ? ` Has to be below ${setting.below}.` : "";
  const description = `${DESCRIPTIONS[key]} A number is in ${unit}, ${minimum} to ${maximum}; a text has its unit: ${units}.${below}${fallback}`;
  return quantity(setting).meta({ description, examples: EXAMPLES[key] ?? [] });
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  maxCapacity: "Battery capacity.",
  maxChargePower: "Maximum charge power.",
  policy: "Charging policy. A vehicle that gives one is left out of the site's readiness.",
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

/** What is declared of devices of a kind: of one, or of all that do not say it. */
function declarationsOf(kind: DeviceKind) {
  const choices = ON_DELETE.filter(
    (one) => one !== "reset" || Object.values(kind.settings).every((setting) => setting.default !== undefined),
  );
  return {
    ...Object.fromEntries(
      Object.entries(kind.settings).map(([key, setting]) => [key, settingSchema(key, setting).optional()]),
    ),
    onDelete: choiceSchema(ON_DELETE)
      .meta({
        enum: choices,
        default: "retain",
        description:
          "What a delete does to the device: leaves it (retain), writes back what was before (restore), or the service's defaults (reset).",
      })
      .optional(),
    ignoreLints: z
      .array(choiceSchema(LINT_NAMES), expecting("a list of names of lints"))
      .meta({ description: "Warnings that are not given." })
      .optional(),
  };
}

function deviceSchema(kind: DeviceKind) {
  const article = kind.name === "inverter" ? "an" : "a";
  const shape = {
    deviceId: id().meta({ description: "The device at the service." }),
    name: id()
      .meta({
        description:
          "What the resource is named by, within its site; the default is deviceId. It stays when the device is swapped.",
      })
      .optional(),
    businessId: BUSINESS.optional(),
    ...declarationsOf(kind),
  };
  return z.strictObject(shape, expecting(`${article} ${kind.name}: keys and values`)).meta({ id: kind.name });
}

const BUSINESS = id().meta({
  description: "The business that devices belong to; the nearest holds. The default is the configuration's.",
});

const DEFAULTS = z
  .strictObject(
    Object.fromEntries(
      [vehicle, inverter].map((kind) => [
        kind.name,
        z.strictObject(declarationsOf(kind), expecting("settings: keys and values")).optional(),
      ]),
    ),
    expecting("an object with vehicle and inverter"),
  )
  .meta({ id: "defaults", description: "What holds for devices that do not say it themselves." });

const SITE = z
  .strictObject(
    {
      id: nameSchema("resources").meta({ description: "What the site is called; no two sites share it." }),
      businessId: BUSINESS.optional(),
      latitude: quantity(LATITUDE)
        .meta({ description: "Where the site is, in degrees, north positive. With it, azimuths are looked at." })
        .optional(),
      solar: flag()
        .meta({
          description:
            "Whether the site is made ready for solar-aware charging. By default it is where it has inverters.",
        })
        .optional(),
      requireReady: flag()
        .meta({ default: false, description: "Whether a site that is not ready fails the preview." })
        .optional(),
      defaults: DEFAULTS.optional(),
      vehicles: z.array(deviceSchema(vehicle), expecting("a list of vehicles")).optional(),
      inverters: z.array(deviceSchema(inverter), expecting("a list of inverters")).optional(),
    },
    expecting("a site: keys and values"),
  )
  .meta({ id: "site" });

/** A manifest as a person writes it. */
export const manifestForm = z
  .strictObject(
    {
      $schema: z
        .string(expecting("a text"))
        .meta({ description: "For editors: where the schema of this file is." })
        .optional(),
      fleet: nameSchema("a Pulumi project").meta({ description: "What the fleet is called; also its Pulumi project." }),
      businessId: BUSINESS.optional(),
      shards: z
        .int({ error: ({ input }) => `has to be a whole number of stacks, not ${typeName(input)}` })
        .min(1, "has to be 1 or more")
        .max(MOST_SHARDS, `must not be more than ${MOST_SHARDS} (our choice)`)
        .meta({
          description:
            "How many stacks the fleet is split into. Default: as many as it has, and at first one for each 500 devices.",
        })
        .optional(),
      defaults: DEFAULTS.optional(),
      sites: z
        .array(SITE, expecting("a list of sites"))
        .meta({ description: "Places with devices; all devices of a site are in one stack." }),
    },
    expecting("a manifest: an object with fleet and sites"),
  )
  .meta({
    title: "Manifest of a fleet",
    description: "Vehicles and solar inverters, by site, whose settings are declared.",
  });

/** What is wrong with a key that the form does not have. */
export function notAKey(key: string, known: readonly string[]): string {
  return SECRET.test(key)
    ? "does not belong into a manifest, which holds no secrets: give the token in the environment, as SOLAR_CHARGING_ACCESS_TOKEN"
    : `is not a key that is known here${didYouMean(key, known)}`;
}
