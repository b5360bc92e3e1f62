import { expect } from "chai";
import { ConfigurationError } from "../../../provider/configuration/error";
import { PartialError } from "../../../provider/lifecycle/errors";
import { deviceOperations, siteOperations } from "../../../provider/lifecycle/operations";
import type { DeviceService } from "../../../provider/service/client";
import type { DeviceRef } from "../../../provider/service/device";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE, FakeService, fleet, ROOF, runOf, uncertain } from "../../support/fakes";

describe("deviceOperations", () => {
  virtualClock();

  it("take a device through its life: check, create, diff, update, read, delete", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const run = runOf(COMPLETE, service);
    const handlers = deviceOperations(vehicle, () => run);

    const { inputs, problems } = await handlers.check(
      {},
      { deviceId: "car", maxCapacity: 77_000, onDelete: "restore" },
    );
    expect(problems).to.deep.equal([]);
    const { id, outputs } = await handlers.create(inputs);
    expect(id).to.equal("acme/car");
    expect(await handlers.diff(outputs, inputs)).to.deep.equal({ changes: [], replaces: [] });

    const changed = { ...inputs, maxCapacity: 80_000 };
    expect((await handlers.diff(outputs, changed)).changes).to.have.lengthOf(1);
    const updated = await handlers.update(outputs, changed);
    expect((await handlers.read(id, updated))?.inputs).to.deep.equal(changed);

    const next = runOf(COMPLETE, service);
    await deviceOperations(vehicle, () => next).delete(updated);
    expect(service.get(CAR)).to.include({ max_capacity: 60_000 });
    expect(service.requests.map((request) => request.split(" ")[0]).join(" ")).to.equal(
      "GET PATCH GET PATCH GET GET GET PATCH",
    );
  });

  it("make no request and need no service for check, diff and a delete that retains", async () => {
    const run = runOf({ SOLAR_CHARGING_BUSINESS_ID: "acme" });
    const handlers = deviceOperations(vehicle, () => run);
    await handlers.check({}, { deviceId: "car" });
    await handlers.diff(CAR, CAR);
    await handlers.delete({ ...CAR, maxCapacity: 77_000 });
    await handlers.delete({ ...CAR, maxCapacity: 77_000, onDelete: "retain" });
  });

  it("leave a device alone in a delete that follows the create of a renamed resource", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const run = runOf(COMPLETE, service);
    const handlers = deviceOperations(vehicle, () => run);
    const { inputs } = await handlers.check({}, { deviceId: "car", maxCapacity: 77_000, onDelete: "restore" });
    const { outputs } = await handlers.create(inputs);
    await handlers.delete(outputs);
    expect(service.get(CAR)).to.include({ max_capacity: 77_000 });
  });

  it("name the variables alone, where the stack's configuration does not count, as in a fleet", async () => {
    const only = { SOLAR_CHARGING_ENVIRONMENT_ONLY: "true" };
    const { businessId: _, ...car } = CAR;
    const run = runOf({ ...COMPLETE, ...only }, new FakeService());
    const unknown = await failureOf(deviceOperations(vehicle, () => run).create({ ...CAR, maxCapacity: 77_000 }));
    expect(unknown.message).to.contain("SOLAR_CHARGING_BASE_URL").and.not.contain("solar-charging:");
    const homeless = runOf({ ...COMPLETE, ...only, SOLAR_CHARGING_BUSINESS_ID: "" });
    const { problems } = await deviceOperations(vehicle, () => homeless).check({}, car);
    expect(problems.map(({ reason }) => reason.includes("solar-charging:"))).to.deep.equal([false]);
  });

  it("use the wire names of the configuration", async () => {
    const service = fleet();
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: '{"tilt":"slope"}' }, service);
    await deviceOperations(inverter, () => run).create({ ...ROOF, tilt: 30, azimuth: 180 });
    expect(service.sent).to.deep.equal([{ slope: 30, azimuth: 180 }]);
  });

  it("do not give an inverter's wire names to a vehicle", async () => {
    const service = fleet();
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: '{"tilt":"slope"}' }, service);
    await deviceOperations(vehicle, () => run).create({ ...CAR, maxCapacity: 77_000 });
    expect(service.sent).to.deep.equal([{ max_capacity: 77_000 }]);
  });

  it("give undefined for a device that is gone", async () => {
    const run = runOf(COMPLETE, new FakeService());
    expect(await deviceOperations(vehicle, () => run).read("acme/car", { reported: {} })).to.equal(undefined);
  });

  it("reject every call of the service with what the configuration lacks", async () => {
    const run = runOf({});
    const handlers = deviceOperations(vehicle, () => run);
    const calls = [
      handlers.create(CAR),
      handlers.update(CAR, CAR),
      handlers.read("acme/car", {}),
      handlers.delete({ ...CAR, onDelete: "restore" }),
    ];
    for (const error of await Promise.all(calls.map(failureOf))) {
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(error.message).to.match(/SOLAR_CHARGING_BASE_URL.*SOLAR_CHARGING_ACCESS_TOKEN/);
    }
  });

  it("give what is known of an uncertain update to the caller", async () => {
    const service = fleet({ max_capacity: 60_000 });
    service.afterUpdate = () => {
      throw uncertain();
    };
    const run = runOf(COMPLETE, service);
    const error = await failureOf(deviceOperations(vehicle, () => run).create({ ...CAR, maxCapacity: 77_000 }));
    expect(error).to.be.instanceOf(PartialError);
    expect((error as PartialError).outputs).to.deep.include({ baseline: { maxCapacity: 60_000 }, verification: {} });
  });

  describe("reject with Errors", () => {
    const handlers = deviceOperations(vehicle, () => runOf(COMPLETE, fleet()));

    it("check with a configuration that throws no Error", async () => {
      const broken = {
        ...runOf({}),
        configuration: () => {
          throw undefined;
        },
      };
      const error = await failureOf(deviceOperations(vehicle, () => broken).check({}, { deviceId: "car" }));
      expect(error.message).to.equal("check of VehicleSettings failed: no reason was given");
    });

    it("diff with state that is none", async () => {
      const error = await failureOf(handlers.diff({}, CAR));
      expect(error.message).to.match(
        /^the state of VehicleSettings is not understood .*: look at businessId, deviceId\./,
      );
    });
  });

  it("refuse state that a newer version wrote, and send nothing", async () => {
    const service = fleet();
    const run = runOf(COMPLETE, service);
    const handlers = deviceOperations(vehicle, () => run);
    const newer = { ...CAR, maxCapacity: 77_000, baseline: {}, verification: { maxCapacity: "confirmed" } };
    const calls = [
      handlers.diff(newer, CAR),
      handlers.update(newer, { ...CAR, maxCapacity: 80_000 }),
      handlers.read("acme/car", newer),
      handlers.delete(newer),
      handlers.delete({ ...newer, onDelete: "restore" }),
    ];
    for (const error of await Promise.all(calls.map(failureOf))) {
      expect(error.message).to.equal(
        "the state of VehicleSettings for device 'car' is not understood by this version, and nothing is sent: look at " +
          "verification.maxCapacity. A newer version of pulumi-solar-charging probably wrote it: install that one or a later one",
      );
    }
    expect(service.requests).to.deep.equal([]);
  });

  it("take a device over as it is, so that a program which declares what is reported changes nothing", async () => {
    const service = fleet({ max_capacity: 60_000, policy: "CHARGE BY" });
    const run = runOf(COMPLETE, service);
    const handlers = deviceOperations(vehicle, () => run);
    const { id, inputs, outputs } = await handlers.import("acme/car");
    expect(service.requests).to.deep.equal(["GET acme/car"]);
    expect(id).to.equal("acme/car");
    const values = { maxCapacity: 60_000, policy: "CHARGE BY" };
    expect(inputs).to.deep.equal({ ...CAR, ...values });
    expect(outputs).to.deep.include({ ...CAR, ...values, reported: values, baseline: values });
    expect(await handlers.diff(outputs, inputs)).to.deep.equal({ changes: [], replaces: [] });
  });

  it("refuse to import a site, which is no device, without a request", async () => {
    const service = fleet();
    const run = runOf(COMPLETE, service);
    const failure = await failureOf(siteOperations(() => run).import("home"));
    expect(failure).to.have.nested.property("problem.code", "siteImport");
    expect(service.requests).to.deep.equal([]);
  });

  it("give up what is under way once the run is aborted, also if it is by then", async () => {
    for (const isLate of [false, true]) {
      const abort = new AbortController();
      let asked: (signal: AbortSignal) => void = () => {};
      const signal = new Promise<AbortSignal>((resolve) => {
        asked = resolve;
      });
      const hanging: DeviceService = Object.assign(new FakeService(), {
        readDevice: (_: DeviceRef, given: AbortSignal) => {
          asked(given);
          return new Promise((_, reject) => {
            if (given.aborted) reject(given.reason);
            given.addEventListener("abort", () => reject(given.reason));
          });
        },
      });
      const run = { ...runOf(COMPLETE, hanging), aborting: abort.signal };
      if (isLate) abort.abort(new Error("over"));
      const failure = failureOf(deviceOperations(vehicle, () => run).create({ ...CAR, maxCapacity: 77_000 }));
      await signal;
      abort.abort(new Error("over"));
      expect((await failure).message).to.contain("over");
    }
  });
});
