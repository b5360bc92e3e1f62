import { expect } from "chai";
import { create } from "../../../provider/lifecycle/create";
import { diff } from "../../../provider/lifecycle/diff";
import { Handover } from "../../../provider/lifecycle/handover";
import { vehicle } from "../../../provider/settings/vehicle";
import { CAR, callOf, FakeService } from "../../support/fakes";

const VAN = { businessId: "acme", deviceId: "van" };

describe("two resources that swap their devices", () => {
  it("each keep what the device was before anybody managed it", async () => {
    const service = new FakeService()
      .put(CAR, { dev_type: "Electric vehicle", max_capacity: 50_000 })
      .put(VAN, { dev_type: "Electric vehicle", max_capacity: 60_000 });
    const first = callOf(vehicle, service);
    const car = await create(first, { ...CAR, maxCapacity: 51_000 });
    const van = await create(first, { ...VAN, maxCapacity: 61_000 });

    const handover = new Handover();
    diff(vehicle, car.outputs, { ...VAN, maxCapacity: 61_000 }, handover);
    diff(vehicle, van.outputs, { ...CAR, maxCapacity: 51_000 }, handover);
    const second = callOf(vehicle, service, { handover });
    const swapped = await Promise.all([
      create(second, { ...VAN, maxCapacity: 61_000 }),
      create(second, { ...CAR, maxCapacity: 51_000 }),
    ]);

    expect(swapped.map(({ outputs }) => outputs.baseline)).to.deep.equal([
      { maxCapacity: 60_000 },
      { maxCapacity: 50_000 },
    ]);
  });

  it("take what somebody else has set since for the baseline", async () => {
    const service = new FakeService().put(CAR, { dev_type: "Electric vehicle", max_capacity: 50_000 });
    const car = await create(callOf(vehicle, service), { ...CAR, maxCapacity: 51_000 });
    service.put(CAR, { ...service.get(CAR), max_capacity: 70_000 });

    const handover = new Handover();
    diff(vehicle, car.outputs, { ...VAN, maxCapacity: 61_000 }, handover);
    const { outputs } = await create(callOf(vehicle, service, { handover }), { ...CAR, maxCapacity: 51_000 });

    expect(outputs.baseline).to.deep.equal({ maxCapacity: 70_000 });
  });
});
