/** A part of a report whose items can be left out. */
export interface Section {
  readonly head: readonly string[];
  /** Each item is shown completely or not at all. */
  readonly items: readonly (readonly string[])[];
  readonly tail: readonly string[];
  /** The words about the omitted items. */
  readonly more: (count: number) => string;
  /** The items that stay if there are too many. */
  readonly keep: "first" | "last";
}

/** The share of the remaining space that one section may take, so that later ones have room (our choice). */
const SHARE = 0.6;

/** The sections as lines, in at most `limit` bytes. Forges count characters, which are never more than bytes. */
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

/** The items of a section that fit; nothing if its head does not fit. */
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
