import { expect } from "chai";
import { UNKNOWN } from "../../../provider/lifecycle/program";
import { fromSiteInputs, fromSiteOutputs, toSiteInputs, toSiteOutputs } from "../../../provider/lifecycle/siteState";
import type { Properties } from "../../../provider/lifecycle/state";
import { virtualClock } from "../../support/clock";
import { refused } from "../../support/fakes";
import { CAR_VALUES, refOf, SITE, SiteStack, siteService } from "../../support/sites";

const OBSERVED = { ...SITE.inverters, p: { deviceId: "roof-p", observe: true } };
const { a } = SITE.vehicles;

async function up(args: Properties, service = siteService()): Promise<SiteStack> {
  const site = new SiteStack(service);
  await site.up(args);
  return site;
}

describe("the state of a site", () => {
  virtualClock();

  for (const [what, args] of Object.entries({
    "that has everything": SITE,
    "with a latitude": { ...SITE, latitude: 52.5 },
    "with a device that is only observed": { ...SITE, inverters: OBSERVED },
    "that is not solar": { ...SITE, solar: false },
    "with a car that declares its policy": { ...SITE, vehicles: { a: { ...a, policy: "CHARGE BY" } } },
  })) {
    it(`of a site ${what} is the same once it is written and read`, async () => {
      const { outputs = {} } = await up(args);
      expect(toSiteOutputs(fromSiteOutputs(outputs))).to.deep.equal(outputs);
    });
  }

  it("has a latitude if the site has one, in the inputs that a refresh shows too", async () => {
    const site = await up({ ...SITE, latitude: 52.5 });
    expect(site.outputs).to.include({ latitude: 52.5 });
    const declared = site.inputs;
    await site.refresh();
    expect(site.inputs).to.deep.equal(declared).and.to.include({ latitude: 52.5 });
    const other = await up(SITE);
    await other.refresh();
    for (const kept of [other.outputs, other.inputs]) expect(kept).to.not.have.property("latitude");
  });

  it("shows a device that is only observed as such in the inputs of a refresh, which then say nothing of ready", async () => {
    const site = await up({ ...SITE, inverters: OBSERVED });
    await site.refresh();
    expect(site.inputs)
      .to.have.nested.property("inverters.p")
      .that.deep.equals({
        ...{ businessId: "acme", deviceId: "roof-p", observe: true },
      });
    expect(site.inputs).to.not.have.nested.property("inverters.q.observe");
    expect(site.inputs).to.not.have.any.keys("ready", "gaps", "missing");
    expect(site.outputs).to.include.keys("ready", "gaps", "missing");
  });

  it("of an update that failed in part says nothing of ready in the inputs of a refresh, and keeps what failed", async () => {
    const service = siteService();
    service.beforeUpdate = ({ deviceId }) => {
      if (deviceId === "roof-p") throw refused(422);
    };
    const site = await up(SITE, service);
    const gaps = site.outputs?.gaps as readonly { device: string; setting: string; reason: string }[];
    expect(new Set(gaps.map(({ device, reason }) => `${device} ${reason}`))).to.deep.equal(
      new Set(["inverter/p notAccepted"]),
    );
    const { openGaps } = fromSiteOutputs(site.outputs ?? {});
    expect(openGaps).to.deep.equal(gaps);
    expect(toSiteInputs(fromSiteOutputs(site.outputs ?? {}))).to.not.have.any.keys("ready", "gaps", "missing");
  });

  it("takes over no gap that follows from its devices: one of a policy, or of what is not declared", async () => {
    const { outputs = {} } = await up({ ...SITE, vehicles: { a: { deviceId: "car-a", maxCapacity: 77_000 } } });
    expect(outputs.gaps).to.deep.equal([{ device: "vehicle/a", setting: "maxChargePower", reason: "notDeclared" }]);
    expect(fromSiteOutputs(outputs).openGaps).to.deep.equal([]);
    const policy = { device: "vehicle/a", setting: "policy", reason: "notAccepted" };
    expect(fromSiteOutputs({ ...outputs, gaps: [policy] }).openGaps).to.deep.equal([]);
  });

  it("is read of inputs in which something is not known yet", () => {
    const { latitude, devices } = fromSiteInputs({ site: "home", latitude: UNKNOWN, vehicles: UNKNOWN, inverters: {} });
    expect({ latitude, devices }).to.deep.equal({ latitude: undefined, devices: [] });
    expect(fromSiteInputs({ site: "home", latitude: 52.5 }).latitude).to.equal(52.5);
  });

  it("is read as if what is missing were empty, as an earlier version wrote less", () => {
    expect(fromSiteOutputs({ site: "home", solar: true, devices: {} })).to.deep.equal({
      ...{ site: "home", solar: true, devices: [], openGaps: [] },
    });
  });

  describe("that this version would not write", () => {
    const outputs = (changes: Properties) => ({ site: "home", solar: true, devices: {}, ...changes });

    it("is refused with the site's name and the path, without a value", () => {
      expect(() => fromSiteOutputs(outputs({ solar: "s3cret" })))
        .to.throw("SiteSettings 'home'")
        .with.property("message")
        .that.contains("solar")
        .and.does.not.contain("s3cret");
    });

    it("is refused without a name if there is none", () => {
      expect(() => fromSiteOutputs(outputs({ site: 7 }))).to.throw(/SiteSettings is not understood/);
    });

    it("is refused if it has a device of a kind that is not known", () => {
      const device = { ...refOf("box"), ...CAR_VALUES };
      expect(() => fromSiteOutputs(outputs({ devices: { "battery/box": device } }))).to.throw("'battery/box'");
    });
  });

  it("differs from inputs in which the latitude, solar or a group of devices is not known yet", async () => {
    const site = await up(SITE);
    for (const key of ["latitude", "solar", "vehicles", "inverters"]) {
      expect(await site.differs({ ...SITE, [key]: UNKNOWN }), key).to.equal(true);
    }
    expect(await site.differs(SITE)).to.equal(false);
  });
});
