import { expect } from "chai";
import { inverter } from "../../../provider/settings/inverter";
import { normalize } from "../../../provider/settings/normalize";
import { type Problem, problemsOf } from "../../../provider/settings/schema";
import type { DeviceKind } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { freshKind } from "../../support/kinds";

const ids = { businessId: "acme", deviceId: "car" };

function problems(kind: DeviceKind, inputs: Record<string, unknown>, unknown: string[] = []): Problem[] {
  return problemsOf(freshKind(kind), { ...ids, ...inputs }, new Set(unknown));
}

/** The one reason why this property is refused. */
function reason(kind: DeviceKind, property: string, value: unknown): string {
  const found = problems(kind, { [property]: value });
  expect(found.map((problem) => problem.property)).to.deep.equal([property]);
  return (found[0] as Problem).reason;
}

describe("problemsOf: types", () => {
  const numbers: [unknown, string][] = [
    ["77000", 'has to be a number with a unit, such as "77 kWh", or a number without quotes: 77000'],
    ["77 kW", '"kW" in "77 kW" is not a unit of energy; what fits is Wh, kWh, MWh'],
    [null, "has no value: give one, or leave the key out"],
    [true, "has to be a number in Wh, or a text with a unit, not a boolean"],
    [[77_000], "has to be a number in Wh, or a text with a unit, not an array"],
    [{ value: 77_000 }, "has to be a number in Wh, or a text with a unit, not an object"],
    [Number.NaN, "has to be a number in Wh, or a text with a unit, not NaN"],
    [Number.POSITIVE_INFINITY, "has to be a number in Wh, or a text with a unit, not Infinity"],
  ];
  for (const [value, expected] of numbers) {
    it(`refuses ${JSON.stringify(value)} (${String(value)}) for a number`, () => {
      expect(reason(vehicle, "maxCapacity", value)).to.equal(expected);
    });
  }

  const choices: [unknown, string][] = [
    ["CHARGE NEVER!", '"CHARGE NEVER!" is none of "CHARGE BY", "CHARGE BY FORECAST"'],
    ["charge by", '"charge by" is none of "CHARGE BY", "CHARGE BY FORECAST"; did you mean CHARGE BY?'],
    ["CHARGE_BY_FORECAST", '"CHARGE_BY_FORECAST" is none of .*; did you mean CHARGE BY FORECAST\\?'],
    ["ChargeByForecast", '"ChargeByForecast" is none of .*; did you mean CHARGE BY FORECAST\\?'],
    ["CHARGE__BY__FORECAST", '"CHARGE__BY__FORECAST" is none of .*; did you mean CHARGE BY FORECAST\\?'],
    ["charge-by-forecast", '"charge-by-forecast" is none of .*; did you mean CHARGE BY FORECAST\\?'],
    ["", '"" is none of "CHARGE BY", "CHARGE BY FORECAST"'],
    [1, 'has to be one of "CHARGE BY", "CHARGE BY FORECAST", not 1'],
    [null, 'has to be one of "CHARGE BY", "CHARGE BY FORECAST", not null'],
    [{}, 'has to be one of "CHARGE BY", "CHARGE BY FORECAST", not an object'],
  ];
  for (const [value, expected] of choices) {
    it(`refuses ${JSON.stringify(value)} for a policy`, () => {
      const found = reason(vehicle, "policy", value);
      if (expected.includes(".*")) expect(found).to.match(new RegExp(`^${expected}$`));
      else expect(found).to.equal(expected);
    });
  }

  it("accepts both policies and every onDelete", () => {
    for (const policy of ["CHARGE BY", "CHARGE BY FORECAST"]) expect(problems(vehicle, { policy })).to.deep.equal([]);
    for (const onDelete of ["retain", "restore", "reset"]) expect(problems(vehicle, { onDelete })).to.deep.equal([]);
  });

  it("refuses another onDelete and offers the near one", () => {
    expect(reason(vehicle, "onDelete", "restored")).to.equal(
      '"restored" is none of "retain", "restore", "reset"; did you mean restore?',
    );
  });

  it("accepts a device without any setting", () => {
    for (const kind of [vehicle, inverter]) expect(problems(kind, {})).to.deep.equal([]);
  });
});

describe("problemsOf: lints that are switched off", () => {
  it("accepts names of lints", () => {
    for (const ignoreLints of [[], ["flat-tilt"], ["flat-tilt", "default-power"]]) {
      for (const kind of [vehicle, inverter]) expect(problems(kind, { ignoreLints })).to.deep.equal([]);
    }
  });

  it("refuses another name and offers the near one", () => {
    expect(reason(inverter, "ignoreLints", ["steep-tilt", "flat_tilts"])).to.match(
      /^"flat_tilts" is none of "direct-current-power", .*; did you mean flat-tilt\?$/,
    );
  });

  it("refuses what is no list", () => {
    expect(reason(vehicle, "ignoreLints", "flat-tilt")).to.equal("has to be a list of names of lints, not a string");
  });

  it("passes them while they are not known yet", () => {
    expect(problems(vehicle, { ignoreLints: "sentinel" }, ["ignoreLints"])).to.deep.equal([]);
  });
});

describe("problemsOf: an azimuth in another form", () => {
  it("says of one that cannot be read what is wrong with it", () => {
    expect(reason(inverter, "azimuth", "ssw")).to.match(/^"ssw" is none of "N", .*; did you mean SSW\?$/);
    expect(reason(inverter, "azimuth", { degrees: 5, convention: "pvgis" })).to.equal(
      'convention "pvgis" is none of "north-zero", "south-zero", "solcast"',
    );
    expect(reason(inverter, "azimuth", { degrees: 200, convention: "south-zero" })).to.equal(
      'degrees has to be a number from -180 to 180 in the convention "south-zero" (0 south, -90 east), not 200',
    );
  });

  it("accepts the number that it was normalized to", () => {
    for (const azimuth of ["SSW", { degrees: -45, convention: "south-zero" }]) {
      expect(problems(inverter, normalize(inverter, { azimuth }))).to.deep.equal([]);
    }
  });

  it("refuses one that was not normalized, which the service does not understand", () => {
    expect(reason(inverter, "azimuth", "SSW")).to.equal(
      "has to be a number in degrees, or a text with a unit, not a string",
    );
  });

  it("refuses a number that is none", () => {
    expect(reason(inverter, "azimuth", Number.NaN)).to.equal(
      "has to be a number in degrees, or a text with a unit, not NaN",
    );
  });

  it("passes one that is not known yet", () => {
    expect(problems(inverter, { azimuth: "sentinel" }, ["azimuth"])).to.deep.equal([]);
  });
});

describe("problemsOf: ids", () => {
  const bad: [string, unknown, string][] = [
    ["empty", "", "must not be empty"],
    ["white space", " ", "must not begin or end with white space"],
    ["led by white space", " car", "must not begin or end with white space"],
    ["ended by a line break", "car\u2028", "must not begin or end with white space"],
    ["with a control character", "a\nb", "must not contain control characters"],
    ["with a null", "a\0b", "must not contain control characters"],
    ["with a delete character", "a\u007fb", "must not contain control characters"],
    ["with a control character beyond ASCII", "a\u009b2Jb", "must not contain control characters"],
    [
      "with an override of its direction",
      "car-\u202e1-nav",
      "must not contain invisible characters, such as the U+202E in it",
    ],
    ["with an isolate", "a\u2066b", "must not contain invisible characters, such as the U+2066 in it"],
    ["with a zero-width space", "a\u200bb", "must not contain invisible characters, such as the U+200B in it"],
    ["with a soft hyphen", "a\u00adb", "must not contain invisible characters, such as the U+00AD in it"],
    ["with a filler", "a\u3164b", "must not contain invisible characters, such as the U+3164 in it"],
    ["with a tag", "a\u{e0041}b", "must not contain invisible characters, such as the U+E0041 in it"],
    ["with a line separator", "a\u2028b", "must not contain invisible characters, such as the U+2028 in it"],
    ["a dot", ".", "must not be '.' or '..', which a URL path cannot carry"],
    ["two dots", "..", "must not be '.' or '..', which a URL path cannot carry"],
    ["with a lone surrogate", "a\ud800b", "must be well-formed Unicode"],
    ["of 257 characters", "x".repeat(257), "must not be longer than 256 characters"],
    ["missing", undefined, "is required"],
    ["null", null, "has to be a string, not null"],
    ["a number", 5, "has to be a string, not 5 (put it in quotes)"],
    ["a list", ["car"], "has to be a string, not an array"],
    ["an object", { id: "car" }, "has to be a string, not an object"],
  ];
  for (const property of ["deviceId", "businessId"]) {
    for (const [what, value, expected] of bad) {
      it(`refuses a ${property} that is ${what}`, () => {
        expect(reason(vehicle, property, value)).to.equal(expected);
      });
    }

    it(`accepts everything else as ${property}`, () => {
      for (const id of ["x", "x".repeat(256), "...", "a/b", "a b", "ä€😀", "%2e%2e", "__proto__", "0"]) {
        expect(problems(inverter, { [property]: id }), id).to.deep.equal([]);
      }
    });
  }
});

describe("problemsOf: latitude", () => {
  it("accepts every one from pole to pole", () => {
    for (const latitude of [-90, -33.9, 0, 52.5, 90]) expect(problems(inverter, { latitude })).to.deep.equal([]);
  });

  const refused: [unknown, string][] = [
    [90.1, "has to be from -90 to 90 degrees, north positive"],
    [-90.1, "has to be from -90 to 90 degrees, north positive"],
    ["52.5", 'has to be a number with a unit, such as "30 °", or a number without quotes: 52.5'],
    [null, "has no value: give one, or leave the key out"],
  ];
  for (const [latitude, expected] of refused) {
    it(`refuses ${JSON.stringify(latitude)}`, () => {
      expect(reason(inverter, "latitude", latitude)).to.equal(expected);
    });
  }

  it("is no property of a car, of which nothing depends on it", () => {
    expect(reason(vehicle, "latitude", 52.5)).to.equal("is not a property of VehicleSettings");
  });
});

describe("problemsOf: unknown keys", () => {
  const keys: [DeviceKind, string, string][] = [
    [vehicle, "max_capacity", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "MAX_CAPACITY", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "BUSINESS_ID", "is not a property of VehicleSettings; did you mean businessId?"],
    [vehicle, "max_charge_power", "is not a property of VehicleSettings; did you mean maxChargePower?"],
    [vehicle, "dev_id", "is not a property of VehicleSettings; did you mean deviceId?"],
    [vehicle, "on_delete", "is not a property of VehicleSettings; did you mean onDelete?"],
    [vehicle, "MaxCapacity", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "maxCapactiy", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "peakPower", "is not a property of VehicleSettings"],
    [vehicle, "constructor", "is not a property of VehicleSettings"],
    [inverter, "cut_in_threshold", "is not a property of InverterSettings; did you mean cutInThreshold?"],
    [inverter, "baseload", "is not a property of InverterSettings; did you mean baseLoad?"],
    [inverter, "policy", "is not a property of InverterSettings"],
  ];
  for (const [kind, key, expected] of keys) {
    it(`refuses ${key} of ${kind.resource}`, () => {
      expect(reason(kind, key, 1)).to.equal(expected);
    });
  }

  for (const key of ["constructor", "toString", "__proto__"]) {
    it(`refuses ${key} also where its value is not known yet`, () => {
      const inputs = JSON.parse(`{"deviceId":"car","businessId":"acme","${key}":"sentinel"}`);
      expect(problemsOf(freshKind(vehicle), inputs, new Set([key]))).to.deep.equal([
        { property: key, reason: "is not a property of VehicleSettings" },
      ]);
    });
  }

  it("refuses each of several on its own property", () => {
    expect(problems(vehicle, { foo1234567: 1, bar1234567: 2 }).map(({ property }) => property)).to.have.members([
      "foo1234567",
      "bar1234567",
    ]);
  });
});

describe("problemsOf: several at once", () => {
  it("names every problem, each on its property", () => {
    const found = problems(vehicle, { deviceId: "", maxCapacity: 77, maxChargePower: null, policy: "FAST", speed: 1 });
    expect(found.map(({ property }) => property)).to.have.members([
      "deviceId",
      "maxCapacity",
      "maxChargePower",
      "policy",
      "speed",
    ]);
  });

  it("names of several problems of one property the first", () => {
    expect(problems(vehicle, { deviceId: " a\nb", maxCapacity: 77 })).to.deep.equal([
      { property: "deviceId", reason: "must not begin or end with white space" },
      { property: "maxCapacity", reason: "77 Wh is below 1000 Wh; 77 kWh is 77000" },
    ]);
  });
});

describe("problemsOf: values that are not known yet", () => {
  it("pass for every key, required ones too", () => {
    const keys = ["deviceId", "businessId", "onDelete", "maxCapacity", "maxChargePower", "policy"];
    const inputs = Object.fromEntries(keys.map((key) => [key, "sentinel"]));
    expect(problems(vehicle, inputs, keys)).to.deep.equal([]);
  });

  it("do not pass for a property that does not exist", () => {
    expect(problems(vehicle, { speed: "sentinel" }, ["speed"])).to.deep.equal([
      { property: "speed", reason: "is not a property of VehicleSettings" },
    ]);
  });

  it("do not hide what is wrong with known ones", () => {
    const found = problems(vehicle, { deviceId: "sentinel", maxCapacity: 77 }, ["deviceId"]);
    expect(found.map(({ property }) => property)).to.deep.equal(["maxCapacity"]);
  });

  it("do not hide that another key is missing", () => {
    const found = problemsOf(freshKind(vehicle), { businessId: "acme", policy: "sentinel" }, new Set(["policy"]));
    expect(found).to.deep.equal([{ property: "deviceId", reason: "is required" }]);
  });

  it("count in no relation between two keys", () => {
    expect(problems(inverter, { peakPower: "sentinel", cutInThreshold: 5000 }, ["peakPower"])).to.deep.equal([]);
  });
});

describe("problemsOf: relations", () => {
  it("keeps the cut-in threshold below the peak power", () => {
    expect(problems(inverter, { peakPower: 5000, cutInThreshold: 4999.9 })).to.deep.equal([]);
    for (const cutInThreshold of [5000, 6000]) {
      expect(problems(inverter, { peakPower: 5000, cutInThreshold })).to.deep.equal([
        { property: "cutInThreshold", reason: `${cutInThreshold} W is not below peakPower, which is 5000 W` },
      ]);
    }
  });

  it("compares nothing with a peak power that is not declared", () => {
    expect(problems(inverter, { cutInThreshold: 900_000 })).to.deep.equal([]);
  });

  const declarations = [{}, { tilt: 30 }, { peakPower: 9800, azimuth: 0, tilt: 0, cutInThreshold: 0, baseLoad: 0 }];
  for (const declared of declarations) {
    it(`refuses a reset of an inverter, which has no documented default, with ${JSON.stringify(declared)}`, () => {
      expect(problems(inverter, { onDelete: "reset", ...declared })).to.deep.equal([
        {
          property: "onDelete",
          reason:
            '"reset" writes the service\'s defaults, and none is documented for ' +
            'peakPower, azimuth, tilt, cutInThreshold, baseLoad; use "restore" or "retain"',
        },
      ]);
    });
  }
});
