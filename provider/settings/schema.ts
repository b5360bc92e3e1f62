import { z } from "zod";
import { ON_DELETE } from "./declaration";
import { didYouMean, notOneOf, outOfRange, typeName } from "./explain";
import { LINT_NAMES } from "./lints";
import { notANumber, readNumber } from "./quantity";
import { type DeviceKind, keysOf, type NumberSetting, type Setting, type Value } from "./setting";

/** One thing that is wrong, on the property that it is wrong with. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
  /** Whether the value of the property may not be shown. */
  readonly isSecret?: true;
}

/** Longest id that is sent, in characters (our choice: the service documents no limit). */
const LONGEST_ID = 256;

/** An HTTP client strips some of them, and "a\nb" would become another device. */
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Characters that show nothing, or turn the text around them: with U+202E, "car-\u202e1-nav" is shown as "car-van-1". */
const INVISIBLE_CHARACTER = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The problem of the characters of an id or a name; undefined if there is none. */
export function characterProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode";
  if (CONTROL_CHARACTER.test(text)) return "must not contain control characters";
  const [invisible] = INVISIBLE_CHARACTER.exec(text) ?? [];
  if (invisible === undefined) return undefined;
  const code = (invisible.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return `must not contain invisible characters, such as the U+${code} in it`;
}

/** An id as it goes, percent-encoded, into a path. */
export const idSchema = z
  .string({
    error: ({ input }) => (input === undefined ? "is required" : notAnId(input)),
  })
  .min(1, "must not be empty")
  .max(LONGEST_ID, `must not be longer than ${LONGEST_ID} characters`)
  .refine((id) => id === id.trim(), "must not begin or end with white space")
  .superRefine((id, context) => {
    const problem = characterProblem(id);
    if (problem) context.addIssue(problem);
  })
  .refine((id) => id !== "." && id !== "..", "must not be '.' or '..', which a URL path cannot carry");

/** YAML takes an id of digits alone for a number. */
function notAnId(input: unknown): string {
  const advice = typeof input === "number" ? " (put it in quotes)" : "";
  return `has to be a string, not ${typeName(input)}${advice}`;
}

/** Where something stands, for `readNumber`: it is not sent. */
export const LATITUDE: NumberSetting = {
  type: "number",
  wireName: "latitude",
  description: "Latitude, north positive. It is not sent; the provider checks azimuths with it.",
  unit: "degrees",
  minimum: -90,
  maximum: 90,
  source: "by definition",
};

/** The inputs with a latitude that is given as a text, such as `"48.1°"`, as its number. */
export function readLatitude(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const reading = typeof inputs.latitude === "string" ? readNumber(LATITUDE, inputs.latitude) : undefined;
  return { ...inputs, ...(reading && "value" in reading && { latitude: reading.value }) };
}

/** Where something stands, in degrees, north positive. */
export const latitudeSchema = z
  .number({ error: ({ input }) => unreadable(LATITUDE, input) })
  .refine((latitude) => Math.abs(latitude) <= 90, "has to be from -90 to 90 degrees, north positive");

/**
 * Everything that is wrong with the inputs of a resource of this kind, each on its property; empty when all is well.
 * @param inputs as `normalize` gives them: a value in another form that it could read is refused here
 * @param unknownKeys keys that have a value which is not known yet: they pass.
 */
export function problemsOf(
  kind: DeviceKind,
  inputs: Readonly<Record<string, unknown>>,
  unknownKeys: ReadonlySet<string>,
): Problem[] {
  const schema = schemaOf(kind);
  const isUnknown = (key: string) => unknownKeys.has(key) && Object.hasOwn(schema.shape, key);
  const known = Object.fromEntries(Object.entries(inputs).filter(([key]) => !isUnknown(key)));
  const parsed = (unknownKeys.size > 0 ? schema.partial(maskOf(schema, unknownKeys)) : schema).safeParse(known);
  const problems = parsed.success
    ? []
    : firstOfEach(parsed.error.issues).flatMap((issue) => problemsOfIssue(kind, issue));
  return [...problems, ...relationProblems(kind, known), ...resetProblems(kind, known.onDelete)];
}

// Building a schema costs ten times what using it does, and a fleet checks thousands of resources.
const schemas = new WeakMap<DeviceKind, z.ZodObject<Record<string, z.ZodType>>>();

function schemaOf(kind: DeviceKind): z.ZodObject<Record<string, z.ZodType>> {
  const schema =
    schemas.get(kind) ??
    z.strictObject({
      deviceId: idSchema,
      businessId: idSchema,
      onDelete: choiceSchema(ON_DELETE).optional(),
      ignoreLints: z
        .array(choiceSchema(LINT_NAMES), {
          error: ({ input }) => `has to be a list of names of lints, not ${typeName(input)}`,
        })
        .optional(),
      ...("azimuth" in kind.settings && { latitude: latitudeSchema.optional() }),
      ...Object.fromEntries(keysOf(kind).map((key) => [key, valueSchema(kind.settings[key] as Setting).optional()])),
    });
  schemas.set(kind, schema);
  return schema;
}

/** The keys that a device of this kind can have. */
export function keysOfDevice(kind: DeviceKind): string[] {
  return Object.keys(schemaOf(kind).shape);
}

function maskOf(schema: z.ZodObject, keys: ReadonlySet<string>): Record<string, true> {
  return Object.fromEntries([...keys].filter((key) => Object.hasOwn(schema.shape, key)).map((key) => [key, true]));
}

function valueSchema(setting: Setting): z.ZodType<Value> {
  if (setting.type === "choice") return choiceSchema(setting.choices);
  return z.number({ error: ({ input }) => unreadable(setting, input) }).superRefine((value, context) => {
    const problem = outOfRange(setting, value);
    if (problem) context.addIssue(problem);
  });
}

function unreadable(setting: NumberSetting, input: unknown): string {
  const reading = typeof input === "number" ? undefined : readNumber(setting, input);
  return reading && "problem" in reading ? reading.problem : notANumber(setting, input);
}

/** One of these texts. */
export function choiceSchema<const C extends string>(choices: readonly C[]): z.ZodType<C> {
  return z.enum(choices as readonly [C, ...C[]], { error: ({ input }) => notOneOf(choices, input) });
}

/** The first issue of each property: what comes after it is often its consequence. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.filter(({ path }, index) => issues.findIndex((other) => other.path[0] === path[0]) === index);
}

function problemsOfIssue(kind: DeviceKind, issue: z.core.$ZodIssue): Problem[] {
  if (issue.code !== "unrecognized_keys") return [{ property: String(issue.path[0]), reason: issue.message }];
  return issue.keys.map((key) => ({
    property: key,
    reason: `is not a property of ${kind.resource}${didYouMean(key, keysOfDevice(kind))}`,
  }));
}

function relationProblems(kind: DeviceKind, inputs: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(kind.settings).flatMap(([key, setting]) => {
    if (setting.type !== "number" || !setting.below) return [];
    const [value, limit] = [inputs[key], inputs[setting.below]];
    if (typeof value !== "number" || typeof limit !== "number" || value < limit) return [];
    const reason = `${value} ${setting.unit} is not below ${setting.below}, which is ${limit} ${setting.unit}`;
    return [{ property: key, reason }];
  });
}

function resetProblems(kind: DeviceKind, onDelete: unknown): Problem[] {
  const without = keysOf(kind).filter((key) => kind.settings[key]?.default === undefined);
  if (onDelete !== "reset" || without.length === 0) return [];
  const reason = `"reset" writes the service's defaults, and none is documented for ${without.join(", ")}; use "restore" or "retain"`;
  return [{ property: "onDelete", reason }];
}
