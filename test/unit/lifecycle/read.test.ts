import { expect } from "chai";
import { remove } from "../../../provider/lifecycle/delete";
import { read } from "../../../provider/lifecycle/read";
import { fromOutputs, type Properties } from "../../../provider/lifecycle/state";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { failureOf } from "../../support/failure";
import { CAR, callOf, FakeService, fleet } from "../../support/fakes";

const ID = "acme/car";
const outputs = {
  ...CAR,
  onDelete: "restore",
  maxCapacity: 77_000,
  policy: "CHARGE BY",
  reported: { maxCapacity: 77_000, policy: "CHARGE BY" },
  baseline: { maxCapacity: 60_000 },
  verification: { maxCapacity: "verified", policy: "verified" },
};

describe("read", () => {
  it("is one request", async () => {
    const service = fleet({ max_capacity: 77_000 });
    await read(callOf(vehicle, service), ID, outputs);
    expect(service.requests).to.deep.equal(["GET acme/car"]);
  });

  it("shows live values of declared keys in inputs and outputs, and no other key in the inputs", async () => {
    const service = fleet({ max_capacity: 50_000, max_charge_power: 3000, policy: "CHARGE BY" });
    const found = await read(callOf(vehicle, service), ID, outputs);
    expect(found?.inputs).to.deep.equal({ ...CAR, onDelete: "restore", maxCapacity: 50_000, policy: "CHARGE BY" });
    expect(found?.outputs).to.deep.include({
      maxCapacity: 50_000,
      reported: { maxCapacity: 50_000, maxChargePower: 3000, policy: "CHARGE BY" },
      baseline: { maxCapacity: 60_000 },
    });
    expect(found?.outputs).not.to.have.property("maxChargePower");
  });

  it("keeps beside the live value what we wrote, where that is something else", async () => {
    const service = fleet({ max_capacity: 50_000, policy: "CHARGE BY" });
    const found = await read(callOf(vehicle, service), ID, outputs);
    expect(found?.inputs.maxCapacity).to.equal(50_000);
    expect(found?.outputs).to.deep.include({
      maxCapacity: 50_000,
      written: { maxCapacity: 77_000 },
      verification: { maxCapacity: "verified", policy: "verified" },
    });
  });

  it("keeps the last known value of a declared key that is not reported", async () => {
    const found = await read(callOf(vehicle, fleet()), ID, outputs);
    expect(found?.inputs).to.deep.include({ maxCapacity: 77_000, policy: "CHARGE BY" });
    expect(found?.outputs.verification).to.deep.equal({ maxCapacity: "notReported", policy: "notReported" });
  });

  it("shows a pending key as verified once the cache has caught up", async () => {
    const pending = { ...outputs, verification: { maxCapacity: "pending", policy: "verified" } };
    const found = await read(callOf(vehicle, fleet({ max_capacity: 77_000, policy: "CHARGE BY" })), ID, pending);
    expect(found?.outputs.verification).to.deep.equal({ maxCapacity: "verified", policy: "verified" });
  });

  it("counts an update of unknown outcome as accepted only once its value is seen", async () => {
    const unsure = { ...outputs, verification: { policy: "verified" } };
    const seen = await read(callOf(vehicle, fleet({ max_capacity: 77_000, policy: "CHARGE BY" })), ID, unsure);
    expect(seen?.outputs.verification).to.deep.equal({ maxCapacity: "verified", policy: "verified" });
    const unseen = await read(callOf(vehicle, fleet({ max_capacity: 60_000, policy: "CHARGE BY" })), ID, unsure);
    expect(unseen?.outputs.verification).to.deep.equal({ policy: "verified" });
  });

  describe("after an update of unknown outcome", () => {
    const unsure = { ...outputs, attempted: { maxCapacity: [77_000] }, verification: { policy: "verified" } };

    /** What a refresh of each of these values in turn leaves in state, and what a delete then sends. */
    async function refreshed(...capacities: number[]) {
      const service = fleet({ policy: "CHARGE BY" });
      const call = callOf(vehicle, service);
      let state: Properties = unsure;
      for (const max_capacity of capacities) {
        service.put(CAR, { ...service.get(CAR), max_capacity });
        state = (await read(call, ID, state))?.outputs ?? {};
      }
      await remove(call, fromOutputs(vehicle, state));
      return { state, sent: service.sent };
    }

    it("keeps as somebody else's what is neither, which a restore then leaves", async () => {
      const { state, sent } = await refreshed(50_000);
      expect(state).to.deep.include({ maxCapacity: 50_000, written: { maxCapacity: 77_000 } });
      expect(sent).to.deep.equal([]);
    });

    it("knows what it sent as ours, however long the cache shows what was before", async () => {
      const { state, sent } = await refreshed(60_000, 60_000, 77_000);
      expect(state.verification).to.deep.equal({ maxCapacity: "verified", policy: "verified" });
      expect(sent).to.deep.equal([{ max_capacity: 60_000 }]);
    });
  });

  it("does not take for an update of unknown outcome what a cache shows that is behind the one before it", async () => {
    // 77000 was accepted and never shown; then 60000, the baseline, was sent, and is still shown or is there.
    const shown = { maxCapacity: 60_000, policy: "CHARGE BY" };
    const unsure = {
      ...outputs,
      ...shown,
      reported: shown,
      written: { maxCapacity: 77_000 },
      attempted: { maxCapacity: [60_000] },
      verification: { policy: "verified" },
    };
    const service = fleet({ max_capacity: 60_000, policy: "CHARGE BY" });
    const call = callOf(vehicle, service);
    const state = (await read(call, ID, unsure))?.outputs ?? {};
    expect(state).to.deep.equal(unsure);

    service.put(CAR, { ...service.get(CAR), max_capacity: 77_000 });
    await remove(call, fromOutputs(vehicle, state));
    expect(service.sent).to.deep.equal([{ max_capacity: 60_000 }]);
  });

  it("remembers what we wrote over any number of refreshes, until it is seen again", async () => {
    const service = fleet({ max_capacity: 50_000, policy: "CHARGE BY" });
    const call = callOf(vehicle, service);
    const first = await read(call, ID, outputs);
    const second = await read(call, ID, first?.outputs ?? {});
    expect(second?.outputs).to.deep.include({ maxCapacity: 50_000, written: { maxCapacity: 77_000 } });
    service.put(CAR, { ...service.get(CAR), max_capacity: 77_000 });
    const third = await read(call, ID, second?.outputs ?? {});
    expect(third?.inputs.maxCapacity).to.equal(77_000);
    expect(third?.outputs).to.deep.include({
      maxCapacity: 77_000,
      verification: { maxCapacity: "verified", policy: "verified" },
    });
    expect(third?.outputs).not.to.have.property("written");
  });

  it("tells the baseline of a device that is gone, before it is forgotten", async () => {
    const call = callOf(vehicle, new FakeService());
    await read(call, ID, outputs);
    expect(call.warnings).to.have.lengthOf(1);
    expect(call.infos.join()).to.contain("device 'car' of business 'acme'").and.contain('{"maxCapacity":60000}');
  });

  for (const [words, kept] of [
    ["is declared", outputs],
    ["is only read", { ...CAR, reported: {} }],
  ] as const) {
    it(`loses nothing if a device that ${words} may be there, at another address`, async () => {
      const service = Object.assign(new FakeService(), { believesInGone: false });
      const call = callOf(vehicle, service);
      await failureOf(read(call, ID, kept));
      expect([...call.warnings, ...call.infos]).to.deep.equal([]);
    });
  }

  it("says nothing of a device that is gone and was only read", async () => {
    const call = callOf(vehicle, new FakeService());
    expect(await read(call, ID, { ...CAR, reported: {} })).to.equal(undefined);
    expect(call.warnings).to.deep.equal([]);
  });

  it("fails for a device that a program asks for and that is not there", async () => {
    const error = await failureOf(read(callOf(vehicle, new FakeService()), ID, {}));
    expect(error.message).to.match(/^the service does not know device 'car' of business 'acme'/);
  });

  it("says which settings were reported before and no longer are", async () => {
    const call = callOf(vehicle, fleet({ policy: "CHARGE BY" }));
    await read(call, ID, { ...outputs, reported: { maxCapacity: 77_000, policy: "CHARGE BY" } });
    expect(call.warnings).to.have.lengthOf(1);
    expect(call.warnings[0]).to.match(/no longer reports maxCapacity: was it replaced/);
  });

  it("names every setting that is no longer reported", async () => {
    const call = callOf(vehicle, fleet());
    await read(call, ID, outputs);
    expect(call.warnings[0]).to.match(/no longer reports maxCapacity, policy: /);
  });

  it("warns of nothing where everything that was reported still is", async () => {
    const call = callOf(vehicle, fleet({ max_capacity: 77_000, policy: "CHARGE BY" }));
    await read(call, ID, outputs);
    expect(call.warnings).to.deep.equal([]);
  });

  it("counts an update as accepted when any one of several uncertain ones is seen", async () => {
    const unsure = { ...outputs, attempted: { maxCapacity: [70_000, 77_000] }, verification: { policy: "verified" } };
    const found = await read(callOf(vehicle, fleet({ max_capacity: 77_000, policy: "CHARGE BY" })), ID, unsure);
    expect(found?.outputs.verification).to.deep.equal({ maxCapacity: "verified", policy: "verified" });
    expect(found?.outputs).not.to.have.property("attempted");
  });

  it("is undefined for a device that is gone", async () => {
    expect(await read(callOf(vehicle, new FakeService()), ID, outputs)).to.equal(undefined);
  });

  it("refuses a device of another type", async () => {
    expect((await failureOf(read(callOf(inverter, fleet()), ID, {}))).message).to.match(
      /'Electric vehicle'.*an inverter/,
    );
  });

  it("refuses state that it does not understand, without a request", async () => {
    const service = fleet();
    const error = await failureOf(read(callOf(vehicle, service), ID, { ...outputs, chargeBy: "07:00" }));
    expect(error.message).to.match(/not understood by this version.*chargeBy/);
    expect(service.requests).to.deep.equal([]);
  });

  it("refuses an id that is none, without a request", async () => {
    const service = fleet();
    expect((await failureOf(read(callOf(vehicle, service), "car", {}))).message).to.match(
      /'car' is not an id of the form/,
    );
    expect(service.requests).to.deep.equal([]);
  });

  it("shows everything that is reported, and nothing of ours, of a resource that is only read", async () => {
    const service = fleet({ max_capacity: 50_000, config: { max_charge_power: 3000 }, odd: 1 });
    const settings = { maxCapacity: 50_000, maxChargePower: 3000 };
    expect(await read(callOf(vehicle, service), ID, {})).to.deep.equal({
      id: ID,
      inputs: { ...CAR, ...settings },
      outputs: { ...CAR, ...settings, reported: settings },
    });
  });

  it("finds no drift in a resource that is only read, however often it is refreshed", async () => {
    const service = fleet({ max_capacity: 50_000 });
    const call = callOf(vehicle, service);
    const first = await read(call, ID, {});
    service.put(CAR, { ...service.get(CAR), max_capacity: 60_000, max_charge_power: 3000 });
    const settings = { maxCapacity: 60_000, maxChargePower: 3000 };
    expect(await read(call, ID, first?.outputs ?? {})).to.deep.equal({
      id: ID,
      inputs: { ...CAR, ...settings },
      outputs: { ...CAR, ...settings, reported: settings },
    });
  });
});
