import { expect } from "chai";
import fc from "fast-check";
import {
  type AzimuthConvention,
  bearingHint,
  type CardinalName,
  readAzimuth,
  toBearing,
} from "../../../provider/settings/azimuth";
import { expectFacts } from "../../support/facts";

// The conventions, independent of the code: each counts a compass bearing in its own way.
const half = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees);
const FROM_BEARING: Record<AzimuthConvention, (bearing: number) => number> = {
  "north-zero": (bearing) => bearing,
  "south-zero": (bearing) => bearing - 180,
  solcast: (bearing) => -half(bearing),
};
const CONVENTIONS = Object.keys(FROM_BEARING) as AzimuthConvention[];
const anyConvention = fc.constantFrom(...CONVENTIONS);
// Bearings as people write them, in thousandths of a degree.
const anyBearing = fc.integer({ min: 0, max: 359_999 }).map((thousandths) => thousandths / 1000);

describe("toBearing", () => {
  it("gives a bearing back, from whichever convention counted it", () => {
    fc.assert(
      fc.property(anyBearing, anyConvention, (bearing, convention) => {
        expect(toBearing(FROM_BEARING[convention](bearing), convention)).to.equal(bearing);
      }),
    );
  });

  it("turns with the azimuth, clockwise or against it", () => {
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
  it("reads each point of the compass", () => {
    const points = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ") as CardinalName[];
    for (const [index, name] of points.entries()) expect(readAzimuth(name)).to.deep.equal({ value: index * 22.5 });
  });

  const edges: [AzimuthConvention, number, number][] = [
    ["north-zero", 0, 0],
    ["north-zero", 360, 0],
    ["south-zero", -180, 0],
    ["south-zero", 180, 0],
    ["solcast", -180, 180],
    ["solcast", 180, 180],
  ];
  for (const [convention, degrees, value] of edges) {
    it(`reads ${degrees} of ${convention} as ${value}, and nothing beyond it`, () => {
      expect(readAzimuth({ degrees, convention })).to.deep.equal({ value });
      for (const beyond of [degrees <= 0 ? degrees - 0.1 : degrees + 0.1, Number.NaN, 1 / 0]) {
        expect(readAzimuth({ degrees: beyond, convention }))
          .to.have.property("problem")
          .that.contains(convention);
      }
    });
  }

  const refused: [unknown, string][] = [
    ["ssw", "SSW?"],
    ["S-SW", "SSW?"],
    ["south", " S?"],
    ["South-West", " SW?"],
    ["north north east", " NNE?"],
    ["toString", "SSW"],
    ["EW", "planes"],
    ["Ost/West", "planes"],
    ["O-W", "planes"],
    ["east and west", "planes"],
    ["north-south", "planes"],
    ["180", "180"],
    [" ", "a text"],
    [null, "no value"],
    [true, "a boolean"],
    [["SSW"], "a list"],
    [{ degrees: 5 }, "convention"],
    [{ degrees: 5, convention: "southzero" }, "south-zero?"],
    [{ degrees: 5, convention: ["solcast"] }, "a list"],
    [{ degrees: 5, convention: "toString" }, "south-zero"],
    [{ convention: "solcast" }, "undefined"],
    [{ degrees: "5", convention: "solcast" }, "a text"],
    [{ degree: 5, convention: "solcast" }, "degree"],
    [{ degrees: 5, convention: "solcast", tilt: 30 }, "tilt"],
  ];
  for (const [given, named] of refused) {
    it(`refuses ${JSON.stringify(given)}, and names ${named}`, () => {
      expect(readAzimuth(given)).to.have.property("problem").that.contains(named);
    });
  }
});

describe("readAzimuth: words that are no point of the compass", () => {
  for (const given of ["about south", "south side", " "]) {
    it(`suggests nothing for ${JSON.stringify(given)}`, () => {
      expect(readAzimuth(given))
        .to.have.property("problem")
        .that.does.not.match(/did you mean|write/);
    });
  }
});

describe("bearingHint", () => {
  it("names the bearing of a negative value in each of the three usual conventions", () => {
    fc.assert(
      fc.property(anyBearing, (bearing) => {
        const value = bearing - 360;
        const bearings = (["south-zero", "solcast", "north-zero"] as const).map((one) => toBearing(value, one));
        expectFacts(
          bearingHint(value),
          bearings.map((one) => ` ${one}`),
        );
      }),
    );
  });

  it("does not guess at a value that is no angle in any of them", () => {
    for (const value of [361, 720, -361]) expect(bearingHint(value)).to.not.contain("Solcast");
  });
});
