import { expect } from "chai";
import { type Measure, notANumber, readNumber, readQuantity } from "../../../provider/settings/quantity";
import type { NumberSetting } from "../../../provider/settings/setting";
import { patternOf } from "../../../scripts/manifestSchema";
import { expectFacts } from "../../support/facts";

const ENERGY: Measure = { unit: "Wh" };
const POWER: Measure = { unit: "W" };
const PEAK_POWER: Measure = { unit: "W", isPeakPower: true };
const ANGLE: Measure = { unit: "degrees", isTilt: true };

const READ: readonly [Measure, string, number][] = [
  [ENERGY, "77 kWh", 77_000],
  [ENERGY, "77kWh", 77_000],
  [ENERGY, " 77 kWh ", 77_000],
  [ENERGY, "77 KWH", 77_000],
  [ENERGY, "77000 Wh", 77_000],
  [ENERGY, "0.077 MWh", 77_000],
  [ENERGY, "0.077 MWH", 77_000],
  [ENERGY, ".5 kWh", 500],
  [ENERGY, "+7.5 kWh", 7500],
  [POWER, "7.4 kW", 7400],
  [POWER, "-1 kW", -1000],
  [PEAK_POWER, "9.8 kWp", 9800],
  [PEAK_POWER, "9.8 kW", 9800],
  [PEAK_POWER, "0.01 MWp", 10_000],
  [ANGLE, "30°", 30],
  [ANGLE, "30 deg", 30],
  [ANGLE, "30 Degrees", 30],
];

/** Texts that cannot be read, and the hints that their problem has to contain. */
const REFUSED: readonly [Measure, string, readonly string[]][] = [
  [{ ...ENERGY, minimum: 1000, maximum: 300_000 }, "77", ['"77 kWh"']],
  [{ ...ENERGY, minimum: 1000, maximum: 300_000 }, "1", ['"1 kWh"']],
  [{ ...ENERGY, minimum: 1000, maximum: 300_000 }, "300", ['"300 kWh"']],
  [{ ...ENERGY, minimum: 1000, maximum: 300_000 }, "300.1", ["such as", '"300.1"']],
  [{ ...ENERGY, minimum: 1000, maximum: 300_000 }, "0.9", ["such as", '"0.9"']],
  [{ ...ENERGY, minimum: 1000, maximum: 2_000_000 }, "1000", ['"1 kWh"']],
  [ENERGY, "77", ['"77 Wh"']],
  [ENERGY, " 7.5 ", ['"7.5 Wh"']],
  [ENERGY, "-7", ['"-7 Wh"']],
  [POWER, "11", ['"11 W"']],
  [ANGLE, "30", ['"30°"']],
  [ENERGY, "77,5 kWh", ['"77,5 kWh"', " 77.5 kWh"]],
  [ENERGY, "-7,5", ['"-7,5"', " -7.5"]],
  [ENERGY, "+77,5", ['"+77,5"', " +77.5"]],
  [ENERGY, "77,500 Wh", [" 77500 Wh", " 77.500 Wh"]],
  [ENERGY, "1,077,500 Wh", [" 1077500 Wh"]],
  [ENERGY, "1,234.5 kWh", [" 1234.5 kWh"]],
  [ENERGY, "1,500,5 Wh", ["77 kWh", '"1,500,5 Wh"']],
  [ENERGY, "1,5 kWh, 3", ["77 kWh", '"1,5 kWh, 3"']],
  [ENERGY, "77.55", ['"77.55 Wh"']],
  [ENERGY, ".55", ['"0.55 Wh"']],
  [ENERGY, "about 77", ["77 kWh", '"about 77"']],
  [ENERGY, "a 7,5", ["77 kWh", '"a 7,5"']],
  [ENERGY, "7x", ['"x"', "Wh, kWh or MWh"]],
  [ENERGY, "", ["77 kWh", '""']],
  [ENERGY, "77 mWh", ['"mWh"', "Wh, kWh or MWh"]],
  [ENERGY, "77 kW", ['"kW"', "energy", "Wh, kWh or MWh"]],
  [POWER, "77 kWp", ['"kWp"', "power", "W, kW or MW"]],
  [POWER, "30 °", ['"°"', "power", "W, kW or MW"]],
  [ANGLE, "30%", ["16.7°"]],
  [ANGLE, "-30%", ['"%"', "°, deg"]],
  [{ ...ANGLE, isTilt: false }, "30%", ['"%"', "°, deg"]],
  [ANGLE, "30 W", ['"W"', "angle", "°, deg"]],
  [PEAK_POWER, "9.8 kwhp", ['"kwhp"', "kWp"]],
];

describe("a number with a unit", () => {
  it("is refused before it is looked at if it is longer than any text of a setting", () => {
    const setting: NumberSetting = {
      ...ENERGY,
      type: "number",
      wireName: "",
      description: "",
      minimum: 0,
      maximum: 1e9,
      source: "our choice",
    };
    expect(readNumber(setting, `${"7".repeat(252)} kWh`)).to.have.property("value");
    for (const sign of ["7", " ", "é", ","]) {
      const reading = readNumber(setting, `7${sign.repeat(100_000)}x`) as { problem: string };
      expect(reading.problem).to.have.length.below(100).and.to.contain("256");
    }
  });

  for (const [measure, text, value] of READ) {
    it(`is read: '${text}' is ${value} ${measure.unit}`, () => {
      expect(readQuantity(measure, text)).to.deep.equal({ value });
      expect(text.trim()).to.match(new RegExp(patternOf(measure), "u"));
    });
  }

  for (const [measure, text, named] of REFUSED) {
    it(`is refused for ${measure.unit}: '${text}', with a problem that names ${named.join(" and ")}`, () => {
      expectFacts((readQuantity(measure, text) as { problem?: string }).problem, named);
      expect(text).to.not.match(new RegExp(patternOf(measure), "u"));
    });
  }

  it("can be in no other unit than its setting's: the pattern for editors has their spellings, and is anchored", () => {
    expect(patternOf({ unit: "degrees" })).to.equal(
      "^[+-]?([0-9]+(\\.[0-9]+)?|\\.[0-9]+)\\s*(°|[dD][eE][gG]|[dD][eE][gG][rR][eE][eE][sS])$",
    );
    expect(patternOf({ unit: "Wh" })).to.contain("([wW][hH]|[kK][wW][hH]|M[wW][hH])$");
  });

  it("is explained if it is neither a number nor a text", () => {
    expectFacts(notANumber(ENERGY, null), ['"77 kWh"', "leave the key out"]);
    expectFacts(notANumber(POWER, [1]), ['"11 kW"']);
    expectFacts(notANumber(ANGLE, [1]), [" 30,"]);
    expectFacts(notANumber({ ...POWER, examples: ["50 W"] }, [1]), ['"50 W"']);
    expectFacts(notANumber(ENERGY, [1]), ["Wh", "list"]);
  });
});
