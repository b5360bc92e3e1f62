import { expect } from "chai";
import { markdownOf } from "../../../../cli/review/markdown";
import { withMeasuredMoves } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import { verdictOf } from "../../../../cli/review/verdict";
import { deviceOf } from "../../../../measure/results/device";
import { like } from "../../../support/facts";
import { reviewed, siteIn } from "./previews";

/** A finding of `measure` for the site of examples/home. */
const found = (azimuth: number) => ({
  sites: [
    {
      name: "home",
      inverters: [
        {
          name: "roof",
          verdict: "agrees" as const,
          differs: [],
          panels: { azimuth: "agrees", tilt: "notEnough", peakPower: "notEnough" } as const,
          clearDays: 40,
          declared: { azimuth: 202.5, tilt: 35, peakPower: 9800 },
          measured: { azimuth: { value: azimuth, uncertainty: 9 } },
        },
      ],
    },
  ],
});

describe("review with measured roofs", () => {
  const review = reviewed("northAzimuth");
  const warnings = (azimuth: number) => siteIn(withMeasuredMoves(review, found(azimuth)), "home").warnings;

  it("warns of a change that moves a roof away from what was measured, and counts it", () => {
    expect(warnings(200).at(-1)?.device).to.equal("inverter/roof");
    expect(warnings(200).at(-1)?.text).to.match(like("azimuth SSW → NNE (202.5° → 22.5°) … measured 200° ± 9° (SSW)"));
    const counted = (one: typeof review) => verdictOf(one).parts.find(({ what }) => what === "warned")?.count;
    expect(counted(withMeasuredMoves(review, found(200)))).to.equal((counted(review) ?? 0) + 1);
  });

  it("does not warn of a change towards the measured value, and reports that it agrees", () => {
    expect(warnings(20)).to.deep.equal(siteIn(review, "home").warnings);
    const toMeasured = withMeasuredMoves(review, found(22));
    expect(siteIn(toMeasured, "home").notes).to.have.lengthOf(1);
    const note = "azimuth SSW → NNE (202.5° → 22.5°) moves to the measured 22° ± 9° (NNE)";
    expect(reviewText(toMeasured)).to.contain(`✅ home: inverter/roof: ${note}`);
    expect(markdownOf(toMeasured, "github")).to.contain("✅ ").and.to.contain("moves to the measured 22° ± 9°");
  });

  it("warns of a base load that moves away from what a meter shows", () => {
    const base = reviewed("baseLoad");
    const [change] = siteIn(base, "home").devices.flatMap(({ settings }) => settings);
    const { from, to } = change as { from: number; to: number };
    const measured = (value: number) => ({
      sites: [
        {
          name: "home",
          inverters: [
            deviceOf("roof", {
              baseLoad: { verdict: "agrees", measured: { value, uncertainty: value / 20 }, until: "2025-09-20" },
            }),
          ],
        },
      ],
    });
    const added = (value: number) =>
      siteIn(withMeasuredMoves(base, measured(value)), "home").warnings.slice(siteIn(base, "home").warnings.length);
    expect(change?.setting).to.equal("baseLoad");
    expect(added(from)).to.have.lengthOf(1);
    expect(added(to)).to.deep.equal([]);
    expect(siteIn(withMeasuredMoves(base, measured(to)), "home").notes).to.have.lengthOf(1);
  });

  it("compares a change with several measured planes as one, which face nowhere if they are level", () => {
    const side = { peakPower: 5000, tilt: 30 };
    const planes = [
      { ...side, azimuth: 90 },
      { ...side, azimuth: 270 },
    ];
    const several = (folded: { azimuth: number; tilt: number; peakPower: number }) => {
      const [home] = found(0).sites;
      const inverters = (home?.inverters ?? []).map(({ measured: _, ...one }) => ({ ...one, planes, folded }));
      return siteIn(withMeasuredMoves(review, { sites: [{ name: "home", inverters }] }), "home").warnings;
    };
    expect(several({ azimuth: 190, tilt: 20, peakPower: 9000 }).at(-1)?.text).to.contain("measured 190° ± 25°");
    expect(several({ azimuth: 180, tilt: 0, peakPower: 9000 })).to.deep.equal(siteIn(review, "home").warnings);
  });
});
