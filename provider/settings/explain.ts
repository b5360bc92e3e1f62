import { closest, distance } from "fastest-levenshtein";
import type { NumberSetting } from "./setting";
import { tidy } from "./units";

/** The problem of `value` as this setting, with a suggestion, or undefined if it is in range. */
export function outOfRange(setting: NumberSetting, value: number): string | undefined {
  const { unit, minimum, maximum } = setting;
  if (value >= minimum && value <= maximum) return undefined;
  const reason =
    value < minimum ? `${value} ${unit} is below ${minimum} ${unit}` : `${value} ${unit} is above ${maximum} ${unit}`;
  const whose = setting.source === "our choice" ? " (our choice, the service documents no range)" : "";
  return [reason + whose, setting.explain?.(value), kiloHint(setting, value)].filter(Boolean).join("; ");
}

/** Says that `input` is none of the choices, and which one was probably meant. */
export function notOneOf(choices: readonly string[], input: unknown): string {
  const known = choices.map((choice) => JSON.stringify(choice)).join(", ");
  return typeof input === "string"
    ? `${JSON.stringify(input)} is none of ${known}${didYouMean(input, choices)}`
    : `has to be one of ${known}, not ${typeName(input)}`;
}

/** Offers the candidate that differs from `word` by little; empty if none does. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** The candidate that differs from `word` by little; undefined if none does. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const near = closest(bare(word), candidates.map(bare));
  // A short word is near to every other short word: at most a third of the letters may differ.
  const isNear = distance(bare(word), near) <= Math.min(3, Math.ceil(Math.max(bare(word).length, near.length) / 3));
  return isNear ? candidates.find((one) => bare(one) === near) : undefined;
}

/** The kind of a value, for messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function kiloHint({ unit, minimum, maximum }: NumberSetting, value: number): string | undefined {
  if (unit === "degrees") return undefined;
  const isInRange = (other: number) => other >= minimum && other <= maximum;
  const [more, less] = [tidy(value * 1000), tidy(value / 1000)];
  if (value < minimum && isInRange(more)) return `${value} k${unit} is ${more}`;
  if (value > maximum && isInRange(less)) {
    return `${less} ${unit} may be meant: k${unit}() takes k${unit}, so k${unit}(${tidy(less / 1000)}) is ${less}`;
  }
  return undefined;
}
