import { expect } from "chai";
import fc from "fast-check";
import { explainStatus } from "../../../provider/status/explain";
import { ChargingStatus } from "../../../provider/status/vocabulary";

const CHARGING = Object.values(ChargingStatus);

describe("explainStatus", () => {
  // The documented pairs: each service status, with the charging statuses that it appears with, in the order above.
  const documented: [string, string][] = [
    ["active_smart_charging", "y....."],
    ["active_charging", "y....."],
    ["active_solar_charging", "y....."],
    ["active_scheduled", ".y...."],
    ["active_waiting", ".yyyyy"],
    ["inactive_opted_out", "yyyyyy"],
    ["inactive_scheduled", "yyyyyy"],
    ["inactive_setup_incomplete", "yyyyyy"],
  ];

  for (const [service, pairs] of documented) {
    for (const [index, charging] of CHARGING.entries()) {
      const occurs = pairs[index] === "y";
      it(`says that ${service} ${occurs ? "appears" : "does not appear"} with ${charging}`, () => {
        expect(explainStatus(service, charging).canOccur).to.equal(occurs);
      });
    }

    it(`says what ${service} means, with or without a charging status`, () => {
      const alone = explainStatus(service);
      expect(alone).not.to.have.property("canOccur");
      const { canOccur: _, ...paired } = explainStatus(service, "unknown");
      expect(paired).to.deep.equal(alone);
    });
  }

  it("has nothing to change if solar power charges the car", () => {
    expect(explainStatus("active_solar_charging", "plugged_in_charging")).to.have.all.keys("meaning", "canOccur");
  });

  it("names a service status that is not documented, and claims nothing of it", () => {
    expect(explainStatus("active_v2g", "unplugged")).to.deep.equal({
      meaning: '"active_v2g" is not a documented service status: its meaning is not known.',
    });
  });

  it("names a charging status that is not documented, and still explains the service status", () => {
    const { meaning, ...others } = explainStatus("active_solar_charging", "flying");
    expect(meaning).to.equal(
      `${explainStatus("active_solar_charging").meaning} ` +
        '"flying" is not a documented charging status: its meaning is not known.',
    );
    expect(others).to.deep.equal({});
  });

  it("names both if neither is documented", () => {
    expect(explainStatus("a", "b").meaning).to.match(
      /^"a" is not a documented service status.* "b" is not a documented charging status/,
    );
  });

  it("explains every text without throwing", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "constructor", ...CHARGING));
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (service, charging) => {
        expect(explainStatus(service, charging).meaning).to.include(JSON.stringify(service));
      }),
    );
  });
});
