import { expect } from "chai";
import { UncertainError } from "../../../provider/lifecycle/errors";
import { reconcile } from "../../../provider/lifecycle/reconcile";
import type { State } from "../../../provider/lifecycle/state";
import { vehicle } from "../../../provider/settings/vehicle";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { CAR, callOf, type FakeService, fleet, refused, uncertain } from "../../support/fakes";

/** A car with both keys accepted. */
const before: State = {
  ...CAR,
  values: { maxCapacity: 77_000, policy: "CHARGE BY" },
  reported: { maxCapacity: 77_000, policy: "CHARGE BY" },
  baseline: { maxCapacity: 60_000, policy: "CHARGE BY" },
  written: {},
  attempted: {},
  verification: { maxCapacity: "verified", policy: "verified" },
};
const wanted = { ...CAR, values: { maxCapacity: 80_000, policy: "CHARGE BY" } };

describe("reconcile", () => {
  virtualClock();

  /** What a failing update rejects with. */
  async function failing(arrange: (service: FakeService) => void) {
    const service = fleet({ max_capacity: 77_000, policy: "CHARGE BY" });
    arrange(service);
    return { error: await failureOf(reconcile(callOf(vehicle, service), before, wanted)), service };
  }

  it("sends nothing where nothing differs, and keeps a pending key pending", async () => {
    const service = fleet();
    const pending: State = {
      ...before,
      reported: { maxCapacity: 60_000 },
      verification: { maxCapacity: "pending", policy: "notReported" },
    };
    const after = await reconcile(callOf(vehicle, service), pending, { ...CAR, values: before.values });
    expect(service.requests).to.deep.equal([]);
    expect(after).to.deep.equal(pending);
  });

  it("sends exactly the keys that are not known to be accepted", async () => {
    const service = fleet({ max_capacity: 77_000 });
    await reconcile(callOf(vehicle, service), before, wanted);
    expect(service.sent).to.deep.equal([{ max_capacity: 80_000 }]);
  });

  for (const status of [400, 401, 403, 404, 409, 422]) {
    it(`fails plainly with an update that was refused (${status}): nothing has changed`, async () => {
      const refusal = refused(status);
      const { error } = await failing((service) => {
        service.beforeUpdate = () => {
          throw refusal;
        };
      });
      expect(error).to.equal(refusal);
    });
  }

  const outcomes: [string, Error][] = [
    ["no answer", uncertain()],
    ["a refusal after a try that broke off", refused(403, { maybeApplied: true })],
    ["a deadline", new Error("update of VehicleSettings gave up after 430 s")],
  ];
  for (const [what, cause] of outcomes) {
    it(`keeps what is known of an update of unknown outcome (${what})`, async () => {
      const { error, service } = await failing((service) => {
        service.afterUpdate = () => {
          throw cause;
        };
      });
      expect(error).to.be.instanceOf(UncertainError);
      expect(error.message)
        .to.contain(cause.message)
        .and.to.match(/may have been applied; the next "pulumi up" sends it again/);
      expect(error)
        .to.have.property("state")
        .that.deep.equals({
          ...wanted,
          reported: before.reported,
          written: { maxCapacity: 77_000 },
          attempted: { maxCapacity: [80_000] },
          baseline: before.baseline,
          verification: { policy: "verified" },
        });
      expect(service.requests).to.deep.equal(["PATCH acme/car"]);
    });
  }

  it("goes on from there: the next run sends the key again and keeps the baseline", async () => {
    const { error, service } = await failing((service) => {
      service.afterUpdate = () => {
        throw uncertain();
      };
    });
    service.afterUpdate = () => {};
    const after = await reconcile(callOf(vehicle, service), (error as UncertainError).state, wanted);
    expect(service.sent).to.deep.equal([{ max_capacity: 80_000 }, { max_capacity: 80_000 }]);
    expect(after).to.deep.include({ baseline: before.baseline, attempted: {}, verification: before.verification });
  });

  it("keeps every value that one of several updates of unknown outcome can have left", async () => {
    const service = fleet({ max_capacity: 77_000 });
    service.beforeUpdate = () => {
      throw uncertain();
    };
    let state = before;
    for (const maxCapacity of [80_000, 81_000, 80_000]) {
      const next = { ...CAR, values: { maxCapacity, policy: "CHARGE BY" } };
      const error = await failureOf(reconcile(callOf(vehicle, service), state, next));
      state = (error as UncertainError).state;
    }
    expect(state).to.deep.include({
      written: { maxCapacity: 77_000 },
      attempted: { maxCapacity: [80_000, 81_000] },
    });
  });

  it("succeeds where the read-back fails: what was accepted is pending, with the values known before", async () => {
    const service = fleet();
    service.beforeRead = () => {
      throw new Error("HTTP 500");
    };
    const call = callOf(vehicle, service);
    const after = await reconcile(call, before, wanted);
    expect(after).to.deep.include({
      values: wanted.values,
      reported: before.reported,
      verification: { maxCapacity: "pending", policy: "verified" },
    });
    expect(call.warnings).to.have.lengthOf(1);
  });

  it("succeeds for a device that is gone at the read-back: what was accepted is pending, with a warning", async () => {
    const service = fleet();
    service.afterUpdate = () => service.remove(CAR);
    const call = callOf(vehicle, service);
    const { verification } = await reconcile(call, before, wanted);
    expect(verification).to.deep.equal({ maxCapacity: "pending", policy: "verified" });
    expect(call.warnings).to.have.lengthOf(1);
    expect(call.warnings[0]).to.match(/not read back: the service does not know device/);
  });

  it("forgets what was written before a refresh found drift", async () => {
    const drifted = { ...before, values: { ...before.values, maxCapacity: 50_000 }, written: { maxCapacity: 77_000 } };
    const call = callOf(vehicle, fleet({ max_capacity: 50_000, policy: "CHARGE BY" }));
    expect((await reconcile(call, drifted, wanted)).written).to.deep.equal({});
  });

  it("says of a key that the service does not show that it is not reported", async () => {
    const service = fleet({ policy: "CHARGE BY" });
    service.hidden.add("max_capacity");
    const { verification } = await reconcile(callOf(vehicle, service), before, wanted);
    expect(verification).to.deep.equal({ maxCapacity: "notReported", policy: "verified" });
  });
});
