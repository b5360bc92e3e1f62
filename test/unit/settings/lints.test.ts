import { expect } from "chai";
import { inverter } from "../../../provider/settings/inverter";
import { type LintName, type LintOptions, lint } from "../../../provider/settings/lints";
import { type DeviceKind, type Values, withWireNames } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";

const car = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const roof = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

function names(kind: DeviceKind, declared: Values, options: Partial<LintOptions> = {}): LintName[] {
  return lint(kind, declared, { unknownKeys: new Set(), ...options }).map((warning) => warning.code as LintName);
}

describe("lint", () => {
  it("finds nothing in a usual car and a usual roof, nor in a device without a setting", () => {
    for (const declared of [car, {}]) expect(names(vehicle, declared)).to.deep.equal([]);
    for (const declared of [roof, {}]) expect(names(inverter, declared, { latitude: 48 })).to.deep.equal([]);
  });

  it("looks at an inverter under other wire names too", () => {
    expect(names(withWireNames(inverter, { tilt: "slope" }), { ...roof, tilt: 0 })).to.deep.equal(["flat-tilt"]);
  });

  it("takes a key that is not known yet for neither declared nor missing", () => {
    const unknown = (...keys: string[]) => ({ unknownKeys: new Set(keys) });
    expect(names(vehicle, { maxCapacity: 77_000 }, unknown("policy"))).to.deep.equal([]);
    expect(names(vehicle, { policy: car.policy, maxCapacity: 77_000 }, unknown("maxChargePower"))).to.deep.equal([]);
    expect(names(inverter, { peakPower: 9800 }, unknown("tilt"))).to.deep.equal([]);
  });

  it("goes on with what is known", () => {
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
  // Latitude, azimuth, and how far away from which side it faces, where that is too far.
  const directions: [number | undefined, number, string | undefined][] = [
    [48, 180, undefined],
    [48, 80, undefined],
    [48, 79.9, "100.1 degrees away from south"],
    [48, 280, undefined],
    [48, 280.1, "100.1 degrees away from south"],
    [48, 0, "180 degrees away from south"],
    [48, 360, "180 degrees away from south"],
    [-34, 0, undefined],
    [-34, 360, undefined],
    [-34, 100, undefined],
    [-34, 100.1, "100.1 degrees away from north"],
    [-34, 260, undefined],
    [-34, 259.9, "100.1 degrees away from north"],
    [-34, 180, "180 degrees away from north"],
    [23.6, 0, "180 degrees away from south"],
    [23.5, 0, undefined],
    [0, 0, undefined],
    [0, 180, undefined],
    [-23.5, 180, undefined],
    [-23.6, 180, "180 degrees away from north"],
    [undefined, 0, undefined],
  ];
  for (const [latitude, azimuth, expected] of directions) {
    it(`finds ${expected ?? "nothing"} at azimuth ${azimuth} and latitude ${latitude}`, () => {
      const [warning] = lint(inverter, { ...roof, azimuth }, { unknownKeys: new Set(), latitude });
      if (!expected) return expect(warning).to.equal(undefined);
      expect(warning).to.deep.include({ code: "azimuth-off-equator", setting: "azimuth" });
      return expect(warning?.finding).to.include(`azimuth ${azimuth} degrees faces ${expected}`);
    });
  }

  it("offers the convention that counts from south, and its own switch", () => {
    const messages = [0, 20, 300, 359.9].map(
      (azimuth) => lint(inverter, { ...roof, azimuth }, { unknownKeys: new Set(), latitude: 48 })[0]?.advice,
    );
    const offered = [0, 20, -60, -0.1];
    for (const [index, degrees] of offered.entries()) {
      expect(messages[index]).to.match(
        new RegExp(`write { degrees: ${degrees}, convention: "south-zero" } \\(.*\\["azimuth-off-equator"\\]\\)$`),
      );
    }
  });

  it("offers south as 180 degrees from it, not as -180, where the sun stands in the north", () => {
    const [warning] = lint(inverter, { ...roof, azimuth: 180 }, { unknownKeys: new Set(), latitude: -34 });
    expect(warning?.advice).to.include('write { degrees: 180, convention: "south-zero" }');
  });

  it("is silent where the azimuth is not known yet, or it is switched off", () => {
    const declared = { ...roof, azimuth: 0 };
    expect(names(inverter, declared, { latitude: 48, unknownKeys: new Set(["azimuth"]) })).to.deep.equal([]);
    expect(names(inverter, declared, { latitude: 48, ignore: ["azimuth-off-equator"] })).to.deep.equal([]);
  });
});
