import { expect } from "chai";
import type { Ledger, PlannedUpdate } from "../../../provider/ledger/ledger";
import { type Call, readDeviceOfKind } from "../../../provider/lifecycle/call";
import { Claims } from "../../../provider/lifecycle/claims";
import { create, update } from "../../../provider/lifecycle/create";
import { remove } from "../../../provider/lifecycle/delete";
import { fromOutputs } from "../../../provider/lifecycle/state";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { failureOf } from "../../support/failure";
import { CAR, callOf, FakeService, fleet, ownerOf, ROOF } from "../../support/fakes";

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

describe("Updates that are to be told in a ledger", () => {
  const declared = { ...CAR, maxCapacity: 77_000 };
  const state = {
    ...declared,
    reported: { maxCapacity: 77_000, maxChargePower: 11_000 },
    baseline: { maxCapacity: 60_000 },
    verification: { maxCapacity: "verified" },
  };

  /** What the ledger is told of an operation with a vehicle that two resources declare. */
  async function toldOf(operation: Call["operation"], work: (call: Call) => Promise<unknown>) {
    const told: PlannedUpdate[] = [];
    const ledger = {
      begin: (update: PlannedUpdate) => {
        told.push(update);
        return { accepted: () => {}, end: async () => {}, failed: async () => {} };
      },
    } as unknown as Ledger;
    const claims = new Claims();
    claims.add(CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    claims.add(CAR, operation === "delete" ? {} : { maxCapacity: 77_000 }, ownerOf("urn:capacity"));
    await work(
      callOf(vehicle, fleet({ max_capacity: 70_000, max_charge_power: 11_000 }), { operation, ledger, claims }),
    );
    return told.map(({ device: { deviceId }, ...update }) => ({ deviceId, ...update }));
  }

  it("are told with the resource that declares the key, and what the service reported before", async () => {
    expect(await toldOf("create", (call) => create(call, declared))).to.deep.equal([
      {
        operation: "create",
        deviceId: "car",
        urn: "urn:capacity",
        urnOfRun: "urn:policy",
        sent: { maxCapacity: 77_000 },
        old: { maxCapacity: 70_000, maxChargePower: 11_000 },
      },
    ]);
  });

  it("are told with what was accepted before", async () => {
    const pending = { ...state, reported: { maxCapacity: 60_000 }, verification: { maxCapacity: "pending" } };
    expect(await toldOf("update", (call) => update(call, pending, { ...CAR, maxCapacity: 79_000 }))).to.deep.equal([
      {
        operation: "update",
        deviceId: "car",
        urn: "urn:capacity",
        urnOfRun: "urn:policy",
        sent: { maxCapacity: 79_000 },
        old: { maxCapacity: 77_000 },
      },
    ]);
  });

  it("are told of a delete with what the device has, and without a resource, which another one may be by now", async () => {
    expect(
      await toldOf("delete", (call) => remove(call, fromOutputs(vehicle, { ...state, onDelete: "reset" }))),
    ).to.deep.equal([
      {
        operation: "delete",
        deviceId: "car",
        urn: undefined,
        urnOfRun: "urn:policy",
        sent: { maxCapacity: 80_000 },
        old: { maxCapacity: 70_000, maxChargePower: 11_000 },
      },
    ]);
  });
});
