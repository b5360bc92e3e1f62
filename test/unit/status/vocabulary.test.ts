import { expect } from "chai";
import { ChargingStatus, isChargingStatus, isServiceStatus, ServiceStatus } from "../../../provider/status/vocabulary";

describe("status vocabulary", () => {
  it("has the charging statuses of interface 2.6, and no other", () => {
    expect(ChargingStatus).to.deep.equal({
      PluggedInCharging: "plugged_in_charging",
      PluggedInStopped: "plugged_in_stopped",
      PluggedInCompleted: "plugged_in_completed",
      PluggedInError: "plugged_in_error",
      Unplugged: "unplugged",
      Unknown: "unknown",
    });
  });

  it("has the service statuses of interface 3.1, and no other", () => {
    expect(ServiceStatus).to.deep.equal({
      ActiveSmartCharging: "active_smart_charging",
      ActiveCharging: "active_charging",
      ActiveSolarCharging: "active_solar_charging",
      ActiveScheduled: "active_scheduled",
      ActiveWaiting: "active_waiting",
      InactiveOptedOut: "inactive_opted_out",
      InactiveScheduled: "inactive_scheduled",
      InactiveSetupIncomplete: "inactive_setup_incomplete",
    });
  });

  it("knows its own words", () => {
    for (const status of Object.values(ServiceStatus)) {
      expect([isServiceStatus(status), isChargingStatus(status)], status).to.deep.equal([true, false]);
    }
    for (const status of Object.values(ChargingStatus)) {
      expect([isServiceStatus(status), isChargingStatus(status)], status).to.deep.equal([false, true]);
    }
  });

  for (const text of ["", "ACTIVE_WAITING", "unplugged ", "constructor", "__proto__", "toString", "0"]) {
    it(`does not know ${JSON.stringify(text)}`, () => {
      expect([isServiceStatus(text), isChargingStatus(text)]).to.deep.equal([false, false]);
    });
  }
});
