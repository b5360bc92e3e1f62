import { expect } from "chai";
import { textOf } from "../../../provider/messages/message";
import { inverter } from "../../../provider/settings/inverter";
import { LINT_NAMES, type LintName, type LintOptions, lint } from "../../../provider/settings/lints";
import { type DeviceKind, keysOf, type Values } from "../../../provider/settings/setting";
import { PROGRAM_LINTS, SITE_LINTS } from "../../../provider/settings/siteLints";
import { vehicle } from "../../../provider/settings/vehicle";

const car = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const roof = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

function names(kind: DeviceKind, declared: Values, options: Partial<LintOptions> = {}): LintName[] {
  return lint(kind, declared, { unknownKeys: new Set(), ...options }).map((warning) => warning.code as LintName);
}

interface Case {
  readonly lint: LintName;
  readonly kind: DeviceKind;
  readonly property: string;
  /** What is declared, and the value with its unit that the message names. */
  readonly found: readonly (readonly [Values, string])[];
  readonly passed: readonly Values[];
}

const cases: Case[] = [
  {
    lint: "direct-current-power",
    kind: vehicle,
    property: "maxChargePower",
    found: [
      [{ ...car, maxChargePower: 22_000.1 }, "maxChargePower 22000.1 W"],
      [{ ...car, maxChargePower: 350_000 }, "maxChargePower 350000 W"],
    ],
    passed: [car, { ...car, maxChargePower: 21_999.9 }, { ...car, maxChargePower: 22_000 }],
  },
  {
    lint: "power-for-capacity",
    kind: vehicle,
    property: "maxChargePower",
    found: [
      [{ ...car, maxCapacity: 10_000, maxChargePower: 13_000.1 }, "maxChargePower 13000.1 W"],
      [{ ...car, maxCapacity: 9_999.9, maxChargePower: 13_000 }, "maxCapacity 9999.9 Wh in 46 minutes"],
    ],
    passed: [
      { ...car, maxCapacity: 10_000, maxChargePower: 13_000 },
      { ...car, maxCapacity: 10_000, maxChargePower: 12_999.9 },
      { maxChargePower: 22_000, policy: car.policy },
    ],
  },
  {
    lint: "default-power",
    kind: vehicle,
    property: "maxChargePower",
    found: [[{ ...car, maxChargePower: 7200 }, "maxChargePower 7200 W"]],
    passed: [
      { ...car, maxChargePower: 7199.9 },
      { ...car, maxChargePower: 7200.1 },
    ],
  },
  {
    lint: "small-capacity",
    kind: vehicle,
    property: "maxCapacity",
    found: [
      [{ ...car, maxCapacity: 7999.9, maxChargePower: 3700 }, "maxCapacity 7999.9 Wh"],
      [{ ...car, maxCapacity: 1000, maxChargePower: 1000 }, "maxCapacity 1000 Wh"],
    ],
    passed: [
      { ...car, maxCapacity: 8000, maxChargePower: 3700 },
      { ...car, maxCapacity: 8000.1, maxChargePower: 3700 },
    ],
  },
  {
    lint: "large-capacity",
    kind: vehicle,
    property: "maxCapacity",
    found: [
      [{ ...car, maxCapacity: 130_000.1 }, "maxCapacity 130000.1 Wh"],
      [{ ...car, maxCapacity: 300_000 }, "maxCapacity 300000 Wh"],
    ],
    passed: [
      { ...car, maxCapacity: 129_999.9 },
      { ...car, maxCapacity: 130_000 },
    ],
  },
  {
    lint: "default-capacity",
    kind: vehicle,
    property: "maxCapacity",
    found: [[{ ...car, maxCapacity: 80_000 }, "maxCapacity 80000 Wh"]],
    passed: [
      { ...car, maxCapacity: 79_999.9 },
      { ...car, maxCapacity: 80_000.1 },
    ],
  },
  {
    lint: "ignored-metadata",
    kind: vehicle,
    property: "policy",
    found: [
      [{ ...car, policy: "CHARGE BY" }, "maxCapacity 77000 Wh, maxChargePower 11000 W, because policy is CHARGE BY"],
      [{ maxCapacity: 77_000 }, "maxCapacity 77000 Wh, because policy is not declared here, and CHARGE BY by default"],
      [{ maxChargePower: 11_000 }, "maxChargePower 11000 W, because policy is not declared here"],
    ],
    passed: [car, {}, { policy: "CHARGE BY" }],
  },
  {
    lint: "forecast-without-metadata",
    kind: vehicle,
    property: "policy",
    found: [
      [{ policy: car.policy }, "assumes maxCapacity 80000 Wh, maxChargePower 7200 W"],
      [{ policy: car.policy, maxCapacity: 77_000 }, "without maxChargePower: .* assumes maxChargePower 7200 W"],
      [{ policy: car.policy, maxChargePower: 11_000 }, "without maxCapacity: .* assumes maxCapacity 80000 Wh"],
    ],
    passed: [car, {}, { policy: "CHARGE BY" }],
  },
  {
    lint: "small-peak-power",
    kind: inverter,
    property: "peakPower",
    found: [
      [{ ...roof, peakPower: 299.9, cutInThreshold: 10, baseLoad: 60 }, "peakPower 299.9 W"],
      [{ ...roof, peakPower: 100, cutInThreshold: 10, baseLoad: 60 }, "peakPower 100 W"],
    ],
    passed: [
      { ...roof, peakPower: 300, baseLoad: 60 },
      { ...roof, peakPower: 300.1, baseLoad: 60 },
    ],
  },
  {
    lint: "large-peak-power",
    kind: inverter,
    property: "peakPower",
    found: [
      [{ ...roof, peakPower: 100_000.1 }, "peakPower 100000.1 W"],
      [{ ...roof, peakPower: 1_000_000 }, "peakPower 1000000 W"],
    ],
    passed: [
      { ...roof, peakPower: 99_999.9 },
      { ...roof, peakPower: 100_000 },
    ],
  },
  {
    lint: "flat-tilt",
    kind: inverter,
    property: "tilt",
    found: [[{ ...roof, tilt: 0 }, "tilt 0 degrees"]],
    passed: [roof],
  },
  {
    lint: "tilt-in-radians",
    kind: inverter,
    property: "tilt",
    found: [
      [{ ...roof, tilt: 0.001 }, "tilt 0.001 degrees"],
      [{ ...roof, tilt: 0.61 }, "tilt 0.61 degrees .* write 35.0 degrees"],
      [{ ...roof, tilt: 1.599 }, "tilt 1.599 degrees"],
    ],
    passed: [
      { ...roof, tilt: 1.6 },
      { ...roof, tilt: 1.601 },
    ],
  },
  {
    lint: "steep-tilt",
    kind: inverter,
    property: "tilt",
    found: [
      [{ ...roof, tilt: 60.1 }, "tilt 60.1 degrees .* write 29.9 degrees"],
      [{ ...roof, tilt: 90 }, "tilt 90 degrees"],
    ],
    passed: [
      { ...roof, tilt: 59.9 },
      { ...roof, tilt: 60 },
    ],
  },
  {
    lint: "high-cut-in",
    kind: inverter,
    property: "cutInThreshold",
    found: [
      [{ ...roof, cutInThreshold: 4900.1 }, "cutInThreshold 4900.1 W .* 9800 W"],
      [{ ...roof, cutInThreshold: 9799 }, "cutInThreshold 9799 W"],
    ],
    passed: [
      { ...roof, cutInThreshold: 4899.9 },
      { ...roof, cutInThreshold: 4900 },
    ],
  },
  {
    lint: "low-cut-in",
    kind: inverter,
    property: "cutInThreshold",
    found: [
      [{ ...roof, cutInThreshold: 0 }, "cutInThreshold 0 W .* was not known"],
      [{ ...roof, cutInThreshold: 0.15 }, "cutInThreshold 0.15 W .* write 150 W"],
      [{ ...roof, cutInThreshold: 0.999 }, "cutInThreshold 0.999 W"],
    ],
    passed: [
      { ...roof, cutInThreshold: 1 },
      { ...roof, cutInThreshold: 1.001 },
    ],
  },
  {
    lint: "base-load-above-peak",
    kind: inverter,
    property: "baseLoad",
    found: [
      [{ ...roof, peakPower: 3000, baseLoad: 3000 }, "baseLoad 3000 W .* 3000 W"],
      [{ ...roof, peakPower: 3000, baseLoad: 3000.1 }, "baseLoad 3000.1 W"],
    ],
    passed: [{ ...roof, peakPower: 3000, baseLoad: 2999.9 }],
  },
  {
    lint: "low-base-load",
    kind: inverter,
    property: "baseLoad",
    found: [
      [{ ...roof, baseLoad: 0 }, "baseLoad 0 W .* fridges"],
      [{ ...roof, baseLoad: 0.4 }, "baseLoad 0.4 W .* write 400 W"],
      [{ ...roof, baseLoad: 5 }, "baseLoad 5 W .* write 5000 W"],
      [{ ...roof, baseLoad: 5.1 }, "baseLoad 5.1 W .* fridges"],
      [{ ...roof, baseLoad: 49.9 }, "baseLoad 49.9 W"],
    ],
    passed: [
      { ...roof, baseLoad: 50 },
      { ...roof, baseLoad: 50.1 },
    ],
  },
  {
    lint: "high-base-load",
    kind: inverter,
    property: "baseLoad",
    found: [
      [{ ...roof, baseLoad: 5000.1 }, "baseLoad 5000.1 W"],
      [{ ...roof, baseLoad: 9799 }, "baseLoad 9799 W"],
    ],
    passed: [
      { ...roof, baseLoad: 4999.9 },
      { ...roof, baseLoad: 5000 },
    ],
  },
  {
    lint: "incomplete-inverter",
    kind: inverter,
    property: "deviceId",
    found: [
      [{ tilt: 35 }, "only tilt 35 degrees is declared.* Declare peakPower, azimuth, cutInThreshold, baseLoad too"],
      [{ peakPower: 9800, azimuth: 180, tilt: 35, baseLoad: 400 }, "baseLoad 400 W is declared.* cutInThreshold too"],
    ],
    passed: [roof, {}],
  },
];

describe("lint: edges", () => {
  for (const { lint: name, kind, property, found, passed } of cases) {
    for (const [declared, value] of found) {
      it(`finds ${name} in ${JSON.stringify(declared)}, and in nothing else of it`, () => {
        const warnings = lint(kind, declared, { unknownKeys: new Set() });
        expect(warnings.map(({ code, setting }) => [code, setting])).to.deep.equal([[name, property]]);
      });

      it(`names ${value}, and how to switch off ${name}`, () => {
        const message = lint(kind, declared, { unknownKeys: new Set() }).map((one) => textOf(one))[0] ?? "";
        expect(message).to.match(new RegExp(value));
        expect(message.endsWith(` (switch off with ignoreLints: ["${name}"])`), message).to.equal(true);
      });

      it(`does not find ${name} in ${JSON.stringify(declared)} once it is switched off`, () => {
        expect(names(kind, declared, { ignore: [name] })).to.not.include(name);
      });

      it(`finds nothing in ${JSON.stringify(declared)} while what ${name} reads is not known yet`, () => {
        expect(names(kind, declared, { unknownKeys: new Set(keysOf(kind)) })).to.deep.equal([]);
      });
    }
    for (const declared of passed) {
      it(`does not find ${name} in ${JSON.stringify(declared)}`, () => {
        expect(names(kind, declared)).to.not.include(name);
      });
    }
  }
});

describe("LINT_NAMES", () => {
  it("are those of the lints above and of a whole site, which programs may name for ever", () => {
    expect(LINT_NAMES).to.have.members([
      ...cases.map((each) => each.lint),
      "azimuth-off-equator",
      ...Object.keys(SITE_LINTS),
      ...PROGRAM_LINTS,
    ]);
  });

  it("are in kebab case", () => {
    for (const name of LINT_NAMES) expect(name).to.match(/^[a-z]+(-[a-z]+)*$/);
  });
});
