import { didYouMean } from "../provider/settings/explain";

/** The order of names: `site-2` before `site-10`. Made once, because making it costs more than a comparison. */
export const { compare: compareNames } = new Intl.Collator("en", { numeric: true });

/** @throws Error if an option names something that does not exist. A run would then do nothing, without a word */
export function refuseUnknown(
  option: string,
  noun: string,
  names: readonly string[] = [],
  known: readonly string[],
): void {
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new Error(
      `${option} ${stranger}: there is no such ${noun}${didYouMean(stranger, known) || `; there is ${someNames(known)}`}`,
    );
}

/** The first names, and the number of the others: `a, b, c and 3 more`. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Maximum number of names in a list that ends with `…` (our choice). */
const MOST = 5;

/** Some of the names: `a, b, c, d, e, …`. */
export function someNames(names: readonly string[]): string {
  return names.length > MOST ? `${names.slice(0, MOST).join(", ")}, …` : names.join(", ");
}
