import type { House } from "../sky/baseLoad";
import { meansOf } from "../sky/series";
import { firstAfter } from "./points";
import { type Given, type Powers, powersOf, type Took } from "./powers";
import { listOf, namedSeries, type Sheet, type SheetSeries, sheetOf } from "./sheet";
import type { Pieces } from "./text";
import { ZoneClock } from "./times";
import { listed } from "./words";

/** The options about the house. */
export interface GivenHouse extends Given {
  readonly hasSolar?: boolean;
  readonly hasBattery?: boolean;
  readonly isSouth?: boolean;
  /** Degrees east. Without a time zone, it tells day from night. */
  readonly longitude?: number;
}

/** A session of a car, in unix seconds. */
export interface Charging {
  readonly from: number;
  readonly to: number;
  /** Whether these are the times of the plug, so that the car may charge in a part of them. */
  readonly isPlug: boolean;
}

/** The load of a house, and how the file was read. */
export interface Meter {
  readonly house: House;
  readonly took: Took & { readonly roles: readonly (readonly [Role, names: readonly string[]])[] };
}

/** The flows of energy of a house. */
export const ROLES = ["load", "import", "return", "production", "charge", "discharge"] as const;
export type Role = (typeof ROLES)[number];

/** Words of each flow. The first that fits a name decides, because a return also contains the word grid. */
const WORDS: readonly (readonly [Role | "none", RegExp])[] = [
  [
    "none",
    /soc\b|state.?of.?charge|ladezustand|ladestand|level|theor|verlust|loss|erlös|umsatz|revenue|cost|kosten|price/i,
  ],
  [
    "none",
    /preis|temp|irradi|strahlung|wechselrichter|inverter yield|dire[ck]t|eigen|self|\bown\b|autark|reactive|apparent|freq/i,
  ],
  // Fronius writes a bar and the device after the name. Columns without a device are of the whole house.
  ["none", /volt|_current\b|\((a|amp)\)|\[a\]|%|\|/i],
  ["return", /return|ret_energy|einspeis|feed|export|inject|to.?grid|terug|surplus|grid_out/i],
  ["discharge", /discharg|entlad|battery_out|from.?batter/i],
  ["charge", /charg|ladung|battery_in|to.?batter/i],
  ["production", /produ|erzeug|ertrag|\bpv\b|pv[_-]|solar|yield|generat|photovolt/i],
  ["import", /import|bezug|grid|netz|purchas|from.?grid|afname|total_act_energy|\bp1\b/i],
  ["load", /consum|verbrauch|load|last\b|house|home|haus|usage|verbruik|needs/i],
];

/** Shortest steps, in minutes: shorter ones say nothing more of three hours. */
const SHORTEST_STEP = 15;

/** Reads an export of a meter. @throws Error if the meaning of its series is not clear */
export function meterOf(pieces: Pieces, given: GivenHouse, charging: readonly Charging[] = []): Meter {
  const sheet = sheetOf(pieces, given.timeZone);
  const roles = rolesOf(sheet, given.column);
  const chosen = [...roles.values()].flat();
  const powers = new Map(powersOf(sheet, chosen, given).map((one, i) => [chosen[i], one]));
  const [first] = powers.values() as Iterable<Powers> as [Powers];
  const step = Math.max(SHORTEST_STEP, first.took.step);
  // All begin their steps at the same moments.
  const phase = (meansOf(first.stretches, step * 60).times[0] ?? 0) % (step * 60);
  const width = step * 60;
  const sums = new Map(
    Array.from(roles, ([role, all]) => [
      role,
      sumOf(
        all.map((one) => powers.get(one) as Powers),
        width,
        phase,
      ),
    ]),
  );
  const { starts, power, returned } = loadOf(sums);
  const times = starts.map((at) => at + width / 2);
  const local = clockOf(given, times);
  for (const { from, to, isPlug } of charging)
    for (let i = firstAfter(starts, from - AROUND - width); (starts[i] as number) < to + AROUND; i++)
      if (!isPlug || (power[i] as number) > LEAST_CAR) power[i] = Number.NaN;
  const { hasSolar, hasBattery, isSouth } = given;
  return {
    house: {
      ...{ times, local, step, power, isImport: !sums.has("load") && !sums.has("production") },
      ...(returned && { returned }),
      ...(hasSolar !== undefined && { hasSolar }),
      ...(hasBattery !== undefined && { hasBattery }),
      ...(isSouth !== undefined && { isSouth }),
    },
    took: {
      ...first.took,
      step,
      roles: [...roles].map(([role, series]) => [role, series.map(({ name }) => name)]),
    },
  };
}

/** Seconds around a charging session that do not count. */
const AROUND = 900;

/** A house with a car at the plug takes more than this while the car charges, in W: cars take 6 A or more. */
const LEAST_CAR = 1300;

/** The series of each flow: the load, or those that it can be calculated from. */
function rolesOf({ series, noun, format }: Sheet, given: string | undefined): Map<Role, SheetSeries[]> {
  const known = series.filter(({ hasNumbers }) => hasNumbers);
  if (given !== undefined) {
    const one = namedSeries(series, given, noun);
    const role = roleOf(one, format);
    return new Map([[role === "load" || role === "import" ? role : "import", [one]]]);
  }
  if (known.length === 0)
    throw new Error(
      `no ${noun} has numbers other than 0. ${listOf(series, noun)}: export days on which the meter counts`,
    );
  const roles = new Map<Role, SheetSeries[]>();
  for (const one of known) {
    const role = roleOf(one, format);
    if (role && role !== "none") roles.set(role, [...(roles.get(role) ?? []), one]);
  }
  const loads = roles.get("load");
  if (loads) {
    if (loads.length > 1)
      throw new Error(
        `several of them may be the load of the house. Choose one with --column: ${listed(
          loads.map(({ name }) => `'${name}'`),
          "or",
        )}`,
      );
    return new Map([["load", loads]]);
  }
  if (roles.has("import")) return roles;
  const [only, ...rest] = known;
  if (roles.has("production"))
    throw new Error(
      `the file has production, and neither a load nor an import. ${listOf(series, noun)}: give it with --production, or export the meter of the house`,
    );
  if (only && rest.length === 0 && roleOf(only, format) === undefined) return new Map([["import", [only]]]);
  throw new Error(
    `it is not clear which ${noun} is the load or the import of the house. Choose one with --column. ${listOf(series, noun)}`,
  );
}

/** The flow of a series; `none` if it is another quantity, and undefined if its name does not decide. */
function roleOf({ name }: SheetSeries, format: string): Role | "none" | undefined {
  // Tibber's consumption is the energy from the grid.
  if (format === "Tibber") return /^consumption$/i.test(name) ? "import" : "none";
  return WORDS.find(([, words]) => words.test(name))?.[0];
}

/** Whether a series is a flow of energy that panels do not make. */
export function isFlowOfHouse(series: SheetSeries, format: string): boolean {
  return !["none", "production", undefined].includes(roleOf(series, format));
}

/** The sum of series in steps of equal length, by the start of each step. */
function sumOf(all: readonly Powers[], width: number, phase: number): Map<number, number> {
  const sum = new Map<number, number>();
  for (const { stretches } of all) {
    const { times, watts } = meansOf(stretches, width, phase);
    for (const [i, at] of times.entries()) sum.set(at, (sum.get(at) ?? 0) + (watts[i] as number));
  }
  return sum;
}

/** The load, or the import if the rest is not known. A meter's own negative import is a return. */
function loadOf(sums: ReadonlyMap<Role, ReadonlyMap<number, number>>) {
  const of = (role: Role, at: number) => sums.get(role)?.get(at) ?? 0;
  const hasProduction = sums.has("production");
  const main = (sums.get("load") ?? sums.get("import")) as ReadonlyMap<number, number>;
  const starts = [...main.keys()]
    .filter((at) => !hasProduction || sums.get("production")?.has(at))
    .sort((a, b) => a - b);
  const [power, returned] = [new Float64Array(starts.length), new Float64Array(starts.length)];
  for (const [i, at] of starts.entries()) {
    const net = of("import", at) - of("return", at) + of("production", at) - of("charge", at) + of("discharge", at);
    const own = main.get(at) as number;
    power[i] = Math.max(0, sums.has("load") ? own : hasProduction ? net : own);
    returned[i] = sums.has("load") || hasProduction ? 0 : Math.max(of("return", at), -own);
  }
  const isReturned = returned.some((one) => one > 0) || (sums.has("return") && !hasProduction && !sums.has("load"));
  return { starts: Float64Array.from(starts), power, ...(isReturned && { returned }) };
}

/** The moments on the house's clock. @throws Error if neither the zone nor the longitude is known */
function clockOf({ timeZone, longitude }: GivenHouse, times: Float64Array): Float64Array {
  if (timeZone !== undefined) {
    const clock = new ZoneClock(timeZone);
    return times.map((at) => at + clock.offsetAt(at));
  }
  if (longitude === undefined)
    throw new Error("give --time-zone, such as Europe/Berlin: the base load needs to know day from night");
  return times.map((at) => at + longitude * 240);
}
