import { expect } from "chai";
import type { Known } from "../../../../provider/lifecycle/device/record";
import {
  countedValues,
  fromSiteOutputs,
  gapsInState,
  type SiteState,
  type StoredDevice,
  toSiteInputs,
  toSiteOutputs,
} from "../../../../provider/lifecycle/site/state";
import type { Group } from "../../../../provider/settings/groups";
import type { Properties } from "../../../../provider/settings/objects";
import { omit, UNKNOWN } from "../../../../provider/settings/objects";
import type { Gap } from "../../../../provider/settings/readiness";
import { virtualClock } from "../../../support/clock";
import { refused } from "../../../support/fakes";
import { verified } from "../../../support/records";
import { appliedSite, CAR_VALUES, FORECAST, ROOF_VALUES, refOf, SITE, siteService } from "../../../support/sites";

const OBSERVED = { ...SITE.inverters, p: { deviceId: "roof-p", observe: true } };
const { a } = SITE.vehicles;

describe("the state of a site", () => {
  virtualClock();

  for (const [what, args] of Object.entries({
    "that has everything": SITE,
    "with a latitude": { ...SITE, latitude: 52.5 },
    "with a device that is only observed": { ...SITE, inverters: OBSERVED },
    "that is not solar": { ...SITE, solar: false },
    "with a car that declares its policy": { ...SITE, vehicles: { a: { ...a, policy: "CHARGE BY" } } },
    "with a car and an inverter of one name": { vehicles: { home: a }, inverters: { home: SITE.inverters.p } },
  })) {
    it(`of a site ${what} is the same once it is written and read`, async () => {
      const { outputs = {} } = (await appliedSite(args)).site;
      expect(toSiteOutputs(fromSiteOutputs(outputs))).to.deep.equal(outputs);
    });
  }

  it("has a latitude if the site has one, in the inputs that a refresh shows too", async () => {
    const { site } = await appliedSite({ ...SITE, latitude: 52.5 });
    expect(site.outputs).to.include({ latitude: 52.5 });
    const declared = site.inputs;
    await site.refresh();
    expect(site.inputs).to.deep.equal(declared).and.to.include({ latitude: 52.5 });
    const { site: other } = await appliedSite(SITE);
    await other.refresh();
    for (const kept of [other.outputs, other.inputs]) expect(kept).to.not.have.property("latitude");
  });

  it("has the policies that the site gave, without those that the program declares", async () => {
    const { site } = await appliedSite({ ...SITE, vehicles: { ...SITE.vehicles, a: { ...a, policy: "CHARGE BY" } } });
    expect(site.outputs?.policies).to.deep.equal({ b: FORECAST });
    expect(site.device("vehicle/a")).to.include({ policy: "CHARGE BY" });
    expect(site.device("vehicle/b")).to.not.have.property("policy");
  });

  it("has the options of a device, which the next update finds unchanged", async () => {
    const own = { ...a, businessId: "north", onDelete: "reset", ignoreLints: ["direct-current-power"] };
    const service = siteService();
    service.put({ businessId: "north", deviceId: "car-a" }, { id: "car-a" });
    const args = { vehicles: { a: own }, onDelete: "restore" };
    const { site } = await appliedSite(args, service);
    expect(site.device("vehicle/a")).to.deep.include(own);
    expect(await site.differs(args)).to.equal(false);
  });

  it("has no group in the inputs of a refresh without a device of it", () => {
    expect(toSiteInputs(siteOf([CAR])))
      .to.include.keys("vehicles")
      .and.not.have.property("inverters");
  });

  it("marks an observed device in the inputs of a refresh, which then have no `ready`", async () => {
    const { site } = await appliedSite({ ...SITE, inverters: OBSERVED });
    await site.refresh();
    expect(site.inputs).to.have.nested.property("inverters.p").that.deep.equals({ deviceId: "roof-p", observe: true });
    expect(site.inputs).to.not.have.nested.property("inverters.q.observe");
    expect(site.inputs).to.not.have.any.keys("ready", "gaps", "missing");
    expect(site.outputs).to.include.keys("ready", "gaps", "missing");
  });

  it("of an update that failed in part has no `ready` in the inputs of a refresh, and keeps the failed values", async () => {
    const service = siteService();
    service.fail("updates", () => refused(422), "roof-p");
    const { site } = await appliedSite(SITE, service);
    const gaps = site.outputs?.gaps as readonly { device: string; setting: string; reason: string }[];
    expect(new Set(gaps.map(({ device, reason }) => `${device} ${reason}`))).to.deep.equal(
      new Set(["inverter/p notAccepted"]),
    );
    const { openGaps } = fromSiteOutputs(site.outputs ?? {});
    expect(openGaps).to.deep.equal(gaps);
    expect(toSiteInputs(fromSiteOutputs(site.outputs ?? {}))).to.not.have.any.keys("ready", "gaps", "missing");
  });

  it("takes over no gap that follows from its devices: one of a policy, or of what is not declared", async () => {
    const { outputs = {} } = (
      await appliedSite({ ...SITE, inverters: { p: omit<unknown>(SITE.inverters.p, ["tilt"]) } })
    ).site;
    expect(outputs.gaps).to.deep.equal([{ device: "inverter/p", setting: "tilt", reason: "notDeclared" }]);
    expect(fromSiteOutputs(outputs).openGaps).to.deep.equal([]);
    const policy = { device: "vehicle/a", setting: "policy", reason: "notAccepted" };
    expect(fromSiteOutputs({ ...outputs, gaps: [policy] }).openGaps).to.deep.equal([]);
  });

  it("is read as if what follows from it were absent", () => {
    expect(fromSiteOutputs({ solar: true, devices: {} })).to.deep.equal({
      ...{ options: { solar: true }, devices: [], openGaps: [] },
    });
  });

  describe("that this version would not write", () => {
    const outputs = (changes: Properties) => ({ solar: true, devices: {}, ...changes });

    it("is refused with the path, without a value", () => {
      expect(() => fromSiteOutputs(outputs({ solar: "s3cret" })))
        .to.throw("SiteSettings")
        .with.property("message")
        .that.contains("solar")
        .and.does.not.contain("s3cret");
    });

    it("is refused, with the device of the records that it does not understand", () => {
      const device = { deviceId: "car-a", maxCapacity: 77_000, settings: { maxCapacity: { status: "confirmed" } } };
      const read = () => fromSiteOutputs(outputs({ businessId: "acme", devices: { "vehicle/a": device } }));
      expect(read).to.throw("'car-a'").with.property("message").that.contains("settings.maxCapacity.status");
    });

    it("is refused if it has a device of a kind that is not known", () => {
      const device = { deviceId: "box", settings: {} };
      expect(() => fromSiteOutputs(outputs({ devices: { "battery/box": device } }))).to.throw("'battery/box'");
    });
  });

  it("differs from inputs in which the latitude, solar or a group of devices is not known yet", async () => {
    const { site } = await appliedSite(SITE);
    for (const key of ["latitude", "solar", "vehicles", "inverters"]) {
      expect(await site.differs({ ...SITE, [key]: UNKNOWN }), key).to.equal(true);
    }
    expect(await site.differs(SITE)).to.equal(false);
  });
});

/** A device whose values were all accepted, except these records. An undefined record is missing. */
function kept(group: Group, name: string, changes: Readonly<Record<string, Known | undefined>> = {}): StoredDevice {
  const values = group === "inverters" ? ROOF_VALUES : { ...CAR_VALUES, policy: FORECAST };
  const records = Object.entries({ ...verified(values), ...changes });
  const settings = Object.fromEntries(records.flatMap(([key, record]) => (record ? [[key, record]] : [])));
  const role = { group, name, observe: false, policyFromSite: group === "vehicles" };
  return { ...role, ...refOf(name), given: { deviceId: name }, settings };
}

function siteOf(devices: readonly StoredDevice[], openGaps: readonly Gap[] = []): SiteState {
  return { options: { solar: true }, devices, openGaps };
}

const notAccepted = (device: string, setting: string): Gap => ({ device, setting, reason: "notAccepted" });
const ROOF = kept("inverters", "p");
const CAR = kept("vehicles", "a");

/** A roof whose tilt has never been accepted. */
const UNSURE = kept("inverters", "p", { tilt: { status: "uncertain", value: 35, sent: [35] } });

/** A car whose policy the site has not set yet. */
const WAITING = ((car: StoredDevice): StoredDevice => ({ ...car, policyFromSite: false }))(
  kept("vehicles", "a", { policy: { status: "unmanaged", reported: "CHARGE BY" } }),
);
/** A car with the policy that somebody set while its site was not ready. */
const CHANGED = kept("vehicles", "a", { policy: { status: "verified", value: "CHARGE BY" } });

/** A car with that policy that the site only observes. */
const WATCHED: StoredDevice = {
  ...CHANGED,
  observe: true,
  policyFromSite: false,
  settings: {
    maxCapacity: { status: "unmanaged", reported: 77_000 },
    maxChargePower: { status: "unmanaged", reported: 11_000 },
    policy: { status: "unmanaged", reported: "CHARGE BY" },
  },
};
const OTHER_POLICY: Gap = { device: "vehicle/a", setting: "policy", reason: "otherPolicy" };
const FAILED = notAccepted("inverter/p", "tilt");
const allOf = (device: string, values: object) => Object.keys(values).map((key) => notAccepted(device, key));
const tilted = (tilt: Known) => [kept("inverters", "p", { tilt }), CAR];

describe("what keeps a site from being ready, by its state", () => {
  for (const [what, devices, open, found] of [
    ["nothing if all was accepted", [ROOF, CAR], [], []],
    ["each setting that failed, once", [UNSURE, CAR], [FAILED], [FAILED]],
    ["no drift", tilted({ status: "drifted", value: 12, ours: 35 }), [], []],
    ["no value that the service keeps otherwise", tilted({ status: "adjusted", value: 35, reported: 34 }), [], []],
    ["no value that the service does not show", tilted({ status: "notReported", value: 35 }), [], []],
    ["no value that the service does not show yet", tilted({ status: "pending", value: 35, reported: 3 }), [], []],
    [
      "what failed of one device beside what is missing of another, also of the same setting",
      [UNSURE, kept("inverters", "q", { tilt: { status: "unmanaged", reported: 35 } }), CAR],
      [FAILED],
      [FAILED, { device: "inverter/q", setting: "tilt", reason: "notDeclared" }],
    ],
    ["an inverter of which nothing is kept", [CAR], allOf("inverter/p", ROOF_VALUES), allOf("inverter/p", ROOF_VALUES)],
    ["a car of which nothing is kept", [ROOF], allOf("vehicle/a", CAR_VALUES), allOf("vehicle/a", CAR_VALUES)],
    [
      "what failed of a device beside what it does not declare, once each",
      [kept("inverters", "p", { ...UNSURE.settings, azimuth: { status: "unmanaged", reported: 180 } }), CAR],
      [FAILED],
      [FAILED, { device: "inverter/p", setting: "azimuth", reason: "notDeclared" }],
    ],
    ["no policy that waits for something else that is missing", [UNSURE, WAITING], [FAILED], [FAILED]],
    ["no policy that somebody changed, while the site cannot set it", [UNSURE, CHANGED], [FAILED], [FAILED]],
    ["the policy that somebody changed if nothing else is missing", [ROOF, CHANGED], [], [OTHER_POLICY]],
    ["another policy of a car that is only observed", [UNSURE, WATCHED], [FAILED], [FAILED, OTHER_POLICY]],
    ["the policy if nothing else is missing", [ROOF, WAITING], [], [notAccepted("vehicle/a", "policy")]],
    [
      "a policy of the site that was not accepted",
      [ROOF, kept("vehicles", "a", { policy: { status: "uncertain", value: FORECAST, sent: [FORECAST] } })],
      [],
      [notAccepted("vehicle/a", "policy")],
    ],
  ] as [string, StoredDevice[], Gap[], Gap[]][]) {
    it(`is ${what}`, () => expect(gapsInState(siteOf(devices, open))).to.have.deep.members(found));
  }

  it("is the same if the site is solar because of an inverter of which nothing is kept", () => {
    const open = allOf("inverter/p", ROOF_VALUES);
    expect(gapsInState({ ...siteOf([CAR], open), options: {} })).to.have.deep.members(open);
  });
});

describe("the values of a device that count", () => {
  const counted = (record: Known) => countedValues({ observe: false, settings: { maxCapacity: record } });

  it("are ours if somebody else has changed them since", () => {
    expect(counted({ status: "drifted", value: 75_000, ours: 77_000 })).to.deep.equal({ maxCapacity: 77_000 });
  });

  it("are somebody else's if the program declares them now", () => {
    expect(counted({ status: "verified", value: 75_000, ours: 77_000 })).to.deep.equal({ maxCapacity: 75_000 });
  });
});

describe("what was accepted and is not seen", () => {
  it("is each such setting by its device, with what is shown in its place, and is nothing if all is verified", () => {
    const car = kept("vehicles", "a", {
      maxCapacity: { status: "notReported", value: 77_000 },
      maxChargePower: { status: "adjusted", value: 11_000, reported: 10_900 },
    });
    const roof = kept("inverters", "p", {
      peakPower: { status: "pending", value: 9800 },
      tilt: { status: "pending", value: 35, reported: 3 },
    });
    const lines = toSiteOutputs(siteOf([car, roof])).unverified as string[];
    expect(lines).to.have.lengthOf(4);
    expect(lines[0])
      .to.match(/^vehicle\/a: maxCapacity /)
      .and.not.contain("77000");
    expect(lines[1]).to.match(/^vehicle\/a: maxChargePower .*10\.9 kW/);
    expect(lines[2]).to.match(/^inverter\/p: peakPower /);
    expect(lines[3]).to.match(/^inverter\/p: tilt .*\b3\b/);
    // A dash stands for a value that is missing.
    for (const line of lines) expect(line).to.not.contain("–");
    expect(new Set(lines.map((text) => text.replace(/.*?: \w+ /, "").replace(/\d+/, ""))).size).to.equal(4);
    expect(toSiteOutputs(siteOf([CAR, ROOF])).unverified).to.deep.equal([]);
  });
});
