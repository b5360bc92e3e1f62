import { expect } from "chai";
import { inverter } from "../../../../provider/settings/inverter";
import type { Properties } from "../../../../provider/settings/objects";
import { omit } from "../../../../provider/settings/objects";
import { gapInWords } from "../../../../provider/settings/readiness";
import { toPatch, type Value, type Values } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { virtualClock } from "../../../support/clock";
import { expectFacts } from "../../../support/facts";
import { refused, uncertain, writerOf } from "../../../support/fakes";
import { eachIn, settingsIn } from "../../../support/records";
import {
  appliedSite,
  type BusyService,
  CAR_BASELINE,
  CAR_VALUES,
  FORECAST,
  otherType,
  ROOF_BASELINE,
  ROOF_VALUES,
  refOf,
  SITE,
  SiteStack,
  siteService,
} from "../../../support/sites";

const CAR_PATCH = { max_capacity: 77_000, max_charge_power: 11_000, policy: FORECAST };
const LABELS: Readonly<Record<string, string>> = {
  "car-a": "vehicle/a",
  "car-b": "vehicle/b",
  "roof-p": "inverter/p",
  "roof-q": "inverter/q",
};
const DEVICES = Object.keys(LABELS);
const isCar = (deviceId: string) => deviceId.startsWith("car");
const values = (deviceId: string): Values =>
  isCar(deviceId) ? CAR_VALUES : { ...ROOF_VALUES, ...(deviceId === "roof-q" && { baseLoad: 0 }) };
const patchOf = (declared: Values) => `PATCH ${JSON.stringify(declared)}`;
const wire = (deviceId: string, declared: Values) => patchOf(toPatch(isCar(deviceId) ? vehicle : inverter, declared));

const baselineOf = (deviceId: string): Values => (isCar(deviceId) ? CAR_BASELINE : ROOF_BASELINE);

const VERIFIED = {};

/** The values that an update sends to a device. */
const sentTo = (deviceId: string): Values => ({ ...values(deviceId), ...(isCar(deviceId) && { policy: FORECAST }) });

/** The kept state of a device. @param record of each sent setting; default: verified */
function kept(deviceId: string, record: (key: string, value: Value) => object = () => VERIFIED) {
  const settings = Object.entries(sentTo(deviceId)).map(([key, value]) => {
    return [key, { ...record(key, value), baseline: baselineOf(deviceId)[key] }] as const;
  });
  return { deviceId, ...values(deviceId), settings: Object.fromEntries(settings) };
}

/** The same for a car whose policy waits for another device: the policy is not managed yet. */
function waiting(deviceId: string) {
  const { settings, ...device } = kept(deviceId);
  return { ...device, settings: { ...settings, policy: { status: "unmanaged", reported: CAR_BASELINE.policy } } };
}

describe("create of a site", () => {
  virtualClock();

  it("sends inverters before vehicles, one PATCH a car with values and policy, three requests a device", async () => {
    const site = new SiteStack(siteService());
    const { requests, reasons, of } = await site.up(SITE);
    expect(reasons).to.deep.equal([]);
    for (const deviceId of DEVICES) {
      const patch = isCar(deviceId) ? patchOf(CAR_PATCH) : wire(deviceId, values(deviceId));
      expect(of(deviceId)).to.deep.equal(["GET", patch, "GET"]);
    }
    const order = requests.filter((request) => request.startsWith("PATCH")).map((request) => request.split(" ")[1]);
    expect(order.slice(0, 2)).to.have.members(["roof-p", "roof-q"]);
    const lastRoof = requests.findLastIndex((request) => request.includes("roof"));
    expect(requests.findIndex((request) => request.startsWith("PATCH car"))).to.be.greaterThan(lastRoof);
    for (const deviceId of DEVICES) expect(site.device(LABELS[deviceId] as string)).to.deep.equal(kept(deviceId));
    expect(site.outputs).to.deep.include({
      policies: { a: FORECAST, b: FORECAST },
      ready: true,
      gaps: [],
      missing: [],
      unverified: [],
    });
  });

  it("shows the baselines of what it sends before its first PATCH", async () => {
    const service = siteService();
    service.set(refOf("roof-p"), { tilt: ROOF_VALUES.tilt });
    const site = new SiteStack(service);
    const run = site.run();
    let shown: readonly string[] | undefined;
    service.beforeUpdate = () => {
      shown ??= [...run.shown];
    };
    await site.up({ inverters: { p: SITE.inverters.p } }, run);
    const { tilt: _, ...sent } = ROOF_BASELINE;
    const [line = ""] = shown?.filter((text) => text.includes("inverter/p: ")) ?? [];
    for (const key of Object.keys(sent)) expect(line).to.contain(key);
    expect(line).to.contain("peakPower was 1 kW").and.not.contain("tilt");
  });

  it("changes nothing afterwards: no request, and no difference", async () => {
    const { site } = await appliedSite();
    expect(await site.differs(SITE)).to.equal(false);
    expect((await site.up(SITE)).requests).to.deep.equal([]);
  });

  it("sends nothing to devices that are as declared: one read each", async () => {
    const service = siteService();
    await new SiteStack(service).up(SITE);
    const { requests } = await new SiteStack(service).up(SITE);
    expect(requests).to.have.members(DEVICES.map((deviceId) => `GET ${deviceId}`));
  });

  it("keeps nothing if no device was accepted", async () => {
    const service = siteService();
    service.fail("updates", () => refused(422));
    const site = new SiteStack(service);
    const { reasons, requests } = await site.up(SITE);
    expect(site.outputs).to.equal(undefined);
    expect(reasons).to.have.lengthOf(1);
    for (const label of Object.values(LABELS)) expect(reasons[0]).to.contain(label);
    expect(requests.filter((request) => request.startsWith("PATCH car")).join()).to.not.contain("FORECAST");
  });

  for (const failing of DEVICES) {
    /** The expected results of the other devices, after the failure of this one. */
    const others = DEVICES.filter((deviceId) => deviceId !== failing);
    const needIt = isCar(failing) ? [] : DEVICES.filter(isCar);

    const expectOthers = async (site: SiteStack, outcome: Awaited<ReturnType<SiteStack["up"]>>) => {
      expect(outcome.reasons).to.have.lengthOf(1);
      expect(outcome.reasons[0]).to.match(new RegExp(`^${LABELS[failing]}: `));
      for (const other of others) {
        const patch = needIt.includes(other) ? wire(other, CAR_VALUES) : isCar(other) ? patchOf(CAR_PATCH) : undefined;
        expect(outcome.of(other)).to.deep.equal(["GET", patch ?? wire(other, values(other)), "GET"]);
        const expected = needIt.includes(other) ? waiting(other) : kept(other);
        expect(site.device(LABELS[other] as string), other).to.deep.equal(expected);
      }
      expect(site.outputs).to.deep.include({ ready: false });
      expect(site.outputs?.gaps).to.deep.equal(
        Object.keys(values(failing)).map((setting) => ({ device: LABELS[failing], setting, reason: "notAccepted" })),
      );
    };

    /** Updates again, without the failure: this sends the rest, and the site is ready. */
    const expectRest = async (site: SiteStack, ofFailing: readonly string[]) => {
      expect(await site.differs(SITE)).to.equal(true);
      const { of, reasons } = await site.up(SITE);
      expect(reasons).to.deep.equal([]);
      expect(of(failing)).to.deep.equal(ofFailing);
      for (const other of others) {
        expect(of(other)).to.deep.equal(needIt.includes(other) ? ["GET", patchOf({ policy: FORECAST }), "GET"] : []);
      }
      for (const deviceId of DEVICES) expect(site.device(LABELS[deviceId] as string)).to.deep.equal(kept(deviceId));
      expect(site.outputs).to.deep.include({ ready: true, gaps: [] });
      expect(await site.differs(SITE)).to.equal(false);
    };

    const whole = isCar(failing) ? patchOf(CAR_PATCH) : wire(failing, values(failing));

    describe(`of which ${failing} fails`, () => {
      const dropped: Record<string, [fail: (service: BusyService) => () => void, requests: string[]]> = {
        "because its read is refused": [(service) => service.fail("reads", () => refused(403), failing), ["GET"]],
        "because it is gone": [(service) => gone(service, failing), ["GET"]],
        "because it is of another type": [(service) => otherType(service, failing), ["GET"]],
        "because its PATCH is refused": [
          (service) => service.fail("updates", () => refused(422), failing),
          ["GET", whole],
        ],
        "because it is gone at its PATCH": [
          (service) => service.fail("updates", () => refused(404), failing),
          ["GET", whole],
        ],
      };
      for (const [why, [fail, requests]] of Object.entries(dropped)) {
        it(`${why}: nothing is kept of it, the others go on, and the next update adopts it`, async () => {
          const service = siteService();
          const site = new SiteStack(service);
          const mend = fail(service);
          const outcome = await site.up(SITE);
          expect(outcome.of(failing)).to.deep.equal(requests);
          expect(site.device(LABELS[failing] as string)).to.equal(undefined);
          await expectOthers(site, outcome);
          mend();
          await expectRest(site, ["GET", whole, "GET"]);
        });
      }

      for (const [what, failure] of [
        ["and the PATCH is lost", "updates"],
        ["and the PATCH is applied", "answers"],
      ] as const) {
        it(`without an answer, ${what}: its baseline and what was sent are kept, and it is sent again`, async () => {
          const service = siteService();
          const site = new SiteStack(service);
          const mend = service.fail(failure, uncertain, failing);
          const outcome = await site.up(SITE);
          expect(outcome.of(failing)).to.deep.equal(["GET", whole]);
          const unsure = kept(failing, (key, value) => {
            return { status: "uncertain", sent: [value], reported: baselineOf(failing)[key] };
          });
          expect(site.device(LABELS[failing] as string)).to.deep.equal(unsure);
          await expectOthers(site, outcome);
          mend();
          await expectRest(site, [whole, "GET"]);
        });
      }

      it("at its read-back: it was accepted, the site is ready, and the next update sends nothing", async () => {
        const service = siteService();
        const site = new SiteStack(service);
        service.afterUpdate = ({ deviceId }) => {
          if (deviceId === failing) service.fail("reads", () => refused(503), failing);
        };
        const { reasons, of } = await site.up(SITE);
        expect(reasons).to.deep.equal([]);
        expect(of(failing)).to.deep.equal(["GET", whole, "GET"]);
        const sent = Object.keys(sentTo(failing));
        const pending = Object.fromEntries(sent.map((key) => [key, "pending"]));
        expect(eachIn(site.device(LABELS[failing] as string), "status")).to.deep.equal(pending);
        expect(site.outputs).to.deep.include({ ready: true });
        expect(site.outputs?.unverified).to.have.lengthOf(sent.length);
        expect((await site.up(SITE)).requests).to.deep.equal([]);
      });
    });
  }
});

/** Removes a device from the service until the returned function is called. */
function gone(service: BusyService, deviceId: string): () => void {
  const fields = service.get(refOf(deviceId)) ?? {};
  service.remove(refOf(deviceId));
  return () => service.put(refOf(deviceId), fields);
}

type Devices = Readonly<Record<string, Properties & { readonly deviceId: string }>>;
type Site = { readonly vehicles: Devices; readonly inverters: Devices };

/** The key of each device that the update changes, its values before and after, and its wire name. */
const CHANGES: Readonly<Record<string, { label: string; key: string; wire: string; old: number; new: number }>> = {
  "car-a": { label: "vehicle/a", key: "maxChargePower", wire: "max_charge_power", old: 11_000, new: 7400 },
  "car-b": { label: "vehicle/b", key: "maxChargePower", wire: "max_charge_power", old: 11_000, new: 7400 },
  "roof-p": { label: "inverter/p", key: "tilt", wire: "tilt", old: 35, new: 30 },
  "roof-q": { label: "inverter/q", key: "tilt", wire: "tilt", old: 35, new: 30 },
};

/** The site with a change in each of its devices. */
function withEach(change: (device: Properties & { readonly deviceId: string }) => Properties): Site {
  const eachOf = (devices: Devices) =>
    Object.fromEntries(Object.entries(devices).map(([name, device]) => [name, { ...device, ...change(device) }]));
  return { vehicles: eachOf(SITE.vehicles), inverters: eachOf(SITE.inverters) };
}
const CHANGED = withEach(({ deviceId }) => {
  const change = CHANGES[deviceId];
  return change ? { [change.key]: change.new } : {};
});

const change = (deviceId: string) => CHANGES[deviceId] as (typeof CHANGES)[string];
const patch = (deviceId: string) => `PATCH ${JSON.stringify({ [change(deviceId).wire]: change(deviceId).new })}`;

/** The kept state of a device with this value of the changed key. @param record of that key */
function changed(deviceId: string, value: Value, record: object = VERIFIED) {
  const { key } = change(deviceId);
  return { ...kept(deviceId, (one) => (one === key ? record : VERIFIED)), [key]: value };
}

/** The ways in which the PATCH of one device fails. */
const FAILURES = {
  "is refused": ["updates", () => refused(422)],
  "finds the device gone": ["updates", () => refused(404)],
  "is lost without an answer": ["updates", uncertain],
  "is applied without an answer": ["answers", uncertain],
} as const;
type Failure = (typeof FAILURES)[keyof typeof FAILURES];
const isUncertain = ([, error]: Failure) => error === uncertain;

function failPatchesOf(failing: string, service: BusyService, [what, error]: Failure) {
  return service.fail(what, error, failing);
}

describe("update of a site", () => {
  virtualClock();

  it("sends what changed, inverters before vehicles, and reads it back: two requests a device", async () => {
    const { site } = await appliedSite();
    const { of, requests, reasons, infos } = await site.up(CHANGED);
    expect(reasons).to.deep.equal([]);
    for (const deviceId of DEVICES) expect(of(deviceId)).to.deep.equal([patch(deviceId), "GET"]);
    expect(infos, "no baseline leaves the state").to.equal("");
    expect(requests.slice(0, 4).every((request) => request.includes("roof"))).to.equal(true);
    for (const deviceId of DEVICES) {
      expect(site.device(change(deviceId).label)).to.deep.equal(changed(deviceId, change(deviceId).new));
    }
  });

  it("sends again what another resource of the run restored meanwhile", async () => {
    const { site, service } = await appliedSite();
    const run = site.run();
    service.set(refOf("car-a"), { max_capacity: 60_000 });
    await run.store.restored(refOf("car-a"), { maxCapacity: 60_000 }, writerOf());
    const { of } = await site.up({ ...SITE, inverters: CHANGED.inverters }, run);
    expect(of("car-a")).to.deep.equal(['PATCH {"max_capacity":77000}', "GET"]);
    expect(site.device("vehicle/a")).to.deep.equal(kept("car-a"));
  });

  it("makes no request for a device that did not change", async () => {
    const { site } = await appliedSite();
    const { requests } = await site.up({ ...SITE, inverters: CHANGED.inverters });
    expect(requests.every((request) => request.includes("roof"))).to.equal(true);
    expect(requests).to.have.lengthOf(4);
  });

  for (const failing of DEVICES) {
    const others = DEVICES.filter((deviceId) => deviceId !== failing);
    const { label, key, old, new: next } = change(failing);

    for (const [how, failure] of Object.entries(FAILURES)) {
      it(`of which ${failing}'s PATCH ${how}: the others are updated, and the next one sends ${failing}'s again`, async () => {
        const { site, service } = await appliedSite();
        const mend = failPatchesOf(failing, service, failure);
        const { of, reasons } = await site.up(CHANGED);
        expect(reasons).to.have.lengthOf(1);
        expect(reasons[0]).to.match(new RegExp(`^${label}: `));
        expect(of(failing)).to.deep.equal([patch(failing)]);
        for (const other of others) {
          expect(of(other)).to.deep.equal([patch(other), "GET"]);
          expect(site.device(change(other).label)).to.deep.equal(changed(other, change(other).new));
        }
        const unsure = { status: "uncertain", ours: old, sent: [next], reported: old };
        const expected = isUncertain(failure) ? changed(failing, next, unsure) : changed(failing, old);
        expect(site.device(label)).to.deep.equal(expected);
        expect(site.outputs?.gaps).to.deep.equal([{ device: label, setting: key, reason: "notAccepted" }]);

        mend();
        const rest = await site.up(CHANGED);
        expect(rest.requests).to.deep.equal([`PATCH ${failing}${patch(failing).slice(5)}`, `GET ${failing}`]);
        expect(site.device(label)).to.deep.equal(changed(failing, next));
        expect(site.outputs).to.deep.include({ ready: true, gaps: [] });
        expect(await site.differs(CHANGED)).to.equal(false);
      });
    }
  }
});

describe("update of a site that somebody else has changed", () => {
  virtualClock();

  for (const [what, tilt, gaps] of [
    ["no gap if it could not repair that", 35, []],
    ["no gap if the program declares the new value", 12, []],
    ["a gap if a new value is not accepted", 30, [{ device: "inverter/p", setting: "tilt", reason: "notAccepted" }]],
  ] as const) {
    it(`has ${what}`, async () => {
      const { site, service } = await appliedSite();
      service.set(refOf("roof-p"), { tilt: 12, azimuth: 5 });
      await site.refresh();
      failPatchesOf("roof-p", service, FAILURES["is refused"]);
      const p = { ...SITE.inverters.p, tilt };
      expect((await site.up({ ...SITE, inverters: { ...SITE.inverters, p } })).reasons).to.have.lengthOf(1);
      expect(site.outputs?.gaps).to.deep.equal(gaps);
    });
  }
});

describe("update of a site without an accepted device", () => {
  virtualClock();

  it("keeps the state without devices if those before left it", async () => {
    const { site, service } = await appliedSite({ vehicles: { a: SITE.vehicles.a } });
    service.fail("reads", () => refused(403), "roof-p");
    expect((await site.up({ inverters: { p: SITE.inverters.p } })).reasons).to.have.lengthOf(1);
    expect(site.outputs?.devices).to.deep.equal({});
  });
});

describe("update of a site that a device could not leave", () => {
  virtualClock();

  /** Names of the site for devices that leave it. */
  const both = (onDelete?: string) => ({
    vehicles: { x: { ...SITE.vehicles.a, onDelete }, b: SITE.vehicles.b },
    inverters: { x: { ...SITE.inverters.p, onDelete }, q: SITE.inverters.q },
  });
  const rest = { vehicles: { b: SITE.vehicles.b }, inverters: { q: SITE.inverters.q } };

  it("withdraws vehicles before inverters", async () => {
    const { site } = await appliedSite(both("restore"));
    const { requests, reasons } = await site.up(rest);
    expect(reasons).to.deep.equal([]);
    expect(requests.map((request) => request.split(" ")[1])).to.deep.equal(["car-a", "car-a", "roof-p", "roof-p"]);
  });

  it("keeps the inverters that leave, under their names, while a car cannot leave", async () => {
    const { site, service } = await appliedSite(both("restore"));
    const before = [site.device("vehicle/x"), site.device("inverter/x")];
    const mend = service.fail("updates", () => refused(422), "car-a");
    const { of, reasons } = await site.up(rest);
    expect(reasons).to.have.lengthOf(1);
    expect(of("roof-p")).to.deep.equal([]);
    expect([site.device("vehicle/x"), site.device("inverter/x")]).to.deep.equal(before);
    mend();
    const { of: later } = await site.up(rest);
    for (const deviceId of ["car-a", "roof-p"]) expect(later(deviceId)).to.have.lengthOf(2);
    expect(Object.keys(site.outputs?.devices ?? {})).to.have.members(["vehicle/b", "inverter/q"]);
  });

  it("restores a device later according to its site at the time it left", async () => {
    const { site, service } = await appliedSite({ ...both(), onDelete: "restore" });
    const mend = service.fail("updates", () => refused(422), "car-a");
    await site.up(rest);
    mend();
    await site.up(rest);
    expect(service.get(refOf("car-a"))).to.include({ max_capacity: 60_000, policy: "CHARGE BY" });
  });

  it("gives the device another name if its own is used again", async () => {
    const { site, service } = await appliedSite(both("restore"));
    service.fail("updates", () => refused(422), "car-a");
    const next = { ...rest, vehicles: { x: { deviceId: "car-c", ...CAR_VALUES }, b: SITE.vehicles.b } };
    await site.up(next);
    expect(site.device("vehicle/x")).to.include({ deviceId: "car-c" });
    expect(site.device("vehicle/x (former)")).to.include({ deviceId: "car-a" });
    expect(site.device("inverter/x")).to.include({ deviceId: "roof-p" });
  });

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
      expect(service.get(refOf("roof-q"))).to.include({ peak_power: 1000, tilt: 3 });
    });
  }
});

describe("update of a site that becomes ready", () => {
  virtualClock();
  const LACKING = withEach(({ deviceId }) => (deviceId === "roof-p" ? { tilt: undefined } : {}));

  it("sends the policy behind the value that was missing", async () => {
    const { site } = await appliedSite(LACKING);
    const gaps = [{ device: "inverter/p", setting: "tilt", reason: "notDeclared" as const }];
    expect(site.outputs).to.deep.include({ ready: false, gaps, missing: gaps.map(gapInWords) });
    expect(site.outputs).to.not.have.property("policies");
    const { requests } = await site.up(SITE);
    const forecast = (car: string) => [`PATCH ${car} {"policy":"${FORECAST}"}`, `GET ${car}`];
    const first = ["GET roof-p", "GET car-a", "GET car-b"];
    expect(requests.slice(0, 3)).to.have.members(first);
    expect(requests.slice(3, 5)).to.deep.equal(['PATCH roof-p {"tilt":35}', "GET roof-p"]);
    expect(requests.slice(5)).to.have.members([...forecast("car-a"), ...forecast("car-b")]);
    expect(site.outputs).to.deep.include({ ready: true });
    expect(site.device("vehicle/a")).to.deep.equal({ ...changed("car-a", 11_000) });
  });

  for (const [how, failure] of Object.entries(FAILURES)) {
    it(`leaves the policies as they are if the inverter's PATCH ${how}`, async () => {
      const { site, service } = await appliedSite(LACKING);
      const mend = failPatchesOf("roof-p", service, failure);
      const { requests } = await site.up(SITE);
      expect(requests.slice(0, 3)).to.have.members(["GET roof-p", "GET car-a", "GET car-b"]);
      expect(requests.slice(3)).to.deep.equal(['PATCH roof-p {"tilt":35}']);
      expect(site.outputs?.gaps).to.deep.equal([{ device: "inverter/p", setting: "tilt", reason: "notAccepted" }]);
      mend();
      const rest = await site.up(SITE);
      const again = isUncertain(failure) ? [] : ["GET"];
      expect(rest.of("roof-p")).to.deep.equal([...again, 'PATCH {"tilt":35}', "GET"]);
      for (const car of ["car-a", "car-b"])
        expect(rest.of(car)).to.deep.equal(["GET", `PATCH {"policy":"${FORECAST}"}`, "GET"]);
      expect(site.outputs).to.deep.include({ ready: true });
      expect(await site.differs(SITE)).to.equal(false);
    });

    it(`gives one car its policy if the other car's PATCH ${how}`, async () => {
      const { site, service } = await appliedSite(LACKING);
      const mend = failPatchesOf("car-a", service, failure);
      await site.up(SITE);
      expect(site.device("vehicle/b")).to.deep.equal(changed("car-b", 11_000));
      mend();
      const again = isUncertain(failure) ? [] : ["GET car-a"];
      const policy = `PATCH car-a {"policy":"${FORECAST}"}`;
      expect((await site.up(SITE)).requests).to.deep.equal([...again, policy, "GET car-a"]);
      expect(site.device("vehicle/a")).to.deep.equal(changed("car-a", 11_000));
      expect(site.outputs).to.deep.include({ ready: true });
    });
  }

  it("keeps a policy that somebody changed if an inverter's PATCH is refused", async () => {
    const { site, service } = await appliedSite();
    service.set(refOf("car-a"), { policy: "CHARGE BY" });
    await site.refresh();
    const mend = failPatchesOf("roof-p", service, FAILURES["is refused"]);
    const inverters = CHANGED.inverters;
    expect((await site.up({ ...SITE, inverters })).of("car-a")).to.deep.equal([]);
    expect(settingsIn(site.device("vehicle/a")).policy).to.include({ status: "drifted" });
    mend();
    const policy = `PATCH {"policy":"${FORECAST}"}`;
    expect((await site.up({ ...SITE, inverters })).of("car-a")).to.deep.equal([policy, "GET"]);
  });

  for (const [policy, what, inverter, failing, isSent] of [
    [FORECAST, "an inverter's value is not declared", { tilt: undefined }, undefined, true],
    [FORECAST, "an inverter's value is not accepted", {}, "roof-p", false],
    [FORECAST, "its own value is not accepted", {}, "car-a", false],
    ["CHARGE BY", "an inverter's value is not accepted", {}, "roof-p", true],
  ] as [string, string, object, string | undefined, boolean][]) {
    it(`${isSent ? "sends" : "does not send"} the policy ${policy} that a car declares if ${what}`, async () => {
      const service = siteService();
      service.set(refOf("car-a"), { policy: "CHARGE BY SOMETHING" });
      if (failing) failPatchesOf(failing, service, FAILURES["is refused"]);
      const site = new SiteStack(service);
      await site.up({
        vehicles: { a: { ...SITE.vehicles.a, policy } },
        inverters: { p: { ...SITE.inverters.p, ...inverter } },
      });
      expect(service.get(refOf("car-a"))?.policy === policy).to.equal(isSent);
    });
  }

  it("does not list a policy that a car declares as a gap if it is not accepted", async () => {
    const service = siteService();
    failPatchesOf("car-b", service, FAILURES["is lost without an answer"]);
    const vehicles = { a: SITE.vehicles.a, b: { deviceId: "car-b", policy: FORECAST } };
    const { site, reasons } = await appliedSite({ ...SITE, vehicles }, service);
    expect(reasons).to.have.lengthOf(1);
    expect(site.outputs).to.deep.include({ ready: true, gaps: [] });
  });

  it("reports only in the check the settings that the program does not declare", async () => {
    const { codes } = await new SiteStack(siteService()).up(LACKING);
    expect(codes).to.not.include("notReady");
  });

  it("gives a car that joins no policy if an inverter's drift could not be repaired", async () => {
    const { site, service } = await appliedSite();
    service.set(refOf("roof-p"), { tilt: 12 });
    await site.refresh();
    failPatchesOf("roof-p", service, FAILURES["is refused"]);
    const joined = { ...SITE, vehicles: { ...SITE.vehicles, c: { deviceId: "car-c", ...CAR_VALUES } } };
    const { of } = await site.up(joined);
    expect(of("car-c")).to.deep.equal(["GET", 'PATCH {"max_capacity":77000,"max_charge_power":11000}', "GET"]);
    expect(of("car-a")).to.deep.equal([]);
  });
});

describe("a car that does not declare its capacity", () => {
  virtualClock();

  const vehicles = { ...SITE.vehicles, a: { deviceId: "car-a", ...omit(CAR_VALUES, ["maxCapacity"]) } };
  const declared = { ...SITE, vehicles };
  const ASSUMED = { device: "vehicle/a", setting: "maxCapacity", reason: "assumed" };

  /** The devices of `SITE`, with a car that does not report its capacity. */
  function silentService(): BusyService {
    const service = siteService();
    const { max_capacity: _, ...rest } = service.get(refOf("car-a")) ?? {};
    return service.put(refOf("car-a"), rest);
  }

  it("gets its policy with its values if it reports the capacity", async () => {
    const site = new SiteStack(siteService());
    const { of } = await site.up(declared);
    const patch = `PATCH {"max_charge_power":11000,"policy":"${FORECAST}"}`;
    expect(of("car-a")).to.deep.equal(["GET", patch, "GET"]);
    expect(site.outputs).to.deep.include({ ready: true });
    expect(await site.differs(declared)).to.equal(false);
    expect(site.device("vehicle/a")).to.deep.include({ maxChargePower: 11_000 }).and.not.have.property("maxCapacity");
  });

  it("gets no policy if it does not report the value either, unlike the other car, and the update explains why", async () => {
    const site = new SiteStack(silentService());
    const { of } = await site.up(declared);
    expect(of("car-a")).to.deep.equal(["GET", 'PATCH {"max_charge_power":11000}', "GET"]);
    expect(of("car-b").join()).to.contain(FORECAST);
    expect(site.outputs?.gaps).to.deep.equal([ASSUMED]);
    expectFacts(site.shown.join(), [" 80 kWh"]);
    expect(await site.differs(declared)).to.equal(false);
  });

  it("gets no policy if it reports exactly the service's values for an unknown car", async () => {
    const service = siteService();
    service.set(refOf("car-a"), { max_capacity: 80_000 });
    const site = new SiteStack(service);
    expect((await site.up(declared)).of("car-a").join()).to.not.contain(FORECAST);
    expect(site.outputs?.gaps).to.deep.equal([ASSUMED]);
  });

  it("gets it once a refresh has seen that it reports the capacity", async () => {
    const service = silentService();
    const site = new SiteStack(service);
    await site.up(declared);
    service.set(refOf("car-a"), { max_capacity: 58_000 });
    await site.refresh();
    const { of } = await site.up(declared);
    expect(of("car-a")).to.deep.equal(["GET", `PATCH {"policy":"${FORECAST}"}`, "GET"]);
    expect(site.outputs).to.deep.include({ ready: true });
  });

  it("stays ready if it is declared no longer and still reported", async () => {
    const { site } = await appliedSite();
    expect((await site.up(declared)).requests).to.deep.equal([]);
    expect(site.outputs).to.deep.include({ ready: true });
  });

  it("refuses the update of a site that has to be ready before anything is sent", async () => {
    const service = silentService();
    const { reasons, requests } = await new SiteStack(service).up({ ...declared, requireReady: true });
    expect(reasons.join()).to.contain("vehicle/a: maxCapacity");
    expect(requests.filter((request) => !request.startsWith("GET"))).to.deep.equal([]);
    const site = new SiteStack(siteService());
    expect((await site.up({ ...declared, requireReady: true })).reasons).to.deep.equal([]);
  });

  for (const [what, service] of [
    ["reported", siteService],
    ["did not report", silentService],
  ] as const) {
    it(`is not read again while the update is about another device, if it ${what} its capacity`, async () => {
      const { site } = await appliedSite(declared, service());
      const { gaps } = site.outputs ?? {};
      const inverters = { ...SITE.inverters, p: { ...SITE.inverters.p, tilt: 30 } };
      expect((await site.up({ ...declared, inverters })).of("car-a")).to.deep.equal([]);
      expect(site.outputs?.gaps).to.deep.equal(gaps);
    });
  }
});
