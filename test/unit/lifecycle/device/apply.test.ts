import { expect } from "chai";
import fc from "fast-check";
import { Store } from "../../../../provider/ledger/store";
import { apply } from "../../../../provider/lifecycle/device/apply";
import { diff } from "../../../../provider/lifecycle/device/diff";
import { baselinesIn, isSame } from "../../../../provider/lifecycle/device/record";
import { inverter } from "../../../../provider/settings/inverter";
import type { Properties } from "../../../../provider/settings/objects";
import { toPatch, type Values } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { kindAndTwoValues } from "../../../support/arbitraries";
import { virtualClock } from "../../../support/clock";
import { failureOf } from "../../../support/failure";
import {
  CAR,
  callOf,
  claimed,
  diffOf,
  FakeService,
  fleet,
  logsWith,
  ownerOf,
  ROOF,
  refused,
  uncertain,
} from "../../../support/fakes";
import { eachIn, settingsIn } from "../../../support/records";
import { carStack, DeviceStack, roofStack } from "../../../support/sites";

/** A car that is declared and applied: its capacity changed from 60 to 77 kWh, and its policy stayed. */
const BEFORE = { max_capacity: 60_000, policy: "CHARGE BY" };
const DECLARED = { maxCapacity: 77_000, policy: "CHARGE BY" };
const CHANGED = { ...DECLARED, maxCapacity: 80_000 };
const POLICY = { baseline: "CHARGE BY" };
const patch = (max_capacity: number) => `PATCH {"max_capacity":${max_capacity}}`;

async function appliedCar(fields: Properties = {}, environment: NodeJS.ProcessEnv = {}): Promise<DeviceStack> {
  const car = carStack({ ...BEFORE, ...fields }, environment);
  await car.up(DECLARED);
  return car;
}

describe("an update that reads somebody else's value beside its own", () => {
  virtualClock();

  const FORECAST = "CHARGE BY FORECAST";
  for (const [what, stale] of [
    ["verified", 0],
    ["pending", 1000],
  ] as const) {
    it(`says so, and leaves it to the next refresh, if the setting was ${what}`, async () => {
      const car = carStack({ max_capacity: 60_000, policy: FORECAST });
      car.service.staleReads = stale;
      await car.up(DECLARED);
      car.service.staleReads = 0;
      car.set({ policy: "MANUAL" });
      const { codes, requests } = await car.up(CHANGED);
      expect(requests).to.deep.equal([patch(80_000), "GET"]);
      expect(codes).to.deep.equal(["driftInCache"]);
      expect(car.shown.at(-1)).to.contain("MANUAL").and.contain("CHARGE BY");
      expect(car.settings.policy).to.include({ status: "pending" });
      await car.refresh();
      expect(await car.differs(CHANGED)).to.equal(true);
    });
  }

  it("says nothing of a setting that it does not manage, or that has the declared value", async () => {
    const car = await appliedCar({ max_charge_power: 3_000 });
    car.set({ max_charge_power: 11_000 });
    expect((await car.up(CHANGED)).codes).to.deep.equal([]);
  });
});

describe("create of a device", () => {
  virtualClock();

  it("reads, sends the declared keys that differ or are not reported, and reads back", async () => {
    const car = carStack(BEFORE);
    const { requests, infos } = await car.up({ ...DECLARED, maxChargePower: 11_000, onDelete: "restore" });
    expect(infos, "a kill could lose them").to.include("maxCapacity was 60 kWh");
    expect(requests).to.deep.equal(["GET", 'PATCH {"max_capacity":77000,"max_charge_power":11000}', "GET"]);
    expect(car.outputs).to.deep.equal({
      ...{ ...CAR, ...DECLARED, maxChargePower: 11_000, onDelete: "restore" },
      settings: {
        maxCapacity: { baseline: 60_000 },
        maxChargePower: {},
        policy: POLICY,
      },
    });
  });

  for (const [what, args, settings] of [
    ["as declared", { maxCapacity: 60_000 }, { maxCapacity: { baseline: 60_000 } }],
    ["not declared at all", {}, { maxCapacity: { status: "unmanaged", reported: 60_000 } }],
  ] as const) {
    it(`sends nothing to a device that is ${what}: one read is all`, async () => {
      const car = carStack({ max_capacity: 60_000 });
      expect((await car.up(args)).requests).to.deep.equal(["GET"]);
      expect(car.settings).to.deep.equal(settings);
    });
  }

  it("writes its baselines down before a first update, for its own resource, and an update only those of new keys", async () => {
    const planned: unknown[] = [];
    const journal = logsWith({
      plan: (devices, urn) => void planned.push(...devices.map(({ changes }) => ({ changes, urn }))),
    });
    const store = new Store({ journal: () => journal });
    claimed(store, ROOF, { tilt: 30 }, ownerOf("urn:roof"));
    const urn = "urn:car";
    const call = callOf(vehicle, fleet({ max_capacity: 60_000, max_charge_power: 3000 }), { store, urn });
    const declared = (values: Values) => ({ ...CAR, values });
    const state = await apply(call, undefined, declared({ maxCapacity: 77_000 }));
    expect(planned).to.deep.equal([{ changes: [{ key: "maxCapacity", old: 60_000, new: 77_000 }], urn }]);
    await apply(call, state, declared({ maxCapacity: 78_000 }));
    await apply(call, state, declared({ maxCapacity: 77_000 }));
    expect(planned).to.have.lengthOf(1);
    await apply(call, state, declared({ maxCapacity: 77_000, maxChargePower: 11_000 }));
    const changes = [{ key: "maxChargePower", old: 3000, new: 11_000 }];
    expect(planned.slice(1)).to.deep.equal([{ changes, urn }]);
    await apply(call, state, declared({ maxCapacity: 77_000, maxChargePower: 11_000 }));
    expect(planned).to.have.lengthOf(2);
  });

  for (const [what, service, code] of [
    ["does not exist", new FakeService(), "noSuchDevice"],
    ["is of another type", fleet({ dev_type: "Inverter" }), "otherKind"],
    ["cannot be read", fleet(), "notAllowed"],
  ] as const) {
    it(`fails for a device that ${what}, before anything is sent`, async () => {
      if (code === "notAllowed") service.fail("reads", () => refused(403));
      const { error, requests } = await new DeviceStack(vehicle, service).up(DECLARED);
      expect(error).to.have.nested.property("problem.code", code);
      expect(requests).to.deep.equal(["GET"]);
    });
  }
});

describe("update of a device", () => {
  virtualClock();

  it("sends only the declared keys that changed, without reading first", async () => {
    const car = await appliedCar({ max_charge_power: 3000 });
    expect((await car.up(CHANGED)).requests).to.deep.equal([patch(80_000), "GET"]);
    expect(car.outputs).to.deep.equal({
      ...{ ...CAR, ...CHANGED },
      settings: {
        maxCapacity: { baseline: 60_000 },
        maxChargePower: { status: "unmanaged", reported: 3000 },
        policy: POLICY,
      },
    });
  });

  it("adopts somebody else's value without a request if the program declares it, and keeps the baseline", async () => {
    const car = await appliedCar();
    car.set({ max_capacity: 80_000 });
    await car.refresh();
    const { requests, infos } = await car.up({ ...CHANGED, onDelete: "restore" });
    expect(requests).to.deep.equal([]);
    expect(infos).to.equal("");
    expect(car.settings.maxCapacity).to.deep.equal({ ours: 77_000, baseline: 60_000 });
  });

  it("stops managing a key that is no longer declared, without a request, and keeps what is known of the others", async () => {
    const car = await appliedCar();
    car.service.hidden.add("policy");
    await car.up(CHANGED);
    const { requests, infos } = await car.up({ policy: "CHARGE BY" });
    expect(requests).to.deep.equal([]);
    expect(infos).to.contain("maxCapacity was 60 kWh");
    expect(car.outputs).not.to.have.property("maxCapacity");
    expect(car.settings).to.deep.equal({
      maxCapacity: { status: "unmanaged", reported: 80_000 },
      policy: { status: "notReported", baseline: "CHARGE BY" },
    });
    expect(car.service.get(CAR)).to.include({ max_capacity: 80_000 });
  });

  it("changes the options without a request", async () => {
    const options = { onDelete: "reset", ignoreLints: ["flat-tilt"] };
    const car = await appliedCar();
    expect((await car.up({ ...DECLARED, ...options })).requests).to.deep.equal([]);
    expect(car.outputs).to.deep.include(options);
  });

  it("reads the device for the baseline of a key that is declared for the first time: it may have changed", async () => {
    const car = await appliedCar({ max_charge_power: 3000 });
    car.set({ max_charge_power: 3700 });
    const { requests } = await car.up({ ...DECLARED, maxChargePower: 11_000 });
    expect(requests).to.deep.equal(["GET", 'PATCH {"max_charge_power":11000}', "GET"]);
    expect(car.each("baseline")).to.deep.equal({ maxCapacity: 60_000, maxChargePower: 3700, policy: "CHARGE BY" });
    const other = await appliedCar({ max_charge_power: 3000 });
    expect((await other.up({ ...DECLARED, maxChargePower: 3000 })).requests).to.deep.equal(["GET"]);
    expect(other.settings.maxChargePower).to.deep.equal({ baseline: 3000 });
  });

  it("writes over drift that a refresh has shown, and keeps the first baseline", async () => {
    const car = await appliedCar();
    car.set({ max_capacity: 50_000 });
    await car.refresh();
    const { requests, infos } = await car.up(DECLARED);
    expect([requests, infos]).to.deep.equal([[patch(77_000), "GET"], ""]);
    expect(car.settings.maxCapacity).to.deep.equal({ baseline: 60_000 });
  });

  it("keeps the baseline of a drifted setting that the program ignores, while another setting changes", async () => {
    const car = await appliedCar();
    car.set({ max_capacity: 50_000 });
    await car.refresh();
    // With ignoreChanges, the engine gives the provider the value that the refresh has found.
    const { requests, infos } = await car.up({ ...DECLARED, maxCapacity: 50_000, maxChargePower: 3600 });
    expect(requests).to.deep.equal(["GET", 'PATCH {"max_charge_power":3600}', "GET"]);
    expect(car.settings.maxCapacity).to.deep.equal({ ours: 77_000, baseline: 60_000 });
    expect(infos).to.equal("");
  });

  it("keeps, after a refresh, who set a value that the program ignores", async () => {
    const car = await appliedCar();
    car.set({ max_capacity: 50_000 });
    await car.refresh();
    await car.up({ ...DECLARED, maxCapacity: 50_000, maxChargePower: 3600 });
    await car.refresh();
    expect(car.settings.maxCapacity).to.deep.equal({ ours: 77_000, baseline: 60_000 });
  });

  for (const status of [400, 401, 403, 404, 409, 422]) {
    it(`fails plainly if it was refused (${status}): nothing has changed`, async () => {
      const car = await appliedCar();
      const { outputs } = car;
      const refusal = refused(status);
      car.service.fail("updates", () => refusal);
      expect((await car.up(CHANGED)).error).to.equal(refusal);
      expect(car.outputs).to.equal(outputs);
    });
  }

  for (const [what, cause] of [
    ["no answer", uncertain()],
    ["a refusal after a try that broke off", refused(403, { maybeApplied: true })],
    ["a deadline", new Error("update of VehicleSettings gave up after 430 s")],
  ] as const) {
    it(`keeps what is known if its outcome is not (${what}), and the next one sends it again`, async () => {
      const car = await appliedCar();
      const mend = car.service.fail("answers", () => cause);
      const { requests, reasons } = await car.up(CHANGED);
      expect(requests).to.deep.equal([patch(80_000)]);
      expect(reasons.join()).to.contain(cause.message);
      const unsure = { status: "uncertain", sent: [80_000], ours: 77_000, reported: 77_000, baseline: 60_000 };
      expect(car.outputs).to.deep.equal({ ...CAR, ...CHANGED, settings: { maxCapacity: unsure, policy: POLICY } });
      mend();
      expect((await car.up(CHANGED)).requests).to.deep.equal([patch(80_000), "GET"]);
      expect(car.settings).to.deep.equal({ maxCapacity: { baseline: 60_000 }, policy: POLICY });
    });
  }

  it("keeps every value that one of several updates of unknown outcome can have left", async () => {
    const car = await appliedCar();
    car.service.fail("updates", uncertain);
    for (const maxCapacity of [80_000, 81_000, 80_000]) await car.up({ ...DECLARED, maxCapacity });
    expect(car.settings.maxCapacity).to.deep.include({ ours: 77_000, sent: [80_000, 81_000] });
  });
});

describe("reading an update back", () => {
  const clock = virtualClock();
  const PATIENT = { SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "10" };
  const FAILING = () => new Error("HTTP 500");

  /** Updates a car to 80 kWh. @param arrange changes the service after the car has 77 kWh */
  async function updated(
    arrange: (car: DeviceStack) => void = () => {},
    environment = PATIENT,
    args: Values = CHANGED,
  ) {
    const car = await appliedCar({}, environment);
    arrange(car);
    const { requests, codes } = await car.up(args);
    return { car, reads: requests.length - 1, codes };
  }
  const stale = (reads: number) => (car: DeviceStack) => {
    car.service.staleReads = reads;
  };

  it("is one read if the cache is current, which shows what is not declared too", async () => {
    const { car, reads, codes } = await updated(({ service }) => service.set(CAR, { max_charge_power: 3000 }));
    expect(car.settings).to.deep.include({
      maxCapacity: { baseline: 60_000 },
      maxChargePower: { status: "unmanaged", reported: 3000 },
    });
    expect([reads, codes]).to.deep.equal([1, []]);
  });

  for (const [what, arrange, reads, settings, codes] of [
    ["reads again while a key that was sent is stale", stale(2), 3, {}, []],
    [
      "waits for no key that is not reported",
      ({ service }: DeviceStack) => service.hidden.add("max_capacity"),
      1,
      { maxCapacity: "notReported" },
      [],
    ],
    [
      "waits for no key that was not sent",
      (car: DeviceStack) => car.set({ policy: "CHARGE BY FORECAST" }),
      1,
      { policy: "pending" },
      ["driftInCache"],
    ],
    [
      "is a warning and no failure if it fails",
      ({ service }: DeviceStack) => service.fail("reads", FAILING),
      1,
      { maxCapacity: "pending" },
      ["notReadBack"],
    ],
    [
      "is a warning and no failure if the device is gone",
      (car: DeviceStack) => {
        car.service.afterUpdate = () => car.service.remove(CAR);
      },
      1,
      { maxCapacity: "pending" },
      ["notReadBack"],
    ],
  ] as const) {
    it(what, async () => {
      const found = await updated(arrange);
      expect(found.car.each("status")).to.deep.equal(settings);
      expect([found.reads, found.codes]).to.deep.equal([reads, codes]);
      expect(found.car.outputs).to.include(CHANGED);
    });
  }

  it("gives the reason if the device is gone", async () => {
    const { car } = await updated((car) => {
      car.service.afterUpdate = () => car.service.remove(CAR);
    });
    expect(car.shown.at(-1)).to.contain("the service does not know");
  });

  it("waits at most two seconds between two reads", async () => {
    const { reads } = await updated(stale(Number.POSITIVE_INFINITY));
    expect(Math.max(...clock.waits)).to.equal(2000);
    expect(Math.min(...clock.waits)).to.equal(250);
    expect(reads).to.be.above(7);
  });

  it("ends with a warning when the time is up: it names key, value sent and value shown", async () => {
    clock.random = 0.5;
    const begin = Date.now();
    const { car, reads, codes } = await updated(stale(Number.POSITIVE_INFINITY));
    expect(car.settings.maxCapacity).to.deep.equal({ status: "pending", reported: 77_000, baseline: 60_000 });
    expect(reads).to.be.within(3, 60);
    expect(Date.now() - begin).to.be.within(10_000, 13_000);
    expect(codes).to.deep.equal(["pending"]);
    expect(car.shown.at(-1)).to.match(/'car'.*maxCapacity.*80 kWh.*77 kWh/);
    const hasty = await updated(stale(Number.POSITIVE_INFINITY), { SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0" });
    expect([hasty.reads, hasty.codes]).to.deep.equal([1, ["pending"]]);
  });

  it("names in its warning every key that was sent, and the value known before", async () => {
    const fail = ({ service }: DeviceStack) => service.fail("reads", FAILING);
    const { car } = await updated(fail, PATIENT, { maxCapacity: 80_000, policy: "CHARGE BY FORECAST" });
    expect(car.shown.at(-1)).to.contain("maxCapacity and policy").and.contain("HTTP 500");
    expect(car.settings.maxCapacity).to.include({ status: "pending", reported: 77_000 });
  });
});

describe("a value that the service adjusts", () => {
  virtualClock();
  const UNROUNDED = { maxCapacity: 77_400, onDelete: "restore" };

  /** A car whose capacity the service rounds to full kWh, after we have declared it. */
  async function rounded() {
    const car = carStack({ max_capacity: 60_000 });
    car.service.afterUpdate = () =>
      car.set({ max_capacity: Math.floor(Number(car.service.get(CAR)?.max_capacity) / 1000) * 1000 });
    return { car, ...(await car.up(UNROUNDED)) };
  }

  it("is reported with both numbers, counts as accepted, and is no drift after a refresh", async () => {
    const { car, codes } = await rounded();
    const adjusted = { status: "adjusted", reported: 77_000, baseline: 60_000 };
    expect(car.outputs).to.deep.include({ maxCapacity: 77_400, settings: { maxCapacity: adjusted } });
    expect(codes).to.deep.equal(["adjusted"]);
    expect(car.shown.at(-1)).to.contain("77.4 kWh").and.contain("77 kWh");
    await car.refresh();
    expect(car.inputs).to.include({ maxCapacity: 77_400 });
    expect(await car.differs(UNROUNDED)).to.equal(false);
  });

  it("is drift if somebody changes it afterwards", async () => {
    const { car } = await rounded();
    car.set({ max_capacity: 50_000 });
    await car.refresh();
    expect(car.inputs).to.include({ maxCapacity: 50_000 });
  });

  it("is still ours on delete: the baseline is written back", async () => {
    const { car } = await rounded();
    await car.destroy();
    expect(car.service.get(CAR)).to.include({ max_capacity: 60_000 });
  });

  it("is pending, and not adjusted, while the cache shows what it showed before", async () => {
    const car = carStack({ max_capacity: 60_000 });
    car.service.staleReads = 1000;
    expect((await car.up(UNROUNDED)).codes).to.deep.equal(["pending"]);
    expect(car.each("status")).to.deep.equal({ maxCapacity: "pending" });
  });
});

describe("create, refresh and update of any device", () => {
  virtualClock();

  /** A device with the first values, and a stack that has declared the second ones. */
  async function applied(kind: typeof vehicle, before: Values, declared: Values) {
    const service = new FakeService().put(kind === vehicle ? CAR : ROOF, {
      note: "not ours",
      ...toPatch(kind, before),
    });
    const stack = new DeviceStack(kind, service);
    return { stack, ...(await stack.up(declared)) };
  }
  const has = ({ service, ref }: DeviceStack, kind: typeof vehicle, values: Values) =>
    expect(service.get(ref)).to.deep.equal({ note: "not ours", ...toPatch(kind, values) });
  const twoValues = kindAndTwoValues.filter(
    ({ first, second }) =>
      [first, second].every(({ cutInThreshold = 0, peakPower = 1e9 }) => cutInThreshold < peakPower) &&
      // A difference that is the noise of a float is not sent.
      Object.keys(first).every((key) => first[key] === second[key] || !isSame(first[key], second[key])),
  );

  it("make it as declared, leave the rest as before, and send nothing that is undeclared or already so", async () => {
    await fc.assert(
      fc.asyncProperty(twoValues, async ({ kind, first, second }) => {
        const { stack, requests } = await applied(kind, first, second);
        has(stack, kind, { ...first, ...second });
        const known = toPatch(kind, first);
        const missing = Object.entries(toPatch(kind, second)).filter(([name, value]) => known[name] !== value);
        const sent = `PATCH ${JSON.stringify(Object.fromEntries(missing))}`;
        expect(requests).to.deep.equal(missing.length === 0 ? ["GET"] : ["GET", sent, "GET"]);
        expect(await stack.differs(second)).to.equal(false);
        const { inputs, outputs } = stack;
        await stack.refresh();
        expect([stack.inputs, stack.outputs]).to.deep.equal([inputs, outputs]);
      }),
    );
  });

  it("reach the declared state from any other", async () => {
    await fc.assert(
      fc.asyncProperty(twoValues, async ({ kind, first, second }) => {
        const { stack } = await applied(kind, {}, first);
        await stack.up(second);
        has(stack, kind, { ...first, ...second });
        expect(await stack.differs(second)).to.equal(false);
      }),
    );
  });
});

describe("import of a device", () => {
  /** @returns the result of the import, and the codes of its warnings */
  async function imported(stack: DeviceStack) {
    const run = stack.run();
    const found = await stack.operations(run).import(stack.context(), `acme/${stack.ref.deviceId}`);
    return { ...found, codes: run.noted.map(({ message }) => message.code) };
  }

  it("declares all reported values as its baseline, so that nothing differs", async () => {
    const car = carStack(BEFORE);
    const { inputs, outputs, codes } = await imported(car);
    const reported = { maxCapacity: 60_000, policy: "CHARGE BY" };
    expect(inputs).to.deep.equal({ ...CAR, ...reported });
    expect(eachIn(outputs, "baseline")).to.deep.equal(reported);
    expect([diffOf(vehicle, outputs, inputs).changes, codes]).to.deep.equal([[], []]);
    expect(car.service.requests).to.deep.equal(["GET acme/car"]);
  });

  it("leaves out what no program may declare, and warns of it", async () => {
    const roof = roofStack({ id: "roof", peak_power: 1, tilt: 35, cut_in_threshold: 150 });
    const { inputs, outputs, codes } = await imported(roof);
    expect(inputs).to.include({ tilt: 35 }).and.not.have.property("peakPower");
    expect(settingsIn(outputs).peakPower).to.deep.equal({ status: "unmanaged", reported: 1 });
    expect(diffOf(inverter, outputs, inputs).changes).to.deep.equal([]);
    expect(new Set(codes)).to.deep.equal(new Set(["notImported"]));
  });

  it("fails if the service does not know the device", async () => {
    const failure = await failureOf(imported(new DeviceStack(vehicle, new FakeService())));
    expect(failure).to.have.nested.property("problem.code", "noSuchDevice");
  });
});

describe("two resources that swap their devices", () => {
  const VAN = { ...CAR, deviceId: "van" };
  const declared = (device: typeof CAR, maxCapacity: number) => ({ ...device, values: { maxCapacity } });

  it("each keep what the device was before anybody managed it, unless somebody else has set it since", async () => {
    for (const [found, baseline] of [
      [51_000, 50_000],
      [70_000, 70_000],
    ] as const) {
      const service = fleet({ max_capacity: 50_000 }).put(VAN, { max_capacity: 60_000 });
      const first = callOf(vehicle, service);
      const car = await apply(first, undefined, declared(CAR, 51_000));
      const van = await apply(first, undefined, declared(VAN, 61_000));
      service.set(CAR, { max_capacity: found });
      const store = new Store();
      diff(car, declared(VAN, 61_000), store);
      diff(van, declared(CAR, 51_000), store);
      const second = callOf(vehicle, service, { store });
      const swapped = [
        apply(second, undefined, declared(VAN, 61_000)),
        apply(second, undefined, declared(CAR, 51_000)),
      ];
      const baselines = (await Promise.all(swapped)).map(({ settings }) => baselinesIn(settings));
      expect(baselines).to.deep.equal([{ maxCapacity: 60_000 }, { maxCapacity: baseline }]);
    }
  });
});
