import { expect } from "chai";
import { findingsOf } from "../../../measure/sky/findings";
import { type RoofTrend, trendOf } from "../../../measure/sky/trend";
import { simulatedRoof, type Weather } from "../../support/simulatedRoofs";

const YEAR: Weather = { begin: "2025-01-01", days: 365, step: 60 };
const CLOCK = { shift: 0, deviation: 2 };
const CHANGED = 180;
const FIRST = Date.parse(YEAR.begin) / 86_400_000;

function trend(seed: number, weather: Weather): RoofTrend | undefined {
  const { series, place } = simulatedRoof(seed, weather);
  const findings = findingsOf(series, place, CLOCK);
  expect(findings.kind).to.equal("onePlane");
  return findings.kind === "onePlane" ? trendOf(findings) : undefined;
}

describe("the trend of a roof", () => {
  it("has no change if there was none, and a peak power for most months, which hardly differ", () => {
    for (const seed of [1, 2]) {
      const { months, change } = trend(seed, YEAR) as RoofTrend;
      expect(change).to.equal(undefined);
      expect(months).to.have.length.within(8, 12);
      const peaks = months.map(({ peakPower }) => peakPower.value);
      expect(Math.max(...peaks) / Math.min(...peaks)).to.be.below(1.25);
    }
  });

  for (const factor of [0.67, 0.9, 1.5]) {
    it(`has a change to ${100 * factor} % within its ±, with its day`, () => {
      const { change } = trend(3, { ...YEAR, change: { day: CHANGED, factor } }) as RoofTrend;
      if (!change) throw new Error("no change was found");
      const { since, share } = change;
      expect(Math.abs(Date.parse(since) / 86_400_000 - FIRST - CHANGED)).to.be.below(8);
      expect(Math.abs(share.value + 1 - factor)).to.be.below(share.uncertainty);
    });
  }

  it("leaves a roof that changed one day beside the day that was found", () => {
    const { series, place } = simulatedRoof(10_003, { ...YEAR, step: 15, change: { day: 239, factor: 0.5 } });
    expect(findingsOf(series, place, CLOCK).kind).to.equal("onePlane");
  });

  it("has no change if the power returns, such as after snow", () => {
    const { series, place } = simulatedRoof(4, YEAR);
    const isCovered = (i: number) => Math.abs((series.times[i] as number) / 86_400 - FIRST - CHANGED) < 20;
    const power = series.power.map((one, i) => (isCovered(i) ? 0.6 * one : one));
    const findings = findingsOf({ ...series, power }, place, CLOCK);
    expect(findings.kind === "onePlane" && trendOf(findings)?.change).to.equal(undefined);
  });

  it("needs 8 months, unless the power changes", () => {
    expect(trend(1, { ...YEAR, begin: "2025-03-01", days: 200 })).to.equal(undefined);
  });

  for (const factor of [0.5, 1.6])
    it(`has a change to ${100 * factor} % within 140 days, and the roof is that after it`, () => {
      const changed = { day: 70, factor };
      const { series, place, panels } = simulatedRoof(2, { days: 140, step: 60, begin: "2025-04-15", change: changed });
      const findings = findingsOf(series, place, CLOCK);
      if (findings.kind !== "onePlane") throw new Error(`${findings.kind}: one plane was expected`);
      // Without the change, the power was that before it, or the roof had two planes.
      expect(findings.peakPower.value / (factor * panels.peakPower)).to.be.within(0.85, 1.25);
      const { change } = trendOf(findings) as RoofTrend;
      expect(Math.abs((Date.parse(change?.since ?? "") - Date.parse("2025-04-15")) / 86_400_000 - 70)).to.be.below(8);
    });
});
