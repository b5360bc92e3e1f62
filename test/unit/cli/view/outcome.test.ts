import { expect } from "chai";
import { sidesInRun } from "../../../../cli/view/outcome";
import { deviceName } from "../../../../provider/service/device";

describe("sidesInRun", () => {
  it("keeps the ids of a device with a slash in its business", () => {
    const ref = { businessId: "acme/north", deviceId: "car/1" };
    const values = { maxCapacity: 77_000 };
    const { before } = sidesInRun("acme", "berlin", undefined, [
      { device: deviceName(ref), label: "vehicle/car", result: "unchanged", before: values, after: values },
    ]);
    expect(before?.devices[0]).to.deep.include(ref);
  });
});
