import { didYouMean, firstNames } from "../provider/settings/explain";

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
      `${option} ${stranger}: there is no such ${noun}${didYouMean(stranger, known) || `; there is ${firstNames(known)}`}`,
    );
}
