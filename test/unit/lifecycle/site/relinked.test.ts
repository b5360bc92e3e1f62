import { expect } from "chai";
import { virtualClock } from "../../../support/clock";
import { appliedSite, CAR_VALUES, refOf, SITE, siteService } from "../../../support/sites";

const { a, b } = SITE.vehicles;
const VIN = "WVWZZZ1KZAW000001";

/** A site whose car `a` has a `phys_id`; `car-c` is the same car under a new id. */
async function siteOfRelinked(args: Readonly<Record<string, unknown>> = SITE) {
  const service = siteService();
  service.set(refOf("car-a"), { phys_id: VIN });
  service.set(refOf("car-b"), { phys_id: "another car" });
  const { site } = await appliedSite(args, service);
  service.set(refOf("car-c"), { phys_id: VIN });
  return { site, service };
}

const SWAPPED = { ...SITE, vehicles: { a: { deviceId: "car-c", ...CAR_VALUES }, b } };
const names = (infos: string) => infos.includes("car-a") && infos.includes("car-c") && infos.includes("phys_id");

describe("a car that the service knows by a new id", () => {
  virtualClock();

  it("is named in the update that declares the new id", async () => {
    const { site } = await siteOfRelinked();
    expect((await site.up(SWAPPED)).infos).to.satisfy(names);
  });

  it("is named in the refresh that finds the old id gone", async () => {
    const { site, service } = await siteOfRelinked();
    await site.up({ ...SITE, vehicles: { a, b, c: { deviceId: "car-c", ...CAR_VALUES } } });
    service.remove(refOf("car-a"));
    expect((await site.refresh()).infos).to.satisfy(names);
  });

  it("is named in the update that removes the old id, also if it restores the device", async () => {
    const { site } = await siteOfRelinked({ ...SITE, onDelete: "restore" });
    await site.up({ ...SITE, onDelete: "restore", vehicles: { a, b, c: { deviceId: "car-c", ...CAR_VALUES } } });
    const both = { vehicles: { b, c: { deviceId: "car-c", ...CAR_VALUES, maxCapacity: 50_000 } } };
    const run = site.run();
    await site.refresh(run);
    expect((await site.up({ ...SITE, onDelete: "restore", ...both }, run)).infos).to.satisfy(names);
  });

  it("gets nothing of the old one: the present values are its baseline", async () => {
    const { site } = await siteOfRelinked();
    await site.up(SWAPPED);
    expect(site.device("vehicle/a")?.settings).to.have.nested.property("maxCapacity.baseline", 60_000);
  });

  it("is not named if another car takes its place", async () => {
    const { site, service } = await siteOfRelinked();
    service.set(refOf("car-c"), { phys_id: "a third car" });
    expect((await site.up(SWAPPED)).infos).to.not.satisfy(names);
  });

  it("keeps the phys_id itself out of state and messages", async () => {
    const { site } = await siteOfRelinked();
    const { infos } = await site.up(SWAPPED);
    expect(infos + JSON.stringify([site.inputs, site.outputs])).to.not.include(VIN);
    expect(site.device("vehicle/a")).to.have.property("physicalDevice");
    expect(JSON.stringify(site.inputs)).to.not.include("physicalDevice");
  });

  it("is no difference: a refresh that shows the phys_id for the first time changes nothing", async () => {
    const service = siteService();
    const { site } = await appliedSite(SITE, service);
    service.set(refOf("car-a"), { phys_id: VIN });
    await site.refresh();
    expect(await site.differs(SITE)).to.equal(false);
    expect(site.device("vehicle/a")).to.have.property("physicalDevice");
  });
});
