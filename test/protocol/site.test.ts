import type { ServiceError } from "@grpc/grpc-js";
import { expect } from "chai";
import type { Fault } from "solar-charging-simulator";
import { type Reply, servers } from "../support/server";
import { failureOf, initFailureOf } from "./failures";
import type { Properties } from "./host";
import { describeWithEachHost } from "./installation";
import { connected, ownProviders, PROVIDERS, sharedProvider, siteInputs, type TestDevice } from "./provider";

const CAR = { maxCapacity: 77_000, maxChargePower: 11_000 };
const ROOF = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
const FORECAST = "CHARGE BY FORECAST";
const CAR_BEFORE = { max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" };
const ROOF_BEFORE = { peak_power: 1000, azimuth: 2, tilt: 3, cut_in_threshold: 4, base_load: 5 };

/**
 * The declaration of a site without devices, for the run that deletes a site: a delete leaves declared devices
 * unchanged.
 */
const NOTHING = { vehicles: {}, inverters: {} };

type Site = { readonly vehicles: Properties; readonly inverters: Properties };

describeWithEachHost("A site", (sdk) => {
  const provider = sharedProvider(sdk);

  /** Two cars and two inverters that only one test uses, in the order of a delete. */
  function devices() {
    const [a, b] = [provider().vehicle(CAR_BEFORE), provider().vehicle(CAR_BEFORE)];
    const [p, q] = [provider().inverter(ROOF_BEFORE), provider().inverter(ROOF_BEFORE)];
    const site = {
      vehicles: { a: { deviceId: a.deviceId, ...CAR }, b: { deviceId: b.deviceId, ...CAR } },
      inverters: { p: { deviceId: p.deviceId, ...ROOF }, q: { deviceId: q.deviceId, ...ROOF, baseLoad: 0 } },
      onDelete: "restore",
    };
    return { a, b, p, q, site, all: [a, b, p, q] };
  }

  async function checked(site: Site & Properties, olds: Properties = {}): Promise<Properties> {
    const { inputs, failures } = await provider().host.check(siteInputs(sdk, site), olds);
    expect(failures).to.deep.equal([]);
    return inputs;
  }

  const fail = ({ deviceId }: TestDevice, fault: Fault) => provider().simulator.fail({ ...fault, deviceId });
  const patchOf = (device: TestDevice) => device.takeRequests().filter((request) => request.startsWith("PATCH"));
  const kept = (properties: Properties, label: string) => (properties.devices as Record<string, Properties>)[label];

  function partOf(error: ServiceError) {
    const part = initFailureOf(error);
    if (!part) throw new Error(`the engine is told to keep nothing: ${error.details}`);
    return part;
  }

  it("goes through its life: inverters, then cars with their policy; cars are released first", async () => {
    const { site, all, a, b, p, q } = devices();
    const inputs = await checked(site);
    const { id, properties } = await provider().host.create(inputs);
    expect(id).to.equal("home");
    expect(properties).to.deep.include({ ready: true, missing: [], __provider: PROVIDERS.site });
    const order = provider().simulator.requests.filter(({ method }) => method === "PATCH");
    const ids = order.map(({ deviceId }) => deviceId).filter((one) => all.some(({ deviceId }) => deviceId === one));
    expect(ids.slice(0, 2)).to.have.members([p.deviceId, q.deviceId]);
    for (const car of [a, b]) {
      const patch = `PATCH ${JSON.stringify({ max_capacity: 77_000, max_charge_power: 11_000, policy: FORECAST })}`;
      expect(car.takeRequests()).to.deep.equal(["GET", patch, "GET"]);
    }

    expect(await provider().host.diff(id, properties, inputs)).to.deep.equal({ changes: false, replaces: [] });
    const found = await provider().host.read(id, properties);
    expect(found.properties).to.deep.include({ ready: true });
    expect(await provider().host.diff(id, found.properties, await checked(site, found.inputs))).to.include({
      changes: false,
    });

    for (const device of all) device.takeRequests();
    await checked(NOTHING);
    await provider().host.delete(id, properties);
    const { requests } = provider().simulator;
    const lastOfCars = requests.findLastIndex(({ deviceId }) => [a, b].some((car) => car.deviceId === deviceId));
    expect(lastOfCars).to.be.below(
      requests.findIndex(({ deviceId }) => [p, q].some((roof) => roof.deviceId === deviceId)),
    );
    expect(all.map(({ settings }) => settings)).to.deep.equal([CAR_BEFORE, CAR_BEFORE, ROOF_BEFORE, ROOF_BEFORE]);
  });

  const faults: Record<string, { fault: Fault; isKept: boolean; reason: RegExp }> = {
    "its PATCH is refused": { fault: { method: "PATCH", status: 422 }, isKept: false, reason: /HTTP 422/ },
    "it is gone": {
      fault: { method: "GET", status: 404, headers: { "content-type": "application/json" }, body: "{}" },
      isKept: false,
      reason: /deviceId, businessId/,
    },
    "the answer to its PATCH is lost": {
      fault: { method: "PATCH", kind: "reset-after-apply" },
      isKept: true,
      reason: /ECONNRESET.*"pulumi up"/,
    },
  };
  for (const [why, { fault, isKept, reason }] of Object.entries(faults)) {
    it(`keeps the accepted values if, of an inverter, ${why}; the next update sends the rest`, async () => {
      const { site, a, b, p, q } = devices();
      const inputs = await checked(site);
      fail(p, fault);
      const error = await failureOf(provider().host.create(inputs));
      const { id, properties, reasons } = partOf(error);
      expect(id).to.equal("home");
      expect(reasons).to.have.lengthOf(1);
      expect(reasons[0])
        .to.match(/^inverter\/p: /)
        .and.match(reason);
      expect(properties).to.deep.include({ ready: false, __provider: PROVIDERS.site });
      expect(kept(properties, "inverter/p") !== undefined).to.equal(isKept);
      expect(kept(properties, "inverter/q")).to.deep.include({ tilt: 35 });
      expect(kept(properties, "vehicle/a")).to.deep.include({ maxCapacity: 77_000 }).and.not.to.have.property("policy");
      expect(properties).to.not.have.property("policies");
      expect(a.settings).to.include({ max_capacity: 77_000, policy: "CHARGE BY" });
      for (const device of [a, b, p, q]) device.takeRequests();

      expect(await provider().host.diff(id, properties, inputs)).to.include({ changes: true });
      const whole = await provider().host.update(id, properties, await checked(site, inputs));
      expect(whole).to.deep.include({ ready: true, missing: [] });
      expect(patchOf(q)).to.deep.equal([]);
      expect(patchOf(p)).to.have.lengthOf(1);
      for (const car of [a, b]) expect(patchOf(car)).to.deep.equal([`PATCH {"policy":"${FORECAST}"}`]);
    });

    it(`keeps the accepted values if, of a car, ${why}; the other car gets all values`, async () => {
      const { site, a, b, p, q } = devices();
      const inputs = await checked(site);
      fail(a, fault);
      const { id, properties, reasons } = partOf(await failureOf(provider().host.create(inputs)));
      expect(reasons).to.have.lengthOf(1);
      expect(reasons[0])
        .to.match(/^vehicle\/a: /)
        .and.match(reason);
      expect(kept(properties, "vehicle/a") !== undefined).to.equal(isKept);
      expect(properties.policies).to.deep.include({ b: FORECAST });
      for (const device of [a, b, p, q]) device.takeRequests();

      const whole = await provider().host.update(id, properties, await checked(site, inputs));
      expect(whole).to.deep.include({ ready: true });
      expect([b, p, q].flatMap((device) => device.takeRequests())).to.deep.equal([]);
      expect(a.settings).to.include({ max_capacity: 77_000, policy: FORECAST });
    });
  }

  it("keeps the accepted values of an update that fails in part", async () => {
    const { site, a, b } = devices();
    const inputs = await checked(site);
    const { id, properties } = await provider().host.create(inputs);
    const slower = {
      ...site,
      vehicles: { a: { ...site.vehicles.a, maxChargePower: 7400 }, b: { ...site.vehicles.b, maxChargePower: 7400 } },
    };
    fail(a, { method: "PATCH", status: 422 });
    const news = await checked(slower, inputs);
    const part = partOf(await failureOf(provider().host.update(id, properties, news)));
    expect(part.id).to.equal("home");
    expect(part.reasons).to.have.lengthOf(1);
    expect(kept(part.properties, "vehicle/a")).to.deep.include({ maxChargePower: 11_000 });
    expect(kept(part.properties, "vehicle/b")).to.deep.include({ maxChargePower: 7400 });
    for (const car of [a, b]) car.takeRequests();
    await provider().host.update(id, part.properties, news);
    expect(patchOf(b)).to.deep.equal([]);
    expect(patchOf(a)).to.deep.equal(['PATCH {"max_charge_power":7400}']);
  });

  it("keeps everything if a delete fails, and leaves the inverters alone until the cars are released", async () => {
    const { site, a, b, p, q, all } = devices();
    const { id, properties } = await provider().host.create(await checked(site));
    await checked(NOTHING);
    for (const device of all) device.takeRequests();
    fail(a, { method: "PATCH", status: 422 });
    const error = await failureOf(provider().host.delete(id, properties));
    expect(initFailureOf(error)).to.equal(undefined);
    expect(error.details).to.contain("vehicle/a");
    expect([p, q].flatMap((roof) => roof.takeRequests())).to.deep.equal([]);
    await provider().host.delete(id, properties);
    expect([a, b, p, q].map(({ settings }) => settings)).to.deep.equal([
      CAR_BEFORE,
      CAR_BEFORE,
      ROOF_BEFORE,
      ROOF_BEFORE,
    ]);
  });

  it("fails without anything to keep if nothing was accepted", async () => {
    const { site, all } = devices();
    for (const device of all) fail(device, { method: "PATCH", status: 422 });
    const error = await failureOf(provider().host.create(await checked(site)));
    expect(initFailureOf(error)).to.equal(undefined);
    for (const label of ["vehicle/a", "vehicle/b", "inverter/p", "inverter/q"]) expect(error.details).to.contain(label);
  });

  it("sends values that a policy pack changed after the check as the check reads them, or none of them", async () => {
    const { site, a, p, all } = devices();
    const inputs = await checked(site);
    const remediated = (roof: Properties) => ({ ...inputs, inverters: { p: { deviceId: p.deviceId, ...roof } } });
    for (const wrong of [{ tilt: 135 }, { baseLoad: -1e9 }, { peakPower: "9.8 bar" }, { tilt: true }]) {
      const [key = ""] = Object.keys(wrong);
      const error = await failureOf(provider().host.create(remediated(wrong)));
      expect(error.details).to.contain(`inverters.p.${key} `);
    }
    expect(all.flatMap((device) => device.takeRequests())).to.deep.equal([]);

    const { id, properties } = await provider().host.create(remediated({ peakPower: "9.8 kWp", azimuth: "SSW" }));
    expect(patchOf(p)).to.deep.equal(['PATCH {"peak_power":9800,"azimuth":202.5}']);
    const same = remediated({ peakPower: 9800, azimuth: { degrees: 22.5, convention: "south-zero" } });
    expect(await provider().host.diff(id, properties, same)).to.include({ changes: false });
    a.takeRequests();
    await failureOf(provider().host.diff(id, properties, remediated({ tilt: 135 })));
    await failureOf(provider().host.update(id, properties, remediated({ tilt: 135 })));
    expect([...a.takeRequests(), ...p.takeRequests()]).to.deep.equal([]);
  });

  it("names no property in problems below its devices, because the engine would print all of them, secrets too", async () => {
    const secret = { deviceId: "s3cret-car", maxCapacity: 77 };
    const wrong = [
      { vehicles: { a: secret } },
      { vehicles: [secret] },
      { inverters: "s3cret" },
      { vehicles: { a: "s3cret" } },
    ];
    for (const site of wrong) {
      const { failures } = await provider().host.check(siteInputs(sdk, site));
      expect(failures).to.have.lengthOf(1);
      expect(failures[0]?.property).to.equal("");
      expect(failures[0]?.reason)
        .to.match(/^(vehicles|inverters)/)
        .and.not.contain("s3cret");
    }
  });

  describe("that the engine cancels", () => {
    const start = ownProviders(sdk);
    const serve = servers();

    it("finishes the requests in flight, starts no others, and keeps the accepted values", async () => {
      const settings = new Map<string, Properties>();
      let cancel = async () => {};
      const answer: Reply = async (response, { method, path, body }) => {
        if (method === "PATCH") {
          await cancel();
          settings.set(path, { ...settings.get(path), ...JSON.parse(body) });
        }
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ id: path, ...settings.get(path) }));
      };
      const service = await serve(answer);
      const { host } = await start((simulator) => {
        const { config, environment } = connected(simulator);
        const one = { "solar-charging:baseUrl": service.url, "solar-charging:maxConcurrency": "1" };
        return { config: { ...config, ...one }, environment };
      });
      cancel = () => host.cancel();
      const site = {
        vehicles: { a: { deviceId: "car", ...CAR } },
        inverters: { p: { deviceId: "roof-p", ...ROOF }, q: { deviceId: "roof-q", ...ROOF } },
      };
      const { inputs } = await host.check(siteInputs(sdk, site));
      const { properties, reasons } = partOf(await failureOf(host.create(inputs)));
      const patched = service.received.filter(({ method }) => method === "PATCH");
      expect(patched.map(({ path }) => path.split("/").at(-1))).to.deep.equal(["roof-p"]);
      expect(service.received.at(-1)).to.include({ method: "GET", path: patched[0]?.path });
      expect(kept(properties, "inverter/p")).to.deep.include(ROOF);
      expect(reasons).to.have.lengthOf(1);
      for (const label of ["inverter/q", "vehicle/a"]) expect(reasons[0]).to.contain(label);
    });
  });
});
