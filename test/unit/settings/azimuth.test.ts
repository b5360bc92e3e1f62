import { expect } from "chai";
import fc from "fast-check";
import {
  type AzimuthConvention,
  bearingHint,
  type CardinalName,
  readAzimuth,
  toBearing,
} from "../../../provider/settings/azimuth";

describe("toBearing", () => {
  // One direction in each convention: north-zero, south-zero, solcast, bearing.
  const directions: [string, number, number, number, number][] = [
    ["south", 180, 0, 180, 180],
    ["south again", 180, 0, -180, 180],
    ["east", 90, -90, -90, 90],
    ["west", 270, 90, 90, 270],
    ["north", 0, 180, 0, 0],
    ["north again", 360, -180, 0, 0],
    ["south-east", 135, -45, -135, 135],
    ["south-west", 225, 45, 135, 225],
    ["a bit east of south", 149.7, -30.3, -149.7, 149.7],
    ["a bit west of north", 359.9, 179.9, 0.1, 359.9],
  ];
  for (const [name, northZero, southZero, solcast, bearing] of directions) {
    it(`reads ${name} in every convention as ${bearing}`, () => {
      expect(toBearing(northZero, "north-zero")).to.equal(bearing);
      expect(toBearing(southZero, "south-zero")).to.equal(bearing);
      expect(toBearing(solcast, "solcast")).to.equal(bearing);
    });
  }
});

describe("toBearing: laws", () => {
  // The conventions, told once more: how each of them counts a compass bearing.
  const half = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees);
  const fromBearing: Record<AzimuthConvention, (bearing: number) => number> = {
    "north-zero": (bearing) => bearing,
    "south-zero": (bearing) => bearing - 180,
    solcast: (bearing) => -half(bearing),
  };
  const conventions = Object.keys(fromBearing) as AzimuthConvention[];
  const anyConvention = fc.constantFrom(...conventions);
  // Bearings as people write them, to a thousandth of a degree.
  const anyBearing = fc.integer({ min: 0, max: 359_999 }).map((thousandths) => thousandths / 1000);

  it("gives a bearing back, from whichever convention counted it", () => {
    fc.assert(
      fc.property(anyBearing, anyConvention, (bearing, convention) => {
        expect(toBearing(fromBearing[convention](bearing), convention)).to.equal(bearing);
      }),
    );
  });

  it("lets the conventions agree with each other", () => {
    fc.assert(
      fc.property(anyBearing, (bearing) => {
        const bearings = conventions.map((convention) => toBearing(fromBearing[convention](bearing), convention));
        expect(new Set(bearings).size).to.equal(1);
      }),
    );
  });

  it("mirrors the conventions that count from south and from north at the line from east to west", () => {
    fc.assert(
      fc.property(fc.integer({ min: -180, max: 180 }), (degrees) => {
        const mirrored = (540 - toBearing(degrees, "solcast")) % 360;
        expect(toBearing(degrees, "south-zero")).to.equal(mirrored);
      }),
    );
  });

  it("turns where the azimuth turns, clockwise or against it", () => {
    const degrees = fc.integer({ min: -180, max: 170 });
    fc.assert(
      fc.property(degrees, fc.integer({ min: 1, max: 10 }), anyConvention, (start, turn, convention) => {
        const turned = toBearing(start + turn, convention) - toBearing(start, convention);
        expect((turned + 360) % 360).to.equal(convention === "solcast" ? 360 - turn : turn);
      }),
    );
  });

  it("stays from 0 to below 360, whatever the fraction", () => {
    const anyDegrees = fc.double({ min: -360, max: 360, noNaN: true });
    fc.assert(
      fc.property(anyDegrees, anyConvention, (degrees, convention) => {
        expect(toBearing(degrees, convention)).to.be.at.least(0).and.below(360);
      }),
    );
    expect(toBearing(1e-13, "solcast")).to.equal(0);
  });
});

describe("readAzimuth", () => {
  const points: [CardinalName, number][] = [
    ["N", 0],
    ["NNE", 22.5],
    ["NE", 45],
    ["ENE", 67.5],
    ["E", 90],
    ["ESE", 112.5],
    ["SE", 135],
    ["SSE", 157.5],
    ["S", 180],
    ["SSW", 202.5],
    ["SW", 225],
    ["WSW", 247.5],
    ["W", 270],
    ["WNW", 292.5],
    ["NW", 315],
    ["NNW", 337.5],
  ];
  for (const [name, value] of points) {
    it(`reads ${name} as ${value}`, () => {
      expect(readAzimuth(name)).to.deep.equal({ value });
    });
  }

  const edges: [AzimuthConvention, number, number][] = [
    ["north-zero", 0, 0],
    ["north-zero", 360, 0],
    ["south-zero", -180, 0],
    ["south-zero", 180, 0],
    ["solcast", -180, 180],
    ["solcast", 180, 180],
  ];
  for (const [convention, degrees, value] of edges) {
    it(`reads ${degrees} of ${convention} as ${value}`, () => {
      expect(readAzimuth({ degrees, convention })).to.deep.equal({ value });
    });
  }

  const outside: [AzimuthConvention, number[], string][] = [
    ["north-zero", [-0.1, 360.1], 'from 0 to 360 in the convention "north-zero" (0 north, 90 east)'],
    ["south-zero", [-180.1, 180.1], 'from -180 to 180 in the convention "south-zero" (0 south, -90 east)'],
    ["solcast", [-180.1, 180.1], 'from -180 to 180 in the convention "solcast" (0 north, -90 east)'],
  ];
  for (const [convention, values, range] of outside) {
    for (const degrees of [...values, Number.NaN, Number.POSITIVE_INFINITY]) {
      it(`refuses ${degrees} of ${convention}`, () => {
        expect(readAzimuth({ degrees, convention })).to.deep.equal({
          problem: `degrees has to be a number ${range}, not ${degrees}`,
        });
      });
    }
  }

  const names = '"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"';
  const conventions = '"north-zero", "south-zero", "solcast"';
  const forms = 'has to be a number in degrees, a point of the compass such as "SSW", or { degrees, convention }';
  const refused: [unknown, string][] = [
    ["ssw", `"ssw" is none of ${names}; did you mean SSW?`],
    ["S-SW", `"S-SW" is none of ${names}; did you mean SSW?`],
    ["south", `"south" is none of ${names}`],
    ["toString", `"toString" is none of ${names}`],
    ["180", `${forms}, not a string; write 180`],
    ["", `${forms}, not a string`],
    [" ", `${forms}, not a string`],
    [null, `${forms}, not null`],
    [true, `${forms}, not a boolean`],
    [["SSW"], `${forms}, not an array`],
    [{}, `convention has to be one of ${conventions}, not undefined`],
    [{ degrees: 5 }, `convention has to be one of ${conventions}, not undefined`],
    [
      { degrees: 5, convention: "southzero" },
      `convention "southzero" is none of ${conventions}; did you mean south-zero?`,
    ],
    [{ degrees: 5, convention: ["solcast"] }, `convention has to be one of ${conventions}, not an array`],
    [{ degrees: 5, convention: "toString" }, `convention "toString" is none of ${conventions}`],
    [
      { convention: "solcast" },
      'degrees has to be a number from -180 to 180 in the convention "solcast" (0 north, -90 east), not undefined',
    ],
    [
      { degrees: "5", convention: "solcast" },
      'degrees has to be a number from -180 to 180 in the convention "solcast" (0 north, -90 east), not a string',
    ],
    [{ degree: 5, convention: "solcast" }, "takes degrees and convention, not degree"],
    [{ degrees: 5, convention: "solcast", tilt: 30 }, "takes degrees and convention, not tilt"],
  ];
  for (const [given, problem] of refused) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      expect(readAzimuth(given)).to.deep.equal({ problem });
    });
  }
});

describe("bearingHint", () => {
  // Value, bearing if counted from south, from north counter-clockwise, from north clockwise.
  const conventions: [number, number, number, number][] = [
    [-45, 135, 45, 315],
    [-90, 90, 90, 270],
    [-180, 0, 180, 180],
    [-270, 270, 270, 90],
    [-1, 179, 1, 359],
    [-360, 180, 0, 0],
  ];
  for (const [value, fromSouth, counterClockwise, clockwise] of conventions) {
    it(`says what ${value} would be in the three usual conventions`, () => {
      expect(bearingHint(value)).to.equal(
        "azimuth is a compass bearing (0 north, 90 east, clockwise): " +
          `write ${fromSouth} if it was counted from south with east negative (forecast.solar, PVGIS, Open-Meteo), ` +
          `${counterClockwise} if from north with east negative (Solcast), ${clockwise} if clockwise from north`,
      );
    });
  }

  const fractions: [number, number, number, number][] = [
    [-30.3, 149.7, 30.3, 329.7],
    [-0.1, 179.9, 0.1, 359.9],
  ];
  for (const [value, fromSouth, counterClockwise, clockwise] of fractions) {
    it(`says it of ${value} without the digits of binary fractions`, () => {
      expect(bearingHint(value)).to.match(
        new RegExp(` write ${fromSouth} if .*, ${counterClockwise} if .*, ${clockwise} if clockwise from north$`),
      );
    });
  }

  it("does not guess at a value that is no angle in any of them", () => {
    for (const value of [361, 720, -361]) {
      expect(bearingHint(value)).to.equal("azimuth is a compass bearing (0 north, 90 east, clockwise)");
    }
  });
});
