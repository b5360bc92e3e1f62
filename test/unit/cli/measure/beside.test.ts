import { expect } from "chai";
import { besideMeasured, measuredMove } from "../../../../cli/measured/beside";
import { adviceWords, besideRoof } from "../../../../cli/measured/roofWords";
import { isOff, settingsWords } from "../../../../cli/measured/settings";
import { bothOf, deviceOf } from "../../../../measure/results/device";
import type { MeasuredDevice, MeasuredRoof, MeasuredSetting } from "../../../../measure/results/model";

const until = "2025-09-20";
const CAPACITY: MeasuredSetting = {
  ...{
    verdict: "differs",
    mistake: "grossOrNew",
    declared: 82_000,
    from: "battery",
    drawn: 81_900,
    sessions: 38,
    until,
  },
  measured: { value: 75_100, uncertainty: 2100 },
};
const CAR = deviceOf("car", {
  maxCapacity: CAPACITY,
  maxChargePower: {
    verdict: "notEnough",
    reason: "variesTooMuch",
    declared: 11_000,
    atLeast: 10_600,
    sessions: 21,
    until,
  },
});
const HOUSE = deviceOf("roof", {
  baseLoad: {
    verdict: "agrees",
    declared: 400,
    others: 100,
    measured: { value: 480, uncertainty: 46 },
    days: 75,
    until,
  },
  cutInThreshold: { verdict: "notEnough", reason: "coarseSteps", atMost: 60, until },
});
const ROOF_ALONE: MeasuredRoof = {
  ...{ name: "roof", clearDays: 41 },
  panels: { azimuth: "differs", tilt: "agrees", peakPower: "agrees" },
  declared: { azimuth: 202, tilt: 35, peakPower: 9800 },
  measured: { azimuth: { value: 158, uncertainty: 9 }, tilt: { value: 33, uncertainty: 5 } },
};
const ROOF = deviceOf("roof", {}, ROOF_ALONE);

describe("the advice for a measured roof", () => {
  it("begins with the difference, before the way in which several planes are sent", () => {
    const advice = adviceWords({ ...ROOF_ALONE, folded: { peakPower: 11_000, azimuth: 346, tilt: 8 } });
    expect(advice).to.have.lengthOf(2);
    expect(advice[0]).to.contain("azimuth");
  });

  it("leads to several planes if one is declared, without asking for more days, which would not help", () => {
    const planes = [
      { peakPower: 5000, azimuth: 90, tilt: 30 },
      { peakPower: 5000, azimuth: 270, tilt: 30 },
    ];
    const advice = adviceWords({
      ...ROOF_ALONE,
      panels: { azimuth: "flat", tilt: "notEnough", peakPower: "agrees" },
      measured: undefined as never,
      ...{ planes, folded: { peakPower: 8700, azimuth: 180, tilt: 3 } },
    });
    expect(advice).to.have.lengthOf(1);
    expect(advice[0]).to.contain("as planes").and.contain("8.7 kW");
  });

  it("shows the tilt with the other declared values, if only that differs", () => {
    const roof = {
      ...ROOF_ALONE,
      panels: { azimuth: "agrees", tilt: "differs", peakPower: "agrees" } as const,
      tiltWithRest: { value: 31, uncertainty: 9 },
    };
    expect(adviceWords(roof)[1]).to.contain("31° ± 9°");
    expect(besideRoof(roof, { tilt: 35 }, { isAll: false })[0]).to.contain("31° ± 9°");
  });
});

describe("measured values beside declared ones", () => {
  it("are shown with their ±, and mark the value that differs", () => {
    expect(besideMeasured(CAR, { maxCapacity: 82_000, maxChargePower: 11_000 }, { isAll: true })).to.deep.equal([
      "capacity 82 kWh, measured 75.1 ± 2.1 kWh: it differs",
      "charge power 11 kW, measured at least 10.6 kW",
    ]);
    expect(besideMeasured(CAR, { maxCapacity: 82_000, maxChargePower: 11_000 }, { isAll: false })).to.have.lengthOf(1);
    expect(besideMeasured(HOUSE, { baseLoad: 400 }, { isAll: true })).to.deep.equal([
      "base load 400 W, measured 480 ± 46 W",
      "cut-in threshold not declared, measured at most 60 W",
    ]);
  });

  it("are compared with the values that are declared now, not with those of the measurement", () => {
    expect(besideMeasured(CAR, { maxCapacity: 75_000, maxChargePower: 7000 }, { isAll: false })).to.deep.equal([
      "charge power 7 kW, measured at least 10.6 kW: it differs",
    ]);
    expect(besideMeasured(ROOF, { azimuth: 160, tilt: 60 }, { isAll: false })).to.deep.equal([
      "tilt 60°, measured 33° ± 5°",
    ]);
    expect(besideMeasured(ROOF, { azimuth: 202, tilt: 35 }, { isAll: false })[0]).to.match(
      /^azimuth 202°.*measured 158° ± 9°/,
    );
    const peak = { ...ROOF, measured: { peakPower: { value: 9500, uncertainty: 1500 } } };
    expect(besideMeasured(peak, { peakPower: 19_000 }, { isAll: false })[0]).to.match(
      /^peak power 19 kW, measured 9.5 kW ± 16 %/,
    );
  });

  it("agree with each sum of a site's base loads, and with values within a limit", () => {
    const { baseLoad, cutInThreshold } = HOUSE.settings as Record<string, MeasuredSetting>;
    expect(isOff("baseLoad", 380, baseLoad as MeasuredSetting)).to.equal(false);
    expect(isOff("baseLoad", 900, baseLoad as MeasuredSetting)).to.equal(true);
    expect(isOff("cutInThreshold", 100, cutInThreshold as MeasuredSetting)).to.equal(false);
    expect(isOff("cutInThreshold", 1000, cutInThreshold as MeasuredSetting)).to.equal(true);
    const two = { verdict: "severalCars", several: [40_000, 70_000], until } as const;
    expect(isOff("maxCapacity", 99_000, two)).to.equal(false);
  });
});

describe("a change beside a measurement", () => {
  const isAway = (device: MeasuredDevice, setting: string, from: unknown, to: unknown) =>
    measuredMove(setting, from, to, device)?.isAway;

  it("moves away, moves there, or does neither", () => {
    expect(measuredMove("maxCapacity", 75_000, 82_000, CAR)).to.deep.equal({
      isAway: true,
      words: "capacity 75 → 82 kWh moves away from the measured 75.1 ± 2.1 kWh",
    });
    expect(isAway(CAR, "maxCapacity", 82_000, 75_000)).to.equal(false);
    expect(isAway(CAR, "maxCapacity", 82_000, 90_000)).to.equal(true);
    expect(isAway(CAR, "maxCapacity", 90_000, 82_000)).to.equal(undefined);
    expect(isAway(CAR, "maxCapacity", 75_000, 76_000)).to.equal(undefined);
    expect(isAway(CAR, "maxCapacity", undefined, 82_000)).to.equal(true);
    expect(isAway(CAR, "policy", "a", "b")).to.equal(undefined);
    expect(isAway(CAR, "maxChargePower", 11_000, 7000)).to.equal(true);
    expect(isAway(HOUSE, "cutInThreshold", 50, 1000)).to.equal(true);
    expect(isAway(ROOF, "azimuth", 202, 160)).to.equal(false);
    expect(isAway(ROOF, "azimuth", 160, 202)).to.equal(true);
    expect(isAway(ROOF, "peakPower", 1, 2)).to.equal(undefined);
  });
});

describe("the results of runs about one device", () => {
  it("keep other settings and the panels; they agree only if each declared value was compared, and agrees", () => {
    const both = bothOf(ROOF, HOUSE);
    expect(both).to.deep.include({ verdict: "differs", differs: ["azimuth"], clearDays: 41 });
    const panels = { azimuth: "flat", tilt: "agrees", peakPower: "agrees" } as const;
    const roof = deviceOf("roof", {}, { ...ROOF_ALONE, panels });
    const wrong = deviceOf("roof", { baseLoad: { verdict: "differs", declared: 900, until } });
    expect(roof.verdict).to.equal("agrees");
    expect(bothOf(roof, wrong)).to.deep.include({ verdict: "differs", differs: ["baseLoad"] });
    expect(bothOf(roof, HOUSE).verdict).to.equal("agrees");
    const unknown = { verdict: "notEnough", reason: "coarseSteps", declared: 50, until } as const;
    expect(bothOf(roof, deviceOf("roof", { cutInThreshold: unknown })).verdict).to.equal("notEnough");
    const planes = [90, 270].map((azimuth) => ({ azimuth, tilt: 30, peakPower: 5000 }));
    expect(deviceOf("roof", {}, { ...ROOF_ALONE, panels, planes }).verdict).to.equal("severalPlanes");
    for (const verdict of ["notEnough", "differs"] as const)
      expect(deviceOf("roof", {}, { ...ROOF_ALONE, panels: { ...panels, tilt: verdict } }).verdict).to.equal(verdict);
    expect(both.settings).to.have.keys("baseLoad", "cutInThreshold");
    const again = bothOf(both, deviceOf("roof", { baseLoad: { verdict: "differs", until } }));
    expect(again.settings?.baseLoad?.verdict).to.equal("differs");
    expect(again.settings?.cutInThreshold?.verdict).to.equal("notEnough");
    expect(bothOf(CAR, deviceOf("car", { maxCapacity: { verdict: "agrees", until } }))).to.deep.include({
      differs: [],
    });
  });

  it("are put into words, with what the service takes for a car without a declared value", () => {
    const { declared: _, mistake: __, ...rest } = CAPACITY;
    const { values, advice } = settingsWords(deviceOf("car", { maxCapacity: { ...rest, verdict: "notDeclared" } }));
    expect(values).to.equal(
      "capacity not declared, measured 75.1 ± 2.1 kWh usable (38 sessions; 81.9 kWh at the charger)",
    );
    expect(advice.join()).to.contain("80 kWh");
    const changed = { verdict: "agrees", measured: { value: 300, uncertainty: 30 }, days: 40, until } as const;
    const house = settingsWords(
      deviceOf("roof", {
        baseLoad: { ...changed, declared: 200, others: 100, changedSince: "2025-05-02", daytime: 640, winter: 520 },
      }),
    );
    expect(house.values).to.equal(
      "base load declared 200 W (300 W with the other inverters), measured 300 ± 30 W (40 days; since 2025-05-02, when it changed; 640 W on average by day; 520 W in winter)",
    );
  });
});
