/**
 * A text of at most this many characters, and `…` for the rest. It ends with a whole word: half of a name would look like
 * another name. A single long word is cut.
 */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = text.lastIndexOf(" ", longest - 1);
  return `${text.slice(0, end > 0 ? end : longest - 1).toWellFormed()}…`;
}
