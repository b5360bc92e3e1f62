/** Reads the times of one column. The whole file decides the order of day and month, and the zone. */
export interface TimeReader {
  /**
   * Unix seconds; NaN if it is not a time. Call it in the order of the file: when summer time ends, only the order
   * distinguishes the two equal hours.
   */
  read(text: string): number;
  /** Whether a time had no offset, so that the zone was used. */
  readonly usedZone: boolean;
}

type Order = "day" | "month";

const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?/;
// A year of two digits must be followed by a time. Without this, the version `1.20.30` would be a date.
const OTHER =
  /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2}(?=[T ,]+\d{1,2}:\d{2}))(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?/;
/** `20250420`, `202504201015`, `20250420 10:15`, `20250420T101500`. */
const COMPACT =
  /^((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?:[T ]?([0-2]\d|(?<=[T ])\d):?([0-5]\d)(?::?([0-5]\d))?)?(?!\d)/;
/** A time of a mail: `Sat, 01 Feb 2025 16:00:00 GMT`. */
const MAIL = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/;
// The name of a zone before its offset is ignored: `CEST+0200`.
const OFFSET = /^\s*(?:(Z|UTC|GMT)|(?:[A-Z]{2,5})?([+-])(\d{1,2}):?(\d{2})?)$/i;
const HALF = /^\s*([AP])\.?M\.?/i;
const SUMMER = /\b(DST|CEST|MESZ|BST|WEST|EEST|[ECMP]DT)\b/i;
const HOUR = /^(\d{1,2}:\d{2}(:\d{2})?(\s*[AP]\.?M\.?)?)$/i;

/** Range of numbers that are Unix times, in seconds: from 2001 to 2100. */
const [FIRST_SECOND, LAST_SECOND] = [1e9, 4.1e9];

/** The kind of a time: a day, a time of day, a moment, or a number that can be a moment in seconds. */
type TimeKind = "day" | "hour" | "moment" | "number";

/** The kind of time in a text; undefined if it has none. */
export function timeKindOf(text: string): TimeKind | undefined {
  const trimmed = text.trim();
  if (HOUR.test(trimmed)) return "hour";
  const match = ISO.exec(trimmed) ?? OTHER.exec(trimmed) ?? COMPACT.exec(trimmed);
  if (match) return match[4] ? "moment" : "day";
  return MAIL.test(trimmed) ? "moment" : Number.isNaN(unixTime(trimmed)) ? undefined : "number";
}

/** Whether a text begins like a time. */
export function isTime(text: string): boolean {
  return !["hour", undefined].includes(timeKindOf(text));
}

/** @throws Error without a zone, at the first time that needs one */
export function timeReader(samples: readonly string[], zone: string | undefined): TimeReader {
  const order = orderOf(samples);
  const clock = zone === undefined ? undefined : new ZoneClock(zone);
  let last = Number.NEGATIVE_INFINITY;
  let usedZone = false;
  return {
    get usedZone() {
      return usedZone;
    },
    read(text) {
      const trimmed = text.trim();
      const unix = MAIL.test(trimmed) ? Date.parse(trimmed) / 1000 : unixTime(trimmed);
      if (!Number.isNaN(unix)) return unix;
      const [local, rest] = localOf(trimmed, order);
      if (Number.isNaN(local)) return local;
      const offset = OFFSET.exec(rest);
      if (offset) {
        const [, utc, sign, hours, minutes = "0"] = offset;
        return utc ? local : local - (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
      }
      if (!clock) throw new Error("the times have no offset from UTC: give --time-zone, such as Europe/Berlin");
      usedZone = true;
      last = clock.utcOf(local, last, { isSummer: SUMMER.test(rest) });
      return last;
    },
  };
}

function unixTime(text: string): number {
  if (!/^\d{9,13}(\.\d+)?$/.test(text)) return Number.NaN;
  const number = Number(text);
  const seconds = number > LAST_SECOND ? number / 1000 : number;
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND ? seconds : Number.NaN;
}

/** The time on the clock, as if it were UTC, and the rest of the text. */
function localOf(text: string, order: Order): [seconds: number, rest: string] {
  const iso = ISO.exec(text) ?? COMPACT.exec(text);
  const match = iso ?? OTHER.exec(text);
  if (!match) return [Number.NaN, ""];
  const [all, a = "", b = "", c = "", hours = "0", minutes = "0", seconds = "0"] = match;
  const [digits, month, day] = iso ? [a, b, c] : order === "day" ? [c, b, a] : [c, a, b];
  const year = digits.length === 2 ? `20${digits}` : digits;
  let rest = text.slice(all.length);
  const half = HALF.exec(rest);
  if (half) rest = rest.slice(half[0].length);
  const hour = half ? (Number(hours) % 12) + (half[1]?.toUpperCase() === "P" ? 12 : 0) : Number(hours);
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31 || hour > 24)
    return [Number.NaN, ""];
  return [Date.UTC(Number(year), Number(month) - 1, Number(day), hour, Number(minutes), Number(seconds)) / 1000, rest];
}

/**
 * The order of day and month. A number above 12 decides; otherwise points between the numbers; otherwise the order in
 * which times rise.
 */
function orderOf(samples: readonly string[]): Order {
  const parts = samples.flatMap((text) => {
    const match = OTHER.exec(text.trim());
    return match ? [{ text: text.trim(), first: Number(match[1]), second: Number(match[2]) }] : [];
  });
  if (parts.some(({ first }) => first > 12)) return "day";
  if (parts.some(({ second }) => second > 12)) return "month";
  if (parts.some(({ text }) => /^\d+\.\d+\./.test(text))) return "day";
  const steps = (order: Order) => {
    const times = parts.map(({ text }) => localOf(text, order)[0]);
    return times.reduce((sum, time, i) => sum + (i > 0 ? Math.abs(time - (times[i - 1] as number)) : 0), 0);
  };
  return steps("month") < steps("day") ? "month" : "day";
}

/** The clock of a zone, cached by quarter of an hour: asking Intl for each of 100,000 times would take seconds. */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  /** @throws Error if there is no such zone */
  constructor(zone: string) {
    try {
      this.format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    } catch {
      throw new Error(`there is no time zone '${zone}': give a name such as Europe/Berlin`);
    }
  }

  /**
   * Seconds by which the zone is ahead of UTC. Only on two days of a year do they change between midnight and midnight.
   */
  offsetAt(utc: number): number {
    const day = Math.floor(utc / 86_400) * 86_400;
    const [before, behind] = [this.exactOffsetAt(day), this.exactOffsetAt(day + 86_400)];
    return before === behind ? before : this.exactOffsetAt(utc);
  }

  private exactOffsetAt(utc: number): number {
    const quarter = Math.floor(utc / 900);
    const known = this.offsets.get(quarter);
    if (known !== undefined) return known;
    // `1/1/2025, GMT+01:00`; without an offset, GMT.
    const [, sign = "", hours = 0, minutes = 0] =
      /GMT([+-])(\d+):(\d+)/.exec(this.format.format(quarter * 900_000)) ?? [];
    const offset = Number(`${sign}1`) * (3600 * Number(hours) + 60 * Number(minutes));
    this.offsets.set(quarter, offset);
    return offset;
  }

  /**
   * @param after the previous time in the file. If an hour exists twice, the first occurrence that is later than this
   * one counts
   */
  utcOf(local: number, after: number, { isSummer }: { readonly isSummer: boolean }): number {
    // The midnights around the time. They have the same offset, except on two days of a year.
    const day = Math.floor(local / 86_400) * 86_400;
    const [before, behind] = [this.offsetAt(day - 86_400), this.offsetAt(day + 2 * 86_400)];
    if (before === behind) return local - before;
    const [first, second] = [local - before, local - behind]
      .filter((utc) => utc + this.offsetAt(utc) === local)
      .sort((a, b) => a - b);
    // An hour that summer time skips counts as one hour later.
    if (first === undefined) return local - before;
    if (second === undefined || isSummer) return first;
    return first > after ? first : second;
  }
}

/** The zone that a header names: `timestamp (UTC)`, `Zeit (UTC+1)`, `Time Bucket (Europe/Berlin)`. */
export function zoneIn(header: string): string | undefined {
  const place = /\b[A-Z][a-z]+\/[A-Z][A-Za-z_]+\b/.exec(header)?.[0];
  // Not `Date/Time`.
  if (place && Intl.supportedValuesOf("timeZone").includes(place)) return place;
  const [utc, offset] = /(?<![a-z])(?:UTC|GMT)(?![a-z])\s*([+-]\d{1,2})?/i.exec(header) ?? [];
  if (utc === undefined) return undefined;
  // The sign of `Etc/GMT` zones is reversed.
  return Number(offset ?? 0) === 0 ? "UTC" : `Etc/GMT${Number(offset) > 0 ? "-" : "+"}${Math.abs(Number(offset))}`;
}

/** The longitude of the middle of a zone, where the sun is highest at noon of standard time. */
export function meridianOf(zone: string): number {
  const clock = new ZoneClock(zone);
  const offsets = [Date.UTC(2025, 0, 1), Date.UTC(2025, 6, 1)].map((at) => clock.offsetAt(at / 1000));
  return Math.min(...offsets) / 240;
}
