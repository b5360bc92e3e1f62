import { expect } from "chai";
import type { Properties } from "../../../../provider/settings/objects";
import { omit } from "../../../../provider/settings/objects";
import { virtualClock } from "../../../support/clock";
import { expectFacts } from "../../../support/facts";
import { refused, uncertain } from "../../../support/fakes";
import { eachIn, settingsIn } from "../../../support/records";
import {
  appliedSite,
  CAR_BASELINE,
  CAR_VALUES,
  FORECAST,
  otherType,
  refOf,
  SITE,
  SiteStack,
  siteService,
} from "../../../support/sites";

const { a, b } = SITE.vehicles;
const { p, q } = SITE.inverters;

describe("a device that leaves its site", () => {
  virtualClock();

  for (const [onDelete, requests] of [
    [undefined, []],
    ["restore", ["GET", 'PATCH {"max_capacity":60000,"max_charge_power":3000,"policy":"CHARGE BY"}']],
    ["reset", ["GET", 'PATCH {"max_capacity":80000,"max_charge_power":7200,"policy":"CHARGE BY"}']],
  ] as const) {
    it(`is released according to its onDelete (${onDelete ?? "retain"}), and no other device is touched`, async () => {
      const { site } = await appliedSite({ ...SITE, vehicles: { a, b: { ...b, ...(onDelete && { onDelete }) } } });
      const { of, requests: all } = await site.up({ ...SITE, vehicles: { a } });
      expect(of("car-b")).to.deep.equal(requests);
      expect(all).to.have.lengthOf(requests.length);
      expect(site.device("vehicle/b")).to.equal(undefined);
      const isShown = site.shown.some((text) => text.includes("car-b") && text.includes("maxCapacity was 60 kWh"));
      expect(isShown, "its baseline is shown if it is not written back").to.equal(onDelete !== "restore");
    });
  }

  it("stays in the state while it cannot be given back, also under another name, and leaves later", async () => {
    const service = siteService();
    const { site } = await appliedSite({ ...SITE, onDelete: "restore" }, service);
    service.fail("updates", () => refused(422), "car-b");
    const next = { ...SITE, vehicles: { a, b: { deviceId: "car-c", ...CAR_VALUES } }, onDelete: "restore" };
    const { reasons } = await site.up(next);
    expect(reasons).to.have.lengthOf(1);
    expect(site.device("vehicle/b")).to.deep.include({ deviceId: "car-c" });
    const [kept] = Object.values(site.outputs?.devices as Record<string, Properties>).filter(
      ({ deviceId }) => deviceId === "car-b",
    );
    expect(kept).to.deep.include(CAR_VALUES);
    expect(eachIn(kept, "baseline")).to.deep.equal(CAR_BASELINE);
    service.beforeUpdate = () => {};
    expect((await site.up(next)).reasons).to.deep.equal([]);
    expect(service.get(refOf("car-b"))).to.include({ max_capacity: 60_000, policy: "CHARGE BY" });
    expect(Object.keys(site.outputs?.devices ?? {})).to.have.members([
      "vehicle/a",
      "vehicle/b",
      "inverter/p",
      "inverter/q",
    ]);
  });

  it("leaves without a request if it was only observed", async () => {
    const { site } = await appliedSite({
      ...SITE,
      vehicles: { a, b: { deviceId: "car-b", observe: true } },
      onDelete: "restore",
    });
    expect((await site.up({ ...SITE, vehicles: { a }, onDelete: "restore" })).of("car-b")).to.deep.equal([]);
  });
});

describe("a device of a site with another id", () => {
  virtualClock();

  /** The site with other ids, under the same names or others. */
  const GROUPS = [
    { group: "vehicles", is: "car-b", others: { vehicles: { a, b: { ...b, deviceId: "car-x" } } } },
    { group: "vehicles", is: "car-b", others: { vehicles: { a, x: { ...b, deviceId: "car-x" } } } },
    { group: "inverters", is: "roof-q", others: { inverters: { p, q: { ...q, deviceId: "roof-x" } } } },
  ] as const;
  for (const { group, is, others } of GROUPS) {
    for (const what of [
      "that the service does not know",
      "that is of another kind",
      "that refuses its values",
    ] as const) {
      it(`${what} fails before a request to ${is}, which stays as it is (${Object.keys(Object.values(others)[0])})`, async () => {
        const service = siteService();
        const { site } = await appliedSite({ ...SITE, onDelete: "restore" }, service);
        const before = service.get(refOf(is));
        const typo = group === "vehicles" ? "car-x" : "roof-x";
        if (what !== "that the service does not know")
          service.put(refOf(typo), { ...service.get(refOf(is)), max_capacity: 1, tilt: 1 });
        if (what === "that is of another kind") otherType(service, typo);
        if (what === "that refuses its values") service.fail("updates", () => refused(422), typo);
        const { of, reasons } = await site.up({ ...SITE, ...others, onDelete: "restore" });
        expect(reasons).to.have.lengthOf(1);
        expect(of(is)).to.deep.equal([]);
        expect(service.get(refOf(is))).to.deep.equal(before);
        expect(Object.values(site.outputs?.devices as object).map(({ deviceId }) => deviceId)).to.include(is);

        const again = await site.preview({ ...SITE, onDelete: "restore" });
        expect(again.changes.filter(({ kind }) => kind !== "renamed")).to.deep.equal([]);
        expect((await site.up({ ...SITE, onDelete: "restore" })).reasons).to.deep.equal([]);
        expect(service.get(refOf(is))).to.deep.equal(before);
        expect(site.outputs).to.include({ ready: true });
        await site.destroy();
        expect(service.get(refOf(is))).to.include(is === "car-b" ? { max_capacity: 60_000 } : { tilt: 3 });
      });
    }
  }
});

describe("a device that is called otherwise in its site", () => {
  virtualClock();

  it("keeps its baseline, and no request is made", async () => {
    const { site } = await appliedSite();
    const { requests } = await site.up({ ...SITE, vehicles: { one: a, b }, inverters: { roof: p, q } });
    expect(requests).to.deep.equal([]);
    expect(site.device("vehicle/one")).to.include({ deviceId: "car-a" });
    expect(eachIn(site.device("vehicle/one"), "baseline")).to.deep.equal(CAR_BASELINE);
    expect(site.device("vehicle/a")).to.equal(undefined);
    expect(await site.differs({ ...SITE, vehicles: { one: a, b }, inverters: { roof: p, q } })).to.equal(false);
  });

  it("keeps the policy of its site, also if the site is not ready any more", async () => {
    const { site } = await appliedSite();
    const lacking = { q, p: omit(p as Record<string, unknown>, ["tilt"]) };
    const { requests } = await site.up({ vehicles: { one: a, b }, inverters: lacking });
    expect(requests).to.deep.equal([]);
    expect(site.outputs?.policies).to.deep.equal({ one: FORECAST, b: FORECAST });
    expect(eachIn(site.device("vehicle/one"), "baseline")).to.deep.equal(CAR_BASELINE);
  });

  it("swaps names with another one: both keep their baselines, and what differs is sent", async () => {
    const service = siteService();
    service.set(refOf("car-b"), { max_capacity: 50_000 });
    const { site } = await appliedSite(SITE, service);
    const swapped = { a: { ...b, maxCapacity: 78_000 }, b: { ...a } };
    const { requests } = await site.up({ ...SITE, vehicles: swapped });
    expect(requests).to.deep.equal(['PATCH car-b {"max_capacity":78000}', "GET car-b"]);
    expect(site.device("vehicle/a")).to.deep.include({ deviceId: "car-b", maxCapacity: 78_000 });
    expect(eachIn(site.device("vehicle/a"), "baseline")).to.deep.equal({ ...CAR_BASELINE, maxCapacity: 50_000 });
    expect(eachIn(site.device("vehicle/b"), "baseline")).to.deep.equal(CAR_BASELINE);
  });
});

describe("a device that moves between two sites", () => {
  virtualClock();
  const east = (onDelete?: string) => ({ vehicles: { a, b: { ...b, onDelete } }, inverters: { p } });
  const WEST = { inverters: { q } };

  /** Updates both sites in one run. The values of the moved car are those of its new site. */
  async function moved(onDelete: string, first: "from" | "to") {
    const service = siteService();
    const oldSite = new SiteStack(service, {}, "east");
    const newSite = new SiteStack(service, {}, "west");
    await oldSite.up(east(onDelete));
    await newSite.up(WEST);
    const run = oldSite.run();
    const from = { ...east(), vehicles: { a } };
    const to = { ...WEST, vehicles: { b: { ...b, onDelete, maxCapacity: 78_000 } } };
    // The declaration of the new site is known before the old one is updated: the engine checks resources in parallel.
    await newSite.check(to, run);
    const updates = [() => oldSite.up(from, run), () => newSite.up(to, run)];
    if (first === "to") updates.reverse();
    const requests: string[] = [];
    for (const update of updates) {
      const outcome = await update();
      expect(outcome.reasons).to.deep.equal([]);
      requests.push(...outcome.requests);
    }
    return { service, newSite, requests };
  }

  for (const onDelete of ["retain", "restore", "reset"]) {
    for (const first of ["from", "to"] as const) {
      it(`is never reset by its old site, which is updated ${first === "from" ? "first" : "last"} (${onDelete})`, async () => {
        const { service, requests, newSite } = await moved(onDelete, first);
        expect(service.get(refOf("car-b"))).to.include({ max_capacity: 78_000, policy: FORECAST });
        for (const request of requests.filter((text) => text.startsWith("PATCH car-b"))) {
          expect(request).to.not.match(/60000|80000|"CHARGE BY"/);
        }
        expect(newSite.device("vehicle/b")).to.include({ maxCapacity: 78_000 });
        expect(newSite.outputs?.policies).to.have.property("b", FORECAST);
      });
    }
  }

  it("keeps the baseline that its old site knew if that one's change is found while the new one adopts it", async () => {
    const service = siteService();
    const [oldSite, newSite] = [new SiteStack(service, {}, "east"), new SiteStack(service, {}, "west")];
    await oldSite.up(east("restore"));
    await newSite.up(WEST);
    const run = oldSite.run();
    const from = { ...east("restore"), vehicles: { a } };
    const to = { ...WEST, vehicles: { b: { ...b, onDelete: "restore" } } };
    await newSite.check(to, run);
    let found: Promise<unknown> | undefined;
    // Between the new site's read of the car and the end of its update.
    service.beforeUpdate = () => {
      found ??= oldSite.up(from, run);
    };
    service.set(refOf("roof-q"), { tilt: 1 });
    await newSite.up({ ...to, inverters: { q: { ...q, tilt: 31 } } }, run);
    await found;
    expect(found).to.not.equal(undefined);
    expect(eachIn(newSite.device("vehicle/b"), "baseline")).to.deep.equal(CAR_BASELINE);
  });

  it("keeps the baseline that its old site knew if that one's change is found first", async () => {
    const { newSite } = await moved("restore", "from");
    expect(eachIn(newSite.device("vehicle/b"), "baseline")).to.deep.equal(CAR_BASELINE);
  });

  it("is as declared if its old site restored it before the new one was checked", async () => {
    const service = siteService();
    const [oldSite, newSite] = [new SiteStack(service, {}, "east"), new SiteStack(service, {}, "west")];
    await oldSite.up(east("restore"));
    const run = oldSite.run();
    await oldSite.up({ ...east("restore"), vehicles: { a } }, run);
    expect(service.get(refOf("car-b"))).to.include({ max_capacity: 60_000 });
    await newSite.up({ ...WEST, vehicles: { b } }, run);
    expect(newSite.device("vehicle/b")).to.deep.include(CAR_VALUES);
    expect(eachIn(newSite.device("vehicle/b"), "baseline")).to.deep.equal(CAR_BASELINE);
    expect(await newSite.differs({ ...WEST, vehicles: { b } })).to.equal(false);
  });

  it("is refused by the second of two sites that declare it", async () => {
    const service = siteService();
    const first = new SiteStack(service, {}, "east");
    const west = new SiteStack(service, {}, "west");
    const run = first.run();
    expect((await first.check(east(), run)).problems).to.deep.equal([]);
    const { problems } = await west.check(
      { ...WEST, vehicles: { mine: { deviceId: "car-b", maxCapacity: 78_000 } } },
      run,
    );
    expect(problems.map(({ property }) => property)).to.deep.equal(["vehicles.mine.maxCapacity", "vehicles.mine"]);
    for (const { reason } of problems) expectFacts(reason, ["vehicle/b", "SiteSettings 'east'"]);
  });
});

describe("a site that stops being ready", () => {
  virtualClock();

  it("keeps its cars' policy, reports it, and restores it on delete", async () => {
    const { site, service } = await appliedSite({ ...SITE, onDelete: "restore" });
    const lacking = { ...SITE, inverters: { q, p: omit(p as Record<string, unknown>, ["tilt"]) }, onDelete: "restore" };
    const { requests } = await site.up(lacking);
    expect(requests).to.deep.equal([]);
    expect(site.outputs).to.deep.include({
      ready: false,
      gaps: [{ device: "inverter/p", setting: "tilt", reason: "notDeclared" }],
    });
    expect(site.shown.map((text) => text.includes("inverter/p: tilt"))).to.include(true);
    expect(site.outputs?.policies).to.have.property("a", FORECAST);
    expect(eachIn(site.device("vehicle/a"), "baseline")).to.deep.equal(CAR_BASELINE);
    expect(await site.differs(lacking)).to.equal(false);
    await site.destroy();
    expect(service.get(refOf("car-a"))).to.include({ policy: "CHARGE BY" });
  });

  it("gives a car that joins it then no policy", async () => {
    const { site } = await appliedSite();
    const inverters = { q, p: omit(p as Record<string, unknown>, ["tilt"]) };
    const { of } = await site.up({
      vehicles: { ...SITE.vehicles, c: { deviceId: "car-c", ...CAR_VALUES } },
      inverters,
    });
    expect(of("car-c")).to.deep.equal(["GET", 'PATCH {"max_capacity":77000,"max_charge_power":11000}', "GET"]);
  });

  for (const [what, args] of [
    ["solar: false", { ...SITE, solar: false }],
    ["no inverter any more", { vehicles: SITE.vehicles }],
  ] as const) {
    it(`with ${what} leaves policies as they are, and shows what they were`, async () => {
      const { site, service } = await appliedSite();
      const { requests } = await site.up(args);
      expect(requests).to.deep.equal([]);
      expect(service.get(refOf("car-a"))).to.include({ policy: FORECAST });
      expect(settingsIn(site.device("vehicle/a")).policy).to.deep.equal({ status: "unmanaged", reported: FORECAST });
      expect(site.outputs).to.not.have.property("policies");
      for (const car of ["car-a", "car-b"]) {
        expect(site.shown.some((text) => text.includes(car) && text.includes("policy was CHARGE BY"))).to.equal(true);
      }
    });
  }
});

describe("a policy whose update is in doubt", () => {
  virtualClock();

  it("is no difference while a gap holds it, and is sent once the gap is gone", async () => {
    const service = siteService();
    service.put(refOf("car-a"), { dev_type: "Electric vehicle", policy: "CHARGE BY" });
    const endFault = service.fail("updates", () => uncertain(), "car-a");
    const { site } = await appliedSite(SITE, service);
    endFault();
    const gap = { ...SITE, vehicles: { a: { deviceId: "car-a", maxChargePower: 11_000 }, b } };
    await site.up(gap);
    expect(await site.differs(gap)).to.equal(false);
    await site.up(SITE);
    expect(service.get(refOf("car-a"))).to.include({ policy: FORECAST });
  });
});
