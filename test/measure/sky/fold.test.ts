import { expect } from "chai";
import fc from "fast-check";
import { fold } from "../../../measure/sky/fold";
import type { Panels } from "../../../measure/sky/plane";

const plane = (kilowatts: number, azimuth: number, tilt: number): Panels => ({
  peakPower: kilowatts * 1000,
  azimuth,
  tilt,
});

/** The folded planes in existing states. If these numbers changed, each such inverter would change with an upgrade. */
const GOLDEN: Readonly<Record<string, { planes: readonly Panels[]; folded: readonly number[] }>> = {
  "E+W 30°": { planes: [plane(5, 90, 30), plane(5, 270, 30)], folded: [9075, 180, 0, 0.03, 0.036] },
  "E+W 15°": { planes: [plane(5, 90, 15), plane(5, 270, 15)], folded: [9718, 180, 0, 0.006, 0.004] },
  "E+W 45°": { planes: [plane(5, 90, 45), plane(5, 270, 45)], folded: [8293, 0, 3, 0.103, 0.087] },
  "E 7 + W 3": { planes: [plane(7, 90, 35), plane(3, 270, 35)], folded: [9017, 85, 14, 0.056, 0.046] },
  "SE+SW": { planes: [plane(5, 135, 35), plane(5, 225, 35)], folded: [9374, 180, 24, 0.019, 0.016] },
  "S+W": { planes: [plane(5, 180, 35), plane(5, 270, 35)], folded: [9260, 222, 25, 0.017, 0.018] },
  "S 40° + flat": { planes: [plane(5, 180, 40), plane(5, 180, 0)], folded: [9476, 180, 20, 0.001, 0.002] },
  "S+N 30°": { planes: [plane(5, 180, 30), plane(5, 0, 30)], folded: [8461, 180, 5, 0.015, 0.021] },
  "E 3 + S 4 + W 3": {
    planes: [plane(3, 90, 35), plane(4, 180, 35), plane(3, 270, 35)],
    folded: [8896, 180, 14, 0.033, 0.026],
  },
};

describe("fold of planes", () => {
  for (const [name, { planes, folded: numbers }] of Object.entries(GOLDEN)) {
    it(`of ${name} at 50° north is the same in every version`, () => {
      const { peakPower, azimuth, tilt, yearLoss, shapeLoss } = fold(planes, 50);
      expect([peakPower, azimuth, tilt]).to.deep.equal(numbers.slice(0, 3));
      expect(yearLoss).to.be.closeTo(numbers[3] as number, 0.003);
      expect(shapeLoss).to.be.closeTo(numbers[4] as number, 0.003);
    });
  }

  it("is the vector sum without a latitude", () => {
    expect(fold([plane(5, 90, 30), plane(5, 270, 30)], undefined)).to.deep.equal({
      peakPower: 8660,
      azimuth: 180,
      tilt: 0,
    });
  });

  it("of one plane is that plane, and does not depend on the order of several", () => {
    const panels = fc.record({
      peakPower: fc.integer({ min: 500, max: 20_000 }),
      azimuth: fc.integer({ min: 0, max: 359 }),
      tilt: fc.integer({ min: 10, max: 60 }),
    });
    fc.assert(
      fc.property(panels, panels, fc.integer({ min: -60, max: 60 }), (a, b, latitude) => {
        const { peakPower, azimuth, tilt } = fold([a], latitude);
        expect({ peakPower, azimuth, tilt }).to.deep.equal({ ...a });
        const [one, other] = [fold([a, b], latitude), fold([b, a], latitude)];
        expect(other).to.deep.equal(one);
        // If roofs face away from the sun, diffuse light makes it more than the sum: by up to a tenth in 3,000 random
        // pairs.
        expect(one.peakPower).to.be.at.most(1.25 * (a.peakPower + b.peakPower));
      }),
      { numRuns: 15 },
    );
  });
});
