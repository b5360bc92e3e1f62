import { expect } from "chai";
import { RUN_STOPPED } from "../../../provider/engine/messages";
import type { Done } from "../../../provider/ledger/done";
import type { Context } from "../../../provider/lifecycle/run/context";
import { NotReviewedError, PartialError } from "../../../provider/lifecycle/run/errors";
import { notReviewed } from "../../../provider/lifecycle/run/messages";
import { SecretInputs } from "../../../provider/lifecycle/run/secretInputs";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import { MessageError } from "../../../provider/messages/message";
import { failureOfCommand, failureOfConnection, ServiceError } from "../../../provider/service/errors";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE, contextOf, type FakeService, fleet, refused, runOf, uncertain } from "../../support/fakes";
import { urnOf } from "../../support/sites";

const DEVICE = `${CAR.businessId}/${CAR.deviceId}`;
const INPUTS = {
  businessId: CAR.businessId,
  solar: false,
  vehicles: { car: { deviceId: CAR.deviceId, maxCapacity: 77_000 } },
};

describe("the lines of what an operation on a site has done", () => {
  virtualClock();

  function given(service: FakeService = fleet({ max_capacity: 60_000 }), facts: Partial<Context> = {}) {
    const [run, lines] = [runOf(COMPLETE, service), [] as Done[]];
    const report = { ...run.report, done: (done: () => Done) => void lines.push(done()) };
    const site = siteOperations(() => ({ ...run, report }));
    return { service, site, context: contextOf(urnOf("home"), facts), lines, last: () => lines.at(-1) as Done };
  }

  it("have the states, and what was sent, of each step in the life of a site", async () => {
    const { service, site, context, lines, last } = given();
    await site.check(context, {}, INPUTS);
    expect(lines).to.deep.equal([]);
    await site.diff(context, undefined, INPUTS);
    const sent = { [DEVICE]: ["maxCapacity"] };
    expect(last()).to.deep.include({ operation: "diff", urn: context.urn, before: undefined, after: undefined, sent });
    expect(last().planned).to.deep.include(INPUTS);
    const { outputs } = await site.create(context, INPUTS);
    const none = { problems: {}, problem: undefined };
    expect({ ...none, ...last() }).to.deep.equal({
      ...{ urn: context.urn, operation: "create", before: undefined, after: outputs, planned: INPUTS, sent, ...none },
    });
    const written = lines.length;
    await site.diff(context, outputs, INPUTS);
    await site.read(context, "home", outputs);
    expect(lines).to.have.lengthOf(written);
    const news = { ...INPUTS, onDelete: "restore" };
    const updated = await site.update(context, outputs, news);
    expect(last()).to.deep.include({ before: outputs, after: updated, planned: news, sent: {} });
    const later = given(service);
    await later.site.delete(context, updated);
    expect(later.last()).to.deep.include({ operation: "delete", before: updated, after: undefined, sent });
  });

  for (const [what, error] of [
    ["is refused", refused(422)],
    ["is of unknown outcome", uncertain()],
  ] as const) {
    it(`have the reason if an update ${what}, and what was sent`, async () => {
      const { service, site, context, last } = given();
      service.beforeUpdate = () => {
        throw error;
      };
      await failureOf(site.create(context, INPUTS));
      expect(last()).to.deep.include({ operation: "create", sent: { [DEVICE]: ["maxCapacity"] }, problem: undefined });
      expect(last().problems[DEVICE]?.code).to.be.oneOf(["uncertain", "requestRefused"]);
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
      const { service, site, context, last } = given();
      service.beforeUpdate = () => {
        throw error;
      };
      await failureOf(site.create(context, INPUTS));
      expect(last().sent).to.deep.equal({});
      expect(last().problems).to.have.property(DEVICE);
    });
  }

  it("have the reason of a read or a delete that failed, and the state that stays", async () => {
    const { service, site, context, last } = given();
    const { outputs } = await site.create(context, { ...INPUTS, onDelete: "restore" });
    service.beforeRead = () => {
      throw refused(503);
    };
    await failureOf(site.read(context, "home", outputs));
    expect(last()).to.deep.include({ before: outputs, after: outputs });
    await failureOf(site.delete(context, outputs));
    expect(last()).to.deep.include({ operation: "delete", before: outputs, after: outputs });
    expect(last().problems[DEVICE]?.code).to.equal("serviceFails");
  });

  it("have the state after an update in part, and the problem of the device that failed", async () => {
    const { site, context, last } = given();
    const vans = { ...INPUTS.vehicles, van: { deviceId: "none", maxCapacity: 77_000 } };
    const error = await failureOf(site.create(context, { ...INPUTS, vehicles: vans }));
    expect(error).to.be.instanceOf(PartialError);
    expect(last().after).to.equal((error as PartialError).outputs);
    const problems = Object.entries(last().problems).map(([name, { code, device }]) => [name, code, device]);
    expect(problems).to.deep.equal([[`${CAR.businessId}/none`, "noSuchDevice", "vehicle/van"]]);
  });

  it("have the failure of a device that leaves at its own id, and not at that of the one that gets its name", async () => {
    const service = fleet({ max_capacity: 60_000 });
    service.put({ ...CAR, deviceId: "van" }, { dev_type: "Electric vehicle" });
    const { site, context, last } = given(service);
    const { outputs } = await site.create(context, { ...INPUTS, onDelete: "restore" });
    service.fail("updates", () => refused(503), CAR.deviceId);
    const van = { car: { deviceId: "van", maxCapacity: 77_000 } };
    await failureOf(site.update(context, outputs, { ...INPUTS, vehicles: van }));
    const problems = Object.entries(last().problems).map(([name, { code, device }]) => [name, code, device]);
    expect(problems).to.deep.equal([[DEVICE, "serviceFails", "vehicle/car"]]);
  });

  it("tell a request that the user stopped from one that failed", async () => {
    const { service, site, context, last } = given();
    const { outputs } = await site.create(context, INPUTS);
    service.fail("reads", () => new MessageError(RUN_STOPPED));
    await failureOf(site.read(context, "home", outputs));
    expect(last().problems[DEVICE]?.code).to.equal("runStopped");
  });

  it("have the problem of the site if its state cannot be read", async () => {
    const { site, context, last } = given();
    const before = { devices: {}, unknown: 1 };
    await failureOf(site.update(context, before, INPUTS));
    expect(last()).to.deep.include({ operation: "update", before, after: before, problems: {} });
    expect(last().problem?.finding).to.contain("unknown");
  });

  it("have a text in place of a secret value, in every state", async () => {
    const secrets = new SecretInputs(["vehicles.car.maxCapacity"], [77_000, 60_000]);
    const { site, context, lines, last } = given(undefined, { secrets });
    await site.diff(context, undefined, INPUTS);
    const { outputs } = await site.create(context, INPUTS);
    await site.read(context, "home", outputs);
    await site.delete(context, outputs);
    expect(last().before).to.have.nested.property("devices.vehicle/car.maxCapacity", "[secret]");
    expect(last().before).to.have.nested.property("devices.vehicle/car.settings.maxCapacity.baseline", "[secret]");
    expect(lines[0]?.planned).to.have.nested.property("vehicles.car.maxCapacity", "[secret]");
    expect(JSON.stringify(lines)).not.to.match(/77000|60000/);
  });
});
