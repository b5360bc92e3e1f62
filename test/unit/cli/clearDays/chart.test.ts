import { expect } from "chai";
import { sunChangeOf } from "../../../../cli/clearDays/change";
import { sunChart } from "../../../../cli/clearDays/markdown";
import { declaredSite } from "../../../support/statuses";

const ROOF = { peakPower: 9800, azimuth: 202.5, tilt: 35, baseLoad: 400 };
const car = { label: "vehicle/car", values: { maxChargePower: 11_000 } };
const side = (roof: Partial<typeof ROOF>) =>
  declaredSite([{ label: "inverter/roof", values: { ...ROOF, ...roof } }, car]);

/** The power hour by hour of `bar` (before) or `line` (after); undefined if the chart lacks it. */
function seriesOf(chart: readonly string[], kind: "bar" | "line"): number[] | undefined {
  const line = chart.find((one) => one.startsWith(`  ${kind} [`));
  return line === undefined ? undefined : JSON.parse(line.slice(kind.length + 3));
}

function chartOf(before: Partial<typeof ROOF> | undefined, after: Partial<typeof ROOF>): string[] {
  const change = sunChangeOf(before && side(before), side(after));
  if (!change) throw new Error("nothing changes");
  return sunChart(change);
}

const axisOf = (chart: readonly string[]) => chart.find((line) => line.startsWith("  y-axis"));

describe("picture of the sun", () => {
  it("has the power of the roofs before and after at each hour, and a short source", () => {
    const chart = chartOf({}, { azimuth: 22.5 });
    const [before = [], after = []] = [seriesOf(chart, "bar"), seriesOf(chart, "line")];
    expect([before.length, after.length]).to.deep.equal([25, 25]);
    expect([before, after].map((powers) => powers.indexOf(Math.max(...powers)))).to.deep.equal([13, 10]);
    expect([before[0], before[24], after[24]]).to.deep.equal([0, 0, 0]);
    expect(axisOf(chart))
      .to.match(/^ {2}y-axis ".*roofs" /)
      .and.to.contain(`0 --> ${Math.max(...before, ...after)}`);
    expect(chart.join("\n").length).to.be.below(2000); // GitLab draws longer charts only after a click.
  });

  it("has what is left for the cars if the roofs stay as they are", () => {
    const chart = chartOf({}, { baseLoad: 9800 });
    expect(axisOf(chart)).to.match(/"kW .*cars"/);
    expect(Math.max(...(seriesOf(chart, "bar") ?? []))).to.be.within(7, 9);
    expect(new Set(seriesOf(chart, "line"))).to.deep.equal(new Set([0]));
  });

  it("has one curve if nothing was known before", () => {
    const chart = chartOf(undefined, {});
    expect(seriesOf(chart, "bar")).to.equal(undefined);
    expect(seriesOf(chart, "line")).to.have.lengthOf(25);
  });

  it("has an axis of some length if there is no power", () => {
    expect(axisOf(chartOf(undefined, { peakPower: 0 }))).to.match(/0 --> 0\.1$/);
  });
});
