import { expect } from "chai";
import type { Properties } from "../../../provider/lifecycle/state";
import { omit } from "../../../provider/settings/setting";
import { virtualClock } from "../../support/clock";
import { refused, uncertain } from "../../support/fakes";
import {
  type BusyService,
  CAR_BASELINE,
  CAR_VALUES,
  FORECAST,
  ROOF_BASELINE,
  ROOF_VALUES,
  refOf,
  SITE,
  SiteStack,
  siteService,
} from "../../support/sites";

type Devices = Readonly<Record<string, Properties & { readonly deviceId: string }>>;
type Site = { readonly vehicles: Devices; readonly inverters: Devices };

/** The key of each device that the update changes, its values before and after, and its name at the service. */
const CHANGES: Readonly<Record<string, { label: string; key: string; wire: string; old: number; new: number }>> = {
  "car-a": { label: "vehicle/a", key: "maxChargePower", wire: "max_charge_power", old: 11_000, new: 7400 },
  "car-b": { label: "vehicle/b", key: "maxChargePower", wire: "max_charge_power", old: 11_000, new: 7400 },
  "roof-p": { label: "inverter/p", key: "tilt", wire: "tilt", old: 35, new: 30 },
  "roof-q": { label: "inverter/q", key: "tilt", wire: "tilt", old: 35, new: 30 },
};
const DEVICES = Object.keys(CHANGES);
const isCar = (deviceId: string) => deviceId.startsWith("car");

/** The site with other values for each of its devices. */
function withEach(change: (device: Properties & { readonly deviceId: string }) => Properties): Site {
  const changed = (devices: Devices) =>
    Object.fromEntries(Object.entries(devices).map(([name, device]) => [name, { ...device, ...change(device) }]));
  return { vehicles: changed(SITE.vehicles), inverters: changed(SITE.inverters) };
}
const CHANGED = withEach(({ deviceId }) => {
  const change = CHANGES[deviceId];
  return change ? { [change.key]: change.new } : {};
});

const change = (deviceId: string) => CHANGES[deviceId] as (typeof CHANGES)[string];
const patch = (deviceId: string) => `PATCH ${JSON.stringify({ [change(deviceId).wire]: change(deviceId).new })}`;

/** What is kept of a device that has this value of the key that changes. */
function kept(deviceId: string, value: number) {
  const own = isCar(deviceId) ? { ...CAR_VALUES, policy: FORECAST, policyFromSite: true } : ROOF_VALUES;
  const zero = deviceId === "roof-q" && { baseLoad: 0 };
  const baseline = isCar(deviceId) ? CAR_BASELINE : ROOF_BASELINE;
  return { businessId: "acme", deviceId, ...own, ...zero, [change(deviceId).key]: value, baseline };
}

/** The ways in which the PATCH of one device fails: what happens, when, and what is kept of the key. */
const FAILURES = {
  "is refused": { hook: "beforeUpdate", error: () => refused(422), isUncertain: false },
  "finds the device gone": { hook: "beforeUpdate", error: () => refused(404), isUncertain: false },
  "is lost without an answer": { hook: "beforeUpdate", error: () => uncertain(), isUncertain: true },
  "is applied without an answer": { hook: "afterUpdate", error: () => uncertain(), isUncertain: true },
} as const;

type Failure = (typeof FAILURES)[keyof typeof FAILURES];

function failPatchesOf(failing: string, service: BusyService, { hook, error }: Failure) {
  service[hook] = ({ deviceId }) => {
    if (deviceId === failing) throw error();
  };
  return () => {
    service[hook] = () => {};
  };
}

describe("update of a site", () => {
  virtualClock();

  it("sends what changed, inverters before vehicles, and reads it back: two requests a device", async () => {
    const site = new SiteStack(siteService());
    await site.up(SITE);
    const { of, requests, reasons } = await site.up(CHANGED);
    expect(reasons).to.deep.equal([]);
    for (const deviceId of DEVICES) expect(of(deviceId)).to.deep.equal([patch(deviceId), "GET"]);
    expect(requests.slice(0, 4).every((request) => request.includes("roof"))).to.equal(true);
    for (const deviceId of DEVICES) {
      expect(site.device(change(deviceId).label)).to.deep.equal(kept(deviceId, change(deviceId).new));
    }
  });

  it("makes no request for a device that did not change", async () => {
    const site = new SiteStack(siteService());
    await site.up(SITE);
    const { requests } = await site.up({ ...SITE, inverters: CHANGED.inverters });
    expect(requests.every((request) => request.includes("roof"))).to.equal(true);
    expect(requests).to.have.lengthOf(4);
  });

  for (const failing of DEVICES) {
    const others = DEVICES.filter((deviceId) => deviceId !== failing);
    const { label, key, old, new: next } = change(failing);

    for (const [how, failure] of Object.entries(FAILURES)) {
      it(`of which ${failing}'s PATCH ${how}: the others are updated, and the next one sends ${failing}'s again`, async () => {
        const service = siteService();
        const site = new SiteStack(service);
        await site.up(SITE);
        const mend = failPatchesOf(failing, service, failure);
        const { of, reasons } = await site.up(CHANGED);
        expect(reasons).to.have.lengthOf(1);
        expect(reasons[0]).to.match(new RegExp(`^${label}: `));
        expect(of(failing)).to.deep.equal([patch(failing)]);
        for (const other of others) {
          expect(of(other)).to.deep.equal([patch(other), "GET"]);
          expect(site.device(change(other).label)).to.deep.equal(kept(other, change(other).new));
        }
        const { isUncertain } = failure;
        const unsure = { reported: { [key]: old }, written: { [key]: old }, attempted: { [key]: [next] } };
        expect(site.device(label)).to.deep.equal({
          ...kept(failing, isUncertain ? next : old),
          ...(isUncertain && unsure),
        });
        expect(site.outputs?.gaps).to.deep.equal([{ device: label, setting: key, reason: "notAccepted" }]);

        mend();
        const rest = await site.up(CHANGED);
        expect(rest.requests).to.deep.equal([`PATCH ${failing}${patch(failing).slice(5)}`, `GET ${failing}`]);
        expect(site.device(label)).to.deep.equal(kept(failing, next));
        expect(site.outputs).to.deep.include({ ready: true, gaps: [] });
        expect(await site.differs(CHANGED)).to.equal(false);
      });
    }
  }
});

describe("update of a site that a device could not leave", () => {
  virtualClock();

  for (const how of ["is lost without an answer", "is applied without an answer"] as const) {
    it(`sends its values again if it is declared again, and keeps its baseline, if the PATCH that restores it ${how}`, async () => {
      const service = siteService();
      const site = new SiteStack(service);
      const all = withEach(() => ({ onDelete: "restore" }));
      const { q: _, ...inverters } = all.inverters;
      await site.up(all);
      const before = site.device("inverter/q");
      const mend = failPatchesOf("roof-q", service, FAILURES[how]);
      expect((await site.up({ ...all, inverters })).reasons).to.have.lengthOf(1);
      mend();
      expect((await site.up(all)).reasons).to.deep.equal([]);
      expect(service.get(refOf("roof-q"))).to.include({ peak_power: ROOF_VALUES.peakPower, tilt: ROOF_VALUES.tilt });
      expect(site.device("inverter/q")).to.deep.equal(before);
      expect((await site.destroy()).reasons).to.deep.equal([]);
      expect(service.get(refOf("roof-q"))).to.include({ peak_power: 1, tilt: 3 });
    });
  }
});

describe("update of a site that becomes ready", () => {
  virtualClock();
  const LACKING = withEach(({ deviceId }) => (deviceId === "roof-p" ? { tilt: undefined } : {}));

  it("sends the policy behind the value that was missing", async () => {
    const site = new SiteStack(siteService());
    await site.up(LACKING);
    expect(site.outputs).to.deep.include({ ready: false, missing: ["inverter/p: tilt is not declared"] });
    for (const label of ["vehicle/a", "vehicle/b"]) expect(site.device(label)).to.not.have.property("policy");
    const { requests } = await site.up(SITE);
    const forecast = (car: string) => [`PATCH ${car} {"policy":"${FORECAST}"}`, `GET ${car}`];
    expect(requests.slice(0, 2)).to.deep.equal(['PATCH roof-p {"tilt":35}', "GET roof-p"]);
    expect(requests.slice(2)).to.have.members([...forecast("car-a"), ...forecast("car-b")]);
    expect(site.outputs).to.deep.include({ ready: true });
    expect(site.device("vehicle/a")).to.deep.equal({ ...kept("car-a", 11_000) });
  });

  for (const [how, failure] of Object.entries(FAILURES)) {
    it(`leaves the policies as they are if the inverter's PATCH ${how}`, async () => {
      const service = siteService();
      const site = new SiteStack(service);
      await site.up(LACKING);
      const mend = failPatchesOf("roof-p", service, failure);
      const { requests } = await site.up(SITE);
      expect(requests).to.deep.equal(['PATCH roof-p {"tilt":35}']);
      expect(site.outputs?.gaps).to.deep.equal([{ device: "inverter/p", setting: "tilt", reason: "notAccepted" }]);
      mend();
      const rest = await site.up(SITE);
      expect(rest.of("roof-p")).to.deep.equal(['PATCH {"tilt":35}', "GET"]);
      for (const car of ["car-a", "car-b"])
        expect(rest.of(car)).to.deep.equal([`PATCH {"policy":"${FORECAST}"}`, "GET"]);
      expect(site.outputs).to.deep.include({ ready: true });
      expect(await site.differs(SITE)).to.equal(false);
    });

    it(`gives one car its policy if the other car's PATCH ${how}`, async () => {
      const service = siteService();
      const site = new SiteStack(service);
      await site.up(LACKING);
      const mend = failPatchesOf("car-a", service, failure);
      await site.up(SITE);
      expect(site.device("vehicle/b")).to.deep.equal(kept("car-b", 11_000));
      mend();
      expect((await site.up(SITE)).requests).to.deep.equal([`PATCH car-a {"policy":"${FORECAST}"}`, "GET car-a"]);
      expect(site.device("vehicle/a")).to.deep.equal(kept("car-a", 11_000));
      expect(site.outputs).to.deep.include({ ready: true });
    });
  }

  it("gives a car that joins no policy if an inverter's drift could not be repaired", async () => {
    const service = siteService();
    const site = new SiteStack(service);
    await site.up(SITE);
    service.put(refOf("roof-p"), { ...service.get(refOf("roof-p")), tilt: 12 });
    await site.refresh();
    failPatchesOf("roof-p", service, FAILURES["is refused"]);
    const joined = { ...SITE, vehicles: { ...SITE.vehicles, c: { deviceId: "car-c", ...CAR_VALUES } } };
    const { of } = await site.up(joined);
    expect(of("car-c")).to.deep.equal(["GET", 'PATCH {"max_capacity":77000,"max_charge_power":11000}', "GET"]);
    expect(of("car-a")).to.deep.equal([]);
  });

  it("gives a car that lacks a value of its own no policy, and the other one its policy", async () => {
    const site = new SiteStack(siteService());
    const vehicles = { ...SITE.vehicles, a: { deviceId: "car-a", ...omit(CAR_VALUES, ["maxCapacity"]) } };
    const { of } = await site.up({ ...SITE, vehicles });
    expect(of("car-a")).to.deep.equal(["GET", 'PATCH {"max_charge_power":11000}', "GET"]);
    expect(of("car-b").join()).to.contain(FORECAST);
    expect(site.outputs?.gaps).to.deep.include({ device: "vehicle/a", setting: "maxCapacity", reason: "notDeclared" });
  });
});
