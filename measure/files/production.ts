import { sum } from "../sky/numbers";
import { Column, type Series, type Stretches, seriesOf, stepsAt } from "../sky/series";
import { addedOf, areParts, flowOf, isPart, meaningOf, positive } from "./flows";
import { type Layout, PREFERRED } from "./layouts";
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
          .filter((one) => likelinessOf(one.series, sheet.layout).score < 0)
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
    .filter(({ hasNumbers }) => hasNumbers)
    .map((one) => ({ one, ...likelinessOf(one, layout) }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  if (!best) throw new Error(`no ${noun} has numbers above 0. ${listOf(series, noun)}: export days with sun`);
  if (best.score < 0)
    throw new Error(
      `no ${noun} is known as production. ${listOf(series, noun)}: choose one with --column, or give the meter of a house with --meter`,
    );
  // A column may have any name, because a table has few columns. A sensor needs a likely name.
  const isGood = best.meaning === "production";
  const isLikely = noun === "column" || series.length === 1 || isGood;
  const isUnclear = isPart(best.one) && scored.some(({ one, meaning }) => one !== best.one && meaning === undefined);
  if (isLikely && (!next || next.score < best.score) && !isUnclear) return [best.one];
  const equal = scored.filter(({ score }) => score === best.score).map(({ one }) => one);
  if (isGood && equal.length > 1 && areParts(equal)) return equal;
  const likely = scored.filter(({ score }) => score >= 0).map(({ one }) => one);
  throw new Error(`several of them may be the production: ${namesIn(likely)}. ${HOW_TO_CHOOSE}`);
}

/** The meaning of a series, and a score; it is negative if the name is that of another quantity. */
function likelinessOf({ name, unit = unitIn(name) }: SheetSeries, layout: Layout | undefined) {
  const meaning = meaningOf({ name }, layout, { isOfDevice: true });
  if (meaning !== undefined && meaning !== "production") return { meaning, score: -1 };
  const all = PREFERRED.filter(([, words]) => words.test(name)).map(([score]) => score);
  return { meaning, score: sum(all) + (meaning ? 4 : 0) + (unit ? (unit.endsWith("h") ? 0.5 : 1) : 0) };
}
