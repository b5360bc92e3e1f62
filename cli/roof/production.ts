import { type Series, type Stretch, seriesOf } from "../../sky/series";
import { type Label, type Points, rhythmOf, sorted, stretchesOf } from "./points";
import { type Quantity, quantityOf, type Unit } from "./quantity";
import { type Given, type Source, sourceOf } from "./sources";

/** The options that describe an export. */
export interface GivenProduction extends Given {
  readonly unit?: Unit;
  readonly label?: Label;
  /** The declared peak power, in W. It decides the unit if the export names none. */
  readonly declaredPeak?: number;
}

/** Measured production, and how the file was read. */
export interface Production {
  /** Absent if it contains too little power. */
  readonly series?: Series;
  /** Standard deviation of the clock in minutes if its zone is right: half a step if the label is only likely. */
  readonly clockDeviation: number;
  readonly took: Took;
}

/** The way in which a file was read: format, column, unit, time zone. */
export interface Took {
  readonly format: string;
  readonly column: string;
  readonly quantity: Quantity;
  /** Step in minutes. */
  readonly step: number;
  /** The zone; `own` if the times have offsets. */
  readonly zone: string;
  readonly label: Label;
  readonly labelIsKnown: boolean;
  readonly rows: number;
}

/** Deviation of a good clock, in minutes. */
const GOOD_CLOCK = 2;

/** Reads an export of production. @throws Error with line and column of an unreadable value */
export function productionOf(text: string, given: GivenProduction): Production {
  const source = sourceOf(text, given);
  const points = sorted(source.points);
  if (points.times.length < 3) throw new Error(`line 1: '${source.name}' has fewer than three values: export more`);
  const { stretches, step, quantity } = source.hasHours
    ? ofHistory(points, source, given)
    : ofPoints(points, source, given);
  const label = given.label ?? source.label ?? source.likely;
  const labelIsKnown = (given.label ?? source.label) !== undefined || quantity.kind === "counter";
  const series = seriesOf(stretches, step);
  return {
    ...(series && { series }),
    clockDeviation: labelIsKnown ? GOOD_CLOCK : Math.max(GOOD_CLOCK, step / 2),
    took: {
      format: source.format,
      column: source.name,
      quantity,
      step,
      zone: source.usedZone ? (given.timeZone as string) : "own",
      label,
      labelIsKnown,
      rows: points.times.length,
    },
  };
}

interface Read {
  readonly stretches: Stretch[];
  readonly step: number;
  readonly quantity: Quantity;
}

function ofPoints(points: Points, { name, label: known, likely }: Source, given: GivenProduction): Read {
  const rhythm = rhythmOf(points.times);
  const values = Array.from(points.values).filter((value) => !Number.isNaN(value));
  const quantity = quantityOf(values, rhythm.step / 60, name, given.unit, given.declaredPeak);
  const label = given.label ?? known ?? likely;
  return { stretches: stretchesOf(points, rhythm, quantity, label), step: rhythm.step, quantity };
}

/** An hour, in seconds. */
const HOUR = 3600;

/**
 * Reads Home Assistant's history: hourly means, then each change of the last days. The longer part decides the step.
 * A step never mixes values of both.
 */
function ofHistory(points: Points, source: Source, given: GivenProduction): Read {
  const { times, values } = points;
  let seam = 0;
  while (seam < times.length && (times[seam] as number) % HOUR === 0) seam++;
  const part = (from: number, to?: number): Points => ({
    times: times.slice(from, to),
    values: values.slice(from, to),
  });
  const isOnlyHours = seam === times.length;
  const [hours, changes] = [part(0, seam), part(isOnlyHours ? seam : seam)];
  const lengthOf = ({ times: some }: Points) => ((some.at(-1) ?? 0) - (some[0] ?? 0)) / 86_400;
  const numbers = Array.from(values).filter((value) => !Number.isNaN(value));
  const quantity = quantityOf(numbers, 1, source.name, given.unit, given.declaredPeak);
  const late = stretchesOf(changes, { step: 15, isIrregular: true }, quantity, "start");
  if (hours.times.length < 3 || lengthOf(hours) < lengthOf(changes)) return { stretches: late, step: 15, quantity };
  const early = stretchesOf(hours, { step: 60, isIrregular: false }, quantity, given.label ?? "start");
  return { stretches: [...early, ...late], step: 60, quantity };
}
