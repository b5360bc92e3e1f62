import { expect } from "chai";
import { withMeasured } from "../../../../cli/review/review";
import { verdictOf } from "../../../../cli/review/verdict";
import { like } from "../../../support/facts";
import { reviewed, siteIn } from "./previews";

/** A finding of `roof` for the site of examples/home. */
const found = (azimuth: number) => ({
  sites: [
    {
      name: "home",
      inverters: [
        {
          name: "roof",
          verdict: "agrees" as const,
          differs: [],
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
  const warnings = (azimuth: number) => siteIn(withMeasured(review, found(azimuth)), "home").warnings;

  it("warns of a change that moves a roof away from what was measured, and counts it", () => {
    expect(warnings(200).at(-1)).to.match(
      like("inverter/roof: azimuth SSW → NNE (202.5° → 22.5°) … measured 200° ± 9° (SSW)"),
    );
    const counted = (one: typeof review) => verdictOf(one).parts.find(({ what }) => what === "warned")?.count;
    expect(counted(withMeasured(review, found(200)))).to.equal((counted(review) ?? 0) + 1);
  });

  it("says nothing of a change towards what was measured", () => {
    expect(warnings(20)).to.deep.equal(siteIn(review, "home").warnings);
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
      return siteIn(withMeasured(review, { sites: [{ name: "home", inverters }] }), "home").warnings;
    };
    expect(several({ azimuth: 190, tilt: 20, peakPower: 9000 }).at(-1)).to.contain("measured 190° ± 25°");
    expect(several({ azimuth: 180, tilt: 0, peakPower: 9000 })).to.deep.equal(siteIn(review, "home").warnings);
  });
});
