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
  /** Whether it gets its space before all others. */
  readonly isWhole: boolean;
}

/** The share of the remaining space that one section may take, so that later ones have room (our choice). */
const SHARE = 0.6;

/** The sections as lines, in at most `limit` bytes. Forges count characters, which are never more than bytes. */
export function fitted(sections: readonly Section[], limit: number): string[] {
  const inTurn = [...sections].sort((a, b) => Number(b.isWhole) - Number(a.isWhole));
  const fit = new Map<Section, readonly string[]>();
  let left = limit;
  for (const section of inTurn) {
    const room = left * (section.isWhole || section === inTurn.at(-1) ? 1 : SHARE);
    const whole = shown(section, section.items.length);
    const some = sizeOf(whole) <= room ? whole : asMany(section, room);
    fit.set(section, some);
    left -= sizeOf(some);
  }
  return sections.flatMap((section) => fit.get(section) ?? []);
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
