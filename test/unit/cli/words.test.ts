import { expect } from "chai";
import { changeInWords, settingInWords, valueInWords } from "../../../cli/settingWords";
import { UNKNOWN } from "../../../provider/lifecycle/program";
import { inverter } from "../../../provider/settings/inverter";
import { keysOf } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";

describe("settings in words", () => {
  it("has a name for each, which is not its key if that has several words", () => {
    for (const key of [...keysOf(vehicle), ...keysOf(inverter)]) expect(settingInWords(key)).not.to.match(/[A-Z]/);
    expect(settingInWords("toString")).to.equal("toString");
  });

  for (const [key, from, to, words] of [
    ["maxChargePower", 7400, 11_000, "7.4 → 11 kW"],
    ["peakPower", 9800, 9.8, "9.8 kW → 9.8 W"],
    ["maxCapacity", 77_000, 60_000, "77 → 60 kWh"],
    ["azimuth", 202.5, 22.5, "202.5° → 22.5°"],
    ["policy", "CHARGE BY", "CHARGE BY FORECAST", "CHARGE BY → CHARGE BY FORECAST"],
    ["baseLoad", 400, UNKNOWN, "400 W → (known after the update)"],
    ["maxCapacity", undefined, 60_000, "(not known) → 60 kWh"],
    ["onDelete", "retain", "restore", "retain → restore"],
  ] as const) {
    it(`says of a change of ${key} ${words}`, () => expect(changeInWords(key, from, to)).to.equal(words));
  }

  it("gives a value its unit", () => {
    expect([
      valueInWords("baseLoad", 400),
      valueInWords("tilt", 35),
      valueInWords("maxCapacity", "[secret]"),
    ]).to.deep.equal([...["400 W", "35°", "[secret]"]]);
  });
});
