import { expect } from "chai";
import { siteInPreview } from "../../../../cli/view/preview";
import { nativeType } from "../../../../provider/engine/tokens";
import { previewed, type ResourceType, resourceTypes } from "../../../../provider/plugin/resources";
import type { Properties } from "../../../../provider/settings/objects";
import { UNKNOWN } from "../../../../provider/settings/objects";
import { virtualClock } from "../../../support/clock";
import {
  appliedSite,
  CAR_VALUES,
  carStack,
  FORECAST,
  RefusedError,
  refOf,
  SITE,
  SiteStack,
  siteService,
} from "../../../support/sites";

const { a, b } = SITE.vehicles;
const KEPT = { ...SITE, onDrift: "keep" };
const KEPT_POLICY = { ...SITE, onDrift: { policy: "keep" } };
const CAR = { ...CAR_VALUES, onDrift: "keep" };

/** A car after its first update and a change by somebody else that a refresh found. */
async function driftedCar(args: Readonly<Record<string, unknown>> = CAR, fields = { max_capacity: 70_000 }) {
  const car = carStack({ max_capacity: 60_000, max_charge_power: 3000 });
  await car.up(args);
  car.set(fields);
  return { car, found: await car.refresh() };
}

describe("a device with onDrift: keep", () => {
  virtualClock();

  it("keeps somebody else's value: nothing differs, and nothing is sent", async () => {
    const { car } = await driftedCar();
    expect(await car.differs(CAR)).to.equal(false);
    const { requests } = await car.up(CAR);
    expect(requests).to.deep.equal([]);
    expect(car.settings.maxCapacity).to.deep.equal({ status: "kept", reported: 70_000, baseline: 60_000 });
    expect(car.outputs).to.include({ maxCapacity: 77_000 });
  });

  it("reports once that it keeps a value", async () => {
    const { car, found } = await driftedCar();
    expect(found.infos).to.include("70 kWh").and.include("77 kWh");
    expect((await car.refresh()).infos).to.equal("");
  });

  it("reports it again if the value changes again", async () => {
    const { car } = await driftedCar();
    car.set({ max_capacity: 65_000 });
    expect((await car.refresh()).infos).to.include("65 kWh");
  });

  it("reports it also if an update of another setting reads it", async () => {
    const { car } = await driftedCar();
    car.set({ max_capacity: 65_000 });
    const { infos } = await car.up({ ...CAR, maxChargePower: 7_400 });
    expect(infos).to.include("65 kWh");
    expect(car.settings.maxCapacity).to.include({ status: "kept", reported: 65_000 });
  });

  it("is an ordinary setting again once the declared value is reported", async () => {
    const { car } = await driftedCar();
    car.set({ max_capacity: 77_000 });
    await car.refresh();
    expect(car.settings.maxCapacity).to.deep.equal({ baseline: 60_000 });
  });

  it("gets a value that the program declares now", async () => {
    const { car } = await driftedCar();
    const { requests } = await car.up({ ...CAR, maxCapacity: 80_000 });
    expect(requests).to.deep.equal(['PATCH {"max_capacity":80000}', "GET"]);
  });

  it("sends nothing if the program declares the kept value now, and remembers the last one of its own", async () => {
    const { car } = await driftedCar();
    const { requests } = await car.up({ ...CAR, maxCapacity: 70_000 });
    expect(requests).to.deep.equal([]);
    expect(car.settings.maxCapacity).to.deep.equal({ ours: 77_000, baseline: 60_000 });
  });

  it("sends other settings without the kept one", async () => {
    const { car } = await driftedCar();
    const { requests } = await car.up({ ...CAR, maxChargePower: 7000 });
    expect(requests).to.deep.equal(['PATCH {"max_charge_power":7000}', "GET"]);
    expect(car.settings.maxCapacity).to.include({ status: "kept", reported: 70_000 });
  });

  it("is repaired as soon as the program asks for it", async () => {
    const { car } = await driftedCar();
    const { requests } = await car.up(CAR_VALUES);
    expect(requests).to.deep.equal(['PATCH {"max_capacity":77000}', "GET"]);
  });

  it("keeps drift that a refresh found before the program asked for it", async () => {
    const { car } = await driftedCar(CAR_VALUES);
    expect(car.settings.maxCapacity).to.include({ status: "drifted" });
    const { requests } = await car.up(CAR);
    expect(requests).to.deep.equal([]);
    expect(car.settings.maxCapacity).to.include({ status: "kept", reported: 70_000 });
  });

  it("repairs the settings for which the program does not keep drift", async () => {
    const args = { ...CAR_VALUES, onDrift: { policy: "keep" } };
    const { car } = await driftedCar(args);
    expect((await car.up(args)).requests).to.deep.equal(['PATCH {"max_capacity":77000}', "GET"]);
  });

  it("is restored by a delete, although the value is not ours", async () => {
    const { car } = await driftedCar({ ...CAR, onDelete: "restore" });
    const { requests } = await car.destroy();
    expect(requests).to.deep.equal(["GET", 'PATCH {"max_capacity":60000,"max_charge_power":3000}']);
  });

  it("does not take a stale cache for somebody's value, and has ours once the cache shows it", async () => {
    const car = carStack({ max_capacity: 60_000 });
    car.service.staleReads = 3;
    await car.up({ maxCapacity: 77_000, onDrift: "keep" });
    const { codes } = await car.refresh();
    expect([car.settings.maxCapacity?.status, codes]).to.deep.equal(["adjusted", ["adjusted"]]);
    await car.refresh();
    await car.refresh();
    expect(car.settings.maxCapacity).to.deep.equal({ baseline: 60_000 });
  });

  for (const onDrift of ["keep", "repair"]) {
    it(`has no value sent every night that the service has begun to limit, under ${onDrift}`, async () => {
      const car = carStack({ max_charge_power: 5000 });
      const args = { maxChargePower: 11_000, onDrift, onDelete: "restore" };
      await car.up(args);
      car.service.afterUpdate = () => car.set({ max_charge_power: 7400 });
      car.set({ max_charge_power: 7400 });
      const nights = [];
      for (let night = 1; night <= 4; night++) {
        const { codes } = await car.refresh();
        const { requests } = await car.up(args);
        nights.push([codes, requests.filter((request) => request.startsWith("PATCH")).length]);
      }
      const repairs = [
        [[], 1],
        [["adjusted"], 0],
        [[], 0],
        [[], 0],
      ];
      expect(nights).to.deep.equal(onDrift === "keep" ? nights.map(() => [[], 0]) : repairs);
      expect(await car.differs(args)).to.equal(false);
    });
  }

  it("does not send a value again that only has the noise of a float", async () => {
    const car = carStack({ max_capacity: 60_000 });
    const args = { maxCapacity: 77_000, onDelete: "restore" };
    await car.up(args);
    car.set({ max_capacity: 77_000.000_000_1 });
    const refresh = await car.refresh();
    expect([refresh.codes, car.outputs?.maxCapacity, await car.differs(args)]).to.deep.equal([[], 77_000, false]);
    expect((await car.destroy()).requests).to.deep.equal(["GET", 'PATCH {"max_capacity":60000}']);
  });

  it("adopts a value with that noise as the declared one", async () => {
    const car = carStack({ max_capacity: 77_000.000_000_1 });
    expect((await car.up({ maxCapacity: 77_000 })).requests).to.deep.equal(["GET"]);
    expect(car.outputs?.maxCapacity).to.equal(77_000);
  });

  for (const [onDrift, about] of [
    ["ignore", "keep"],
    [{ policy: "always" }, "policy"],
    [{ polcy: "keep" }, "polcy"],
    [{ tilt: "keep" }, "tilt"],
    [7, "7"],
  ] as const) {
    it(`refuses onDrift: ${JSON.stringify(onDrift)}`, async () => {
      const error = await carStack()
        .up({ maxCapacity: 77_000, onDrift })
        .then(
          () => undefined,
          (refusal: unknown) => refusal,
        );
      expect(error).to.be.instanceOf(RefusedError);
      const { problems } = error as RefusedError;
      expect(problems.map(({ property }) => property)).to.deep.equal(["onDrift"]);
      expect(problems[0]?.reason).to.include(about);
    });
  }
});

describe("a site with onDrift: keep", () => {
  virtualClock();

  /** A site after a driver has switched a car to price charging, and a refresh. */
  async function switched(args: Readonly<Record<string, unknown>>) {
    const service = siteService();
    const { site } = await appliedSite(args, service);
    service.set(refOf("car-a"), { policy: "CHARGE BY" });
    await site.refresh();
    return { site, service };
  }

  it("is not ready while a driver's policy is kept, and explains why", async () => {
    const { site } = await switched(KEPT_POLICY);
    const gap = { device: "vehicle/a", setting: "policy", reason: "otherPolicy" };
    expect(site.outputs).to.deep.include({ ready: false, gaps: [gap] });
  });

  it("leaves the driver's policy, and nothing differs", async () => {
    const { site, service } = await switched(KEPT_POLICY);
    expect(await site.differs(KEPT_POLICY)).to.equal(false);
    expect((await site.up(KEPT_POLICY)).requests).to.deep.equal([]);
    expect(service.get(refOf("car-a"))).to.include({ policy: "CHARGE BY" });
  });

  it("leaves the driver's policy while another car is updated", async () => {
    const { site } = await switched(KEPT_POLICY);
    const next = { ...KEPT_POLICY, vehicles: { a, b: { ...b, maxCapacity: 50_000 } } };
    expect((await site.up(next)).requests).to.deep.equal(['PATCH car-b {"max_capacity":50000}', "GET car-b"]);
    expect(site.outputs).to.include({ ready: false });
  });

  it("does not refuse such an update with requireReady: the driver's choice is allowed", async () => {
    const { site } = await switched({ ...KEPT_POLICY, requireReady: true });
    const next = { ...KEPT_POLICY, requireReady: true, vehicles: { a, b: { ...b, maxCapacity: 50_000 } } };
    expect((await site.up(next)).reasons).to.deep.equal([]);
  });

  it("is ready again once the driver switches back", async () => {
    const { site, service } = await switched(KEPT_POLICY);
    service.set(refOf("car-a"), { policy: FORECAST });
    await site.refresh();
    expect(site.outputs).to.include({ ready: true });
  });

  it("stays not ready in the preview of another change, at the plugin and in a review", async () => {
    const { site } = await switched(KEPT_POLICY);
    const gap = { device: "vehicle/a", setting: "policy", reason: "otherPolicy" };
    const next = { ...KEPT_POLICY, vehicles: { a, b: { ...b, maxCapacity: 50_000 } } };
    const { inputs } = await site.check(next);
    const run = site.run();
    const type = resourceTypes(() => run).get(nativeType("SiteSettings")) as ResourceType;
    const olds = site.outputs ?? {};
    const seen = async (news: Properties) => {
      const difference = await site.operations(run).diff(site.context({ isPreview: true }), olds, news);
      return previewed(type, site.context({}), news, { olds, ...difference }).outputs;
    };
    const outputs = await seen(inputs);
    expect(outputs).to.deep.include({ ready: false, gaps: [gap] });
    const view = siteInPreview({ kind: "site", name: "home", stack: "dev" }, { inputs, outputs: {} }, olds);
    expect(view).to.deep.include({ ready: false, gaps: [gap] });
    const { inputs: repaired } = await site.check({ ...next, onDrift: "repair" });
    expect(await seen(repaired)).to.include({ ready: true });
  });

  it("takes an answer for a setting that only the update knows", async () => {
    const { site } = await switched(KEPT_POLICY);
    const { problems } = await site.check({ ...KEPT_POLICY, onDrift: { policy: UNKNOWN } });
    expect(problems).to.deep.equal([]);
  });

  it("lets a device override it", async () => {
    const args = { ...KEPT, vehicles: { a: { ...a, onDrift: "repair" }, b } };
    const { site } = await switched(args);
    expect((await site.up(args)).requests).to.deep.equal([`PATCH car-a {"policy":"${FORECAST}"}`, "GET car-a"]);
  });

  it("lets a device override it for one setting", async () => {
    const args = { ...KEPT, vehicles: { a: { ...a, onDrift: { maxCapacity: "repair" } }, b } };
    const { site } = await switched(args);
    expect((await site.up(args)).requests).to.deep.equal([]);
  });

  for (const [when, isPreviewed] of [
    ["before", false],
    ["after", true],
  ] as const) {
    it(`stays with a car that another site adopts in the same run, ${when} its old site is previewed`, async () => {
      const service = siteService();
      const { site: east } = await appliedSite({ vehicles: { a, b }, onDrift: "keep" }, service);
      service.set(refOf("car-a"), { max_capacity: 70_000 });
      const run = east.run();
      await east.refresh(run);
      if (isPreviewed) {
        const { inputs } = await east.check({ vehicles: { b }, onDrift: "keep" }, run);
        await east.operations(run).diff(east.context(), east.outputs ?? {}, inputs);
      }
      const west = new SiteStack(service, {}, "west");
      const args = { vehicles: { a }, onDrift: "keep", onDelete: "restore" };
      expect((await west.up(args, run)).requests).to.deep.equal(["GET car-a"]);
      if (!isPreviewed) await east.up({ vehicles: { b }, onDrift: "keep" }, run);
      await west.refresh(run);
      expect(west.device("vehicle/a")).to.have.deep.nested.property("settings.maxCapacity", {
        status: "kept",
        reported: 70_000,
        baseline: 60_000,
      });
    });
  }
});
