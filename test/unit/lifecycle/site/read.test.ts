import { expect } from "chai";
import { showsBaseline } from "../../../support/baselines";
import { virtualClock } from "../../../support/clock";
import { refused } from "../../../support/fakes";
import { eachIn, settingsIn } from "../../../support/records";
import {
  appliedSite,
  CAR_VALUES,
  FORECAST,
  ROOF_VALUES,
  refOf,
  SITE,
  SiteStack,
  siteService,
} from "../../../support/sites";

const { a } = SITE.vehicles;
const { q } = SITE.inverters;

describe("a refresh of a site", () => {
  virtualClock();

  it("reads each device once, and finds nothing if nothing changed", async () => {
    const { site } = await appliedSite();
    const { inputs, outputs } = site;
    const { requests } = await site.refresh();
    expect(requests).to.have.members(["GET car-a", "GET car-b", "GET roof-p", "GET roof-q"]);
    expect({ inputs: site.inputs, outputs: site.outputs }).to.deep.equal({ inputs, outputs });
  });

  it("shows drift in the inputs, keeps the site ready, and the next update repairs it alone", async () => {
    const { site, service } = await appliedSite();
    service.set(refOf("roof-p"), { tilt: 12 });
    service.set(refOf("car-a"), { policy: "CHARGE BY" });
    await site.refresh();
    expect(site.inputs).to.have.nested.property("inverters.p.tilt", 12);
    expect(site.inputs?.policies).to.deep.equal({ a: "CHARGE BY", b: FORECAST });
    expect(site.outputs).to.deep.include({ ready: true });
    expect((await site.up(SITE)).requests).to.have.members([
      'PATCH roof-p {"tilt":35}',
      "GET roof-p",
      `PATCH car-a {"policy":"${FORECAST}"}`,
      "GET car-a",
    ]);
    expect(await site.differs(SITE)).to.equal(false);
  });

  it("keeps what is known of a device that cannot be read, and warns", async () => {
    const { site, service } = await appliedSite();
    const before = site.device("vehicle/a");
    service.fail("reads", () => refused(403), "car-a");
    expect((await site.refresh()).reasons).to.deep.equal([]);
    expect(site.device("vehicle/a")).to.deep.equal(before);
    expect(site.shown.some((text) => text.includes("vehicle/a"))).to.equal(true);
  });

  it("fails if no device could be read, and keeps everything", async () => {
    const { site, service } = await appliedSite();
    const { outputs } = site;
    service.fail("reads", () => refused(403));
    expect((await site.refresh()).reasons).to.have.lengthOf(1);
    expect(site.outputs).to.deep.equal(outputs);
  });

  it("finds the baseline of a device if its state has another resource's value", async () => {
    const { site } = await appliedSite();
    const run = site.run();
    run.store.note("released", refOf("car-a"), [{ key: "maxCapacity", old: 50_000, new: 60_000 }]);
    await site.refresh(run);
    expect(eachIn(site.device("vehicle/a"), "baseline")).to.include({ maxCapacity: 50_000 });
  });

  it("loses a device that is gone, and shows its baseline", async () => {
    const { site, service } = await appliedSite();
    service.remove(refOf("car-a"));
    await site.refresh();
    expect(site.device("vehicle/a")).to.equal(undefined);
    expect(site.shown.some((text) => text.includes("car-a") && text.includes("maxCapacity was 60 kWh"))).to.equal(true);
  });

  it("keeps devices that may be there, at another address, and is asked once all are read", async () => {
    const { site, service } = await appliedSite();
    const { outputs } = site;
    for (const id of ["car-a", "roof-p"]) service.remove(refOf(id));
    service.confirmGone = async () => {
      expect(service.requests.slice(-4)).to.have.members(
        ["car-a", "car-b", "roof-p", "roof-q"].map((id) => `GET acme/${id}`),
      );
      throw refused(404, { isGone: false });
    };
    expect((await site.refresh()).reasons).to.deep.equal([]);
    expect(site.outputs).to.deep.equal(outputs);
    for (const id of ["car-b", "roof-q"]) service.remove(refOf(id));
    expect((await site.refresh()).reasons).to.have.lengthOf(1);
    expect(site.outputs).to.deep.equal(outputs);
  });

  it("of a site that failed in part shows what was accepted, and the next update sends the rest", async () => {
    const service = siteService();
    service.fail("updates", () => refused(422), "roof-p");
    const { site } = await appliedSite(SITE, service);
    await site.refresh();
    service.beforeUpdate = () => {};
    const { of, reasons } = await site.up(SITE);
    expect(reasons).to.deep.equal([]);
    expect(of("roof-p")).to.have.lengthOf(3);
    expect(of("roof-q")).to.deep.equal([]);
    expect(of("car-a")).to.deep.equal(["GET", `PATCH {"policy":"${FORECAST}"}`, "GET"]);
    expect(site.outputs).to.deep.include({ ready: true });
  });
});

describe("a device that is only observed", () => {
  virtualClock();
  const observed = (deviceId: string) => ({ deviceId, observe: true });

  it("is read and never written, and what it reports counts", async () => {
    const service = siteService();
    await new SiteStack(service).up({ inverters: SITE.inverters });
    const { site } = await appliedSite(
      { vehicles: { a }, inverters: { p: observed("roof-p"), q: observed("roof-q") } },
      service,
    );
    expect(site.outputs).to.deep.include({ ready: true });
    expect(service.requests.filter((request) => request.includes("roof"))).to.have.members([
      "GET acme/roof-p",
      "GET acme/roof-q",
    ]);
    expect(service.get(refOf("car-a"))).to.include({ policy: FORECAST });
  });

  it("keeps cars from their policy while it lacks a value, and no preview shows a change for that", async () => {
    const service = siteService();
    service.put(refOf("roof-p"), {
      dev_type: "Inverter",
      ...{ peak_power: 9800, azimuth: 180, tilt: 35, base_load: 400 },
    });
    const args = { vehicles: { a }, inverters: { p: observed("roof-p") } };
    const { site } = await appliedSite(args, service);
    expect(site.outputs?.gaps).to.deep.include({
      device: "inverter/p",
      setting: "cutInThreshold",
      reason: "notReported",
    });
    expect(service.get(refOf("car-a"))).to.include({ policy: "CHARGE BY" });
    expect(await site.differs(args)).to.equal(false);

    service.set(refOf("roof-p"), { cut_in_threshold: 150 });
    await site.refresh();
    expect(await site.differs(args)).to.equal(true);
    await site.up(args);
    expect(site.outputs).to.deep.include({ ready: true });
    expect(service.get(refOf("car-a"))).to.include({ policy: FORECAST });
  });

  it("is adopted with its baseline once it is managed, and not managed any more, with its baseline shown, once it is not", async () => {
    const { site } = await appliedSite({ ...SITE, inverters: { p: observed("roof-p"), q } });
    await site.up(SITE);
    expect(site.device("inverter/p")).to.deep.include({ ...ROOF_VALUES });
    expect(eachIn(site.device("inverter/p"), "baseline")).to.deep.include({ tilt: 3 });
    const { of } = await site.up({ ...SITE, inverters: { p: observed("roof-p"), q } });
    expect(of("roof-p")).to.deep.equal(["GET"]);
    expect(site.shown.some((text) => text.includes("roof-p") && showsBaseline(text, "tilt", 3))).to.equal(true);
    expect(site.outputs).to.deep.include({ ready: true });
  });

  it("is read by each update of its site", async () => {
    const args = { vehicles: { a }, inverters: { p: observed("roof-p"), q } };
    const { site, service } = await appliedSite(args);
    service.set(refOf("roof-p"), { tilt: 12 });
    const { of } = await site.up({ ...args, inverters: { ...args.inverters, q: { ...q, tilt: 30 } } });
    expect(of("roof-p")).to.deep.equal(["GET"]);
    expect(settingsIn(site.device("inverter/p")).tilt).to.deep.equal({ status: "unmanaged", reported: 12 });
  });

  it("is adopted by a later update if its first PATCH is refused", async () => {
    const { site, service } = await appliedSite({ vehicles: { a }, inverters: { p: observed("roof-p"), q } });
    const mend = service.fail("updates", () => refused(422), "roof-p");
    const managed = { vehicles: { a }, inverters: SITE.inverters };
    expect((await site.up(managed)).reasons).to.have.lengthOf(1);
    expect(site.device("inverter/p")).to.equal(undefined);
    mend();
    expect((await site.up(managed)).of("roof-p")).to.have.lengthOf(3);
    expect(site.device("inverter/p")).to.include(ROOF_VALUES);
    expect(eachIn(site.device("inverter/p"), "baseline")).to.include({ tilt: 3 });
  });

  it("that cannot be read fails the site, and holds the policies that need it", async () => {
    const service = siteService();
    service.remove(refOf("roof-p"));
    const { site, codes } = await appliedSite({ vehicles: { a }, inverters: { p: observed("roof-p") } }, service);
    expect(site.device("vehicle/a")).to.deep.include(CAR_VALUES);
    expect(settingsIn(site.device("vehicle/a")).policy).to.deep.equal({ status: "unmanaged", reported: "CHARGE BY" });
    expect(site.outputs).to.deep.include({ ready: false });
    expect(codes, "the failure says enough").to.not.include("notReady");
  });
});
