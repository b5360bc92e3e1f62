import { Column } from "../sky/columns";
import { type Series, type Stretches, seriesOf, stepsAt } from "../sky/series";
import { addedOf, areParts, flowOf, isPart, positive, roleOf } from "./flows";
import { type Layout, PRODUCTION } from "./layouts";
import { type Given, type Powers, powersOf, type Took } from "./powers";
import { unitIn } from "./quantity";
import { HOW_TO_CHOOSE, listOf, namedSeries, namesIn, type Sheet, type SheetSeries, sheetOf } from "./sheet";
import type { Pieces } from "./text";

/** Measured production, and how the file was read. */
export interface Production {
  /** Absent if it contains too little power. */
  readonly series?: Series;
  /** The production in its own steps, or in minutes if it is recorded only when something changes. */
  readonly mornings: Stretches;
  /**
   * Standard deviation of the clock in minutes, if its zone is right. It is half a step if the label is not certain.
   */
  readonly clockDeviation: number;
  readonly took: Took;
}

/** Deviation of a good clock, in minutes. */
const GOOD_CLOCK = 2;

/** Reads the exports of a production. @throws Error with line and column of an unreadable value */
export function productionOf(files: readonly Pieces[], given: Given): Production {
  const sheet = sheetOf(files, given.timeZone);
  const added = addedOf(powersOf(sheet, chosen(sheet, given.column), given), "the production", { mayAdd: true });
  const [first] = added as [Powers];
  const { took, ownStep } = first;
  const width = Math.max(60, Math.round(ownStep * 60));
  const { flow, isTurned } = positive(flowOf(added, width));
  const found = seriesOf(added.length > 1 || isTurned ? flow : first.stretches, took.step);
  return {
    ...(found && { series: found }),
    mornings: first.isEmptyByNight ? withNights(flow, width) : flow,
    clockDeviation: took.labelIsKnown ? GOOD_CLOCK : Math.max(GOOD_CLOCK, took.step / 2),
    took: {
      ...took,
      column: added.map((one) => one.series.name).join("' + '"),
      notes: [
        ...(isTurned ? ["the production is counted negative"] : []),
        ...added
          .filter((one) => isOther(one.series, sheet.layout))
          .map((one) => `'${one.series.name}' is another quantity according to its name`),
      ],
    },
  };
}

/** The flow, with 0 in those steps of the night that have no value in the file. */
function withNights({ from, watts }: Stretches, width: number): Stretches {
  const [times, powers] = [new Column(), new Column()];
  for (const [i, to] of from.entries()) {
    for (let at = (from[i - 1] ?? to) + width; at < to; at += width) {
      times.add(at);
      powers.add(0);
    }
    times.add(to);
    powers.add(watts[i] as number);
  }
  return stepsAt(times.all(), width, powers.all());
}

/** The series of the production. @throws Error if none is likely, or several are equally likely */
function chosen({ series, noun, layout }: Sheet, given: readonly string[] | undefined): readonly SheetSeries[] {
  if (given !== undefined) return namedSeries(series, given, noun);
  const scored = series
    .map((one) => ({ one, score: scoreOf(one) }))
    .filter(({ one }) => one.hasNumbers)
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  if (!best) throw new Error(`no ${noun} has numbers above 0. ${listOf(series, noun)}: export days with sun`);
  // A column may have any name, because a table has few columns. A sensor needs a likely name.
  const isGood = PRODUCTION.good.test(best.one.name);
  if (isOther(best.one, layout))
    throw new Error(
      `no ${noun} is known as production. ${listOf(series, noun)}: choose one with --column, or give the meter of a house with --meter`,
    );
  const isLikely = noun === "column" || series.length === 1 || isGood;
  const unknown = scored.filter(
    ({ one }) => one !== best.one && roleOf(one, layout) === undefined && !PRODUCTION.bad.test(one.name),
  );
  if (isLikely && (!next || next.score < best.score) && !(isPart(best.one) && unknown.length > 0)) return [best.one];
  const equal = scored.filter(({ score }) => score === best.score).map(({ one }) => one);
  if (isGood && equal.length > 1 && areParts(equal)) return equal;
  const likely = scored.filter(({ score }) => score >= 0);
  const some = (likely.length > 0 ? likely : scored).map(({ one }) => one);
  throw new Error(`several of them may be the production: ${namesIn(some)}. ${HOW_TO_CHOOSE}`);
}

/** Whether a name is that of another quantity, such as a flow of the house. */
function isOther(series: SheetSeries, layout: Layout | undefined): boolean {
  const { good, bad } = PRODUCTION;
  const isOfHouse = !["none", "production", undefined].includes(roleOf(series, layout));
  return !good.test(series.name) && (bad.test(series.name) || isOfHouse);
}

function scoreOf({ name, unit = unitIn(name) }: SheetSeries): number {
  const { good, panels, total, weak, bad } = PRODUCTION;
  return (
    (good.test(name) ? 4 : 0) +
    // Columns of the panels count before those of the inverter's output.
    (panels.test(name) ? 0.25 : 0) +
    (total.test(name) ? 0.125 : 0) +
    (weak.test(name) ? 2 : 0) -
    (bad.test(name) ? 6 : 0) +
    (unit ? (unit.endsWith("h") ? 0.5 : 1) : 0)
  );
}
