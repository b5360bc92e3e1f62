import type { Stretches } from "../sky/series";
import { type Label, type Points, rhythmOf, sorted, stretchesOf } from "./points";
import { type Quantity, quantityOf, type Unit } from "./quantity";
import type { Sheet, SheetSeries } from "./sheet";

/** The options that describe an export. */
export interface Given {
  /** The columns whose numbers are added. */
  readonly column?: readonly string[];
  readonly timeZone?: string;
  readonly unit?: Unit;
  readonly label?: Label;
  /** The declared peak power, in W. It decides the unit if the export names none. */
  readonly declaredPeak?: number;
  /** Whether the numbers are those of a house, not of an inverter. */
  readonly isHouse?: boolean;
}

/** The mean powers of a series, and how it was read. */
export interface Powers {
  readonly series: SheetSeries;
  readonly stretches: Stretches;
  /** Minutes of the shorter step of the last days, for which Home Assistant keeps each change. */
  readonly ownStep: number;
  /** Whether each night has rows without a value, as inverters without sun write them. */
  readonly isEmptyByNight: boolean;
  readonly took: Took;
}

/** The way in which a file was read: format, column, unit, time zone. */
export interface Took {
  readonly format: string;
  readonly column: string;
  readonly quantity: Quantity;
  /** Step in minutes. */
  readonly step: number;
  /** The time zone; `own` if the times have offsets from UTC. */
  readonly zone: string;
  readonly label: Label;
  readonly labelIsKnown: boolean;
  readonly rows: number;
  /** Remarks on the series, for messages. */
  readonly notes: readonly string[];
}

/** Longest steps, in minutes. Sums of days show neither the lowest hours of a house nor the sun on a roof. */
const LONGEST_STEP = 65;

/** The powers of series, which are read together. @throws Error with line and column of an unreadable value */
export function powersOf(sheet: Sheet, chosen: readonly SheetSeries[], given: Given): Powers[] {
  const { points: all, usedZone } = sheet.read(chosen);
  const label = given.label ?? sheet.label ?? "start";
  const zone = usedZone ? (sheet.zone ?? (given.timeZone as string)) : "own";
  return chosen.map((series, i): Powers => {
    const { name: column } = series;
    const points = sorted(all[i] as Points, column);
    const rows = points.times.length;
    if (rows < 3) throw new Error(`line 1: '${column}' has fewer than three values: export more`);
    const rhythm = sheet.layout?.hasHours ? undefined : rhythmOf(points.times);
    const { step: own = 60 } = rhythm ?? {};
    const known = points.values.filter((value) => !Number.isNaN(value));
    const quantity = quantityOf(known, { ...given, hours: own / 60, name: column, named: series.unit });
    const { stretches, step, ownStep } = rhythm
      ? { stretches: stretchesOf(points, rhythm, quantity, label), step: own, ownStep: own }
      : ofHistory(points, quantity, label);
    if (step > LONGEST_STEP)
      throw new Error(`the values of '${column}' are ${step} minutes apart: export steps of an hour or less`);
    const labelIsKnown = (given.label ?? sheet.label) !== undefined || quantity.kind === "counter";
    const { format } = sheet;
    const isEmptyByNight = isEmptyBetween(points);
    const took = { format, column, quantity, step, zone, label, labelIsKnown, rows, notes: [] };
    return { series, stretches, ownStep, isEmptyByNight, took };
  });
}

/** Whether many values are missing, and the values beside the gaps are small. */
function isEmptyBetween({ values }: Points): boolean {
  const largest = values.reduce((most, one) => Math.max(most, Number.isNaN(one) ? 0 : Math.abs(one)), 0);
  const isEmpty = (i: number) => Number.isNaN(values[i] ?? 0);
  const edges = Array.from(values.keys()).filter((i) => !isEmpty(i) && (isEmpty(i - 1) || isEmpty(i + 1)));
  const small = edges.filter((i) => Math.abs(values[i] as number) < 0.05 * largest).length;
  return values.filter((one) => Number.isNaN(one)).length > 0.2 * values.length && small > 0.8 * edges.length;
}

/** An hour, in seconds. */
const HOUR = 3600;

/**
 * Reads Home Assistant's history, which has hourly means, then each change of the last days. The longer part decides
 * the step. No step mixes values of both parts.
 */
function ofHistory({ times, values }: Points, quantity: Quantity, label: Label) {
  let seam = 0;
  while (seam < times.length && (times[seam] as number) % HOUR === 0) seam++;
  const part = (from: number, to?: number): Points => ({
    times: times.slice(from, to),
    values: values.slice(from, to),
  });
  const [hours, changes] = [part(0, seam), part(seam)];
  const lengthOf = ({ times: some }: Points) => ((some.at(-1) ?? 0) - (some[0] ?? 0)) / 86_400;
  const ownStep = changes.times.length > 3 ? Math.max(1, Math.round(rhythmOf(changes.times).step)) : 60;
  const late = stretchesOf(changes, { step: 15, isIrregular: true }, quantity, "start");
  if (hours.times.length < 3 || lengthOf(hours) < lengthOf(changes)) return { stretches: late, step: 15, ownStep };
  const early = stretchesOf(hours, { step: 60, isIrregular: false }, quantity, label);
  const both = (key: keyof Stretches) => Float64Array.from([...early[key], ...late[key]]);
  const stretches = { from: both("from"), to: both("to"), watts: both("watts") };
  return { stretches, step: 60, ownStep: 60 };
}
