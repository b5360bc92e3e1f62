/** A part of a report of which items can be left out. */
export interface Section {
  readonly head: readonly string[];
  /** Each is shown whole or not at all. */
  readonly items: readonly (readonly string[])[];
  readonly tail: readonly string[];
  /** The words for the items that are left out. */
  readonly more: (count: number) => string;
  /** Which items stay if there are too many. */
  readonly keep: "first" | "last";
}

/** The share of what is left that one section may take, so that none crowds out those after it (our choice). */
const SHARE = 0.6;

/** The sections as lines, in at most so many bytes. Bytes are never fewer than characters, by which forges count. */
export function fitted(sections: readonly Section[], limit: number): string[] {
  const lines: string[] = [];
  let left = limit;
  for (const [index, section] of sections.entries()) {
    if (section.items.length === 0) continue;
    const isLast = index === sections.length - 1;
    const whole = shown(section, section.items.length);
    const some = sizeOf(whole) <= left * (isLast ? 1 : SHARE) ? whole : asMany(section, left * (isLast ? 1 : SHARE));
    lines.push(...some);
    left -= sizeOf(some);
  }
  return lines;
}

/** As much of a section as there is room for; nothing if not even its head fits. */
function asMany(section: Section, room: number): string[] {
  const { items, keep } = section;
  const frame = sizeOf(shown(section, 0));
  let used = frame;
  let count = 0;
  while (count < items.length) {
    const item = items[keep === "first" ? count : items.length - 1 - count] as readonly string[];
    if (used + sizeOf(item) > room) break;
    used += sizeOf(item);
    count++;
  }
  return frame > room ? [] : shown(section, count);
}

function shown({ head, items, tail, more, keep }: Section, count: number): string[] {
  const left = items.length - count;
  const note = left > 0 ? [more(left)] : [];
  const some = keep === "first" ? items.slice(0, count) : items.slice(items.length - count);
  return keep === "first" ? [...head, ...some.flat(), ...note, ...tail] : [...head, ...note, ...some.flat(), ...tail];
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((size, line) => size + Buffer.byteLength(line) + 1, 0);
}
