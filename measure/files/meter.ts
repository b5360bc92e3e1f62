import type { House } from "../sky/baseLoad";
import { meansOf, type Stretches } from "../sky/series";
import {
  addedOf,
  areApart,
  byStart,
  directionsOf,
  flowOf,
  isOnlyByDay,
  isPart,
  meaningOf,
  positive,
  touchesNothing,
} from "./flows";
import { type Meaning, ROLES, type Role } from "./layouts";
import { firstAfter } from "./points";
import { type Given, type Powers, powersOf, type Took } from "./powers";
import { HOW_TO_CHOOSE, listOf, namedSeries, namesIn, type Sheet, type SheetSeries, sheetOf } from "./sheet";
import type { Pieces } from "./text";
import { ZoneClock } from "./times";

/** The options about the house. */
export interface GivenHouse extends Given {
  readonly hasSolar?: boolean | undefined;
  readonly hasBattery?: boolean | undefined;
  readonly isSouth?: boolean | undefined;
  /** Degrees east. Without a time zone, it decides which hours are night. */
  readonly longitude?: number;
}

/** A session of a car, in unix seconds. */
export interface Charging {
  readonly from: number;
  readonly to: number;
  /** Whether these are times of the plug: the car may charge in only a part of them. */
  readonly isPlug: boolean;
}

/** The load of a house, and how the file was read. */
export interface Meter {
  readonly house: House;
  readonly took: Took & { readonly roles: readonly (readonly [Role, names: readonly string[]])[] };
}

/** Shortest steps, in minutes. Shorter ones would not change a mean of three hours. */
const SHORTEST_STEP = 15;

/** Reads the exports of a meter. @throws Error if the meaning of its series is not clear, or if its numbers contradict it */
export function meterOf(files: readonly Pieces[], given: GivenHouse, charging: readonly Charging[] = []): Meter {
  const sheet = sheetOf(files, given.timeZone);
  const chosen = rolesOf(sheet, given.column);
  const all = powersOf(sheet, [...chosen.values()].flat(), { ...given, isHouse: true });
  const roles = new Map(
    Array.from(chosen, ([role, some]) => {
      const own = all.filter(({ series }) => some.includes(series));
      const mayAdd =
        given.column !== undefined || (role !== "load" && own.every(({ series }) => series.key === undefined));
      return [role, addedOf(own, role === "load" ? "the load of the house" : `the ${role}`, { mayAdd })] as const;
    }),
  );
  const [first] = all as [Powers];
  const step = Math.max(SHORTEST_STEP, first.took.step);
  const width = step * 60;
  // All series have steps that begin at the same moments.
  const phase = (meansOf(first.stretches, width).from[0] ?? 0) % width;
  const notes: string[] = [];
  const flows = new Map(Array.from(roles, ([role, own]) => [role, flowOf(own, width, phase, sheet.layout)] as const));
  const localOf = clockOf(given);
  const isNamed = all.some(({ series }) => ["load", "import"].includes(meaningOf(series, sheet.layout) ?? ""));
  if (!isNamed && isOnlyByDay(flows.get("import") as Stretches, localOf))
    throw new Error(
      "the numbers are 0 all night and high by day, as those of panels are: give them with --production, or export the meter of the house",
    );
  const used = checkedFlows(flows, given, localOf, notes);
  const { starts, power, returned } = loadOf(used);
  const times = starts.map((at) => at + width / 2);
  for (const { from, to, isPlug } of charging)
    for (let i = firstAfter(starts, from - AROUND - width); (starts[i] as number) < to + AROUND; i++)
      if (!isPlug || (power[i] as number) > LEAST_CAR) power[i] = Number.NaN;
  const { hasSolar, hasBattery, isSouth } = given;
  const names = (role: Role) => (roles.get(role) ?? []).map(({ series }) => series.name);
  return {
    house: {
      ...{ times, local: times.map(localOf), step, power, isImport: !used.has("load") && !used.has("production") },
      ...{ hasSolar, hasBattery, isSouth },
      ...(returned && { returned }),
    },
    took: {
      ...{ ...first.took, notes },
      // A flow whose name was wrong keeps its columns.
      roles: [...used.keys()].map((role) => [
        role,
        names(role).length > 0 ? names(role) : names(role === "import" ? "load" : "production"),
      ]),
    },
  };
}

/** Seconds around a charging session that do not count. */
const AROUND = 900;

/** A house takes more than this while a car charges, in W: cars take 6 A or more. */
const LEAST_CAR = 1300;

/** The series of each flow: the load, or the flows from which the load can be calculated. */
function rolesOf({ series, noun, layout }: Sheet, given: readonly string[] | undefined): Map<Role, SheetSeries[]> {
  const known = series.filter(({ hasNumbers }) => hasNumbers);
  const roles = new Map<Role, SheetSeries[]>();
  const add = (meaning: Meaning | undefined, one: SheetSeries) => {
    const role = ROLES.find((own) => own === meaning);
    if (role) roles.set(role, [...(roles.get(role) ?? []), one]);
    return role;
  };
  if (
    layout?.part !== undefined &&
    given === undefined &&
    known.filter((one) => meaningOf(one, layout) === "import").length < 2
  )
    throw new Error(
      `the file has ${layout.part}: give the files of all of them, such as --meter a.csv b.csv c.csv. ${listOf(series, noun)}`,
    );
  if (given !== undefined) {
    const own = namedSeries(series, given, noun);
    for (const one of own) add(meaningOf(one, layout), one) ?? add("import", one);
    if (roles.has("load") || roles.has("import")) return roles;
    return new Map([["import", own]]);
  }
  if (known.length === 0)
    throw new Error(
      `no ${noun} has numbers other than 0. ${listOf(series, noun)}: export days on which the meter counts`,
    );
  for (const one of known) add(meaningOf(one, layout), one);
  if (roles.has("load") || roles.has("import")) {
    const unknown = known.filter((one) => meaningOf(one, layout) === undefined);
    const isCalculated = !roles.has("load") && roles.has("production");
    if (unknown.length > 0 && (isCalculated || [...(roles.get("load") ?? roles.get("import") ?? [])].every(isPart)))
      throw new Error(
        `the file has ${namesIn(unknown, "and")} beside the parts of the load, and the name does not say whether it is another. ${HOW_TO_CHOOSE}`,
      );
    return roles;
  }
  const [only, ...rest] = known;
  if (roles.has("production"))
    throw new Error(
      `the file has production, and neither a load nor an import. ${listOf(series, noun)}: give it with --production, or export the meter of the house`,
    );
  if (only && rest.length === 0 && meaningOf(only, layout) === undefined) return new Map([["import", [only]]]);
  throw new Error(
    `it is not clear which ${noun} is the load or the import of the house. ${HOW_TO_CHOOSE}. ${listOf(series, noun)}`,
  );
}

/** The flows according to their numbers, whatever their names are. @param notes gets a remark on each wrong name */
function checkedFlows(
  flows: ReadonlyMap<Role, Stretches>,
  { hasSolar }: GivenHouse,
  localOf: (at: number) => number,
  notes: string[],
): Map<Role, Stretches> {
  const found = new Map(flows);
  for (const role of ROLES) {
    const own = found.get(role);
    if (!own || role === "import" || role === "battery") continue;
    const { flow, isTurned } = positive(own);
    found.set(role, flow);
    if (isTurned) notes.push(`the ${role} is counted negative`);
  }
  const load = found.get("load");
  if (!load) return found;
  const partner = (["return", "production"] as const).find((role) => {
    const other = found.get(role);
    return other && areApart(load, other);
  });
  const reason =
    (partner && `it is hardly ever there together with the ${partner}`) ??
    (touchesNothing(load, localOf) ? "it is 0 by day" : hasSolar && !found.has("production") ? "--solar" : undefined);
  if (reason === undefined) return new Map([["load", load]]);
  if (!partner && found.has("import")) {
    found.delete("load");
    return found;
  }
  notes.push(`the load is the import, because ${reason}`);
  const returned = partner && found.get(partner);
  return new Map<Role, Stretches>([["import", load], ...(returned ? [["return", returned] as const] : [])]);
}

/** The load, or the import if the other flows are not known. A meter's own negative import is a return. */
function loadOf(used: ReadonlyMap<Role, Stretches>) {
  const flows = new Map(Array.from(used, ([role, flow]) => [role, byStart(flow)] as const));
  const of = (role: Role, at: number) => flows.get(role)?.get(at) ?? 0;
  const hasProduction = flows.has("production");
  const main = (flows.get("load") ?? flows.get("import")) as ReadonlyMap<number, number>;
  const needed = (["production", "battery"] as const).filter((role) => hasProduction && flows.has(role));
  const starts = [...main.keys()].filter((at) => needed.every((role) => flows.get(role)?.has(at)));
  const netWith = (at: number, grid: number, battery: number) =>
    grid * of("import", at) -
    of("return", at) +
    of("production", at) -
    of("charge", at) +
    of("discharge", at) +
    battery * of("battery", at);
  const isSigned = (role: Role) =>
    [...(flows.get(role)?.values() ?? [])].filter((one) => one < -20).length > 0.02 * starts.length;
  const isCalculated = hasProduction && !flows.has("load");
  const isDirect = !hasProduction && !flows.has("load");
  const { grid, battery } = isCalculated
    ? directionsOf(
        (one, other) => starts.map((at) => netWith(at, one, other)),
        isSigned("import") ? [1, -1] : [1],
        flows.has("battery") ? [1, -1] : [0],
      )
    : { grid: 1, battery: 0 };
  const [power, returned] = [new Float64Array(starts.length), new Float64Array(starts.length)];
  for (const [i, at] of starts.entries()) {
    const own = main.get(at) as number;
    power[i] = Math.max(0, isCalculated ? netWith(at, grid, battery) : own);
    returned[i] = isDirect ? Math.max(of("return", at), -own) : 0;
  }
  const isReturned = returned.some((one) => one > 0) || (isDirect && flows.has("return"));
  return { starts: Float64Array.from(starts), power, ...(isReturned && { returned }) };
}

/** The time on the house's clock. @throws Error if neither the zone nor the longitude is known */
function clockOf({ timeZone, longitude }: GivenHouse): (at: number) => number {
  if (timeZone !== undefined) {
    const clock = new ZoneClock(timeZone);
    return (at) => at + clock.offsetAt(at);
  }
  if (longitude === undefined)
    throw new Error("give --time-zone, such as Europe/Berlin: the base load needs to know day from night");
  return (at) => at + longitude * 240;
}
