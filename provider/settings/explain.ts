import { closest, distance } from "fastest-levenshtein";
import { LONGEST_TEXT, type NumberSetting } from "./setting";
import { quantityText, tidy } from "./units";

/** The problem of `value` as this setting, with a suggestion, or undefined if it is in range. */
export function outOfRange(setting: NumberSetting, value: number): string | undefined {
  const { unit, minimum, maximum } = setting;
  if (value >= minimum && value <= maximum) return undefined;
  const limit = value < minimum ? `at least ${quantityText(unit, minimum)}` : `at most ${quantityText(unit, maximum)}`;
  const whose = setting.source === "our choice" ? " (a limit of the provider; the service documents none)" : "";
  const reason = `must be ${limit}, not ${quantityText(unit, value)}${whose}`;
  return [reason, setting.explain?.(value), kiloHint(setting, value)].filter(Boolean).join("; ");
}

/** The problem of a text that is too long to be parsed; otherwise undefined. */
export function tooLong(input: unknown): string | undefined {
  const isLong = typeof input === "string" && input.length > LONGEST_TEXT;
  return isLong ? `must not be longer than ${LONGEST_TEXT} characters` : undefined;
}

/** Reports that `input` is not one of the choices, and suggests the closest one. */
export function notOneOf(choices: readonly string[], input: unknown): string {
  const known = choices.map((choice) => JSON.stringify(choice)).join(", ");
  const long = tooLong(input);
  if (long) return long;
  if (input === undefined) return `is required: one of ${known}`;
  return typeof input === "string"
    ? `must be one of ${known}, not ${JSON.stringify(input)}${didYouMean(input, choices)}`
    : `must be one of ${known}, not ${typeName(input)}`;
}

/** Suggests the candidate that is close to `word`; empty if there is none. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** The candidate that is close to `word`; undefined if there is none. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || tooLong(word)) return undefined;
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const near = closest(bare(word), candidates.map(bare));
  // Short words are all similar to each other, so at most a third of the letters may differ.
  const isNear = distance(bare(word), near) <= Math.min(3, Math.ceil(Math.max(bare(word).length, near.length) / 3));
  return isNear ? candidates.find((one) => bare(one) === near) : undefined;
}

/** The kind of a value, for messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A suggestion for a value outside the range that is a thousand times too small or too large. */
function kiloHint({ unit, minimum, maximum }: NumberSetting, value: number): string | undefined {
  if (unit === "degrees") return undefined;
  const isInRange = (other: number) => other >= minimum && other <= maximum;
  const [more, less] = [tidy(value * 1000), tidy(value / 1000)];
  if (isInRange(more)) return `did you mean "${value} k${unit}"?`;
  if (isInRange(less)) return `did you mean "${quantityText(unit, less)}"?`;
  return undefined;
}
