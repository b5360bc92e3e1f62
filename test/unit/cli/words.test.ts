import { expect } from "chai";
import { inColumns } from "../../../cli/terminal";
import { settingInWords } from "../../../cli/words";
import { inverter } from "../../../provider/settings/inverter";
import { UNKNOWN } from "../../../provider/settings/objects";
import { keysOf } from "../../../provider/settings/setting";
import { changeInWords, valueInWords } from "../../../provider/settings/valueWords";
import { vehicle } from "../../../provider/settings/vehicle";

describe("settings in words", () => {
  it("has a name for each, which is not its key if that has several words", () => {
    for (const key of [...keysOf(vehicle), ...keysOf(inverter)]) expect(settingInWords(key)).not.to.match(/[A-Z]/);
    expect(settingInWords("toString")).to.equal("toString");
  });

  for (const [key, from, to, words] of [
    ["maxChargePower", 7400, 11_000, "7.4 → 11 kW"],
    ["peakPower", 9800, 9.8, "9800 → 9.8 W"],
    ["baseLoad", 0, 1500, "0 → 1.5 kW"],
    ["azimuth", 200, 205, "200° → 205° (SSW)"],
    ["azimuth", 359, 0, "359° → 0° (N)"],
    ["maxCapacity", 77_000, 60_000, "77 → 60 kWh"],
    ["azimuth", 202.5, 22.5, "SSW → NNE (202.5° → 22.5°)"],
    ["policy", "CHARGE BY", "CHARGE BY FORECAST", "CHARGE BY → CHARGE BY FORECAST"],
    ["onDelete", "retain", "restore", "retain → restore"],
  ] as const) {
    it(`says of a change of ${key} ${words}`, () => expect(changeInWords(key, from, to)).to.equal(words));
  }

  it("has words for a value that is not known yet, and others for one that is not known", () => {
    expect(changeInWords("baseLoad", 400, UNKNOWN)).to.match(/^400 W → \([^()]+\)$/);
    expect(changeInWords("maxCapacity", undefined, 60_000)).to.match(/^\([^()]+\) → 60 kWh$/);
  });

  it("gives a value its unit", () => {
    expect([
      valueInWords("baseLoad", 400),
      valueInWords("tilt", 35),
      valueInWords("maxCapacity", "[secret]"),
    ]).to.deep.equal([...["400 W", "35°", "[secret]"]]);
  });
});

describe("lines for a terminal", () => {
  const LINE = "  warning: inverter/roof: azimuth SSW → NNE (202.5° → 22.5°), base load 400 W, and more words than fit";

  it("are broken between words, with an indent, and have all words", () => {
    for (const columns of [60, 80]) {
      const lines = inColumns(LINE, columns).split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).to.be.at.most(columns);
      expect(lines.slice(1).every((line) => line.startsWith("      "))).to.equal(true);
      expect(lines.join(" ").split(/ +/)).to.deep.equal(LINE.split(/ +/));
    }
  });

  it("stay whole in a file, and if they are a command to paste", () => {
    expect(inColumns(LINE, undefined)).to.equal(LINE);
    const repair = `  $ npx solar-charging ${"fleet up ".repeat(20)}`;
    expect(inColumns(repair, 80)).to.equal(repair);
  });
});
