import { expect } from "chai";
import type { Outcome } from "../../../provider/ledger/outcome";
import type { Properties } from "../../../provider/lifecycle/device/state";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import type { Context } from "../../../provider/lifecycle/run/context";
import { NotReviewedError, PartialError } from "../../../provider/lifecycle/run/errors";
import { notReviewed, runStopped } from "../../../provider/lifecycle/run/messages";
import { SecretInputs } from "../../../provider/lifecycle/run/secretInputs";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import { MessageError } from "../../../provider/messages/message";
import { failureOfCommand, failureOfConnection, ServiceError } from "../../../provider/service/errors";
import { vehicle } from "../../../provider/settings/vehicle";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE, contextOf, type FakeService, fleet, refused, runOf, uncertain } from "../../support/fakes";
import { urnOf } from "../../support/sites";

const URN = "urn:pulumi:dev::home::solar-charging:index:VehicleSettings::car";
const DECLARED = { ...CAR, maxCapacity: 77_000 };
const IDENTITY = { device: `${CAR.businessId}/${CAR.deviceId}`, label: "vehicle/car" };

describe("the outcomes that operations report to the command that started the run", () => {
  virtualClock();

  /** A run that keeps the outcomes. */
  function reporting(service: FakeService) {
    const [run, outcomes] = [runOf(COMPLETE, service), [] as Outcome[]];
    const report = { ...run.report, outcome: (outcome: () => Outcome) => void outcomes.push(outcome()) };
    return { currentRun: () => ({ ...run, report }), outcomes };
  }

  /** One device with its own resource. */
  function given(service: FakeService, facts: Partial<Context> = {}) {
    const { currentRun, outcomes } = reporting(service);
    const context = contextOf(URN, facts);
    const last = () => {
      const { urn, operation, site, devices } = outcomes.at(-1) as Outcome;
      expect([urn, site]).to.deep.equal([URN, undefined]);
      return [operation, ...devices];
    };
    return { car: deviceOperations(vehicle, currentRun), context, last, outcomes };
  }

  it("are those of each step in the life of a device", async () => {
    const { car, context, last } = given(fleet({ max_capacity: 60_000 }));
    const [before, after] = [{ maxCapacity: 60_000 }, { maxCapacity: 77_000 }];
    await car.diff(context, undefined, DECLARED);
    expect(last()).to.deep.equal(["diff", { ...IDENTITY, result: "changed", before: {}, after }]);
    const { id, outputs } = await car.create(context, DECLARED);
    const sent = ["maxCapacity"];
    expect(last()).to.deep.equal(["create", { ...IDENTITY, result: "changed", before, after, sent }]);
    await car.diff(context, outputs, DECLARED);
    expect(last()).to.deep.equal(["diff", { ...IDENTITY, result: "unchanged", before: after, after }]);
    await car.read(context, id, outputs);
    expect(last()).to.deep.equal(["read", { ...IDENTITY, result: "unchanged", before: after, after }]);
    const news = { ...CAR, maxCapacity: 80_000, onDelete: "restore" };
    const updated = await car.update(context, outputs, news);
    const now = { maxCapacity: 80_000 };
    expect(last()).to.deep.equal(["update", { ...IDENTITY, result: "changed", before: after, after: now, sent }]);
    await car.delete(context, updated);
    const removed = { ...IDENTITY, result: "unmanaged", before: now, onDelete: "restore", restores: sent, sent };
    expect(last()).to.deep.equal(["delete", removed]);
  });

  it("show drift, and a device that the service no longer knows", async () => {
    const service = fleet({ max_capacity: 77_000 });
    const { car, context, last } = given(service);
    const { id, outputs } = await car.create(context, DECLARED);
    expect(last().at(-1)).to.include({ result: "adopted" }).and.not.to.have.property("sent");
    service.set(CAR, { max_capacity: 50_000 });
    await car.read(context, id, outputs);
    const [before, after] = [{ maxCapacity: 77_000 }, { maxCapacity: 50_000 }];
    expect(last()).to.deep.equal(["read", { ...IDENTITY, result: "changed", before, after }]);
    service.remove(CAR);
    await car.read(context, id, outputs);
    expect(last()).to.deep.equal(["read", { ...IDENTITY, result: "unmanaged", before, onDelete: "retain" }]);
  });

  for (const [what, error] of [
    ["is refused", refused(422)],
    ["is of unknown outcome", uncertain()],
  ] as const) {
    it(`have the reason if an update ${what}, and what was sent`, async () => {
      const service = fleet({ max_capacity: 60_000 });
      const { car, context, last } = given(service);
      service.beforeUpdate = () => {
        throw error;
      };
      await failureOf(car.create(context, DECLARED));
      const [operation, device] = last() as [string, Outcome["devices"][number]];
      expect([operation, device.result, device.sent]).to.deep.equal(["create", "failed", ["maxCapacity"]]);
      expect(device.problem?.code).to.be.oneOf(["uncertain", "requestRefused"]);
    });
  }

  const noToken = failureOfCommand("ended with exit code 3", "");
  for (const [what, error] of Object.entries({
    "the guard refuses": new NotReviewedError(notReviewed([], "abc")),
    "has no token": new ServiceError("update", CAR, noToken, { maybeApplied: false }),
    "cannot reach the service": new ServiceError(
      "update",
      CAR,
      failureOfConnection(Object.assign(new Error(), { code: "ENOTFOUND" }), {
        ...{ target: "api.example", key: "baseUrl", isLocal: false },
      }),
      { maybeApplied: false },
    ),
  })) {
    it(`name no setting as sent if an update ${what}`, async () => {
      const service = fleet({ max_capacity: 60_000 });
      const { car, context, last } = given(service);
      service.beforeUpdate = () => {
        throw error;
      };
      await failureOf(car.create(context, DECLARED));
      const result = error instanceof NotReviewedError ? "held" : "failed";
      expect(last().at(-1)).to.include({ result }).and.not.have.property("sent");
    });
  }

  it("have the reason of a read or a delete that failed, and what the device still has", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const { car, context, last } = given(service);
    const { id, outputs } = await car.create(context, { ...DECLARED, onDelete: "restore" });
    service.beforeRead = () => {
      throw refused(503);
    };
    const values = { maxCapacity: 77_000 };
    await failureOf(car.read(context, id, outputs));
    expect(last().at(-1)).to.deep.include({ result: "failed", before: values, after: values });
    await failureOf(car.delete(context, outputs));
    expect(last().at(-1)).to.deep.include({ result: "failed", before: values, after: values, onDelete: "restore" });
  });

  it("have no secret value, and name the settings that are secrets", async () => {
    const secrets = new SecretInputs(["maxCapacity"], [77_000, 60_000]);
    const { car, context, last, outcomes } = given(fleet({ max_capacity: 60_000 }), { secrets });
    await car.create(context, { ...DECLARED, maxChargePower: 11_000 });
    expect(last().at(-1)).to.deep.include({ after: { maxChargePower: 11_000 }, secret: ["maxCapacity"] });
    expect(JSON.stringify(outcomes)).not.to.match(/77000|60000/);
  });

  it("are empty for a resource that is only read, or has no problem", async () => {
    const { car, context, outcomes } = given(fleet({ max_capacity: 60_000 }));
    await car.check(context, {}, DECLARED);
    await car.read(context, `${CAR.businessId}/${CAR.deviceId}`, {});
    expect(outcomes.flatMap(({ devices }) => devices)).to.deep.equal([]);
  });

  describe("of a site", () => {
    const inputs = {
      businessId: "acme",
      solar: false,
      vehicles: { car: { deviceId: CAR.deviceId, maxCapacity: 77_000 } },
    };

    function givenSite(service: FakeService, facts: Partial<Context> = {}) {
      const { currentRun, outcomes } = reporting(service);
      const site = siteOperations(currentRun);
      const context = contextOf(urnOf("home"), facts);
      return { site, context, last: () => outcomes.at(-1) as Outcome, outcomes };
    }

    it("have the site in each device, and the site's readiness on both sides", async () => {
      const { site, context, last } = givenSite(fleet({ max_capacity: 60_000 }));
      const { outputs } = await site.create(context, inputs);
      expect(last().site).to.deep.equal({ site: "home", readyAfter: false, gaps: [] });
      expect(last().devices[0]).to.deep.include({
        ...IDENTITY,
        site: "home",
        result: "changed",
        sent: ["maxCapacity"],
      });
      await site.delete(context, outputs);
      expect(last().site).to.deep.equal({ site: "home", readyBefore: false, gaps: [] });
      expect(last().devices[0]).to.deep.include({ result: "unmanaged", onDelete: "retain" });
    });

    it("hide the secrets of the device that has them", async () => {
      const secrets = new SecretInputs(["vehicles.car.maxCapacity"], [77_000]);
      const { site, context, last, outcomes } = givenSite(fleet({ max_capacity: 60_000 }), { secrets });
      await site.create(context, inputs);
      expect(last().devices[0]).to.deep.include({ before: {}, after: {}, secret: ["maxCapacity"], result: "changed" });
      expect(JSON.stringify(outcomes)).not.to.match(/77000|60000/);
    });

    it("name the device that failed, and the accepted values of the others", async () => {
      const service = fleet({ max_capacity: 60_000 });
      const { site, context, last } = givenSite(service);
      const vans = { ...inputs.vehicles, van: { deviceId: "none", maxCapacity: 77_000 } };
      const error = await failureOf(site.create(context, { ...inputs, vehicles: vans }));
      expect(error).to.be.instanceOf(PartialError);
      const found = last().devices.map(({ label, result, problem }) => [label, result, problem?.code]);
      expect(found).to.deep.equal([
        ["vehicle/car", "changed", undefined],
        ["vehicle/van", "failed", "noSuchDevice"],
      ]);
    });

    it("do not count a device as failed if the user stopped its request", async () => {
      const service = fleet({ max_capacity: 60_000 });
      const { site, context, last } = givenSite(service);
      const { outputs } = await site.create(context, inputs);
      const found = async (operation: Promise<unknown>) => {
        await failureOf(operation);
        return last().devices.map(({ result }) => result);
      };
      service.fail("reads", () => new MessageError(runStopped()));
      expect(await found(site.read(context, "home", outputs))).to.deep.equal(["held"]);
      expect(await found(site.create(context, inputs))).to.deep.equal(["held"]);
      service.fail("reads", () => new Error("no answer"));
      expect(await found(site.read(context, "home", outputs))).to.deep.equal(["failed"]);
    });

    it("have only the problem if the state cannot be read", async () => {
      const { site, context, last } = givenSite(fleet());
      const outputs: Properties = { devices: {}, unknown: 1 };
      await failureOf(site.update(context, outputs, inputs));
      expect(last()).to.deep.include({ operation: "update", devices: [], site: { site: "home", gaps: [] } });
    });
  });
});
