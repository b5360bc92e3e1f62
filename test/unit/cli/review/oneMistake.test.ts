import { expect } from "chai";
import { SHOWN_DAY, sunChangeOf } from "../../../../cli/clearDays/change";
import { markdownOf } from "../../../../cli/review/markdown";
import { verdictLine, verdictOf } from "../../../../cli/review/verdict";
import { type OneMistake, reviewed, siteIn } from "./previews";

/** The review of the only site, and its sun on the shown day. */
function seen(mistake: OneMistake) {
  const review = reviewed(mistake);
  const site = siteIn(review, "home");
  const sun = sunChangeOf(site.before, site.after);
  const day = SHOWN_DAY;
  const [before, after] = [sun?.before?.[day], sun?.after[day]];
  return { review, site, sun: before && after && { before, after }, verdict: verdictOf(review) };
}

describe("review of a program with one wrong value", () => {
  const WARNED: readonly [OneMistake, string, string, number][] = [
    ["northAzimuth", "azimuth SSW → NNE (202.5° → 22.5°)", "azimuth-off-equator", 65],
    ["radianTilt", "tilt 35° → 0.61°", "tilt-in-radians", 23],
    ["baseLoad", "baseLoad 400 → 9800 W", "base-load-above-peak", 100],
  ];
  for (const [mistake, change, lint, loss] of WARNED) {
    it(`${mistake}: the verdict warns, and the report has the change, the warning and a picture`, () => {
      const { review, site, verdict } = seen(mistake);
      expect(verdictLine(verdict, String)).to.equal(
        `⚠️ 1 device changes · 1 warning · 1 unchanged · home −${loss} % sun for its cars`,
      );
      expect(site.warnings.map(({ text }) => text).join()).to.contain(`["${lint}"]`);
      expect(markdownOf(review, "github"))
        .to.contain(`| \`home\` | ✅ ready | −${loss} % sun for its cars | \`roof\`: ${change} |`)
        .and.to.contain("```mermaid\n");
    });
  }

  it("azimuth from north that was meant from south: a quarter of the sun is left, and in the morning", () => {
    const { sun } = seen("northAzimuth");
    expect(sun?.after.roofKilowattHours).to.be.below((sun?.before.roofKilowattHours ?? 0) / 3);
    expect([sun?.before.peakAt, sun?.after.peakAt]).to.deep.equal(["12:50", "09:30"]);
  });

  it("tilt in radians: the roof lies flat, and loses a quarter of its sun in March", () => {
    const { sun } = seen("radianTilt");
    expect(sun?.after.date).to.equal("2026-03-20");
    expect(sun?.after.roofKilowattHours).to.be.below((sun?.before.roofKilowattHours ?? 0) * 0.8);
  });

  it("base load above the roof's power: nothing is left for the cars", () => {
    const { sun } = seen("baseLoad");
    expect(sun?.after.kilowattHours).to.equal(0);
    expect(sun?.after.roofKilowattHours).to.equal(sun?.before.roofKilowattHours);
  });

  it("kW for W: refused, with what was probably meant, and without the engine's name of the resource", () => {
    const { site, verdict } = seen("kilowattPower");
    expect(verdictLine(verdict, String)).to.equal("❌ 1 refused");
    expect(site.errors).to.have.lengthOf(2);
    for (const error of site.errors) expect(error).to.match(/^inverters\.roof\.(peakPower 9\.8 W|cutInThreshold) /);
    expect(site.errors[0]).to.contain("9800");
  });
});
