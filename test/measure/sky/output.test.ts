import { expect } from "chai";
import { momentsAt } from "../../../measure/sky/moments";
import { OutputModel } from "../../../measure/sky/output";
import { conditionsOf, expectedWith } from "../../../measure/sky/parameters";
import { vectorOf } from "../../../measure/sky/plane";

describe("the output of a plane", () => {
  it("is less than a tenth in a tenth of the light, because panels and inverters lose efficiency", () => {
    const moments = momentsAt(Float64Array.of(Date.UTC(2025, 5, 21, 12) / 1000), { latitude: 50, longitude: 0 });
    const weak = { ...moments, extraterrestrial: moments.extraterrestrial.map((one) => one / 10) };
    // Without heat, which hides the effect: weak light heats the panels less.
    const conditions = { ...conditionsOf(expectedWith(0)), heat: 0 };
    const [full, tenth] = [moments, weak].map((at) => {
      const out = new Float64Array(1);
      new OutputModel(at, 15).power([vectorOf({ peakPower: 1, azimuth: 180, tilt: 30 })], conditions, out);
      return out[0] as number;
    });
    expect((10 * (tenth as number)) / (full as number)).to.be.within(0.94, 0.97);
  });
});
