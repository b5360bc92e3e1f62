import { expect } from "chai";
import { importDevice } from "../../../provider/lifecycle/create";
import { diff } from "../../../provider/lifecycle/diff";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { failureOf } from "../../support/failure";
import { CAR, callOf, FakeService, fleet } from "../../support/fakes";

describe("import of a device", () => {
  it("declares all that is reported, as its baseline, so that nothing differs", async () => {
    const service = fleet({ max_capacity: 60_000, policy: "CHARGE BY" });
    const call = callOf(vehicle, service);
    const { id, inputs, outputs } = await importDevice(call, "acme/car");
    expect(id).to.equal("acme/car");
    expect(inputs).to.deep.equal({ ...CAR, maxCapacity: 60_000, policy: "CHARGE BY" });
    expect(outputs).to.deep.include({ baseline: { maxCapacity: 60_000, policy: "CHARGE BY" } });
    expect(diff(vehicle, outputs, inputs).changes).to.deep.equal([]);
    expect(service.requests).to.deep.equal(["GET acme/car"]);
    expect(call.warnings).to.deep.equal([]);
  });

  it("leaves out what no program may declare, and warns of each", async () => {
    const service = new FakeService();
    const roof = { dev_type: "Inverter", peak_power: 1, tilt: 35, cut_in_threshold: 150 };
    service.put({ businessId: "acme", deviceId: "roof" }, { id: "roof", ...roof });
    const call = callOf(inverter, service);
    const { inputs, outputs } = await importDevice(call, "acme/roof");
    expect(inputs).to.not.have.property("peakPower");
    expect(inputs).to.include({ tilt: 35 });
    expect(outputs).to.have.nested.property("reported.peakPower", 1);
    expect(diff(inverter, outputs, inputs).changes).to.deep.equal([]);
    expect(call.warnings.length).to.be.greaterThan(0);
  });

  it("fails if the service does not know the device", async () => {
    const error = await failureOf(importDevice(callOf(vehicle, new FakeService()), "acme/car"));
    expect(error.message).to.contain("'car'");
  });
});
