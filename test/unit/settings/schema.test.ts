import { expect } from "chai";
import fc from "fast-check";
import { inverter } from "../../../provider/settings/inverter";
import { normalize } from "../../../provider/settings/normalize";
import { type Problem, problemsOf } from "../../../provider/settings/schema";
import { type DeviceKind, keysOf, type NumberSetting } from "../../../provider/settings/setting";
import { quantityText } from "../../../provider/settings/units";
import { vehicle } from "../../../provider/settings/vehicle";
import { anyKind, someValues } from "../../support/arbitraries";
import { freshKind } from "../../support/kinds";

const IDS = { businessId: "acme", deviceId: "car" };
const KINDS = [vehicle, inverter];

function problems(kind: DeviceKind, inputs: Record<string, unknown>, unknown: string[] = []): Problem[] {
  return problemsOf(freshKind(kind), { ...IDS, ...inputs }, new Set(unknown));
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
      const { minimum, maximum, unit, source } = kind.settings[key] as NumberSetting;

      it(`accepts ${key} at both ends of its range, and names value, limit, unit and source of one outside`, () => {
        for (const value of [minimum, maximum]) expect(problems(kind, { [key]: value })).to.deep.equal([]);
        for (const [value, limit] of [
          [minimum - 0.001, minimum],
          [maximum + 0.001, maximum],
        ]) {
          const words = reason(kind, key, value);
          for (const one of [value, limit] as number[]) expect(words).to.contain(quantityText(unit, one));
          expect(words.includes("(")).to.equal(source === "our choice");
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
    [vehicle, "maxCapacity", "77000", "77000"],
    [vehicle, "maxCapacity", "77 kW", "kWh"],
    [vehicle, "maxCapacity", 77, '"77 kWh"'],
    [vehicle, "maxCapacity", 77_000_000, '"77 kWh"'],
    [inverter, "peakPower", 0.5, '"0.5 kW"'],
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

  it("accepts every latitude from pole to pole, for inverters alone", () => {
    for (const latitude of [-90, -33.9, 0, 52.5, 90]) expect(problems(inverter, { latitude })).to.deep.equal([]);
    for (const latitude of [90.1, -90.1, null]) expect(refused(inverter, { latitude })).to.deep.equal(["latitude"]);
    expect(refused(vehicle, { latitude: 52.5 })).to.deep.equal(["latitude"]);
  });
});

describe("problemsOf: keys", () => {
  const keys: [DeviceKind, string, string | undefined][] = [
    [vehicle, "max_capacity", "maxCapacity"],
    [vehicle, "MAX_CAPACITY", "maxCapacity"],
    [vehicle, "BUSINESS_ID", "businessId"],
    [vehicle, "dev_id", "deviceId"],
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
      expect(/(\w+)\?$/.exec(reason(kind, key, 1))?.[1]).to.equal(expected);
    });
  }

  for (const key of ["constructor", "toString", "__proto__", "speed"]) {
    it(`refuses ${key} also where its value is not known yet`, () => {
      const inputs = JSON.parse(`{"deviceId":"car","businessId":"acme","${key}":"sentinel"}`);
      const found = problemsOf(freshKind(vehicle), inputs, new Set([key]));
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
    const found = problemsOf(freshKind(vehicle), { businessId: "acme", policy: "sentinel" }, new Set(["policy"]));
    expect(found.map(({ property }) => property)).to.deep.equal(["deviceId"]);
  });
});

describe("problemsOf: relations", () => {
  it("keeps the cut-in threshold below the peak power, if that is declared", () => {
    expect(problems(inverter, { peakPower: 5000, cutInThreshold: 4999.9 })).to.deep.equal([]);
    expect(problems(inverter, { cutInThreshold: 900_000 })).to.deep.equal([]);
    for (const cutInThreshold of [5000, 6000]) {
      expect(refused(inverter, { peakPower: 5000, cutInThreshold })).to.deep.equal(["cutInThreshold"]);
    }
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
    expect(reason(vehicle, "deviceId", 5)).to.contain("quotes");
  });
});
