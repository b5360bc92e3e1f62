import { getEventListeners } from "node:events";
import { expect } from "chai";
import { ConfigurationError } from "../../../provider/configuration/error";
import type { Done } from "../../../provider/ledger/done";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import type { Operations } from "../../../provider/lifecycle/operations";
import { PartialError } from "../../../provider/lifecycle/run/errors";
import { SecretInputs } from "../../../provider/lifecycle/run/secretInputs";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import type { DeviceService } from "../../../provider/service/client";
import type { DeviceRef } from "../../../provider/service/device";
import { inverter } from "../../../provider/settings/inverter";
import type { Properties } from "../../../provider/settings/objects";
import { vehicle } from "../../../provider/settings/vehicle";
import { virtualClock } from "../../support/clock";
import { expectFacts, expectLike } from "../../support/facts";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE, contextOf, FakeService, fleet, ROOF, runOf, uncertain } from "../../support/fakes";
import { eachIn, settingsIn } from "../../support/records";
import { urnOf } from "../../support/sites";

const HERE = contextOf();
const STATE = { ...CAR, maxCapacity: 77_000, settings: { maxCapacity: {} } };

describe("deviceOperations", () => {
  virtualClock();

  it("show in a preview, and in nothing else, what is new and what changes, in a line for each device", async () => {
    const secrets = new SecretInputs(["maxChargePower", "vehicles.car.maxCapacity"]);
    const shownOf = async (
      operations: Operations,
      run: ReturnType<typeof runOf>,
      olds: Properties | undefined,
      news: Properties,
    ) => {
      await operations.diff({ ...HERE, secrets }, olds, news);
      expect(run.shown).to.deep.equal([]);
      await operations.diff({ ...HERE, secrets, isPreview: true }, olds, news);
      return run.shown.splice(0).flatMap((text) => text.split("\n"));
    };
    const run = runOf(COMPLETE, fleet({}));
    const car = deviceOperations(vehicle, () => run);
    const declared = { ...CAR, maxCapacity: 77_000, maxChargePower: 11_000 };
    expect(await shownOf(car, run, undefined, declared)).to.deep.equal(["maxCapacity 77 kWh, maxChargePower [secret]"]);
    expect(await shownOf(car, run, STATE, { ...CAR, maxCapacity: 80_000, onDelete: "restore" })).to.deep.equal([
      "maxCapacity 77 → 80 kWh, onDelete retain → restore",
    ]);
    expectLike(await shownOf(car, run, STATE, CAR), ["maxCapacity 77 kWh → …"]);
    expect(await shownOf(car, run, STATE, { ...CAR, maxCapacity: 77_000 })).to.deep.equal([]);
    const site = siteOperations(() => run);
    const vehicles = { car: { deviceId: "car", maxCapacity: 77_000, policy: "CHARGE BY" } };
    const inverters = { roof: { deviceId: "roof", observe: true } };
    expectLike(await shownOf(site, run, undefined, { businessId: "acme", vehicles, inverters }), [
      "inverter/roof: … observed",
      "vehicle/car: maxCapacity [secret], policy CHARGE BY",
    ]);
  });

  it("replace no resource that is new", async () => {
    const run = runOf(COMPLETE, fleet());
    const vehicles = { car: { deviceId: "car", maxCapacity: 77_000 } };
    for (const [operations, news] of [
      [deviceOperations(vehicle, () => run), { ...CAR, maxCapacity: 77_000 }],
      [siteOperations(() => run), { businessId: "acme", vehicles }],
    ] as const) {
      const { changes, replaces } = await operations.diff(HERE, undefined, news);
      expect([changes.length, replaces]).to.deep.equal([1, []]);
    }
  });

  it("report a site that they refuse as a whole, with its code", async () => {
    const run = runOf(COMPLETE, fleet());
    const lines: Done[] = [];
    const report = { ...run.report, done: (done: () => Done) => void lines.push(done()) };
    const home = contextOf(urnOf("home"));
    await failureOf(siteOperations(() => ({ ...run, report })).import(home, "home"));
    const found = lines.map(({ urn, operation, problem }) => [urn, operation, problem?.code]);
    expect(found).to.deep.equal([[urnOf("home"), "read", "siteImport"]]);
  });

  describe("parse inputs that a policy pack changed after the check", () => {
    const run = runOf({ SOLAR_CHARGING_BUSINESS_ID: "acme" });
    const site = siteOperations(() => run);
    const roof = { deviceId: "roof", peakPower: "9.8 kWp", azimuth: "SSW" };
    const parsed = { deviceId: "roof", peakPower: 9800, azimuth: 202.5 };
    const HOME = { businessId: "acme", ready: true, inverters: { roof } };

    it("like the check, and keep what it added", async () => {
      const given = { ...roof, businessId: "acme" };
      expect(await deviceOperations(inverter, () => run).parse(HERE, given)).to.deep.equal({ ...given, ...parsed });
      expect(await site.parse(HERE, HOME)).to.deep.equal({ ...HOME, inverters: { roof: parsed } });
    });

    for (const [what, inputs, property] of [
      ["a value beyond its range", { ...HOME, inverters: { roof: { ...roof, tilt: 135 } } }, "inverters.roof.tilt"],
      ["a text", { ...HOME, vehicles: { car: { deviceId: "car", maxCapacity: "abc" } } }, "vehicles.car.maxCapacity"],
      ["a key of the site", { ...HOME, onDelete: "forget" }, "onDelete"],
      ["a site without a business", { inverters: { roof } }, "inverters.roof.businessId"],
      ["a site that lacks something that it requires", { ...HOME, requireReady: true }, "requireReady"],
    ] as const) {
      it(`and refuse ${what}`, async () => {
        const error = await failureOf(site.parse(HERE, inputs));
        expect(error).to.have.nested.property("problem.code", "changedAfterCheck");
        expect(error.message).to.match(new RegExp(`^${property} `));
      });
    }

    it("but not those that come back unchanged, which would double the work of a preview", async () => {
      const { inputs, problems } = await site.check(HERE, {}, { inverters: { roof } });
      expect(problems).to.deep.equal([]);
      const back = structuredClone(inputs);
      expect(await site.parse(HERE, back)).to.equal(back);
      const changed = { ...back, inverters: { roof: { ...parsed, tilt: 135 } } };
      expect(await failureOf(site.parse(HERE, changed))).to.have.nested.property("problem.code", "changedAfterCheck");
    });

    it("and refuse one of a device with a resource of its own, without the value of a secret", async () => {
      const secrets = new SecretInputs(["maxCapacity"]);
      const error = await failureOf(
        deviceOperations(vehicle, () => run).parse({ ...HERE, secrets }, { deviceId: "car", maxCapacity: 999_999_999 }),
      );
      expect(error.message).to.match(/^businessId .*; maxCapacity /);
      expect(error.message).to.not.contain("999");
    });
  });

  it("say which limit ended them", async () => {
    const hanging: DeviceService = Object.assign(fleet(), {
      readDevice: (_: DeviceRef, signal: AbortSignal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const operations = deviceOperations(vehicle, () => runOf(COMPLETE, hanging));
    const error = await failureOf(operations.create({ ...HERE, timeoutSeconds: 7 }, { ...CAR, maxCapacity: 77_000 }));
    expect(error).to.have.nested.property("problem.code", "overdue");
    expect(error.message).to.contain("7 s");
  });

  it("keep what was sent if their time is over, and send nothing more", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const stalled: DeviceService = Object.assign(service, {
      updateDevice: (device: DeviceRef, _: object, signal: AbortSignal) =>
        new Promise<void>((_, reject) => {
          service.requests.push(`PATCH ${device.deviceId}`);
          signal.addEventListener("abort", () => reject(uncertain()));
        }),
    });
    const handlers = deviceOperations(vehicle, () => runOf(COMPLETE, stalled));
    const inputs = { ...CAR, maxCapacity: 77_000 };
    const error = await failureOf(handlers.create({ ...HERE, timeoutSeconds: 5 }, inputs));
    expect(error).to.be.instanceOf(PartialError);
    expect(settingsIn((error as PartialError).outputs)).to.have.nested.property("maxCapacity.status", "uncertain");
    expect(service.requests).to.deep.equal(["GET acme/car", "PATCH car"]);
  });

  it("make no request and need no service for check, diff and a delete that retains", async () => {
    const run = runOf({ SOLAR_CHARGING_BUSINESS_ID: "acme" });
    const handlers = deviceOperations(vehicle, () => run);
    await handlers.check(HERE, {}, { deviceId: "car" });
    await handlers.diff(HERE, STATE, { ...CAR, maxCapacity: 77_000 });
    await handlers.delete(HERE, STATE);
    await handlers.delete(HERE, { ...STATE, onDelete: "retain" });
  });

  it("leave a device alone in a delete that follows the create of a renamed resource", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const run = runOf(COMPLETE, service);
    const handlers = deviceOperations(vehicle, () => run);
    const { inputs } = await handlers.check(HERE, {}, { deviceId: "car", maxCapacity: 77_000, onDelete: "restore" });
    const { outputs } = await handlers.create(HERE, inputs);
    await handlers.delete(HERE, outputs);
    expect(service.get(CAR)).to.include({ max_capacity: 77_000 });
  });

  it("name the variables alone, if the stack's configuration does not count, as in a fleet", async () => {
    const only = { SOLAR_CHARGING_ENVIRONMENT_ONLY: "true" };
    const { businessId: _, ...car } = CAR;
    const run = runOf({ ...COMPLETE, ...only }, new FakeService());
    const unknown = await failureOf(deviceOperations(vehicle, () => run).create(HERE, { ...CAR, maxCapacity: 77_000 }));
    expect(unknown.message).to.contain("SOLAR_CHARGING_BASE_URL").and.not.contain("solar-charging:");
    const homeless = runOf({ ...COMPLETE, ...only, SOLAR_CHARGING_BUSINESS_ID: "" });
    const { problems } = await deviceOperations(vehicle, () => homeless).check(HERE, {}, car);
    expect(problems.map(({ reason }) => reason.includes("solar-charging:"))).to.deep.equal([false]);
  });

  it("use the wire names of the configuration, for inverters alone", async () => {
    const service = fleet({}, { slope: 10, tilt: 99 });
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: '{"tilt":"slope"}' }, service);
    const { outputs } = await deviceOperations(inverter, () => run).create(HERE, { ...ROOF, tilt: 30, azimuth: 180 });
    expect(eachIn(outputs, "baseline")).to.deep.equal({ tilt: 10 });
    await deviceOperations(vehicle, () => run).create(HERE, { ...CAR, maxCapacity: 77_000 });
    expect(service.sent).to.deep.equal([{ slope: 30, azimuth: 180 }, { max_capacity: 77_000 }]);
  });

  it("reject every call of the service with what the configuration lacks", async () => {
    const run = runOf({});
    const handlers = deviceOperations(vehicle, () => run);
    const calls = [
      handlers.create(HERE, CAR),
      handlers.update(HERE, STATE, CAR),
      handlers.read(HERE, "acme/car", {}),
      handlers.delete(HERE, { ...STATE, onDelete: "restore" }),
    ];
    for (const error of await Promise.all(calls.map(failureOf))) {
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(error.message).to.match(/SOLAR_CHARGING_BASE_URL.*SOLAR_CHARGING_ACCESS_TOKEN/);
    }
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
      const error = await failureOf(deviceOperations(vehicle, () => broken).check(HERE, {}, { deviceId: "car" }));
      expectFacts(error.message, ["check", "VehicleSettings"]);
    });

    it("diff with invalid state", async () => {
      const error = await failureOf(handlers.diff(HERE, { onDelete: "retain" }, CAR));
      expectFacts(error.message, ["VehicleSettings", "(businessId, deviceId and settings)"]);
      // Such as `pulumi do … delete … --stateless`.
      const without = await failureOf(handlers.delete(HERE, {}));
      expectFacts(without.message, ["VehicleSettings", "state"]);
      expect(without.message).to.not.contain("version");
    });
  });

  it("refuse state that a newer version wrote, and send nothing", async () => {
    const service = fleet();
    const run = runOf(COMPLETE, service);
    const handlers = deviceOperations(vehicle, () => run);
    const newer = { ...STATE, settings: { maxCapacity: { status: "confirmed" } } };
    const calls = [
      handlers.diff(HERE, newer, CAR),
      handlers.update(HERE, newer, { ...CAR, maxCapacity: 80_000 }),
      handlers.read(HERE, "acme/car", newer),
      handlers.delete(HERE, newer),
      handlers.delete(HERE, { ...newer, onDelete: "restore" }),
    ];
    for (const error of await Promise.all(calls.map(failureOf))) {
      expectFacts(error.message, [
        "VehicleSettings",
        "'car'",
        "(settings.maxCapacity.status)",
        "pulumi-solar-charging",
      ]);
    }
    expect(service.requests).to.deep.equal([]);
  });

  it("refuse to import a site, which is no device, without a request", async () => {
    const service = fleet();
    const run = runOf(COMPLETE, service);
    const failure = await failureOf(siteOperations(() => run).import(HERE, "home"));
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
      const failure = failureOf(deviceOperations(vehicle, () => run).create(HERE, { ...CAR, maxCapacity: 77_000 }));
      await signal;
      abort.abort(new Error("over"));
      expect((await failure).message).to.contain("over");
    }
  });
});

describe("operations with a time limit", () => {
  // Longer than Node's longest timer, which would end at once.
  const LONG = { ...HERE, timeoutSeconds: 30 * 24 * 3600 };
  const timers = () => process.getActiveResourcesInfo().filter((what) => what === "Timeout").length;

  it("may have one of a month, and leave no timer and no listener behind", async () => {
    const service = fleet({ max_capacity: 77_000 });
    const { readDevice } = service;
    service.readDevice = async (device) => {
      await new Promise((pass) => setTimeout(pass, 20));
      return await readDevice.call(service, device);
    };
    const abort = new AbortController();
    const run = { ...runOf(COMPLETE, service), aborting: abort.signal };
    const before = timers();
    const warnings: string[] = [];
    const collect = ({ name }: Error) => warnings.push(name);
    process.on("warning", collect);
    const operations = deviceOperations(vehicle, () => run);
    const inputs = { ...CAR, maxCapacity: 77_000 };
    await Promise.all(Array.from({ length: 20 }, () => operations.create(LONG, inputs)));
    await new Promise(setImmediate);
    process.off("warning", collect);
    // Node warns of many listeners at one signal, and of a timer that is too long.
    expect(warnings).to.not.include("MaxListenersExceededWarning").and.not.include("TimeoutOverflowWarning");
    expect(getEventListeners(abort.signal, "abort")).to.deep.equal([]);
    // The test's own timer may be one.
    expect(timers()).to.be.at.most(before + 1);
  });
});
