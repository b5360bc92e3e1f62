import { expect } from "chai";
import { virtualClock } from "../../../support/clock";
import { eachIn } from "../../../support/records";
import {
  appliedSite,
  BusyService,
  CAR_BASELINE,
  CAR_VALUES,
  FORECAST,
  ROOF_BASELINE,
  ROOF_VALUES,
  refOf,
  SITE,
  SiteStack,
  siteService,
} from "../../../support/sites";

/** A signal that aborts when this request begins. */
function stopAt(service: BusyService, request: string): AbortSignal {
  const stop = new AbortController();
  const onRequest = () => {
    if (service.requests.at(-1) === request) stop.abort();
  };
  service.beforeRead = onRequest;
  service.beforeUpdate = onRequest;
  return stop.signal;
}

const ONE_AT_A_TIME = { SOLAR_CHARGING_MAX_CONCURRENCY: "1" };

describe("a site of a stopped run", () => {
  virtualClock();

  it("before anything is sent keeps what it read, and writes nothing down", async () => {
    const service = siteService();
    const site = new SiteStack(service, ONE_AT_A_TIME);
    const run = site.run({ stopping: stopAt(service, "GET acme/roof-p") });
    const { requests, reasons } = await site.up(SITE, run);
    expect(requests).to.deep.equal(["GET roof-p"]);
    expect(reasons).to.have.lengthOf(1);
    expect(Object.keys(site.outputs?.devices ?? {})).to.deep.equal(["inverter/p"]);
    expect(run.shown.filter((text) => text.includes("before the first update"))).to.deep.equal([]);
    expect(site.outputs).to.deep.include({ ready: false });
  });

  it("finishes what has begun, begins nothing more, and continues from there", async () => {
    const service = siteService();
    const site = new SiteStack(service, ONE_AT_A_TIME);
    const { requests, reasons } = await site.up(SITE, site.run({ stopping: stopAt(service, "PATCH acme/roof-p") }));
    expect(requests.filter((request) => request.startsWith("PATCH"))).to.have.lengthOf(1);
    expect(requests.at(-1)).to.equal("GET roof-p");
    expect(reasons).to.have.lengthOf(1);
    for (const label of ["vehicle/a", "vehicle/b", "inverter/q"]) expect(reasons[0]).to.contain(label);
    expect(site.device("inverter/p")).to.deep.include(ROOF_VALUES);
    expect(eachIn(site.device("inverter/p"), "baseline")).to.deep.equal(ROOF_BASELINE);
    const { policy: _, ...unchanged } = CAR_BASELINE;
    expect(site.device("vehicle/a")).to.deep.include(unchanged);
    expect(eachIn(site.device("vehicle/a"), "baseline")).to.deep.equal(CAR_BASELINE);

    const { of, reasons: none } = await site.up(SITE);
    expect(none).to.deep.equal([]);
    expect(of("roof-p")).to.deep.equal([]);
    for (const deviceId of ["car-a", "car-b", "roof-q"])
      expect(of(deviceId).map((request) => request.split(" ")[0])).to.deep.equal(["PATCH", "GET"]);
    expect(site.device("vehicle/a")).to.deep.include(CAR_VALUES);
    expect(site.outputs?.policies).to.deep.equal({ a: FORECAST, b: FORECAST });
    expect(eachIn(site.device("vehicle/a"), "baseline")).to.deep.equal(CAR_BASELINE);
    expect(site.outputs).to.deep.include({ ready: true });
  });

  it("does not name a device that it only observes among those that were not begun", async () => {
    const service = siteService();
    const site = new SiteStack(service, ONE_AT_A_TIME);
    const inverters = { p: SITE.inverters.p, q: { deviceId: "roof-q", observe: true } };
    const run = site.run({ stopping: stopAt(service, "PATCH acme/roof-p") });
    const { reasons } = await site.up({ ...SITE, inverters }, run);
    expect(reasons.join()).to.contain("vehicle/a").and.not.contain("inverter/q");
  });

  it("lets a device leave that it only observed", async () => {
    const observed = { ...SITE.inverters, q: { deviceId: "roof-q", observe: true } };
    const { site, service } = await appliedSite({ ...SITE, inverters: observed });
    const inverters = { p: { ...SITE.inverters.p, tilt: 30 } };
    await site.up({ ...SITE, inverters }, site.run({ stopping: stopAt(service, "PATCH acme/roof-p") }));
    expect(site.device("inverter/p")).to.include({ tilt: 30 });
    expect(site.device("inverter/q")).to.equal(undefined);
  });

  it("keeps a device that was to leave, with its baseline", async () => {
    const { site, service } = await appliedSite({ ...SITE, onDelete: "restore" });
    const inverters = { ...SITE.inverters, p: { ...SITE.inverters.p, tilt: 30 } };
    const without = { inverters, vehicles: { a: SITE.vehicles.a }, onDelete: "restore" };
    const { requests } = await site.up(without, site.run({ stopping: stopAt(service, "PATCH acme/roof-p") }));
    expect(requests).to.deep.equal(['PATCH roof-p {"tilt":30}', "GET roof-p"]);
    expect(site.device("vehicle/b")).to.deep.include(CAR_VALUES);
    expect(site.outputs?.policies).to.have.property("b", FORECAST);
    expect(eachIn(site.device("vehicle/b"), "baseline")).to.deep.equal(CAR_BASELINE);
    expect((await site.up(without)).of("car-b")).to.have.lengthOf(2);
    expect(site.device("vehicle/b")).to.equal(undefined);
  });

  it("keeps all of its state on delete, and the next delete continues", async () => {
    const service = siteService();
    const before = service.get(refOf("car-b"));
    const site = new SiteStack(service, ONE_AT_A_TIME);
    await site.up({ ...SITE, onDelete: "restore" });
    const { requests, reasons } = await site.destroy(site.run({ stopping: stopAt(service, "PATCH acme/car-a") }));
    expect(requests.map((request) => request.split(" ").slice(0, 2).join(" "))).to.deep.equal([
      "GET car-a",
      "PATCH car-a",
    ]);
    expect(reasons.join()).to.contain("vehicle/b");
    expect((await site.destroy()).reasons).to.deep.equal([]);
    expect(service.get(refOf("car-b"))).to.deep.equal(before);
  });
});

describe("the progress of a site", () => {
  const clock = virtualClock();

  /** The progress messages of a site with this many cars. Each car takes this many seconds. */
  async function progress(cars: number, secondsEach: number) {
    const service = new BusyService();
    const vehicles = Object.fromEntries(
      Array.from({ length: cars }, (_, index) => [`car${index}`, { deviceId: `car${index}`, ...CAR_VALUES }]),
    );
    for (const { deviceId } of Object.values(vehicles)) service.put(refOf(deviceId), { dev_type: "Electric vehicle" });
    service.beforeUpdate = () => clock.advance(secondsEach * 1000);
    const site = new SiteStack(service, ONE_AT_A_TIME);
    const shown: [message: string, urn: string | undefined][] = [];
    const run = site.run();
    const report = { ...run.report, progress: (message: string, urn?: string) => void shown.push([message, urn]) };
    await site.up({ vehicles }, { ...run, report });
    return shown;
  }

  it("is shown at most each two seconds, with the resource", async () => {
    const shown = await progress(30, 1);
    expect(shown.length).to.be.within(10, 16);
    for (const [message, urn] of shown) {
      expect(message).to.match(/^\d+ \w+ 30 \w+ \w+$/);
      expect(urn).to.match(/::home$/);
    }
  });

  for (const [verb, operation] of [
    ["read", "refresh"],
    ["released", "destroy"],
  ] as const) {
    it(`counts the devices that are ${verb} by ${operation}`, async () => {
      const service = siteService();
      const ids = Array.from({ length: 30 }, (_, index) => `car${index}`);
      for (const id of ids) service.put(refOf(id), { dev_type: "Electric vehicle" });
      const vehicles = Object.fromEntries(ids.map((deviceId) => [deviceId, { deviceId, ...CAR_VALUES }]));
      const { site } = await appliedSite({ vehicles, onDelete: "restore" }, service);
      service.beforeRead = () => clock.advance(1000);
      const shown: string[] = [];
      const run = site.run();
      await site[operation]({ ...run, report: { ...run.report, progress: (text) => void shown.push(text) } });
      expect(shown.length).to.be.above(5);
      for (const text of shown) expect(text).to.match(new RegExp(`^\\d+ of 30 devices ${verb}$`));
    });
  }

  it("is not shown of a small site, nor of one that is done at once", async () => {
    expect(await progress(19, 10)).to.deep.equal([]);
    expect(await progress(20, 10)).to.not.deep.equal([]);
    expect(await progress(30, 0)).to.deep.equal([]);
  });
});
