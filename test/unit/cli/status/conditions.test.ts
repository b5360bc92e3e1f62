import { expect } from "chai";
import { conditionOf } from "../../../../cli/status/conditions";
import { declaredSite, device } from "../../../support/statuses";

describe("the condition of a setting", () => {
  it("is kept, not missing, if the program keeps a driver's policy, also while the site is not ready", () => {
    const car = device("vehicle/car", {
      reported: { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" },
      kept: ["policy"],
    });
    const gaps = [{ device: "vehicle/car", setting: "policy", reason: "otherPolicy" }] as const;
    const site = { ...declaredSite([]), solar: true, ready: false, gaps, devices: [car] };
    expect(conditionOf(car, "policy", site)).to.equal("kept");
    expect(conditionOf({ ...car, kept: [] }, "policy", site)).to.equal("missing");
    expect(conditionOf(car, "maxCapacity", site)).to.equal("ok");
  });

  it("is to be applied, not missing, if it is declared and no update has sent it", () => {
    const car = device("vehicle/car", { declared: { maxCapacity: 77_000 }, toApply: ["maxCapacity"] });
    const gaps = ["maxCapacity", "maxChargePower"].map((setting) => {
      return { device: "vehicle/car", setting, reason: "notAccepted" as const };
    });
    const site = { ...declaredSite([]), solar: true, ready: false, gaps, devices: [car] };
    expect(conditionOf(car, "maxCapacity", site)).to.equal("toApply");
    expect(conditionOf(car, "maxChargePower", site)).to.equal("missing");
  });
});
