import { expect } from "chai";
import { type Findings, findingsOf } from "../../../sky/findings";
import type { Series } from "../../../sky/series";
import { clearRoof, recorded } from "../../support/production";

const PLACE = { latitude: 50, longitude: 8 };
const CLOCK = { shift: 0, deviation: 2 };
const STEP = 30;
const ROOF = clearRoof(PLACE, { peakPower: 8000, azimuth: 200, tilt: 35 }, STEP);

const found = (series: Series | undefined) => findingsOf(series as Series, PLACE, CLOCK);

describe("the roof in a series", () => {
  it("counts every clear day of two years", () => {
    const findings = found(recorded(ROOF, "2024-01-01", 731, STEP));
    expect(findings.kind).to.equal("onePlane");
    expect(findings.clearDays).to.be.within(550, 731);
  });

  it("is not found in a meter that shows the same power day and night", () => {
    const findings = found(recorded((from) => 3 + (from.getUTCMinutes() === 0 ? 0.1 : 0), "2025-04-20", 60, STEP));
    expect(findings).to.deep.equal({ kind: "notEnough", clearDays: 0 });
  });

  it("is less certain if the days differ", () => {
    // Dirt or a repair in between: the peak power of the first month is not that of the second.
    const half = Date.UTC(2025, 5, 1);
    const cleaned = (from: Date) => ROOF(from) * (from.getTime() < half ? 0.88 : 1);
    const [even, uneven] = [ROOF, cleaned].map((roof) => found(recorded(roof, "2025-05-02", 60, STEP)));
    expect([even?.kind, uneven?.kind]).to.deep.equal(["onePlane", "onePlane"]);
    const deviation = (one: Findings | undefined) => (one?.kind === "onePlane" ? one.peakPower.deviation : 0);
    expect(deviation(uneven)).to.be.above(1.5 * deviation(even));
  });

  it("is found if a meter shows a little power at night", () => {
    const findings = found(recorded((from) => ROOF(from) + 40, "2025-05-01", 60, STEP));
    expect(findings.kind).to.equal("onePlane");
  });
});
