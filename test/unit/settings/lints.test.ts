import { expect } from "chai";
import { LINT_CODES } from "../../../provider/messages/codes";
import { inverter } from "../../../provider/settings/inverter";
import { ignoredBy, LINT_OF_FOLD, type LintName, lint } from "../../../provider/settings/lints";
import { type DeviceKind, keysOf, type Values, withWireNames } from "../../../provider/settings/setting";
import { SITE_LINTS } from "../../../provider/settings/siteLints";
import { vehicle } from "../../../provider/settings/vehicle";

const car = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const roof = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

function names(kind: DeviceKind, declared: Values, options: Partial<Parameters<typeof lint>[2]> = {}): LintName[] {
  return lint(kind, declared, { unknownKeys: new Set(), ...options }).map((warning) => warning.code as LintName);
}

/** Cars with other values. */
const cars = (...changes: Values[]) => changes.map((change) => ({ ...car, ...change }));
const roofs = (...changes: Values[]) => changes.map((change) => ({ ...roof, ...change }));
const powers = (...values: number[]) => cars(...values.map((maxChargePower) => ({ maxChargePower })));
const capacities = (...values: number[]) =>
  cars(...values.map((maxCapacity) => ({ maxCapacity, maxChargePower: 3700 })));
const peaks = (...values: number[]) =>
  roofs(...values.map((peakPower) => ({ peakPower, cutInThreshold: 10, baseLoad: 60 })));
const tilts = (...values: number[]) => roofs(...values.map((tilt) => ({ tilt })));
const cutIns = (...values: number[]) => roofs(...values.map((cutInThreshold) => ({ cutInThreshold })));
const baseLoads = (...values: number[]) => roofs(...values.map((baseLoad) => ({ baseLoad })));
const { policy } = car;

/**
 * The values on both sides of each limit: those for which only this lint finds something, and those for which none
 * does.
 */
const cases: [LintName, DeviceKind, property: string, found: readonly Values[], passed: readonly Values[]][] = [
  ["direct-current-power", vehicle, "maxChargePower", powers(22_000.1, 350_000), powers(21_999.9, 22_000)],
  [
    "power-for-capacity",
    vehicle,
    "maxChargePower",
    cars({ maxCapacity: 10_000, maxChargePower: 13_000.1 }, { maxCapacity: 9_999.9, maxChargePower: 13_000 }),
    [
      ...cars({ maxCapacity: 10_000, maxChargePower: 13_000 }, { maxCapacity: 10_000, maxChargePower: 12_999.9 }),
      { maxChargePower: 22_000, policy },
    ],
  ],
  ["default-power", vehicle, "maxChargePower", powers(7200), powers(7199.9, 7200.1)],
  ["small-capacity", vehicle, "maxCapacity", capacities(7999.9, 4000), capacities(8000, 8000.1)],
  ["large-capacity", vehicle, "maxCapacity", capacities(130_000.1, 300_000), capacities(129_999.9, 130_000)],
  ["default-capacity", vehicle, "maxCapacity", capacities(80_000), capacities(79_999.9, 80_000.1)],
  [
    "ignored-metadata",
    vehicle,
    "policy",
    [{ ...car, policy: "CHARGE BY" }, { maxCapacity: 77_000 }, { maxChargePower: 11_000 }],
    [car, {}, { policy: "CHARGE BY" }],
  ],
  [
    "forecast-without-metadata",
    vehicle,
    "policy",
    [{ policy }, { policy, maxCapacity: 77_000 }, { policy, maxChargePower: 11_000 }],
    [car, {}, { policy: "CHARGE BY" }],
  ],
  ["small-peak-power", inverter, "peakPower", peaks(299.9, 100), peaks(300, 300.1)],
  ["large-peak-power", inverter, "peakPower", peaks(100_000.1, 1_000_000), peaks(99_999.9, 100_000)],
  ["flat-tilt", inverter, "tilt", tilts(0), [roof]],
  ["tilt-in-radians", inverter, "tilt", tilts(0.001, 0.61, 1.57), tilts(1.571, 1.6)],
  ["steep-tilt", inverter, "tilt", tilts(60.1, 90), tilts(59.9, 60)],
  ["high-cut-in", inverter, "cutInThreshold", cutIns(4900.1, 9799), cutIns(4899.9, 4900)],
  ["low-cut-in", inverter, "cutInThreshold", cutIns(0, 0.15, 0.999), cutIns(1, 1.001)],
  [
    "base-load-above-peak",
    inverter,
    "baseLoad",
    roofs({ peakPower: 3000, baseLoad: 3000 }, { peakPower: 3000, baseLoad: 3000.1 }),
    roofs({ peakPower: 3000, baseLoad: 2999.9 }),
  ],
  ["low-base-load", inverter, "baseLoad", baseLoads(0, 0.4, 5, 5.1, 49.9), baseLoads(50, 50.1)],
  ["high-base-load", inverter, "baseLoad", baseLoads(5000.1, 9799), baseLoads(4999.9, 5000)],
  [
    "incomplete-inverter",
    inverter,
    "deviceId",
    [{ tilt: 35 }, { peakPower: 9800, azimuth: 180, tilt: 35, baseLoad: 400 }],
    [roof, {}],
  ],
];

describe("lint: edges", () => {
  for (const [name, kind, property, found, passed] of cases) {
    it(`finds ${name} where it is, alone, on its property, until it is switched off or not known yet`, () => {
      for (const declared of found) {
        const warnings = lint(kind, declared, { unknownKeys: new Set() });
        expect(warnings.map(({ code, setting }) => [code, setting])).to.deep.equal([[name, property]]);
        expect(warnings[0]?.advice).to.contain(`ignoreLints: ["${name}"]`);
        expect(names(kind, declared, { ignore: [name] })).to.not.include(name);
        expect(names(kind, declared, { unknownKeys: new Set(keysOf(kind)) })).to.deep.equal([]);
      }
      for (const declared of passed) expect(names(kind, declared), JSON.stringify(declared)).to.not.include(name);
    });
  }
});

describe("the names of lints", () => {
  it("are those of the lints above and of a whole site, in kebab case: programs may name them for ever", () => {
    expect(LINT_CODES).to.have.members([
      ...cases.map(([name]) => name),
      "azimuth-off-equator",
      ...Object.keys(SITE_LINTS),
      "forecast-without-inverter",
      "nothing-declared",
      LINT_OF_FOLD,
    ]);
    for (const name of LINT_CODES) expect(name).to.match(/^[a-z]+(-[a-z]+)*$/);
  });
});

describe("lint", () => {
  it("finds nothing in a usual car and a usual roof, nor in a device without a setting", () => {
    for (const declared of [car, {}]) expect(names(vehicle, declared)).to.deep.equal([]);
    for (const declared of [roof, {}]) expect(names(inverter, declared, { latitude: 48 })).to.deep.equal([]);
  });

  it("looks at an inverter under other wire names too", () => {
    expect(names(withWireNames(inverter, { tilt: "slope" }), { ...roof, tilt: 0 })).to.deep.equal(["flat-tilt"]);
  });

  it("counts a key that is not known yet as neither declared nor missing", () => {
    const unknown = (...keys: string[]) => ({ unknownKeys: new Set(keys) });
    expect(names(vehicle, { maxCapacity: 77_000 }, unknown("policy"))).to.deep.equal([]);
    expect(names(vehicle, { policy: car.policy, maxCapacity: 77_000 }, unknown("maxChargePower"))).to.deep.equal([]);
    expect(names(inverter, { peakPower: 9800 }, unknown("tilt"))).to.deep.equal([]);
  });

  it("continues with what is known", () => {
    const options = { unknownKeys: new Set(["peakPower"]) };
    expect(names(inverter, { ...roof, tilt: 0, baseLoad: 6000 }, options)).to.deep.equal([
      "flat-tilt",
      "high-base-load",
    ]);
  });
});

describe("lint: several at once", () => {
  it("warns of every property", () => {
    const declared = { peakPower: 250, tilt: 0.61, cutInThreshold: 0, baseLoad: 0.4 };
    expect(names(inverter, declared)).to.deep.equal([
      "small-peak-power",
      "tilt-in-radians",
      "low-cut-in",
      "low-base-load",
      "incomplete-inverter",
    ]);
  });

  const doubles: [string, DeviceKind, Values, LintName, LintName][] = [
    [
      "a fast charger's power",
      vehicle,
      { ...car, maxCapacity: 50_000, maxChargePower: 150_000 },
      "direct-current-power",
      "power-for-capacity",
    ],
    [
      "a base load above 5000 W and the peak",
      inverter,
      { ...roof, baseLoad: 12_000 },
      "base-load-above-peak",
      "high-base-load",
    ],
  ];
  for (const [what, kind, declared, first, second] of doubles) {
    it(`warns once of ${what}, and in other words when that is switched off`, () => {
      expect(names(kind, declared)).to.deep.equal([first]);
      expect(names(kind, declared, { ignore: [first] })).to.deep.equal([second]);
      expect(names(kind, declared, { ignore: [first, second] })).to.deep.equal([]);
    });
  }
});

describe("lint: suggestions", () => {
  // The values near the limits of the suggestion, and the value that is suggested.
  const suggestions: readonly [LintName, DeviceKind, Values, suggested: string | undefined][] = [
    ["small-capacity", vehicle, { maxCapacity: 7700 }, "77 kWh"],
    ["large-capacity", vehicle, { maxCapacity: 200_000 }, "20 kWh"],
    ["large-peak-power", inverter, { peakPower: 250_000 }, "25 kW"],
    ["large-peak-power", inverter, { peakPower: 9_800_000 }, "9.8 kW"],
    ["tilt-in-radians", inverter, { tilt: 0.61 }, "35°"],
    ["steep-tilt", inverter, { tilt: 70.5 }, "19.5°"],
    ["low-cut-in", inverter, { cutInThreshold: 0 }, undefined],
    ["low-cut-in", inverter, { cutInThreshold: 0.15 }, "150 W"],
    ["low-base-load", inverter, { baseLoad: 0 }, undefined],
    ["low-base-load", inverter, { baseLoad: 0.4 }, "400 W"],
    ["low-base-load", inverter, { baseLoad: 5 }, "5 kW"],
    ["low-base-load", inverter, { baseLoad: 5.1 }, undefined],
  ];
  for (const [name, kind, declared, suggested] of suggestions) {
    it(`${suggested ? `is ${suggested}` : "is no value"} of ${name} for ${JSON.stringify(declared)}`, () => {
      const [warning] = lint(kind, declared, { unknownKeys: new Set() }).filter(({ code }) => code === name);
      const words = warning?.advice?.replace(/ \(switch off .*/, "");
      expect(/(?:write|missing:|many:) (\S+(?: \S+)?)$/.exec(words ?? "")?.[1]).to.equal(suggested);
    });
  }
});

describe("lint: secrets", () => {
  const found = (declared: Values, ...secretKeys: string[]) =>
    lint(vehicle, declared, { unknownKeys: new Set(), secretKeys: new Set(secretKeys) })[0];

  it("hide the values of a lint that reads one of them", () => {
    const declared = { ...car, maxCapacity: 10_000, maxChargePower: 20_000 };
    const shown = found(declared);
    expect(shown?.finding).to.contain("20 kW");
    for (const key of ["maxCapacity", "maxChargePower"]) {
      const hidden = found(declared, key);
      expect(hidden).to.deep.include({ code: shown?.code, setting: shown?.setting });
      expect(hidden?.finding).to.not.match(/\d/);
    }
  });

  it("hide nothing if they are not declared, or if the lint does not read them", () => {
    expect(found({ maxCapacity: 77_000 }, "policy", "maxChargePower")?.finding).to.contain("CHARGE BY");
    expect(found({ ...car, maxChargePower: 7200 }, "maxCapacity")?.finding).to.contain("7.2 kW");
  });
});

describe("lint: planes", () => {
  const EAST = { peakPower: 5000, azimuth: 90, tilt: 45 };
  const planes = [EAST, { ...EAST, azimuth: 270 }];
  const found = (declared: Values, options: Partial<Parameters<typeof lint>[2]>) =>
    lint(inverter, { ...roof, ...declared }, { unknownKeys: new Set(), latitude: 50, planes, ...options });
  const codes = (...args: Parameters<typeof found>) => found(...args).map(({ code }) => code);

  it("are looked at one by one, for what may be wrong with the tilt of each", () => {
    const options = {
      planes: [
        { ...EAST, tilt: 0 },
        { ...EAST, tilt: 0.6 },
        { ...EAST, tilt: 70 },
      ],
    };
    const warnings = found({}, { ...options, ignore: [LINT_OF_FOLD] });
    expect(warnings.map(({ code, setting }) => [code, setting])).to.deep.equal([
      ["tilt-in-radians", "planes"],
      ["steep-tilt", "planes"],
    ]);
    expect(warnings.map(({ finding }) => /^planes\[\d\]: tilt [\d.]+°/.exec(finding)?.[0])).to.deep.equal([
      "planes[1]: tilt 0.6°",
      "planes[2]: tilt 70°",
    ]);
    expect(codes({}, { ...options, ignore: [LINT_OF_FOLD, "steep-tilt"] })).to.deep.equal(["tilt-in-radians"]);
  });

  it("let the one plane for them be level or steep, but no other value of the inverter be doubtful", () => {
    const ignore = [LINT_OF_FOLD] as const;
    for (const tilt of [0, 0.6, 70]) expect(codes({ tilt }, { ignore }), String(tilt)).to.deep.equal([]);
    expect(codes({ baseLoad: 6000 }, { ignore })).to.deep.equal(["high-base-load"]);
    expect(codes({ baseLoad: 6000 }, { ignore: [...ignore, "high-base-load"] })).to.deep.equal([]);
  });

  it("let the one plane for them face anywhere up to a tilt of 8°", () => {
    const azimuthOf = (tilt: number) => codes({ azimuth: 0, tilt }, { ignore: [LINT_OF_FOLD] });
    for (const tilt of [0, 7.9, 8]) expect(azimuthOf(tilt), String(tilt)).to.deep.equal([]);
    for (const tilt of [8.1, 45]) expect(azimuthOf(tilt), String(tilt)).to.deep.equal(["azimuth-off-equator"]);
  });

  it("that are far from the one plane for them are reported with the numbers of that", () => {
    const [warning, ...others] = found({}, {});
    expect(others).to.deep.equal([]);
    expect(warning).to.deep.include({
      code: LINT_OF_FOLD,
      setting: "planes",
      numbers: { peakPower: 8293, azimuth: 0, tilt: 3, yearLoss: 0.103, shapeLoss: 0.087 },
    });
    expect(warning?.finding).to.contain("8.293 kW");
    expect(codes({}, { ignore: [LINT_OF_FOLD] })).to.deep.equal([]);
    expect(codes({}, { latitude: undefined })).to.deep.equal([]);
  });

  for (const key of ["peakPower", "azimuth", "tilt"]) {
    it(`of which one ${key} is a secret are reported without any number`, () => {
      const [warning] = found({}, { secretKeys: new Set([key]) });
      expect(warning).to.deep.include({ code: LINT_OF_FOLD, setting: "planes" });
      expect(warning).to.not.have.property("numbers");
      expect(warning?.finding).to.match(/^planes \D+$/);
    });
  }
});

describe("ignoredBy", () => {
  it("are only the names of lints, and empty if the arguments are invalid", () => {
    expect(ignoredBy({ ignoreLints: ["flat-tilt", "flat-tilts", 5, "steep-tilt"] })).to.deep.equal([
      "flat-tilt",
      "steep-tilt",
    ]);
    for (const ignoreLints of [undefined, [], "flat-tilt", null]) {
      expect(ignoredBy({ ignoreLints })).to.deep.equal([]);
    }
  });
});

describe("lint: an inverter that lies flat", () => {
  it("is warned of as that only, not of radians once that is switched off", () => {
    expect(names(inverter, { ...roof, tilt: 0 })).to.deep.equal(["flat-tilt"]);
    expect(names(inverter, { ...roof, tilt: 0 }, { ignore: ["flat-tilt"] })).to.deep.equal([]);
  });
});

describe("lint: one device in two resources", () => {
  it("lets metadata and policy of a car be declared apart", () => {
    const { policy, ...metadata } = car;
    expect(names(vehicle, metadata, { ignore: ["ignored-metadata"] })).to.deep.equal([]);
    expect(names(vehicle, { policy }, { ignore: ["forecast-without-metadata"] })).to.deep.equal([]);
  });

  it("lets an inverter be declared in parts", () => {
    const { tilt, ...others } = roof;
    for (const part of [{ tilt }, others]) {
      expect(names(inverter, part, { ignore: ["incomplete-inverter"] })).to.deep.equal([]);
    }
  });
});

describe("lint: azimuth-off-equator", () => {
  // Latitude, azimuth, and the words about the deviation, if it is too large.
  const directions: [number | undefined, number, string | undefined][] = [
    [48, 180, undefined],
    [48, 80, undefined],
    [48, 79.9, "100.1° away from south"],
    [48, 280, undefined],
    [48, 280.1, "100.1° away from south"],
    [48, 0, "180° away from south"],
    [48, 360, "180° away from south"],
    [-34, 0, undefined],
    [-34, 360, undefined],
    [-34, 100, undefined],
    [-34, 100.1, "100.1° away from north"],
    [-34, 260, undefined],
    [-34, 259.9, "100.1° away from north"],
    [-34, 180, "180° away from north"],
    [23.6, 0, "180° away from south"],
    [23.5, 0, undefined],
    [0, 0, undefined],
    [0, 180, undefined],
    [-23.5, 180, undefined],
    [-23.6, 180, "180° away from north"],
    [undefined, 0, "north"],
    [undefined, 360, "north"],
    [undefined, 45, "north"],
    [undefined, 45.1, undefined],
    [undefined, 314.9, undefined],
    [undefined, 180, undefined],
  ];
  for (const [latitude, azimuth, expected] of directions) {
    it(`finds ${expected ?? "nothing"} at azimuth ${azimuth} and latitude ${latitude}`, () => {
      const [warning] = lint(inverter, { ...roof, azimuth }, { unknownKeys: new Set(), latitude });
      if (!expected) return expect(warning).to.equal(undefined);
      expect(warning).to.deep.include({ code: "azimuth-off-equator", setting: "azimuth" });
      return expect(warning?.finding).to.include(`azimuth ${azimuth}° faces ${expected}`);
    });
  }

  it("offers the bearing of an azimuth that is counted from south, and its own switch", () => {
    const messages = [0, 20, 300, 359.9].map(
      (azimuth) => lint(inverter, { ...roof, azimuth }, { unknownKeys: new Set(), latitude: 48 })[0]?.advice,
    );
    for (const [index, bearing] of [180, 200, 120, 179.9].entries()) {
      expect(messages[index]).to.match(new RegExp(` write ${bearing}° \\(.*\\["azimuth-off-equator"\\]\\)$`));
    }
  });

  it("is silent if the azimuth is not known yet, or it is switched off", () => {
    const declared = { ...roof, azimuth: 0 };
    expect(names(inverter, declared, { latitude: 48, unknownKeys: new Set(["azimuth"]) })).to.deep.equal([]);
    expect(names(inverter, declared, { latitude: 48, ignore: ["azimuth-off-equator"] })).to.deep.equal([]);
  });
});
