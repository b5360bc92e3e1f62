import { z } from "zod";
import { LINT_CODES } from "../messages/codes";
import { PLANE_EXAMPLE, PLANES_EXAMPLE } from "./azimuth";
import { DELETE_EFFECTS, DRIFT_EFFECTS, type DriftAnswers } from "./declaration";
import {
  choicesText,
  didYouMean,
  emptyList,
  listed,
  notAChoice,
  notAList,
  notOneOf,
  outOfRange,
  tooLong,
  typeName,
} from "./explain";
import { kindWith, notAKey, oneOf } from "./keys";
import type { LintName } from "./lints";
import { isObject, omit, type Properties } from "./objects";
import { declaredValues, FOLDED, MOST_PLANES } from "./planes";
import { notANumber, readNumber } from "./quantity";
import {
  type Choices,
  type DeviceKind,
  keysOf,
  LONGEST_TEXT,
  type NumberSetting,
  type Setting,
  type Value,
  type Values,
} from "./setting";
import { quantityText, tidy } from "./units";

/** One problem, and its property. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
  /** Whether the value of the property may not be shown. */
  readonly isSecret?: true;
}

/**
 * Characters that are invisible, or reverse the text around them. With U+202E, "car-\u202e1-nav" is shown as
 * "car-van-1". Some HTTP clients remove control characters, so the id of one device could become that of another one.
 */
const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The problem of the characters of an id or a name; undefined if they are valid. */
export function characterProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return "must not contain broken characters, such as half of an emoji: write it again";
  const [invisible] = INVISIBLE_CHARACTER.exec(text) ?? [];
  if (invisible === undefined) return undefined;
  const code = (invisible.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return `must not contain invisible characters, such as the U+${code} in it`;
}

/** The schema of an id. It can be percent-encoded into a path. */
export const idSchema = z
  .string({
    error: ({ input }) => {
      // YAML reads an id of digits alone as a number.
      const advice = typeof input === "number" ? " (put it in quotes)" : "";
      return input === undefined
        ? "is required: the id at the service"
        : `must be a text, not ${typeName(input)}${advice}`;
    },
  })
  .min(1, "must not be empty")
  .max(LONGEST_TEXT, { error: ({ input }) => tooLong(input), abort: true })
  .refine((id) => id === id.trim(), "must not begin or end with white space")
  .superRefine((id, context) => {
    const problem = characterProblem(id);
    if (problem) context.addIssue(problem);
  })
  .refine((id) => id !== "." && id !== "..", "must not be '.' or '..', because a URL drops these");

/** The latitude of a site, as a setting for `readNumber`. It is never sent. */
export const LATITUDE: NumberSetting = {
  type: "number",
  wireName: "latitude",
  description: "Latitude, north positive. It is not sent; the provider checks azimuths and fits planes with it.",
  examples: [48.1],
  unit: "degrees",
  minimum: -90,
  maximum: 90,
  explain: (latitude) => {
    const tenth = latitude / 10;
    // Smaller ones may be of a longitude.
    return Math.abs(tenth) > 18 && Math.abs(tenth) <= 90 ? `did you mean ${tidy(tenth)}?` : "south is negative";
  },
  source: "by definition",
};

/** The inputs. A latitude that is given as a text, such as `"48.1°"`, becomes a number. */
export function readLatitude(inputs: Properties): Record<string, unknown> {
  const reading = readNumber(LATITUDE, inputs.latitude);
  return { ...inputs, ...(reading && "value" in reading && { latitude: reading.value }) };
}

/** The schema of a latitude, in degrees, north positive. */
export const latitudeSchema = numberSchema(LATITUDE);

/**
 * The problems of the inputs of a resource of this kind, each on its property; empty if there are none.
 * @param inputs from `normalize`: values in other forms are refused here
 * @param unknownKeys keys with unknown values, which pass
 * @param allowed the keys to suggest
 */
export function problemsOf(
  kind: DeviceKind,
  inputs: Properties,
  unknownKeys: ReadonlySet<string>,
  allowed: readonly string[] = keysOfDevice(kind),
): Problem[] {
  const issues = schemaOf(kind).safeParse(inputs).error?.issues ?? [];
  const ofKnown = issues.filter(({ path: [key] }) => !unknownKeys.has(String(key)));
  const problems = firstOfEach(ofKnown).flatMap((issue) => problemsOfIssue(kind, inputs, issue, allowed));
  return [
    ...problems,
    ...(problems.length > 0 ? [] : foldProblems(kind, inputs)),
    ...relationProblems(kind, declaredValues(kind, inputs, inputs.latitude)),
    ...resetProblems(kind, inputs.onDelete),
  ];
}

// Cached, because building a schema costs ten times as much as using it, and a fleet checks thousands of resources.
const schemas = new WeakMap<DeviceKind, z.ZodObject<Record<string, z.ZodType>>>();

function schemaOf(kind: DeviceKind): z.ZodObject<Record<string, z.ZodType>> {
  const schema =
    schemas.get(kind) ??
    z.strictObject({
      deviceId: idSchema,
      businessId: idSchema,
      ...Object.fromEntries(keysOf(kind).map((key) => [key, valueSchema(kind.settings[key] as Setting).optional()])),
      ...("azimuth" in kind.settings && {
        planes: planesSchema(kind.settings).optional(),
        latitude: latitudeSchema.optional(),
      }),
      onDelete: deleteSchema.optional(),
      onDrift: driftSchema(keysOf(kind)).optional(),
      ignoreLints: lintNamesSchema().optional(),
    });
  schemas.set(kind, schema);
  return schema;
}

/** The keys that a device of this kind can have. */
export function keysOfDevice(kind: DeviceKind): string[] {
  return Object.keys(schemaOf(kind).shape);
}

function valueSchema(setting: Setting): z.ZodType<Value> {
  return setting.type === "choice"
    ? choiceSchema(setting.choices, "the service documents no others")
    : numberSchema(setting);
}

function numberSchema(setting: NumberSetting): z.ZodType<number> {
  return z.number({ error: ({ input }) => unreadable(setting, input) }).superRefine((value, context) => {
    const problem = outOfRange(setting, value);
    if (problem) context.addIssue(problem);
  });
}

/** The schema of planes. Each needs all three settings, because two mean nothing without the third. */
function planesSchema(settings: DeviceKind["settings"]): z.ZodType {
  const plane = FOLDED.map((key) => [key, valueSchema(settings[key] as Setting)]);
  return z
    .array(
      z.strictObject(Object.fromEntries(plane), {
        error: ({ input }) => `must be of the form ${PLANE_EXAMPLE}, not ${typeName(input)}`,
      }),
      {
        error: ({ input }) => `must be a list such as ${PLANES_EXAMPLE}, not ${typeName(input)}`,
      },
    )
    .min(1, emptyList("planes"))
    .max(MOST_PLANES, `must have at most ${MOST_PLANES} planes (a limit of the provider)`);
}

function unreadable(setting: NumberSetting, input: unknown): string {
  if (input === undefined) return `is required: each plane needs ${listed(FOLDED)}`;
  const reading = typeof input === "number" ? undefined : readNumber(setting, input);
  return reading && "problem" in reading ? reading.problem : notANumber(setting, input);
}

/**
 * The schema of a choice.
 * @param remark see `notAChoice`
 */
function choiceSchema<C extends string>(choices: Choices<C>, remark?: string): z.ZodType<C> {
  const texts = Object.keys(choices) as [C, ...C[]];
  return z.enum(texts, { error: ({ input }) => notAChoice(choices, input, remark) });
}

/** The schema of `onDelete`. */
export const deleteSchema = choiceSchema(DELETE_EFFECTS, "none of them deletes the device itself");

/** The schema of a flag. */
export function flagSchema(choices: Choices<"true" | "false">): z.ZodType<boolean> {
  return z.boolean({
    error: ({ input }) =>
      typeof input === "string" && Object.hasOwn(choices, input)
        ? `must be ${input} without quotes`
        : notAChoice(choices, input),
  });
}

const DRIFT_ANSWER = choiceSchema(DRIFT_EFFECTS);

/** The schema of `onDrift`: one choice for all settings, or one for each setting. */
export function driftSchema(settings: readonly string[]): z.ZodType<DriftAnswers> {
  return z.custom<DriftAnswers>().superRefine((input, context) => {
    const problem = isObject(input) ? driftProblem(input, settings) : problemOfChoice(input);
    if (problem) context.addIssue(problem);
  });
}

function driftProblem(bySetting: Properties, settings: readonly string[]): string | undefined {
  const unknown = Object.keys(bySetting).find((key) => !settings.includes(key));
  if (unknown !== undefined) {
    const meant = didYouMean(unknown, settings);
    const owner = kindWith(unknown);
    const of = owner ? `, which is a setting of ${oneOf(owner)}: declare it there` : "";
    return meant ? `has no setting '${unknown}'${meant}` : `can have only ${listed(settings)}, not ${unknown}${of}`;
  }
  const [key, answer] = Object.entries(bySetting).find(([, one]) => problemOfChoice(one)) ?? [];
  return key === undefined ? undefined : `has for ${key} a value that ${problemOfChoice(answer)}`;
}

function problemOfChoice(answer: unknown): string | undefined {
  return DRIFT_ANSWER.safeParse(answer).error?.issues[0]?.message;
}

/** The schema of `ignoreLints`. */
export function lintNamesSchema(): z.ZodType<LintName[]> {
  const list = ({ input }: { readonly input?: unknown }) => notAList("names of warnings", input);
  const name = ({ input }: { readonly input?: unknown }) =>
    notOneOf(LINT_CODES, input, "names of warnings, such as flat-tilt");
  return z.array(z.enum(LINT_CODES, { error: name }), { error: list });
}

/** The first issue of each property: later ones often follow from it. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.filter(
    ({ path }, index) => issues.findIndex((other) => propertyOf(other.path) === propertyOf(path)) === index,
  );
}

/**
 * The property of an issue, in the engine's notation: `azimuth`, `planes[0].tilt`. Other lists count as one property.
 */
function propertyOf([first, index, key]: z.core.$ZodIssue["path"]): string {
  if (first !== "planes" || index === undefined) return String(first);
  return `planes[${String(index)}]${key === undefined ? "" : `.${String(key)}`}`;
}

/** Keys that a device can get from its site or the configuration, so that the program may not declare them itself. */
const INHERITED = ["businessId", "onDelete", "latitude"];

function problemsOfIssue(
  kind: DeviceKind,
  inputs: Properties,
  issue: z.core.$ZodIssue,
  allowed: readonly string[],
): Problem[] {
  if (issue.code !== "unrecognized_keys") return [{ property: propertyOf(issue.path), reason: issue.message }];
  if (issue.path.length > 0) {
    const plane = (inputs.planes as readonly Properties[])[Number(issue.path[1])] as Properties;
    return issue.keys.map((key) => ({
      property: propertyOf([...issue.path, key]),
      reason: notAKey(key, "a plane", FOLDED, plane),
    }));
  }
  const own = omit<unknown>(inputs, INHERITED);
  return issue.keys.map((key) => ({ property: key, reason: notAKey(key, oneOf(kind), allowed, own) }));
}

/** The problems of planes as a whole. */
function foldProblems(kind: DeviceKind, inputs: Properties): Problem[] {
  if (inputs.planes === undefined) return [];
  const twice = FOLDED.filter((key) => inputs[key] !== undefined);
  if (twice.length > 0) {
    return [
      {
        property: "planes",
        reason: `already contain ${listed(twice)}: declare planes or these settings, not both. If the program declares only one of them, ignoreChanges brings back the other: remove it for one update`,
      },
    ];
  }
  // The azimuth and the tilt of a plane are always in their ranges.
  const { peakPower } = declaredValues(kind, inputs, inputs.latitude);
  const setting = kind.settings.peakPower as NumberSetting;
  if (typeof peakPower !== "number" || outOfRange(setting, peakPower) === undefined) return [];
  const { unit, minimum, maximum } = setting;
  const [is, least, most] = [peakPower, minimum, maximum].map((number) => quantityText(unit, number));
  const reason = `cannot be sent as one plane, because its peakPower would be ${is}, which is not between ${least} and ${most}. Divide the planes among several inverters, if the service has them`;
  return [{ property: "planes", reason }];
}

function relationProblems(kind: DeviceKind, values: Values): Problem[] {
  return Object.entries(kind.settings).flatMap(([key, setting]) => {
    if (setting.type !== "number" || !setting.below) return [];
    const [value, limit] = [values[key], values[setting.below]];
    if (typeof value !== "number" || typeof limit !== "number" || value < limit) return [];
    // The limit itself is the mistake, such as a peak power of 9.8 W.
    if (outOfRange(kind.settings[setting.below] as NumberSetting, limit) !== undefined) return [];
    const [is, top] = [value, limit].map((number) => quantityText(setting.unit, number, [value, limit]));
    const reason = `must be below ${setting.below} (${top}), not ${is}: correct one of them`;
    return [{ property: key, reason }];
  });
}

function resetProblems(kind: DeviceKind, onDelete: unknown): Problem[] {
  const hasDefaults = Object.values(kind.settings).every((setting) => setting.default !== undefined);
  if (onDelete !== "reset" || hasDefaults) return [];
  const others = choicesText(omit(DELETE_EFFECTS, [onDelete]));
  const reason = `must be ${others} for ${oneOf(kind)}: the service documents no defaults that reset could write`;
  return [{ property: "onDelete", reason }];
}
