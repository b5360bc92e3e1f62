import { areOpposite, bareWord, meaningOf, neededInstead } from "./knownWords";
import { isEmpty } from "./objects";
import { type Choices, isWithin, LONGEST_TEXT, type NumberSetting } from "./setting";
import { quantityText, tidy } from "./units";

/** The problem of `value` as this setting, with a suggestion, or undefined if it is in range. */
export function outOfRange(setting: NumberSetting, value: number): string | undefined {
  const { unit, minimum, maximum } = setting;
  if (isWithin(setting, value)) return undefined;
  const [least, most, rounded] = [minimum, maximum, value].map((number) => quantityText(unit, number));
  const is = rounded === least || rounded === most ? `${value} ${unit}` : rounded;
  const next = setting.explain?.(value) ?? kiloHint(setting, value) ?? LIMITS[setting.source];
  return `must be from ${least} to ${most}, not ${is}; ${next}`;
}

/** The source of a range, in words. It is shown if there is no suggestion, because the value may be right. */
const LIMITS: Readonly<Record<NumberSetting["source"], string>> = {
  documented: "check the value: the service documents these limits",
  "our choice": "check the value: the provider, not the service, sets these limits",
  "by definition": "check the value",
};

/** The problem of a text that is too long to be parsed; otherwise undefined. */
export function tooLong(input: unknown): string | undefined {
  const isLong = typeof input === "string" && input.length > LONGEST_TEXT;
  return isLong ? `must not be longer than ${LONGEST_TEXT} characters` : undefined;
}

/** Names as a list: `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[], word: "and" | "or" = "and"): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${last}` : last;
}

/** The first names, and the number of the others: `a, b, c and 3 more`. @param most default: our choice */
export function firstNames(names: readonly string[], most = 5): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The problem of a key without a value. @param values that it can have, in words */
export function noValue(values: string): string {
  return `has no value: give ${values}, or leave the key out`;
}

/**
 * A list for a suggestion, in the syntax of YAML, JSON and TypeScript, without the characters that a terminal or a job's
 * log would obey.
 */
export function listWith(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => String(value).slice(0, LONGEST_TEXT)));
}

/** The problem of a value that is not a list of texts with at least one. */
export function notAList(what: string, input: unknown): string {
  if (typeof input === "string") return `must be a list: write ${listWith([input])}`;
  if (Array.isArray(input) && input.length === 0) return emptyList(what);
  const isFlat = Array.isArray(input) && input.every((one) => typeof one !== "object");
  const texts = isFlat && String(input).length <= LONGEST_TEXT ? `: write ${listWith(input)}` : "";
  return `must be a list of ${what}, each a text${texts}`;
}

/** The problem of a list without an entry. */
export function emptyList(what: string): string {
  return `is empty: give ${what}, or leave the key out`;
}

/** Choices with their effects: `retain (keeps the values) or restore (…)`. */
export function choicesText(choices: Choices): string {
  return listed(
    Object.entries(choices).map(([choice, effect]) => `${choice} (${effect})`),
    "or",
  );
}

/** The problem of a value that is none of these texts, with the closest one. @param inWords the texts that are accepted */
export function notOneOf(choices: readonly string[], input: unknown, inWords = listed(choices, "or")): string {
  const long = tooLong(input);
  if (long) return long;
  if (input === undefined) return `is required: ${inWords}`;
  if (input === null) return noValue(listed(choices, "or"));
  const given = typeof input === "string" ? JSON.stringify(input) : typeName(input);
  return `must be ${inWords}, not ${given}${meantBy(input, choices)}`;
}

/** Suggests the choice that a value probably means; empty if there is none. */
export function meantBy(input: unknown, choices: readonly string[]): string {
  return typeof input === "string" || typeof input === "number" ? didYouMean(String(input), choices) : "";
}

/**
 * The problem of a value that is none of these choices. If there is a suggestion, the effects of the choices are left
 * out.
 * @param remark a sentence about all choices
 */
export function notAChoice(choices: Choices, input: unknown, remark?: string): string {
  const names = Object.keys(choices);
  if (input === null || meantBy(input, names)) return notOneOf(names, input);
  return [notOneOf(names, input, choicesText(choices)), remark].filter(Boolean).join("; ");
}

/** Suggests the candidate that `word` probably means, or says that `word` is not needed; empty if there is none. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const instead = neededInstead(bareWord(word.slice(0, LONGEST_TEXT)), candidates);
  if (instead !== undefined) return `; remove it, because the ${instead} is enough`;
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/**
 * The candidate that `word` probably means: the same word in another spelling, a known word for it, or the only
 * candidate that is similar. Undefined if there is none, because a wrong suggestion is worse than none.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (tooLong(word)) return undefined;
  const bare = bareWord(word);
  const same = candidates.find((one) => bareWord(one) === bare);
  const meaning = same ?? meaningOf(bare, candidates);
  if (meaning !== undefined) return meaning ?? undefined;
  // A typing mistake is one letter; in a long word, it can be more. Words of three letters are all similar to each other.
  const most = Math.min(3, Math.floor(bare.length / 4));
  const [first, second] = candidates
    .map((one) => ({ one, steps: stepsBetween(bare, bareWord(one)) }))
    .sort((left, right) => left.steps - right.steps);
  if (!first || first.steps > most || areOpposite(bare, bareWord(first.one))) return undefined;
  // `rest` is as near to `restore` as to `reset`.
  const isBegun = candidates.some((one) => one !== first.one && bareWord(one).startsWith(bare));
  return isBegun || (second && second.steps - first.steps < 2) ? undefined : first.one;
}

/**
 * The number of steps from one word to the other. A step adds, removes or replaces a letter, or swaps two neighbours.
 */
function stepsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] as number) + 1,
          (next[column - 1] as number) + 1,
          (last[column - 1] as number) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] as number) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] as number;
}

/** The kind of a value, for messages. Pulumi passes a Date or a BigInt in an output as an empty group. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  const type = typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  if (type !== "Object") return `a ${type}`;
  return isEmpty(value) ? "an empty group of keys, or a Date or BigInt" : "a group of keys";
}

/** A suggestion for a value that is a thousand times too small or too large. */
function kiloHint(setting: NumberSetting, value: number): string | undefined {
  const { unit } = setting;
  // The plain number first: a text with a unit needs quotes in most languages.
  const [larger, smaller] = [tidy(value * 1000), tidy(value / 1000)];
  if (isWithin(setting, larger)) return `did you mean ${larger} (${quantityText(unit, larger)})?`;
  // Not 77000 (77 kWh): a table that says 77000 in a column of kWh has that number.
  return isWithin(setting, smaller) ? `did you mean ${quantityText(unit, smaller)} (${smaller} ${unit})?` : undefined;
}
