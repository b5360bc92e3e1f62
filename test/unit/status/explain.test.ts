import { expect } from "chai";
import fc from "fast-check";
import { explainStatus } from "../../../provider/status/explain";

const CHARGING = [
  "plugged_in_charging",
  "plugged_in_stopped",
  "plugged_in_completed",
  "plugged_in_error",
  "unplugged",
  "unknown",
];

describe("explainStatus", () => {
  // Interface 3.1: service status, the charging statuses in the order above that it appears with, words of its meaning.
  const documented: [string, string, RegExp][] = [
    ["active_smart_charging", "y.....", /charging at its charging location.*service controls/],
    ["active_charging", "y.....", /outside its charging location.*fast charger.*does not control/],
    ["active_solar_charging", "y.....", /at its charging location.*excess solar/],
    ["active_scheduled", ".y....", /has stopped the charging.*cheaper prices/],
    ["active_waiting", ".yyyyy", /unplugged, outside.*or has finished.*plugged in at a charging location/],
    ["inactive_opted_out", "yyyyyy", /opted out.*does nothing/],
    ["inactive_scheduled", "yyyyyy", /outside the charging window.*shorter than 24 hours/],
    ["inactive_setup_incomplete", "yyyyyy", /setup is missing, most likely the charge-by time/],
  ];

  for (const [service, pairs, meaning] of documented) {
    for (const [index, charging] of CHARGING.entries()) {
      const occurs = pairs[index] === "y";
      it(`says that ${service} ${occurs ? "appears" : "does not appear"} with ${charging}`, () => {
        expect(explainStatus(service, charging).canOccur).to.equal(occurs);
      });
    }

    it(`says what ${service} means, with or without a charging status`, () => {
      const alone = explainStatus(service);
      expect(alone.meaning).to.match(meaning);
      expect(alone).not.to.have.property("canOccur");
      const { canOccur: _, ...paired } = explainStatus(service, "unknown");
      expect(paired).to.deep.equal(alone);
    });
  }

  const advice: [string, RegExp][] = [
    ["active_smart_charging", /CHARGE BY FORECAST.*capacity and charge power.*inverter's metadata/],
    ["active_scheduled", /CHARGE BY FORECAST.*capacity and charge power.*inverter's metadata/],
    ["active_charging", /fast charger nothing is to be changed.*check the location/],
    ["active_waiting", /Plug the car in at a charging location/],
    ["inactive_opted_out", /opt_out and opt_out_until.*not documented/],
    ["inactive_scheduled", /Wait.*or widen.*probably charge_from and charge_by.*not documented/],
    ["inactive_setup_incomplete", /Set the charge-by time \(charge_by/],
  ];
  for (const [service, expected] of advice) {
    it(`says what to change about ${service}`, () => {
      expect(explainStatus(service).advice).to.match(expected);
    });
  }

  it("has nothing to change where solar power charges the car", () => {
    expect(explainStatus("active_solar_charging", "plugged_in_charging")).to.have.all.keys("meaning", "canOccur");
  });

  it("names a service status that is not documented, and claims nothing of it", () => {
    expect(explainStatus("active_v2g", "unplugged")).to.deep.equal({
      meaning: '"active_v2g" is no service status that the service documents: what it means is not known.',
    });
  });

  it("names a charging status that is not documented, and still explains the service status", () => {
    const { meaning, ...others } = explainStatus("active_solar_charging", "flying");
    expect(meaning).to.equal(
      `${explainStatus("active_solar_charging").meaning} ` +
        '"flying" is no charging status that the service documents: what it means is not known.',
    );
    expect(others).to.deep.equal({});
  });

  it("names both where neither is documented", () => {
    expect(explainStatus("a", "b").meaning).to.match(/^"a" is no service status .* "b" is no charging status /);
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
