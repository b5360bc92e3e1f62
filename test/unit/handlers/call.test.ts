import { expect } from "chai";
import { readDeviceOfKind } from "../../../provider/handlers/call";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { failureOf } from "../../support/failure";
import { CAR, callOf, FakeService, fleet, ROOF } from "../../support/fakes";

describe("readDeviceOfKind", () => {
  it("gives a device of the kind", async () => {
    const service = fleet({ max_capacity: 60_000 });
    expect(await readDeviceOfKind(callOf(vehicle, service), CAR)).to.include({ max_capacity: 60_000 });
    expect(await readDeviceOfKind(callOf(inverter, service), ROOF)).to.include({ dev_type: "Inverter" });
  });

  it("is undefined for a device that the service does not know", async () => {
    expect(await readDeviceOfKind(callOf(vehicle, new FakeService()), CAR)).to.equal(undefined);
  });

  it("accepts a device that does not tell its type", async () => {
    const service = new FakeService().put(CAR, { id: "car" });
    for (const kind of [vehicle, inverter]) {
      expect(await readDeviceOfKind(callOf(kind, service), CAR)).to.deep.equal({ id: "car" });
    }
  });

  it("accepts a device whose type is empty", async () => {
    const service = new FakeService().put(CAR, { dev_type: "" });
    expect(await readDeviceOfKind(callOf(vehicle, service), CAR)).to.deep.equal({ dev_type: "" });
  });

  it("refuses a device of another type and names both types", async () => {
    const service = fleet();
    const asVehicle = await failureOf(readDeviceOfKind(callOf(vehicle, service), ROOF));
    expect(asVehicle.message).to.match(/device 'roof' of business 'acme' is of type 'Inverter'.*'Electric vehicle'/);
    const asInverter = await failureOf(readDeviceOfKind(callOf(inverter, service), CAR));
    expect(asInverter.message).to.match(/device 'car' of business 'acme' is of type 'Electric vehicle'.*an inverter/);
  });
});
