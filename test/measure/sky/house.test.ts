import { expect } from "chai";
import { type BaseLoad, baseLoadOf, showsOnlyNights } from "../../../measure/sky/baseLoad";
import { cutInOf } from "../../../measure/sky/cutIn";
import { JUDGES } from "../../../measure/sky/declared";
import { type Household, houseOf, simulatedHouse, simulatedInverter } from "../../support/houses";

const COUNT = 16;
const seeds = Array.from({ length: COUNT }, (_, seed) => seed);
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const JANUARY = Date.UTC(2025, 0, 1) / 1000;
const NOVEMBER = Date.UTC(2025, 10, 5) / 1000;

/** The base load of a house that can be measured. */
function measured(household: Household, seed = 1): BaseLoad {
  const found = baseLoadOf(houseOf(simulatedHouse(seed, household), "load"));
  if (found.kind !== "measured") throw new Error(found.reason);
  return found;
}

describe("sky: the base load of a house", () => {
  const rows: readonly (readonly [string, Household, Parameters<typeof houseOf>[1]])[] = [
    ["its load, each 15 minutes", {}, "load"],
    ["its load, each hour, with a car by night", { step: 60, hasCar: true }, "load"],
    ["a year with heating", { days: 365, from: JANUARY, step: 60, hasHeating: true }, "load"],
    ["a new load", { change: { day: 40, watts: 120 } }, "load"],
    ["import and return", { hasSolar: true }, "import and return"],
    ["only its import, with a boiler by night", { hasSolar: true, hasBoiler: true }, "import"],
  ];
  for (const [name, household, seen] of rows) {
    it(`is within its ± and refuses no right declaration: ${name}`, () => {
      const answers = seeds.map((seed) => {
        const house = simulatedHouse(seed, household);
        const found = baseLoadOf(houseOf(house, seen));
        expect(JUDGES.baseLoad(house.base, found).differs).to.equal(false);
        if (found.kind !== "measured") throw new Error(found.reason);
        return {
          error: Math.abs(found.value / house.base - 1),
          isInside: Math.abs(found.value - house.base) <= 2 * found.deviation,
        };
      });
      expect(median(answers.map(({ error }) => error))).to.be.below(0.03);
      expect(answers.filter(({ isInside }) => isInside).length).to.be.at.least(COUNT - 1);
    });
  }

  it("has the mean by day and in winter beside it, and a usual night", () => {
    const found = measured({ days: 365, from: JANUARY, step: 60, hasHeating: true });
    expect(found.winter).to.be.above(found.value + 200);
    expect(found.daytime).to.be.above(found.value);
    expect(found.night).to.have.lengthOf(64);
    expect(Math.min(...found.night)).to.be.above(0.8 * found.value);
    expect(measured({})).not.to.have.property("changedSince");
  });

  it("gives the day since which the house has another one", () => {
    const { changedSince } = measured({ change: { day: 40, watts: 120 } });
    const first = Date.UTC(2025, 3, 1) / 86_400_000;
    expect(changedSince).to.be.within(first + 39, first + 41);
  });

  it("turns the seasons around in the south", () => {
    const house = houseOf(simulatedHouse(3, { days: 60, from: NOVEMBER, hasHeating: true }), "load");
    expect(baseLoadOf(house)).to.include({ kind: "notEnough", reason: "onlyWinter" });
    expect(baseLoadOf({ ...house, isSouth: true }).kind).to.equal("measured");
  });

  it("is not known from few days, from a meter that shows nothing, or behind a battery", () => {
    const short = houseOf(simulatedHouse(4, { days: 10 }), "load");
    expect(baseLoadOf(short)).to.deep.equal({ kind: "notEnough", reason: "fewDays", read: 10, kept: 10 });
    const zeros = { ...short, power: new Float64Array(short.power.length) };
    expect(baseLoadOf(zeros)).to.include({ reason: "fewDays" });
    const behind = houseOf(simulatedHouse(4, { hasSolar: true, hasBattery: true }), "import");
    expect(baseLoadOf(behind)).to.include({ reason: "batteryAtNight" });
    const sunny = houseOf(simulatedHouse(4, { hasSolar: true }), "import");
    expect(baseLoadOf({ ...sunny, hasBattery: true })).to.include({ reason: "battery" });
  });

  it("leaves out gaps, and days whose gaps were stored as 0", () => {
    const house = houseOf(simulatedHouse(5), "load");
    const base = measured({}, 5).value;
    const holes = house.power.map((one, i) => (i % 960 < 40 ? 0 : i % 960 > 900 ? Number.NaN : one));
    const found = baseLoadOf({ ...house, power: holes });
    expect(found.kind === "measured" && found.value / base).to.be.within(0.97, 1.03);
    expect(found.kind === "measured" && found.days).to.be.below(72);
  });

  it("comes only from nights if the sun delivers, which is found or given", () => {
    const plain = houseOf(simulatedHouse(6), "import");
    const sunny = houseOf(simulatedHouse(6, { hasSolar: true }), "import and return");
    expect(
      [plain, { ...plain, hasSolar: true }, sunny, { ...sunny, hasSolar: false }].map(showsOnlyNights),
    ).to.deep.equal([false, true, true, false]);
    const { returned: _, ...alone } = sunny;
    expect(showsOnlyNights(alone)).to.equal(true);
    expect(baseLoadOf(sunny)).not.to.have.property("daytime");
  });

  it("differs by its usual mistakes, which are named", () => {
    const found = measured({ hasCar: true, step: 60 });
    const { value, mean = 0 } = found;
    const judged = [value / 1000, 0.4, mean, 24 * value, 4 * value, 2.4 * value].map((one) =>
      JUDGES.baseLoad(one, found),
    );
    expect(judged.map(({ mistake }) => mistake)).to.deep.equal([
      ...["kilowatts", "kilowatts", "includesCar", "perDay", "energyPerStep", undefined],
    ]);
    expect(judged.every(({ differs }) => differs)).to.equal(true);
    expect(
      JUDGES.baseLoad(measured({}).mean ?? 0, { ...measured({}), value: 150, deviation: 9, busyNights: 0 }).mistake,
    ).to.equal("average");
    // No house takes 2.7 MW, and 2.7 kW is a likely power: the unit of the file may be wrong.
    expect(JUDGES.baseLoad(9 * value, { ...found, value: 9000 * value }).mistake).to.equal("unitOfFile");
    expect(JUDGES.baseLoad(value, { ...found, value: value / 1000 })).not.to.have.property("mistake", "kilowatts");
    expect(JUDGES.baseLoad(4 * value, { ...found, deviation: 0.3 * value })).to.deep.equal({
      differs: true,
      isUncertain: true,
    });
    const winter = { kind: "notEnough", atMost: 400 } as const;
    expect(JUDGES.baseLoad(500, winter)).to.deep.equal({ differs: false });
    expect(JUDGES.baseLoad(900, winter)).to.deep.equal({ differs: true, mistake: "tooLarge" });
    expect(JUDGES.baseLoad(900, { kind: "notEnough" })).to.deep.equal({ differs: false });
  });
});

describe("sky: the cut-in threshold of an inverter", () => {
  for (const [step, error] of [
    [1, 0.05],
    [5, 0.12],
  ] as const) {
    it(`is within its ± and refuses no right declaration, each ${step} minutes`, () => {
      const answers = seeds.map((seed) => {
        const { cutIn, mornings } = simulatedInverter(seed, step);
        const found = cutInOf(mornings);
        expect(JUDGES.cutInThreshold(cutIn, found).differs).to.equal(false);
        if (found.kind !== "measured") throw new Error(found.reason);
        return {
          error: Math.abs(found.value / cutIn - 1),
          isInside: Math.abs(found.value - cutIn) <= 2 * found.deviation,
        };
      });
      expect(median(answers.map((one) => one.error))).to.be.below(error);
      expect(answers.filter(({ isInside }) => isInside).length).to.be.at.least(COUNT - 1);
    });
  }

  it("is not known from long steps, which show its limit, or from few mornings", () => {
    const { cutIn, mornings } = simulatedInverter(1, 15);
    const found = cutInOf(mornings);
    expect(found).to.include({ kind: "notEnough", reason: "coarseSteps" });
    expect(found.kind === "notEnough" && found.atMost).to.be.above(0.9 * cutIn);
    expect(JUDGES.cutInThreshold(10_000, found)).to.deep.equal({ differs: true, mistake: "tooLarge" });
    expect(cutInOf(simulatedInverter(1, 60).mornings)).to.include({ reason: "coarseSteps", read: 60, kept: 8 });
    expect(cutInOf(simulatedInverter(1, 5, 8).mornings)).to.include({ reason: "fewMornings", read: 8 });
  });

  it("ignores mornings with a gap, and days without output", () => {
    const { mornings } = simulatedInverter(2, 5);
    const shifted = (times: Float64Array) => times.map((at, i) => at + 86_400 * Math.floor(i / 3));
    const gaps = { ...mornings, from: shifted(mornings.from), to: shifted(mornings.to) };
    expect(cutInOf(gaps)).to.include({ reason: "fewMornings" });
    expect(cutInOf({ ...mornings, watts: mornings.watts.map(() => 0) })).to.include({ reason: "fewMornings" });
  });

  it("differs by a unit or a large factor, and not by a value that is nothing", () => {
    const found = { kind: "measured", value: 60, deviation: 8 } as const;
    expect(JUDGES.cutInThreshold(0.06, found)).to.deep.equal({ differs: true, mistake: "kilowatts" });
    expect(JUDGES.cutInThreshold(300, found)).to.deep.equal({ differs: true });
    expect(JUDGES.cutInThreshold(80, found)).to.deep.equal({ differs: false });
    expect(JUDGES.cutInThreshold(20, { kind: "measured", value: 20_000, deviation: 100 })).to.deep.equal({
      differs: true,
      mistake: "unitOfFile",
    });
  });
});
