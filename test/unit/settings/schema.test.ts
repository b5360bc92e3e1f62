import { expect } from "chai";
import fc from "fast-check";
import { inverter } from "../../../provider/settings/inverter";
import { normalize } from "../../../provider/settings/normalize";
import { type Problem, problemsOf, readLatitude } from "../../../provider/settings/schema";
import { type DeviceKind, keysOf, type NumberSetting } from "../../../provider/settings/setting";
import { quantityText } from "../../../provider/settings/units";
import { vehicle } from "../../../provider/settings/vehicle";
import { anyKind, someValues } from "../../support/arbitraries";

const IDS = { businessId: "acme", deviceId: "car" };
const KINDS = [vehicle, inverter];

/** A copy of a kind, whose schema is built again. The cached schema of an earlier test would not show how it is built. */
const uncached = (kind: DeviceKind): DeviceKind => ({ ...kind });

function problems(kind: DeviceKind, inputs: Record<string, unknown>, unknown: string[] = []): Problem[] {
  return problemsOf(uncached(kind), { ...IDS, ...inputs }, new Set(unknown));
}

const refused = (kind: DeviceKind, inputs: Record<string, unknown>, unknown: string[] = []) =>
  problems(kind, inputs, unknown).map(({ property }) => property);

/** The only reason for which this property is refused. */
function reason(kind: DeviceKind, property: string, value: unknown): string {
  const found = problems(kind, { [property]: value });
  expect(found.map((problem) => problem.property)).to.deep.equal([property]);
  return (found[0] as Problem).reason;
}

describe("problemsOf: values", () => {
  it("accepts a device without any setting, and every combination of values in their ranges", () => {
    for (const kind of KINDS) expect(problems(kind, {})).to.deep.equal([]);
    const accepted = anyKind
      .chain((kind) => fc.record({ kind: fc.constant(kind), values: someValues(kind) }))
      .filter(({ values }) => !(Number(values.cutInThreshold) >= Number(values.peakPower)));
    fc.assert(
      fc.property(accepted, ({ kind, values }) => {
        expect(problems(kind, values)).to.deep.equal([]);
      }),
    );
  });

  for (const kind of KINDS) {
    for (const key of keysOf(kind).filter((one) => kind.settings[one]?.type === "number")) {
      const { minimum, maximum, unit } = kind.settings[key] as NumberSetting;

      it(`accepts ${key} at both ends of its range, and names value, limit and unit of one outside`, () => {
        for (const value of [minimum, maximum]) expect(problems(kind, { [key]: value })).to.deep.equal([]);
        for (const [value, limit] of [
          [minimum - 0.001, minimum],
          [maximum + 0.001, maximum],
        ]) {
          const words = reason(kind, key, value);
          for (const one of [value, limit] as number[]) expect(words).to.contain(quantityText(unit, one));
        }
      });

      it(`refuses for ${key} what is neither a number nor a text with a unit`, () => {
        for (const value of [String(minimum + 1), "7 bar", null, true, [7], { value: 7 }, Number.NaN, 1 / 0]) {
          expect(refused(kind, { [key]: value }), String(value)).to.deep.equal([key]);
        }
      });
    }
  }

  const meant: [DeviceKind, string, unknown, string][] = [
    [vehicle, "maxCapacity", "77000", '"77 kWh"'],
    [vehicle, "maxCapacity", "77 kW", "kWh"],
    [vehicle, "maxCapacity", 77, "77000 (77 kWh)"],
    [vehicle, "maxCapacity", 77_000_000, "77 kWh (77000 Wh)"],
    [inverter, "peakPower", 0.5, "500 (500 W)"],
    [inverter, "azimuth", -90, "270"],
    [vehicle, "policy", "charge by", "CHARGE BY?"],
    [vehicle, "policy", "CHARGE_BY_FORECAST", "CHARGE BY FORECAST?"],
    [vehicle, "policy", "ChargeByForecast", "CHARGE BY FORECAST?"],
    [vehicle, "onDelete", "restored", "restore?"],
    [inverter, "ignoreLints", ["steep-tilt", "flat_tilts"], "flat-tilt?"],
    [inverter, "azimuth", "ssw", "SSW?"],
    [inverter, "latitude", "52.5", "52.5"],
  ];
  for (const [kind, key, value, suggestion] of meant) {
    it(`suggests ${suggestion} for ${key} ${JSON.stringify(value)}`, () => {
      expect(reason(kind, key, value)).to.contain(suggestion);
    });
  }

  it("accepts both policies, every onDelete and names of lints, and refuses anything else", () => {
    for (const policy of ["CHARGE BY", "CHARGE BY FORECAST"]) expect(problems(vehicle, { policy })).to.deep.equal([]);
    for (const policy of ["CHARGE NEVER!", "", 1, null, {}]) expect(refused(vehicle, { policy })).to.have.length(1);
    for (const onDelete of ["retain", "restore", "reset"]) expect(problems(vehicle, { onDelete })).to.deep.equal([]);
    for (const kind of KINDS) {
      for (const ignoreLints of [[], ["flat-tilt", "default-power"]]) {
        expect(problems(kind, { ignoreLints })).to.deep.equal([]);
      }
      expect(refused(kind, { ignoreLints: "flat-tilt" })).to.deep.equal(["ignoreLints"]);
    }
  });

  it("accepts an azimuth in another form once it is normalized, and refuses it before", () => {
    for (const azimuth of ["SSW", { degrees: -45, convention: "south-zero" }]) {
      expect(problems(inverter, normalize(inverter, { azimuth }))).to.deep.equal([]);
      expect(refused(inverter, { azimuth })).to.deep.equal(["azimuth"]);
    }
    for (const azimuth of [
      { degrees: 5, convention: "pvgis" },
      { degrees: 200, convention: "south-zero" },
    ]) {
      expect(reason(inverter, "azimuth", azimuth)).to.contain("south-zero");
    }
  });

  it("shows no text that is too long", () => {
    for (const [kind, key] of [
      [vehicle, "policy"],
      [vehicle, "maxCapacity"],
      [inverter, "azimuth"],
    ] as const) {
      expect(reason(kind, key, "x".repeat(257))).to.have.length.below(100);
    }
  });

  it("asks for a number or a text with a unit, instead of what is no finite number", () => {
    for (const azimuth of [Number.NaN, 1 / 0]) {
      expect(reason(inverter, "azimuth", azimuth)).to.match(new RegExp(`a text with its unit.*, not ${azimuth}$`));
    }
  });

  it("accepts every latitude from pole to pole, for inverters alone", () => {
    for (const latitude of [-90, -33.9, 0, 52.5, 90]) expect(problems(inverter, { latitude })).to.deep.equal([]);
    for (const latitude of [90.1, -90.1, null]) expect(refused(inverter, { latitude })).to.deep.equal(["latitude"]);
    expect(refused(vehicle, { latitude: 52.5 })).to.deep.equal(["latitude"]);
  });
});

describe("readLatitude", () => {
  for (const [latitude, read] of [
    ["48.1°", 48.1],
    ["-33.9 deg", -33.9],
    [48.1, 48.1],
    ["48.1", "48.1"],
    ["north", "north"],
    [null, null],
  ] as const) {
    it(`reads ${JSON.stringify(latitude)} as ${JSON.stringify(read)}, beside the other inputs`, () => {
      expect(readLatitude({ tilt: "30°", latitude })).to.deep.equal({ tilt: "30°", latitude: read });
    });
  }

  it("adds no latitude if there is none", () => {
    expect(readLatitude({ tilt: 30 })).to.deep.equal({ tilt: 30 });
  });
});

describe("problemsOf: keys", () => {
  const keys: [DeviceKind, string, string | undefined][] = [
    [vehicle, "max_capacity", "maxCapacity"],
    [vehicle, "MAX_CAPACITY", "maxCapacity"],
    [vehicle, "BUSINESS_ID", "businessId"],
    [vehicle, "on_delete", "onDelete"],
    [vehicle, "maxCapactiy", "maxCapacity"],
    [vehicle, "peakPower", undefined],
    [vehicle, "constructor", undefined],
    [vehicle, "x".repeat(100_000), undefined],
    [inverter, "cut_in_threshold", "cutInThreshold"],
    [inverter, "baseload", "baseLoad"],
    [inverter, "policy", undefined],
  ];
  for (const [kind, key, expected] of keys) {
    it(`refuses ${key.slice(0, 20)} of ${kind.resource}, and suggests ${expected ?? "nothing"}`, () => {
      expect(/did you mean (\w+)/.exec(reason(kind, key, 1))?.[1]).to.equal(expected);
    });
  }

  it("takes a key that begins with a digit for a number with a decimal comma in braces", () => {
    expect(reason(vehicle, "5 kWh", null))
      .to.contain("decimal point")
      .and.not.to.contain("remove");
  });

  it("suggests no key that the device already has", () => {
    expect(reason(vehicle, "dev_id", "car")).to.include("deviceId is already there");
  });

  for (const key of ["constructor", "toString", "__proto__", "speed"]) {
    it(`refuses ${key} also if its value is not known yet`, () => {
      const inputs = JSON.parse(`{"deviceId":"car","businessId":"acme","${key}":"sentinel"}`);
      const found = problemsOf(uncached(vehicle), inputs, new Set([key]));
      expect(found.map(({ property }) => property)).to.deep.equal([key]);
    });
  }

  it("names every problem on its property, and of several problems of one property the first", () => {
    const inputs = { deviceId: " a\nb", maxCapacity: 77, maxChargePower: null, policy: "FAST", speed: 1, weight: 2 };
    expect(refused(vehicle, inputs)).to.have.members(Object.keys(inputs));
  });
});

describe("problemsOf: values that are not known yet", () => {
  it("pass for every key, required ones too, and count in no relation", () => {
    const keys = ["deviceId", "businessId", "onDelete", "ignoreLints", "maxCapacity", "maxChargePower", "policy"];
    const inputs = Object.fromEntries(keys.map((key) => [key, "sentinel"]));
    expect(problems(vehicle, inputs, keys)).to.deep.equal([]);
    expect(problems(inverter, { azimuth: "sentinel" }, ["azimuth"])).to.deep.equal([]);
    expect(problems(inverter, { peakPower: "sentinel", cutInThreshold: 5000 }, ["peakPower"])).to.deep.equal([]);
  });

  it("hide neither what is wrong with known ones nor that another key is missing", () => {
    expect(refused(vehicle, { deviceId: "sentinel", maxCapacity: 77 }, ["deviceId"])).to.deep.equal(["maxCapacity"]);
    const found = problemsOf(uncached(vehicle), { businessId: "acme", policy: "sentinel" }, new Set(["policy"]));
    expect(found.map(({ property }) => property)).to.deep.equal(["deviceId"]);
  });
});

describe("problemsOf: relations", () => {
  it("keeps the cut-in threshold below the peak power, if that is declared", () => {
    expect(problems(inverter, { peakPower: 5000, cutInThreshold: 4999.9 })).to.deep.equal([]);
    expect(problems(inverter, { cutInThreshold: 900_000 })).to.deep.equal([]);
    expect(problems(inverter, { peakPower: 9.8, cutInThreshold: 150 }).map(({ property }) => property)).to.deep.equal([
      "peakPower",
    ]);
    for (const cutInThreshold of [5000, 6000]) {
      expect(refused(inverter, { peakPower: 5000, cutInThreshold })).to.deep.equal(["cutInThreshold"]);
    }
    const [problem] = problems(inverter, { peakPower: 900, cutInThreshold: 5000 });
    expect(problem?.reason, "in one unit").to.contain("900 W").and.contain("5000 W");
  });

  it("refuses a reset of an inverter, which has no documented default, whatever is declared", () => {
    for (const declared of [
      {},
      { tilt: 30 },
      { peakPower: 9800, azimuth: 0, tilt: 0, cutInThreshold: 0, baseLoad: 0 },
    ]) {
      expect(refused(inverter, { onDelete: "reset", ...declared })).to.deep.equal(["onDelete"]);
    }
  });
});

describe("problemsOf: planes", () => {
  const EAST = { peakPower: 5000, azimuth: 90, tilt: 30 };
  const WEST = { ...EAST, azimuth: 270 };
  const FACADES = [EAST, WEST].map((plane) => ({ ...plane, tilt: 90 }));
  const ofPlanes = (inputs: Record<string, unknown>, unknown: string[] = []) => {
    const found = problems(inverter, inputs, unknown);
    return Object.fromEntries(found.map((problem) => [problem.property, problem.reason]));
  };

  it("accepts 1 to 12 of them", () => {
    for (const count of [1, 2, 12]) {
      expect(ofPlanes({ planes: Array.from({ length: count }, () => EAST) })).to.deep.equal({});
    }
  });

  const refusals: readonly [what: string, planes: unknown, property: string, words: string][] = [
    ["a text", "E", "planes", "must be a list"],
    ["an object", EAST, "planes", "must be a list"],
    ["an empty list", [], "planes", "is empty"],
    ["13 planes", Array(13).fill(EAST), "planes", "at most 12"],
    ["a number in the list", [EAST, 7], "planes[1]", '{ peakPower: "5 kWp"'],
    ["a plane without a tilt", [{ peakPower: 5000, azimuth: 90 }], "planes[0].tilt", ""],
    ["a tilt out of its range", [EAST, { ...EAST, tilt: 91 }], "planes[1].tilt", "90°"],
    ["a peak power in kW", [{ ...EAST, peakPower: 5 }], "planes[0].peakPower", "5000 (5 kW)"],
    ["a misspelled key", [{ ...EAST, azimut: 1 }], "planes[0].azimut", "azimuth is already there"],
    ["planes of 12 MW together", Array(2).fill({ ...EAST, peakPower: 6_000_000 }), "planes", "10000 kW"],
  ];
  for (const [what, planes, property, words] of refusals) {
    it(`refuses ${what} on ${property}`, () => {
      const found = ofPlanes({ planes });
      expect(found).to.have.all.keys(property);
      expect(found[property]).to.contain(words);
    });
  }

  it("refuses them beside the settings that they replace, and names these", () => {
    const { planes } = ofPlanes({ planes: [EAST], azimuth: 90, tilt: 30 });
    expect(planes).to.contain("azimuth and tilt").and.not.contain("peakPower");
    expect(ofPlanes({ planes: "later", tilt: 30 }, ["planes"])).to.have.all.keys("planes");
  });

  it("refuses a wrong value of a plane first", () => {
    expect(ofPlanes({ planes: [{ ...EAST, tilt: 91 }], azimuth: 90 })).to.have.all.keys("planes[0].tilt");
  });

  it("refuses planes whose vectors cancel each other, unless there is a latitude, known or not", () => {
    expect(ofPlanes({ planes: FACADES })).to.have.all.keys("planes");
    expect(ofPlanes({ planes: FACADES, latitude: 50 })).to.deep.equal({});
    expect(ofPlanes({ planes: FACADES, latitude: "later" }, ["latitude"])).to.deep.equal({});
  });

  it("keeps the cut-in threshold below the peak power of the one plane for them", () => {
    expect(ofPlanes({ planes: [EAST, WEST], cutInThreshold: 8659 })).to.deep.equal({});
    expect(ofPlanes({ planes: [EAST, WEST], cutInThreshold: 8660 })).to.have.all.keys("cutInThreshold");
  });
});

describe("problemsOf: ids", () => {
  const INVISIBLE = ["car-\u202e1-nav", "a\u2066b", "a\u200bb", "a\u00adb", "a\u3164b", "a\u{e0041}b", "a\u2028b"];
  const CONTROL = ["a\nb", "a\0b", "a\u007fb", "a\u009b2Jb"];
  const TEXTS = ["", " ", " car", "car\u2028", ...CONTROL, ...INVISIBLE, ".", "..", "a\ud800b", "x".repeat(257)];
  for (const property of ["deviceId", "businessId"]) {
    for (const value of [...TEXTS, "x".repeat(100_000), undefined, null, 5, ["car"], { id: "car" }]) {
      it(`refuses ${JSON.stringify(value)?.slice(0, 20)} as ${property}, without showing it`, () => {
        expect(reason(vehicle, property, value)).to.match(/^[^\p{Cc}\p{Cf}]{1,100}$/u);
      });
    }

    it(`accepts everything else as ${property}`, () => {
      for (const id of ["x", "x".repeat(256), "...", "a/b", "a b", "ä€😀", "%2e%2e", "__proto__", "0"]) {
        expect(problems(inverter, { [property]: id }), id).to.deep.equal([]);
      }
    });
  }

  it("names the invisible character, and suggests quotes for a number", () => {
    expect(reason(vehicle, "deviceId", "a\u200bb")).to.contain("U+200B");
    expect(reason(vehicle, "deviceId", "a\u00adb")).to.contain("U+00AD");
    expect(reason(vehicle, "deviceId", 5)).to.contain("quotes");
    expect(reason(vehicle, "deviceId", null)).to.match(/not null$/);
  });
});
