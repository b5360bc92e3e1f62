import { expect } from "chai";
import { deviceOperations } from "../../../../provider/lifecycle/deviceOperations";
import { inverter } from "../../../../provider/settings/inverter";
import type { Properties } from "../../../../provider/settings/objects";
import type { DeviceKind } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { expectFacts } from "../../../support/facts";
import { failureOf } from "../../../support/failure";
import { CAR, COMPLETE, contextOf, FakeService, fleet, runOf } from "../../../support/fakes";
import { carStack, DeviceStack } from "../../../support/sites";

const ID = "acme/car";
const BASELINE = { baseline: 60_000 };
const STATE = {
  ...{ ...CAR, onDelete: "restore", maxCapacity: 77_000, policy: "CHARGE BY" },
  settings: { maxCapacity: { ...BASELINE }, policy: {} },
};

/** The state with another record of the capacity. */
function withCapacity(record: Properties, changes: Properties = {}): Properties {
  return { ...STATE, ...changes, settings: { ...STATE.settings, maxCapacity: { ...BASELINE, ...record } } };
}

const UNCERTAIN = withCapacity({ status: "uncertain", sent: [77_000] });

/** Refreshes with each of these capacities in turn. Undefined: the service reports none. */
async function refreshed(state: Properties, ...capacities: (number | undefined)[]) {
  const car = carStack({ policy: "CHARGE BY" });
  car.outputs = state;
  for (const max_capacity of capacities) {
    car.set({ max_capacity });
    await car.refresh();
  }
  return car;
}

/** The update that a delete sends next. */
const sentBy = async (car: DeviceStack) => {
  await car.destroy();
  return car.service.sent;
};

describe("a refresh of a device", () => {
  it("shows live values of declared keys in inputs and outputs, and no other key in the inputs, in one request", async () => {
    const car = carStack({ max_capacity: 50_000, max_charge_power: 3000, policy: "CHARGE BY" });
    car.outputs = STATE;
    expect((await car.refresh()).requests).to.deep.equal(["GET"]);
    expect(car.inputs).to.deep.equal({ ...CAR, onDelete: "restore", maxCapacity: 50_000, policy: "CHARGE BY" });
    expect(car.outputs).to.include({ maxCapacity: 50_000 }).and.not.have.property("maxChargePower");
    expect(car.settings).to.deep.equal({
      maxCapacity: { status: "drifted", ours: 77_000, ...BASELINE },
      maxChargePower: { status: "unmanaged", reported: 3000 },
      policy: {},
    });
  });

  // record.test.ts has the tables of the records after a refresh.
  for (const [what, before, capacity, status] of [
    ["a pending key, once the cache has caught up", { status: "pending", reported: 60_000 }, 77_000, undefined],
    ["an update of unknown outcome that is seen", { status: "uncertain", sent: [77_000] }, 77_000, undefined],
    ["one of several of them that is seen", { status: "uncertain", sent: [70_000, 77_000] }, 77_000, undefined],
    ["one that is not seen", { status: "uncertain", sent: [77_000] }, 60_000, "uncertain"],
  ] as const) {
    it(`shows ${what}, as ${status}`, async () => {
      const car = await refreshed(withCapacity(before), capacity);
      expect(car.each("status")).to.deep.equal(status === undefined ? {} : { maxCapacity: status });
    });
  }

  it("keeps a third value as somebody else's after an update of unknown outcome; a restore leaves it", async () => {
    const car = await refreshed(UNCERTAIN, 50_000);
    expect(car.outputs).to.include({ maxCapacity: 50_000 });
    expect(car.settings.maxCapacity).to.include({ status: "uncertain", reported: 50_000 });
    expect(await sentBy(car)).to.deep.equal([]);
  });

  it("knows what it sent as ours, however long the cache shows what was before", async () => {
    const car = await refreshed(UNCERTAIN, 60_000, 60_000, 77_000);
    expect(car.each("status")).to.deep.equal({});
    expect(await sentBy(car)).to.deep.equal([{ max_capacity: 60_000 }]);
  });

  it("does not take for an update of unknown outcome what a cache shows that is behind the one before it", async () => {
    // 77000 was accepted and never shown. Then 60000, the baseline, was sent: the device has it, or the cache still
    // shows it.
    const record = { status: "uncertain", sent: [60_000], ours: 77_000, reported: 60_000 };
    const unsure = withCapacity(record, { maxCapacity: 60_000 });
    const car = await refreshed(unsure, 60_000);
    expect(car.outputs).to.deep.equal(unsure);
    car.set({ max_capacity: 77_000 });
    expect(await sentBy(car)).to.deep.equal([{ max_capacity: 60_000 }]);
  });

  it("remembers what we wrote over any number of refreshes, until it is seen again", async () => {
    const car = await refreshed(STATE, 50_000, 50_000);
    expect(car.settings.maxCapacity).to.include({ status: "drifted", ours: 77_000 });
    car.set({ max_capacity: 77_000 });
    await car.refresh();
    expect(car.outputs).to.deep.equal(STATE);
    expect(car.inputs).to.include({ maxCapacity: 77_000 });
  });

  it("says of a value in another JSON type that it is reported, and not that it is missing", async () => {
    const car = carStack({ max_capacity: "77000", policy: "CHARGE BY" });
    car.outputs = STATE;
    expect((await car.refresh()).codes).to.deep.equal(["settingsMistyped"]);
    expectFacts(car.shown.join(), ["maxCapacity"]);
  });

  it("names every setting that was reported before and no longer is, and keeps its last known value", async () => {
    for (const [fields, lost] of [
      [{ policy: "CHARGE BY" }, "maxCapacity"],
      [{}, "maxCapacity and policy"],
    ] as const) {
      const car = carStack(fields);
      car.outputs = STATE;
      expect((await car.refresh()).codes).to.deep.equal(["settingsLost"]);
      expectFacts(car.shown.join(), [` ${lost}.`]);
      expect(car.inputs).to.deep.include({ maxCapacity: 77_000, policy: "CHARGE BY" });
      expect(car.settings.maxCapacity).to.include({ status: "notReported" });
      expect((await car.refresh()).codes).to.deep.equal([]);
    }
  });

  it("loses a device that is gone, and reports its baseline before it is forgotten", async () => {
    const car = new DeviceStack(vehicle, new FakeService());
    car.outputs = STATE;
    const { codes, infos } = await car.refresh();
    expect(codes).to.deep.equal(["leavesStack"]);
    expect(infos).to.contain("device 'car' of business 'acme'").and.contain("maxCapacity was 60 kWh");
    expect(car.outputs).to.equal(undefined);
  });

  for (const [words, kept] of [
    ["is declared", STATE],
    ["is only read", CAR],
  ] as const) {
    it(`loses nothing if a device that ${words} may be there, at another address`, async () => {
      const car = new DeviceStack(vehicle, Object.assign(new FakeService(), { believesInGone: false }));
      car.outputs = kept;
      const { codes, infos, reasons } = await car.refresh();
      expect([codes, infos, reasons.length]).to.deep.equal([[], "", 1]);
      expect(car.outputs).to.equal(kept);
    });
  }

  it("refuses state that it does not understand, without a request", async () => {
    const car = carStack();
    car.outputs = { ...STATE, chargeBy: "07:00" };
    const { reasons, requests } = await car.refresh();
    expectFacts(reasons[0], ["(chargeBy)"]);
    expect(requests).to.deep.equal([]);
  });
});

/** A refresh of a resource that is only read. */
async function read(kind: DeviceKind, service: FakeService, id = ID, outputs: Properties = {}) {
  const run = runOf(COMPLETE, service);
  const found = await deviceOperations(kind, () => run).read(contextOf(), id, outputs);
  return { found, codes: run.noted.map(({ message }) => message.code) };
}

describe("a device that is only read", () => {
  it("shows everything that is reported, and nothing of ours, and no drift, however often it is refreshed", async () => {
    const service = fleet({ max_capacity: 50_000, config: { max_charge_power: 3000 }, odd: 1 });
    const first = (await read(vehicle, service)).found;
    const shown = { ...CAR, maxCapacity: 50_000, maxChargePower: 3000 };
    expect(first).to.deep.equal({ id: ID, inputs: shown, outputs: shown });
    service.set(CAR, { max_capacity: 60_000 });
    const later = { ...shown, maxCapacity: 60_000 };
    const again = (await read(vehicle, service, ID, first?.outputs)).found;
    expect(again).to.deep.equal({ id: ID, inputs: later, outputs: later });
  });

  it("is undefined, without a word, once it is gone", async () => {
    expect(await read(vehicle, new FakeService(), ID, CAR)).to.deep.equal({ found: undefined, codes: [] });
  });

  for (const [what, kind, service, id, reason] of [
    ["that is not there", vehicle, new FakeService(), ID, /device 'car' of business 'acme'/],
    ["of another type", inverter, fleet(), ID, /'Electric vehicle'.*an inverter/],
    ["whose id is none", vehicle, fleet(), "car", /'car'.*businessId\/deviceId/],
  ] as const) {
    it(`fails for one ${what}`, async () => {
      expect((await failureOf(read(kind, service, id))).message).to.match(reason);
      expect(service.requests).to.have.lengthOf(id === ID ? 1 : 0);
    });
  }

  it("is of any kind if it does not tell its type", async () => {
    for (const fields of [{ id: "car" }, { dev_type: "" }]) {
      for (const kind of [vehicle, inverter]) {
        const { found } = await read(kind, new FakeService().put(CAR, fields));
        expect(found).to.have.property("id", ID);
      }
    }
  });
});
