import { expect } from "chai";
import { create } from "../../../provider/lifecycle/create";
import { remove } from "../../../provider/lifecycle/delete";
import { diff } from "../../../provider/lifecycle/diff";
import { read } from "../../../provider/lifecycle/read";
import { fromOutputs } from "../../../provider/lifecycle/state";
import { vehicle } from "../../../provider/settings/vehicle";
import { virtualClock } from "../../support/clock";
import { CAR, callOf, fleet } from "../../support/fakes";

const DECLARED = { ...CAR, maxCapacity: 77_400, onDelete: "restore" };

/** A vehicle whose capacity the service rounds to full kWh, after we have declared it. */
async function rounded() {
  const service = fleet({ max_capacity: 60_000 });
  service.afterUpdate = () => {
    const capacity = Number(service.get(CAR)?.max_capacity);
    service.put(CAR, { ...service.get(CAR), max_capacity: Math.floor(capacity / 1000) * 1000 });
  };
  const call = callOf(vehicle, service);
  const { outputs } = await create(call, DECLARED);
  return { service, call, outputs };
}

describe("a value that the service adjusts", () => {
  virtualClock();

  it("is reported with both numbers, and counts as accepted", async () => {
    const { call, outputs } = await rounded();
    expect(outputs).to.deep.include({ maxCapacity: 77_400, verification: { maxCapacity: "adjusted" } });
    expect(call.warnings.filter((text) => text.includes("77400") && text.includes("77000"))).to.have.lengthOf(1);
  });

  it("is no drift after a refresh, and is not sent again", async () => {
    const { call, outputs } = await rounded();
    const refreshed = await read(call, "acme/car", outputs);
    expect(refreshed?.inputs.maxCapacity).to.equal(77_400);
    expect(diff(vehicle, refreshed?.outputs ?? {}, DECLARED).changes).to.deep.equal([]);
  });

  it("is drift if somebody changes it afterwards", async () => {
    const { service, call, outputs } = await rounded();
    service.put(CAR, { ...service.get(CAR), max_capacity: 50_000 });
    const refreshed = await read(call, "acme/car", outputs);
    expect(refreshed?.inputs.maxCapacity).to.equal(50_000);
  });

  it("is still ours on delete: the baseline is written back", async () => {
    const { service, call, outputs } = await rounded();
    await remove(call, fromOutputs(vehicle, outputs));
    expect(service.get(CAR)?.max_capacity).to.equal(60_000);
  });

  it("is pending, and not adjusted, while the cache shows what it showed before", async () => {
    const service = fleet({ max_capacity: 60_000 });
    service.staleReads = 1000;
    const { outputs } = await create(callOf(vehicle, service), DECLARED);
    expect(outputs.verification).to.deep.equal({ maxCapacity: "pending" });
  });
});
