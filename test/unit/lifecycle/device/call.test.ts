import { expect } from "chai";
import type { StartedUpdate } from "../../../../provider/ledger/journal";
import { Store } from "../../../../provider/ledger/store";
import { apply } from "../../../../provider/lifecycle/device/apply";
import type { Call } from "../../../../provider/lifecycle/device/call";
import { remove } from "../../../../provider/lifecycle/device/delete";
import { fromOutputs } from "../../../../provider/lifecycle/device/state";
import { vehicle } from "../../../../provider/settings/vehicle";
import { CAR, callOf, claimed, fleet, logsWith, ownerOf } from "../../../support/fakes";

describe("the ledger", () => {
  const declared = { ...CAR, values: { maxCapacity: 77_000 } };
  const state = {
    ...{ ...CAR, maxCapacity: 77_000 },
    settings: {
      maxCapacity: { status: "verified", baseline: 60_000 },
      maxChargePower: { status: "unmanaged", reported: 11_000 },
    },
  };

  /** The updates that an operation records, for a vehicle that two resources declare. */
  async function recordedBy(operation: Call["operation"], work: (call: Call) => Promise<unknown> | Promise<void>) {
    const updates: StartedUpdate[] = [];
    const journal = logsWith({
      begin: (update) => {
        updates.push(update);
        return { accepted: () => {}, end: async () => {}, failed: async () => {} };
      },
    });
    const store = new Store({ journal: () => journal });
    claimed(store, CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    if (operation !== "delete") claimed(store, CAR, { maxCapacity: 77_000 }, ownerOf("urn:capacity"));
    await work(
      callOf(vehicle, fleet({ max_capacity: 70_000, max_charge_power: 11_000 }), {
        operation,
        store,
        urn: "urn:capacity",
      }),
    );
    return updates.map(({ device: { deviceId }, ...update }) => ({ deviceId, ...update }));
  }

  const pending = { ...state, settings: { maxCapacity: { status: "pending", reported: 60_000 } } };
  const reported = { maxCapacity: 70_000, maxChargePower: 11_000 };
  const later = { ...CAR, values: { maxCapacity: 79_000 } };
  for (const [what, operation, work, sent, old] of [
    ["what the service reports", "create", (call: Call) => apply(call, undefined, declared), 77_000, reported],
    [
      "what was accepted",
      "update",
      (call: Call) => apply(call, fromOutputs(vehicle, pending), later),
      79_000,
      { maxCapacity: 77_000 },
    ],
    [
      "what the device has",
      "delete",
      (call: Call) => remove(call, fromOutputs(vehicle, { ...state, onDelete: "reset" })),
      80_000,
      reported,
    ],
  ] as const) {
    it(`gets the resource of a ${operation}, and ${what} before`, async () => {
      const common = { deviceId: "car", urn: "urn:capacity" };
      expect(await recordedBy(operation, work)).to.deep.equal([
        { ...common, operation, changes: [{ key: "maxCapacity", old: old.maxCapacity, new: sent }] },
      ]);
    });
  }

  it("gets the status of each managed setting after the read-back", async () => {
    const ends: unknown[] = [];
    const recording = {
      accepted: () => {},
      end: async (status?: object) => void ends.push(status),
      failed: async () => {},
    };
    const service = fleet({ max_capacity: 70_000, max_charge_power: 11_000 });
    service.hidden.add("policy");
    const call = callOf(vehicle, service, {
      store: new Store({ journal: () => logsWith({ begin: () => recording }) }),
    });
    await apply(call, undefined, { ...CAR, values: { maxCapacity: 77_000, policy: "CHARGE BY" } });
    expect(ends).to.deep.equal([{ maxCapacity: "verified", policy: "notReported" }]);
  });
});
