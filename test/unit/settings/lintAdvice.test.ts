import { expect } from "chai";
import { inverter } from "../../../provider/settings/inverter";
import { LINT_NAMES, type LintName, lint } from "../../../provider/settings/lints";
import type { DeviceKind, Values } from "../../../provider/settings/setting";
import { PROGRAM_LINTS, SITE_LINTS } from "../../../provider/settings/siteLints";
import { vehicle } from "../../../provider/settings/vehicle";

const car = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const roof = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

/** What is declared, and what the warning says at its end: why it looks wrong, or what to write instead. */
const advice: readonly (readonly [LintName, DeviceKind, Values, string])[] = [
  [
    "direct-current-power",
    vehicle,
    { ...car, maxCapacity: 30_000, maxChargePower: 50_000 },
    "than most cars take from alternating current. If it is the direct-current rating, give the alternating-current " +
      "one: more solar power is credited than the car can take",
  ],
  [
    "power-for-capacity",
    vehicle,
    { ...car, maxCapacity: 10_000, maxChargePower: 20_000 },
    "in 30 minutes, more than 1.3 times per hour. Probably one of them is another car's, or the power is a charger's",
  ],
  [
    "default-power",
    vehicle,
    { ...car, maxChargePower: 7200 },
    "a car it knows nothing about. If it was copied from there, give this car's own power",
  ],
  [
    "small-capacity",
    vehicle,
    { ...car, maxCapacity: 7700, maxChargePower: 3700 },
    "less than almost all cars have. Perhaps a digit is missing: 77000 Wh",
  ],
  [
    "large-capacity",
    vehicle,
    { ...car, maxCapacity: 200_000 },
    "more than almost all cars have. Perhaps there is a digit too many: 20000 Wh",
  ],
  [
    "default-capacity",
    vehicle,
    { ...car, maxCapacity: 80_000 },
    "a car it knows nothing about. If it was copied from there, give this car's own capacity",
  ],
  [
    "ignored-metadata",
    vehicle,
    { ...car, policy: "CHARGE BY" },
    "because policy is CHARGE BY. If solar-aware charging is meant, declare the car in a SiteSettings with its " +
      "inverter, or CHARGE BY FORECAST here",
  ],
  [
    "forecast-without-metadata",
    vehicle,
    { policy: car.policy },
    "without maxCapacity, maxChargePower: for a car that does not report it, the service assumes " +
      "maxCapacity 80000 Wh, maxChargePower 7200 W. Declare what this car has",
  ],
  [
    "small-peak-power",
    inverter,
    { ...roof, peakPower: 200, cutInThreshold: 10, baseLoad: 60 },
    "less than most single panels have. Give the power of all panels together",
  ],
  [
    "large-peak-power",
    inverter,
    { ...roof, peakPower: 250_000 },
    "more than the roofs of most sites have. Perhaps there is a digit too many: 25000 W",
  ],
  [
    "flat-tilt",
    inverter,
    { ...roof, tilt: 0 },
    "the panels lie flat. If it only stands for a tilt that was not known, give the roof's",
  ],
  ["tilt-in-radians", inverter, { ...roof, tilt: 0.61 }, "almost flat. If it is in radians, write 35.0 degrees"],
  [
    "steep-tilt",
    inverter,
    { ...roof, tilt: 70 },
    "steeper than most roofs are. If it is no facade and was counted from upright, write 20 degrees",
  ],
  [
    "high-cut-in",
    inverter,
    { ...roof, cutInThreshold: 9000 },
    "the inverter would rarely deliver. Give the power from which it starts, a small part of the peak",
  ],
  [
    "low-cut-in",
    inverter,
    { ...roof, cutInThreshold: 0 },
    "less than inverters need to start. If it only stands for one that was not known, give the inverter's",
  ],
  [
    "low-cut-in",
    inverter,
    { ...roof, cutInThreshold: 0.15 },
    "less than inverters need to start. If it is in kW, write 150 W",
  ],
  [
    "base-load-above-peak",
    inverter,
    { ...roof, peakPower: 3000, baseLoad: 4000 },
    "would leave no solar power for a car. Give what the site uses all the time, not the most it uses",
  ],
  [
    "low-base-load",
    inverter,
    { ...roof, baseLoad: 20 },
    "less than most sites use all the time. Give what fridges, pumps and standby use together",
  ],
  [
    "low-base-load",
    inverter,
    { ...roof, baseLoad: 0.4 },
    "less than most sites use all the time. If it is in kW, write 400 W",
  ],
  [
    "high-base-load",
    inverter,
    { ...roof, baseLoad: 6000 },
    "more than most sites use all the time. Give what always runs, not the most that the site uses, nor the energy of a day",
  ],
  [
    "incomplete-inverter",
    inverter,
    { peakPower: 9800, azimuth: 180, tilt: 35 },
    "only peakPower 9800 W, azimuth 180 degrees, tilt 35 degrees is declared: solar-aware charging needs all five " +
      "values. Declare cutInThreshold, baseLoad too",
  ],
  [
    "azimuth-off-equator",
    inverter,
    { ...roof, azimuth: 10 },
    "where the sun stands at latitude 48 degrees. If it was counted from south, write " +
      '{ degrees: 10, convention: "south-zero" }',
  ],
];

describe("lint: advice", () => {
  for (const [name, kind, declared, end] of advice) {
    it(`of ${name} says at ${JSON.stringify(declared)} what to do`, () => {
      const [warning] = lint(kind, declared, { unknownKeys: new Set(), latitude: 48 });
      expect(warning?.message).to.satisfy((message: string) =>
        message.endsWith(`${end} (switch off with ignoreLints: ["${name}"])`),
      );
    });
  }

  it("is given by every lint of a device", () => {
    expect(new Set([...advice.map(([name]) => name), ...Object.keys(SITE_LINTS), ...PROGRAM_LINTS])).to.deep.equal(
      new Set(LINT_NAMES),
    );
  });
});
