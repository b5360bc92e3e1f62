import type { Mornings } from "../sky/cutIn";
import { meansOf, type Series, seriesOf } from "../sky/series";
import { isFlowOfHouse } from "./meter";
import { type Given, type Powers, powersOf, type Took } from "./powers";
import { unitIn } from "./quantity";
import { listOf, namedSeries, type Sheet, type SheetSeries, sheetOf } from "./sheet";
import type { Pieces } from "./text";
import { listed } from "./words";

/** Measured production, and how the file was read. */
export interface Production {
  /** Absent if it contains too little power. */
  readonly series?: Series;
  /** The production in its own steps, or in minutes if it is recorded only when something changes. */
  readonly mornings: Mornings;
  /** Standard deviation of the clock in minutes if its zone is right: half a step if the label is only likely. */
  readonly clockDeviation: number;
  readonly took: Took;
}

/** Deviation of a good clock, in minutes. */
const GOOD_CLOCK = 2;

/** Reads an export of production. @throws Error with line and column of an unreadable value */
export function productionOf(pieces: Pieces, given: Given): Production {
  const sheet = sheetOf(pieces, given.timeZone);
  const series = chosen(sheet, given.column);
  const [{ stretches, ownStep, took }] = powersOf(sheet, [series], given) as [Powers];
  const found = seriesOf(stretches, took.step);
  const { times, watts } = meansOf(stretches, Math.max(60, Math.round(ownStep * 60)));
  return {
    ...(found && { series: found }),
    mornings: { times, power: watts, step: Math.max(1, ownStep) },
    clockDeviation: took.labelIsKnown ? GOOD_CLOCK : Math.max(GOOD_CLOCK, took.step / 2),
    took,
  };
}

/** Words of a production, of a power or energy, and of something else. */
const GOOD = /produ|erzeug|ertrag|\bpv\b|pv[_-]|solar|yield|generat|totw\b|gridms|photovolt/i;
const PANELS = /\bpv\b|pv[_-]|solar|photovolt/i;
const WEAK = /power|leistung|watt|output|totw|energ/i;
const BAD =
  /consum|verbrauch|einspeis|feed|grid_|\bgrid\b|netz|batter|speicher|irradi|strahlung|temp|export|import|load|last\b|soc|ladez|%|volt|current|strom|freq|price|preis|dire[ck]t|eigen|self|wattpilot/i;

/** The series of the production. @throws Error if none is likely, or several are equally likely */
function chosen({ series, noun, format }: Sheet, given: string | undefined): SheetSeries {
  if (given !== undefined) return namedSeries(series, given, noun);
  const scored = series
    .map((one, index) => ({ one, index, score: scoreOf(one.name) }))
    .filter(({ one }) => one.hasNumbers)
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  if (!best) throw new Error(`no ${noun} has numbers above 0. ${listOf(series, noun)}: export days with sun`);
  // A column of a table may have any name, because a table has few. A sensor needs a likely one.
  const isGood = GOOD.test(best.one.name);
  if (!isGood && (BAD.test(best.one.name) || isFlowOfHouse(best.one, format)))
    throw new Error(
      `no ${noun} is known as production. ${listOf(series, noun)}: choose one with --column, or give the meter of a house with --meter`,
    );
  const isLikely = noun === "column" || series.length === 1 || isGood;
  if (isLikely && (!next || next.score < best.score)) return best.one;
  const likely = scored.filter(({ score }) => score >= 0);
  const some = (likely.length > 0 ? likely : scored).slice(0, 20).map(({ one }) => `'${one.name}'`);
  throw new Error(
    noun === "column"
      ? `several columns may be the production. Choose one with --column: ${listed(some, "or")}`
      : `it is not clear which ${noun} is the production. Choose one with --column: ${listed(some, "or")}`,
  );
}

function scoreOf(name: string): number {
  const unit = unitIn(name);
  return (
    (GOOD.test(name) ? 4 : 0) +
    // The panels before the inverter.
    (PANELS.test(name) ? 0.25 : 0) +
    (WEAK.test(name) ? 2 : 0) -
    (BAD.test(name) ? 6 : 0) +
    (unit ? (unit.endsWith("h") ? 0.5 : 1) : 0)
  );
}
