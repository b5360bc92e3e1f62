import { areOpposite, bareWord, meaningOf, neededInstead } from "./knownWords";
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

/** Names as a list: `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[], word: "and" | "or" = "and"): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${last}` : last;
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

/** Suggests the candidate that `word` probably means, or says that `word` is not needed; empty if there is none. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const instead = neededInstead(bareWord(word.slice(0, LONGEST_TEXT)), candidates);
  if (instead !== undefined) return `; it is not needed, because the ${instead} is enough`;
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** Units that people write as the name of a key. Without its unit, `kwp: 500` would become 500 W. */
const UNITS_AS_KEYS: Readonly<Record<string, string>> = { kwp: "kWp", kwh: "kWh", kw: "kW" };

/**
 * As `didYouMean`, for an unknown key of an object. A key that the object already has is no suggestion: it would be
 * declared twice.
 */
export function didYouMeanKey(key: string, candidates: readonly string[], object: object): string {
  const meant = nearest(key, candidates);
  if (meant === undefined) return didYouMean(key, candidates);
  if (Object.hasOwn(object, meant)) return `; ${meant} is already there: remove ${key}`;
  const unit = UNITS_AS_KEYS[bareWord(key)];
  return unit === undefined ? didYouMean(key, candidates) : `; did you mean ${meant}: … ${unit}?`;
}

/** Shortest word that is compared by similarity: shorter ones are all similar to each other. */
const SHORTEST_COMPARED = 4;

/**
 * The candidate that `word` probably means: the same word in another spelling, a known word for it, or the only one that
 * is similar. Undefined if there is none, because a wrong suggestion is worse than none.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (tooLong(word)) return undefined;
  const bare = bareWord(word);
  const same = candidates.find((one) => bareWord(one) === bare);
  const meaning = same ?? meaningOf(bare, candidates);
  if (meaning !== undefined || bare.length < SHORTEST_COMPARED) return meaning ?? undefined;
  // A typing mistake is one letter, or more of them in a long word.
  const most = Math.min(3, Math.floor(bare.length / 4));
  const [first, second] = candidates
    .map((one) => ({ one, steps: stepsBetween(bare, bareWord(one)) }))
    .sort((left, right) => left.steps - right.steps);
  if (!first || first.steps > most || areOpposite(bare, bareWord(first.one))) return undefined;
  // `rest` is as near to `restore` as to `reset`.
  const isBegun = candidates.some((one) => one !== first.one && bareWord(one).startsWith(bare));
  return isBegun || (second && second.steps - first.steps < 2) ? undefined : first.one;
}

/** The number of letters to add, remove, replace or swap with the next one that turn one word into the other. */
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
          isSwapped && row > 1 && column > 1 ? (before[column - 2] as number) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] as number;
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
