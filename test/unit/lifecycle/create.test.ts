import { expect } from "chai";
import fc from "fast-check";
import { create, update } from "../../../provider/lifecycle/create";
import { diff } from "../../../provider/lifecycle/diff";
import { UncertainError } from "../../../provider/lifecycle/errors";
import { read } from "../../../provider/lifecycle/read";
import { type Properties, toOutputs } from "../../../provider/lifecycle/state";
import { inverter } from "../../../provider/settings/inverter";
import { toPatch, withWireNames } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { kindAndTwoValues } from "../../support/arbitraries";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { CAR, callOf, FakeService, fleet, ROOF, refused } from "../../support/fakes";

const GET = "GET acme/car";
const PATCH = "PATCH acme/car";

describe("create", () => {
  virtualClock();

  it("reads, sends the declared keys that differ or are not reported, and reads back", async () => {
    const service = fleet({ max_capacity: 60_000, policy: "CHARGE BY" });
    const inputs = { ...CAR, maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" };
    const { id, outputs } = await create(callOf(vehicle, service), inputs);
    expect(service.requests).to.deep.equal([GET, PATCH, GET]);
    expect(service.sent).to.deep.equal([{ max_capacity: 77_000, max_charge_power: 11_000 }]);
    expect(id).to.equal("acme/car");
    expect(outputs).to.deep.equal({
      ...inputs,
      reported: { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" },
      baseline: { maxCapacity: 60_000, policy: "CHARGE BY" },
      verification: { maxCapacity: "verified", maxChargePower: "verified", policy: "verified" },
    });
  });

  it("sends nothing where the device is as declared: one read is all", async () => {
    const service = fleet({ max_capacity: 77_000, max_charge_power: 3000 });
    const { outputs } = await create(callOf(vehicle, service), { ...CAR, maxCapacity: 77_000 });
    expect(service.requests).to.deep.equal([GET]);
    expect(outputs).to.deep.include({ baseline: { maxCapacity: 77_000 }, verification: { maxCapacity: "verified" } });
  });

  it("adopts a device without declared keys, unchanged", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const { outputs } = await create(callOf(vehicle, service), CAR);
    expect(service.requests).to.deep.equal([GET]);
    expect(outputs).to.deep.equal({ ...CAR, reported: { maxCapacity: 60_000 }, baseline: {}, verification: {} });
  });

  it("keeps no baseline of what is not declared or was not reported", async () => {
    const service = fleet({ max_charge_power: 3000 });
    const { outputs } = await create(callOf(vehicle, service), { ...CAR, maxCapacity: 77_000 });
    expect(outputs.baseline).to.deep.equal({});
  });

  it("keeps onDelete", async () => {
    expect((await create(callOf(vehicle, fleet()), { ...CAR, onDelete: "restore" })).outputs.onDelete).to.equal(
      "restore",
    );
  });

  it("uses the wire names of the configuration", async () => {
    const service = fleet({}, { slope: 10, tilt: 99 });
    const call = callOf(withWireNames(inverter, { tilt: "slope" }), service);
    const { outputs } = await create(call, { ...ROOF, tilt: 30 });
    expect(service.sent).to.deep.equal([{ slope: 30 }]);
    expect(outputs.baseline).to.deep.equal({ tilt: 10 });
  });

  it("fails for a device that does not exist, naming business and device", async () => {
    const service = new FakeService();
    const error = await failureOf(create(callOf(vehicle, service), { ...CAR, maxCapacity: 77_000 }));
    expect(error.message).to.match(
      /the service does not know device 'car' of business 'acme'.*deviceId, businessId and solar-charging:baseUrl/,
    );
    expect(service.requests).to.deep.equal([GET]);
  });

  it("refuses a device of another type before any update", async () => {
    const service = fleet();
    const error = await failureOf(create(callOf(vehicle, service), { ...ROOF, maxCapacity: 77_000 }));
    expect(error.message).to.match(/'Inverter'.*'Electric vehicle'/);
    expect(service.requests).to.deep.equal(["GET acme/roof"]);
  });

  it("fails with a read that fails, and sends nothing", async () => {
    const service = fleet();
    const failure = refused(403);
    service.beforeRead = () => {
      throw failure;
    };
    expect(await failureOf(create(callOf(vehicle, service), { ...CAR, maxCapacity: 77_000 }))).to.equal(failure);
    expect(service.sent).to.deep.equal([]);
  });

  it("keeps the baseline of an update that was refused after a try that broke off", async () => {
    const service = fleet({ max_capacity: 60_000 });
    service.beforeUpdate = () => {
      throw refused(403, { maybeApplied: true });
    };
    const error = await failureOf(create(callOf(vehicle, service), { ...CAR, maxCapacity: 77_000 }));
    expect(error).to.be.instanceOf(UncertainError);
    expect(toOutputs((error as UncertainError).state)).to.deep.equal({
      ...CAR,
      maxCapacity: 77_000,
      reported: { maxCapacity: 60_000 },
      baseline: { maxCapacity: 60_000 },
      attempted: { maxCapacity: [77_000] },
      verification: {},
    });
  });

  it("succeeds with a warning where the cache stays stale", async () => {
    const service = fleet({ max_capacity: 60_000 });
    service.staleReads = Number.POSITIVE_INFINITY;
    const call = callOf(vehicle, service);
    const { outputs } = await create(call, { ...CAR, maxCapacity: 77_000 });
    expect(outputs).to.deep.include({ maxCapacity: 77_000, verification: { maxCapacity: "pending" } });
    expect(call.warnings).to.have.lengthOf(1);
  });
});

describe("update", () => {
  virtualClock();
  const declared = { ...CAR, maxCapacity: 77_000, policy: "CHARGE BY" };

  /** A created resource, and the service with nothing in its log. */
  async function created(inputs: Properties = declared) {
    const service = fleet({ max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" });
    const call = callOf(vehicle, service);
    const { outputs } = await create(call, inputs);
    service.requests.length = 0;
    service.sent.length = 0;
    return { service, call, outputs };
  }

  it("sends only the declared keys that changed, without reading first", async () => {
    const { service, call, outputs } = await created();
    const after = await update(call, outputs, { ...declared, maxCapacity: 80_000 });
    expect(service.requests).to.deep.equal([PATCH, GET]);
    expect(service.sent).to.deep.equal([{ max_capacity: 80_000 }]);
    expect(after).to.deep.include({
      maxCapacity: 80_000,
      baseline: { maxCapacity: 60_000, policy: "CHARGE BY" },
      verification: { maxCapacity: "verified", policy: "verified" },
    });
  });

  it("lets go of a key that is no longer declared without a request", async () => {
    const { service, call, outputs } = await created();
    const after = await update(call, outputs, { ...CAR, policy: "CHARGE BY" });
    expect(service.requests).to.deep.equal([]);
    expect(after).not.to.have.property("maxCapacity");
    expect(after).to.deep.include({ baseline: { policy: "CHARGE BY" }, verification: { policy: "verified" } });
    expect(service.get(CAR)).to.include({ max_capacity: 77_000 });
  });

  it("changes onDelete without a request", async () => {
    const { service, call, outputs } = await created();
    expect(await update(call, outputs, { ...declared, onDelete: "reset" })).to.deep.include({ onDelete: "reset" });
    expect(service.requests).to.deep.equal([]);
  });

  it("keeps what was reported as the baseline of a key that is newly declared", async () => {
    const { service, call, outputs } = await created();
    const after = await update(call, outputs, { ...declared, maxChargePower: 11_000 });
    expect(service.sent).to.deep.equal([{ max_charge_power: 11_000 }]);
    expect(after.baseline).to.deep.equal({ maxCapacity: 60_000, policy: "CHARGE BY", maxChargePower: 3000 });
  });

  it("writes over drift that a refresh has shown, and keeps the first baseline", async () => {
    const { service, call, outputs } = await created();
    service.put(CAR, { ...service.get(CAR), max_capacity: 50_000 });
    const found = await read(call, "acme/car", outputs);
    const after = await update(call, found?.outputs ?? {}, declared);
    expect(service.sent).to.deep.equal([{ max_capacity: 77_000 }]);
    expect(after).to.deep.include({ maxCapacity: 77_000, baseline: { maxCapacity: 60_000, policy: "CHARGE BY" } });
    expect(after).not.to.have.property("written");
  });

  it("succeeds for a device that is gone at the read-back, with what was sent pending", async () => {
    const { service, call, outputs } = await created();
    service.afterUpdate = () => service.remove(CAR);
    const after = await update(call, outputs, { ...declared, maxCapacity: 80_000 });
    expect(after).to.deep.include({
      maxCapacity: 80_000,
      verification: { maxCapacity: "pending", policy: "verified" },
    });
    expect(call.warnings).to.have.lengthOf(1);
  });

  it("sends again a key whose last update had an unknown outcome", async () => {
    const { service, call, outputs } = await created();
    await update(call, { ...outputs, verification: { policy: "verified" } }, declared);
    expect(service.sent).to.deep.equal([{ max_capacity: 77_000 }]);
  });
});

describe("create, read, diff and update: laws", () => {
  virtualClock();

  const start = async (kind: typeof vehicle, before: Properties, inputs: Properties) => {
    const service = new FakeService().put(CAR, {
      note: "not ours",
      ...toPatch(kind, before as Record<string, number>),
    });
    const call = callOf(kind, service);
    return { service, call, outputs: (await create(call, inputs)).outputs };
  };

  it("after a create the device is as declared, the rest of it as before, and there is no diff", async () => {
    await fc.assert(
      fc.asyncProperty(kindAndTwoValues, async ({ kind, first, second }) => {
        const inputs = { ...CAR, ...second };
        const { service, outputs } = await start(kind, first, inputs);
        expect(service.get(CAR)).to.deep.equal({ note: "not ours", ...toPatch(kind, { ...first, ...second }) });
        expect(diff(kind, outputs, inputs)).to.deep.equal({ changes: [], replaces: [] });
        expect(JSON.parse(JSON.stringify(outputs))).to.deep.equal(outputs);
      }),
    );
  });

  it("a read after a create shows neither drift nor anything undeclared", async () => {
    await fc.assert(
      fc.asyncProperty(kindAndTwoValues, async ({ kind, first, second }) => {
        const inputs = { ...CAR, ...second };
        const { call, outputs } = await start(kind, first, inputs);
        expect(await read(call, "acme/car", outputs)).to.deep.equal({ id: "acme/car", inputs, outputs });
      }),
    );
  });

  it("nothing undeclared is ever sent, and nothing that is already so", async () => {
    await fc.assert(
      fc.asyncProperty(kindAndTwoValues, async ({ kind, first, second }) => {
        const { service } = await start(kind, first, { ...CAR, ...second });
        const wanted = Object.entries(toPatch(kind, second));
        const known = toPatch(kind, first);
        const missing = Object.fromEntries(wanted.filter(([name, value]) => known[name] !== value));
        expect(service.sent).to.deep.equal(Object.keys(missing).length === 0 ? [] : [missing]);
      }),
    );
  });

  it("a diff, and the update that it asks for, reach the declared state from any other", async () => {
    await fc.assert(
      fc.asyncProperty(kindAndTwoValues, async ({ kind, first, second }) => {
        const { service, call, outputs } = await start(kind, {}, { ...CAR, ...first });
        const inputs = { ...CAR, ...second };
        const after = diff(kind, outputs, inputs).changes.length > 0 ? await update(call, outputs, inputs) : outputs;
        expect(service.get(CAR)).to.deep.equal({ note: "not ours", ...toPatch(kind, { ...first, ...second }) });
        expect(diff(kind, after, inputs).changes).to.deep.equal([]);
      }),
    );
  });
});
