import { expect } from "chai";
import { capacityOf } from "../../../measure/sky/capacity";
import { chargePowerOf } from "../../../measure/sky/chargePower";
import { JUDGES } from "../../../measure/sky/declared";
import type { Session } from "../../../measure/sky/sessions";
import { type Circumstances, type SimulatedCar, simulatedCar } from "../../support/charging";

const CARS = 60;
const cars = (circumstances: Circumstances) =>
  Array.from({ length: CARS }, (_, seed) => simulatedCar(seed, circumstances));
const atCharger = ({ sessions }: SimulatedCar) => sessions.map(({ added: _, ...rest }) => rest);
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The quality of measured capacities: answers, median error, answers within their ±, and right declarations refused.
 */
function accuracyOf(simulated: readonly SimulatedCar[], sessionsOf: (car: SimulatedCar) => readonly Session[]) {
  const found = simulated.flatMap((car) => {
    const capacity = capacityOf(sessionsOf(car));
    if (capacity.kind !== "measured") return [];
    const error = Math.abs(capacity.value / car.capacity - 1);
    const isInside = error <= (2 * capacity.deviation * capacity.value) / car.capacity;
    return [{ error, isInside, isRefused: JUDGES.maxCapacity(car.capacity, capacity, []).differs }];
  });
  const share = found.filter(({ isInside }) => isInside).length / found.length;
  const refused = found.filter(({ isRefused }) => isRefused).length;
  return { answers: found.length, error: median(found.map(({ error }) => error)), share, refused };
}

describe("sky: the capacity of a car", () => {
  const rows: readonly (readonly [string, Circumstances, (car: SimulatedCar) => readonly Session[], number])[] = [
    ["at the charger", {}, atCharger, 0.025],
    ["at the charger, mostly surplus", { surplus: 0.9 }, atCharger, 0.025],
    ["at the charger, without hours", {}, (car) => atCharger(car).map(({ hours: _, ...rest }) => rest), 0.035],
    ["in the battery, some at fast chargers", { fast: 0.2 }, ({ sessions }) => sessions, 0.01],
    ["at the charger, with old states of charge", { old: 0.15 }, atCharger, 0.03],
  ];
  for (const [name, circumstances, sessionsOf, error] of rows) {
    it(`is within its ± and refuses no right declaration: ${name}`, () => {
      const accuracy = accuracyOf(cars(circumstances), sessionsOf);
      expect(accuracy.answers).to.be.at.least(0.95 * CARS);
      expect(accuracy.error).to.be.below(error);
      expect(accuracy.share).to.be.at.least(0.95);
      expect(accuracy.refused).to.equal(0);
    });
  }

  it("shows the energy at the charger beside that in the battery", () => {
    const { capacity, sessions } = simulatedCar(1);
    const found = capacityOf(sessions);
    expect(found).to.include({ kind: "measured", from: "battery" });
    expect(found.kind === "measured" && found.drawn).to.be.within(1.03 * capacity, 1.2 * capacity);
  });

  it("ignores rows with an energy that no battery takes", () => {
    const { capacity, sessions } = simulatedCar(2);
    const [first] = sessions as [Session];
    const found = capacityOf([...sessions, { ...first, drawn: 412_000, added: 412_000 }]);
    expect(found.kind === "measured" && found.value / capacity).to.be.within(0.97, 1.03);
  });

  it("recognizes two cars without names", () => {
    const pairs = Array.from({ length: CARS }, (_, seed) => [simulatedCar(seed), simulatedCar(seed + 1000)] as const);
    const far = pairs.filter(([a, b]) => Math.abs(Math.log(a.capacity / b.capacity)) > 0.35);
    for (const [one, other] of far) {
      const found = capacityOf([...atCharger(one), ...atCharger(other)]);
      const capacities = [one.capacity, other.capacity].sort((a, b) => a - b);
      expect(found.kind).to.equal("severalCars");
      if (found.kind !== "severalCars") continue;
      for (const [i, several] of found.several.entries())
        expect(several / (capacities[i] as number)).to.be.within(0.93, 1.08);
      expect(JUDGES.maxCapacity(one.capacity, found, []).differs).to.equal(false);
    }
    expect(far.length).to.be.above(20);
  });

  it("explains why the data is not enough, and gives the lower limit", () => {
    const { capacity, sessions } = simulatedCar(3);
    const bare = sessions.map(({ from: _, to: __, ...rest }) => rest);
    const found = capacityOf(bare);
    expect(found).to.include({ kind: "notEnough", reason: "noStateOfCharge" });
    expect(found.kind === "notEnough" && found.atLeast).to.be.within(0.2 * capacity, capacity);
    expect(JUDGES.maxCapacity(7000, found, [])).to.deep.equal({ differs: true, mistake: "tooSmall" });
    expect(JUDGES.maxCapacity(77, found, [])).to.deep.equal({ differs: true, mistake: "kilowattHours" });
    expect(JUDGES.maxCapacity(capacity, found, []).differs).to.equal(false);
    expect(capacityOf(sessions.slice(0, 4))).to.include({ reason: "fewSessions", atLeast: undefined });
    expect(capacityOf([])).to.include({ reason: "noStateOfCharge", atLeast: undefined });
  });

  it("reports that sessions contradict each other", () => {
    const { sessions } = simulatedCar(4);
    const mixed = sessions.map((one, i) => ({ ...one, added: (one.added ?? 0) * (1 + (i % 10) / 4) }));
    expect(capacityOf(mixed)).to.include({ kind: "notEnough", reason: "variesTooMuch" });
  });

  it("names the mistake in a declaration", () => {
    for (const { capacity, sessions } of cars({})) {
      const found = capacityOf(sessions);
      expect(JUDGES.maxCapacity(capacity / 1000, found, [])).to.deep.equal({ differs: true, mistake: "kilowattHours" });
      expect(JUDGES.maxCapacity(1.1 * capacity, found, [])).to.deep.equal({ differs: true, mistake: "grossOrNew" });
      expect(JUDGES.maxCapacity(1.6 * capacity, found, [1.6 * capacity])).to.include({ mistake: "otherCar" });
      expect(JUDGES.maxCapacity(2 * capacity, found, [])).to.deep.equal({ differs: true });
    }
  });

  it("accepts the energy at the charger if only that was measured", () => {
    for (const car of cars({})) {
      const found = capacityOf(atCharger(car));
      if (found.kind === "measured" && found.drawn)
        expect(JUDGES.maxCapacity(found.drawn, found, []).differs).to.equal(false);
    }
  });
});

describe("sky: the charge power of a car", () => {
  it("is within its ±, and no right declaration is refused", () => {
    const found = cars({ fast: 0.1 }).flatMap((car) => {
      const power = chargePowerOf(car.sessions);
      return power.kind === "measured" ? [{ car, power }] : [];
    });
    const inside = found.filter(
      ({ car, power }) => Math.abs(power.value - car.power) <= 2 * power.deviation * power.value,
    );
    expect(found.length).to.be.at.least(0.9 * CARS);
    expect(inside.length).to.be.at.least(0.95 * found.length);
    expect(found.filter(({ car, power }) => JUDGES.maxChargePower(car.power, power).differs)).to.deep.equal([]);
  });

  it("names the mistake in a declaration", () => {
    for (const { power, sessions } of cars({})) {
      const found = chargePowerOf(sessions);
      if (found.kind !== "measured" || power > 12_000) continue;
      expect(JUDGES.maxChargePower(power / 1000, found)).to.deep.equal({ differs: true, mistake: "kilowatts" });
      expect(JUDGES.maxChargePower(125_000, found)).to.deep.equal({ differs: true, mistake: "fastCharging" });
      expect(JUDGES.maxChargePower(power / 3, found)).to.deep.equal({ differs: true, mistake: "phases" });
      expect(JUDGES.maxChargePower(2 * power, found)).to.deep.equal({ differs: true, mistake: "current" });
      expect(JUDGES.maxChargePower(1.25 * power, found)).to.deep.equal({ differs: true });
    }
  });

  it("takes the highest power of each session if the charger has it", () => {
    const { power, sessions } = simulatedCar(5);
    const found = chargePowerOf(sessions.map((one) => ({ ...one, hours: 20, peak: power })));
    expect(found.kind === "measured" && found.value).to.be.closeTo(power, 1);
  });

  it("takes nothing from fast chargers as the least if only the times of the plug are known", () => {
    for (const { power, sessions } of cars({ fast: 0.2 })) {
      const found = chargePowerOf(sessions.map(({ hours: _, ...rest }) => rest));
      expect(JUDGES.maxChargePower(power, found)).to.deep.equal({ differs: false });
    }
  });

  it("explains why the data is not enough, and gives the lower limit", () => {
    const { power, sessions } = simulatedCar(6, { surplus: 0.95 });
    const surplus = chargePowerOf(sessions.map((one) => ({ ...one, solar: 90 })));
    expect(surplus).to.include({ kind: "notEnough", reason: "onlySurplus" });
    expect(surplus.kind === "notEnough" && surplus.atLeast).to.be.within(0.5 * power, 1.05 * power);
    expect(JUDGES.maxChargePower(1000, surplus)).to.deep.equal({ differs: true, mistake: "tooSmall" });
    expect(JUDGES.maxChargePower(11, surplus)).to.deep.equal({ differs: true, mistake: "kilowatts" });
    expect(chargePowerOf(sessions.map(({ hours: _, ...rest }) => rest))).to.include({ reason: "plugTimes" });
    expect(chargePowerOf(sessions.slice(0, 3))).to.include({ reason: "fewSessions" });
    const spread = sessions.map((one, i) => ({ ...one, solar: 0, to: 90, hours: (one.drawn ?? 0) / (2000 + 120 * i) }));
    expect(chargePowerOf(spread)).to.include({ reason: "variesTooMuch" });
  });
});
