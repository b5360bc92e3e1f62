import { expect } from "chai";
import { describePlain, describeReported, describe as describeSetting } from "../../../provider/settings/describe";
import { inverter } from "../../../provider/settings/inverter";
import type { Setting } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";

const power = {
  ...{ type: "number", wireName: "power", description: "The power.", source: "documented" },
  ...{ unit: "W", minimum: 100, maximum: 200 },
} as const satisfies Setting;

describe("a setting in words", () => {
  it("has its unit, its range with its source, and the units of texts", () => {
    expect(describeSetting(power)).to.equal(
      "The power. A number is in W, from 100 to 200, as the service documents. A text has a unit: W, kW or MW.",
    );
    expect(describeSetting({ ...power, source: "our choice" })).to.contain("200 (our choice: the service documents no");
    expect(describeSetting({ ...power, source: "by definition" })).to.contain("from 100 to 200. A text");
  });

  it("has the setting that it has to stay below, other forms, and what the service assumes without it", () => {
    const text = describeSetting({ ...power, below: "peakPower", otherFormsInWords: "a word", default: 0 });
    expect(text).to.contain("from 100 to below peakPower,");
    expect(text).to.match(/MW\. Other forms: a word\. If nothing is known, the service assumes 0 W\.$/);
  });

  it("has no units of texts if only numbers are accepted", () => {
    expect(describePlain(power)).to.equal("The power. A number is in W, from 100 to 200, as the service documents.");
  });

  it("has its unit alone if it is reported", () => {
    expect(describeReported(power)).to.equal("The power. Unit: W.");
    expect(describeReported(vehicle.settings.policy as Setting)).to.equal(vehicle.settings.policy?.description);
  });

  it("has no range if it is a choice", () => {
    const { policy } = vehicle.settings;
    const text = describeSetting({
      ...(policy as Setting),
      description: "The policy.",
      default: "CHARGE BY",
    } as Setting);
    expect(text).to.equal("The policy. If nothing is known, the service assumes CHARGE BY.");
  });

  it("is there for every setting of every kind", () => {
    for (const setting of [vehicle, inverter].flatMap(({ settings }) => Object.values(settings) as Setting[])) {
      expect(describeSetting(setting))
        .to.match(/^\S.*\.$/)
        .and.contain(setting.description);
    }
  });
});
