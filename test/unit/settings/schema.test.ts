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
