const BEGIN = "<!-- numbers: npm run bench -->";
const END = "<!-- end of numbers -->";

/**
 * The text with these parts, a paragraph each, between the two marks of numbers.
 * @throws Error if it lacks the marks
 */
export function withNumbers(text: string, parts: readonly string[]): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the document has no line ${BEGIN} with a line ${END} after it`);
  return text.slice(0, begin) + [BEGIN, ...parts, END].join("\n\n") + text.slice(end + END.length);
}
