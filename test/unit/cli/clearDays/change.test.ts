import { expect } from "chai";
import { decisiveChange, SHOWN_DAY, type SunChange, sunChangeOf } from "../../../../cli/clearDays/change";
import { sunMarkdown } from "../../../../cli/clearDays/markdown";
import { sunWords } from "../../../../cli/clearDays/words";
import type { SiteView } from "../../../../cli/view/model";
import { declaredSite } from "../../../support/statuses";

const ROOF = { peakPower: 9800, azimuth: 202.5, tilt: 35, baseLoad: 400 };
const CAR = { maxChargePower: 11_000, maxCapacity: 10_000 };
const side = (car: object = CAR, roof: object = ROOF, rest: Partial<SiteView> = {}): SiteView =>
  declaredSite(
    [
      { label: "inverter/roof", values: { ...roof } },
      { label: "vehicle/car", values: { ...car } },
    ],
    rest,
  );
const changeOf = (before: SiteView | undefined, after: SiteView) => sunChangeOf(before, after) as SunChange;
const shownOf = ({ before, after }: SunChange) => [before?.[SHOWN_DAY]?.kilowattHours, after[SHOWN_DAY]?.kilowattHours];

describe("change of a site's sun", () => {
  it("promises a car of 10 kWh no more than 10 kWh", () => {
    const change = changeOf(undefined, side());
    expect(shownOf(change)).to.deep.equal([undefined, 10]);
    expect(sunWords(change, String, String).at(-1)).to.match(/^10 kWh .*March$/);
  });

  it("names a car whose capacity the service assumes", () => {
    const { maxCapacity: _, ...car } = CAR;
    const change = changeOf(undefined, side(car));
    expect(change.assumed).to.deep.equal(["car"]);
    expect(sunWords(change, String, String).at(-1)).to.match(/ 80 kWh .*car$/);
  });

  it("promises nothing to cars that charge by price, with the reason", () => {
    for (const [byPrice, solar] of [
      ["notReady", true],
      ["off", false],
    ] as const) {
      const change = changeOf(undefined, side(CAR, ROOF, { ready: false, solar }));
      expect([shownOf(change), change.byPrice]).to.deep.equal([[undefined, 0], byPrice]);
    }
    expect(decisiveChange(changeOf(side(), side(CAR, ROOF, { ready: false })))).to.deep.equal({
      of: "cars",
      share: -1,
    });
  });

  it("is not known after an update that the service refused, because the device keeps its value", () => {
    const gaps = [{ device: "inverter/roof", setting: "baseLoad", reason: "notAccepted" as const }];
    expect(sunChangeOf(side(), side(CAR, { ...ROOF, baseLoad: 500 }, { ready: false, gaps }))).to.equal(undefined);
  });

  it("counts what an inverter keeps because it is no longer declared", () => {
    const { baseLoad: _, ...roof } = ROOF;
    expect(sunChangeOf(side(), side(CAR, roof))).to.equal(undefined);
  });

  it("does not show the correction of a false rating as a loss", () => {
    const large = { maxCapacity: 300_000 };
    const strong = { ...ROOF, peakPower: 90_000 };
    const before = side({ ...large, maxChargePower: 150_000 }, strong);
    const change = changeOf(before, side({ ...large, maxChargePower: 22_000 }, strong));
    const [then, now] = shownOf(change);
    expect(then).to.equal(now);
    expect(change.corrected).to.deep.equal([{ name: "car", from: 150_000, to: 22_000 }]);
    expect(sunWords(change, String, String).at(-1)).to.match(/; car .* 150 kW, .* 22 kW /);
  });

  it("is decided by the larger loss: of the roofs, or of the cars that lose all of it", () => {
    const north = { ...ROOF, azimuth: 22.5 };
    const ofRoofs = decisiveChange(changeOf(side(), side(CAR, north)));
    expect(ofRoofs?.of).to.equal("roofs");
    expect(ofRoofs?.share).to.be.within(-0.7, -0.5);
    const ofCars = decisiveChange(changeOf(side(), side(CAR, north, { ready: false })));
    expect(ofCars).to.deep.equal({ of: "cars", share: -1 });
  });

  it("has no percentage if there was nothing before", () => {
    const unready = side(CAR, ROOF, { ready: false });
    const change = changeOf(unready, side());
    expect(change.year).to.deep.equal({ roofs: 0 });
    expect(decisiveChange(change)).to.equal(undefined);
    const [cars, roofs] = sunMarkdown("home", change).filter((line) => /^\| f(or the cars|rom the roofs)/.test(line));
    expect(cars).to.match(/\| 0 → 10 kWh .* \| none before \|$/);
    expect(roofs).to.match(/ \| same \|$/);
    expect(changeOf(unready, side(CAR, { ...ROOF, tilt: 10 }, { ready: false })).year?.cars).to.equal(0);
  });

  it("is of the roofs if nothing is lost", () => {
    expect(decisiveChange(changeOf(side(CAR, { ...ROOF, azimuth: 22.5 }), side()))?.of).to.equal("roofs");
  });
});
