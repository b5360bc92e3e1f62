import { expect } from "chai";
import { describe as describeSetting } from "../../../provider/settings/describe";
import { inverter } from "../../../provider/settings/inverter";
import type { Setting } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";

const power = {
  ...{ type: "number", wireName: "power", description: "The power.", source: "documented" },
  ...{ unit: "W", minimum: 100, maximum: 200 },
} as const satisfies Setting;

describe("a setting in words", () => {
  it("has its unit, its range, and the units of texts", () => {
    expect(describeSetting(power)).to.equal("The power. A number is in W, 100 to 200; a text has its unit: W, kW, MW.");
  });

  it("has the setting that it has to stay below, and what the service assumes without it", () => {
    const text = describeSetting({ ...power, below: "peakPower", default: 0 });
    expect(text).to.match(/MW\. Has to be below peakPower\. The service assumes 0 if nothing is known\.$/);
  });

  it("has no range if it is a choice", () => {
    const { policy } = vehicle.settings;
    const text = describeSetting({
      ...(policy as Setting),
      description: "The policy.",
      default: "CHARGE BY",
    } as Setting);
    expect(text).to.equal("The policy. The service assumes CHARGE BY if nothing is known.");
  });

  it("is there for every setting of every kind", () => {
    for (const setting of [vehicle, inverter].flatMap(({ settings }) => Object.values(settings) as Setting[])) {
      expect(describeSetting(setting))
        .to.match(/^\S.*\.$/)
        .and.contain(setting.description);
    }
  });
});
