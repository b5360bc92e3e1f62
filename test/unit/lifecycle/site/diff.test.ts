import { expect } from "chai";
import { Store } from "../../../../provider/ledger/store";
import { type Change, wordsOf } from "../../../../provider/lifecycle/run/changes";
import type { Context } from "../../../../provider/lifecycle/run/context";
import { SecretInputs } from "../../../../provider/lifecycle/run/secretInputs";
import { changesIn, planOf } from "../../../../provider/lifecycle/site/plan";
import { fromSiteOutputs } from "../../../../provider/lifecycle/site/state";
import type { Properties } from "../../../../provider/settings/objects";
import { omit, UNKNOWN } from "../../../../provider/settings/objects";
import { declaredSite } from "../../../../provider/settings/planSite";
import { valueInWords } from "../../../../provider/settings/valueWords";
import { virtualClock } from "../../../support/clock";
import { expectLike } from "../../../support/facts";
import { said } from "../../../support/fakes";
import { eachIn } from "../../../support/records";
import { appliedSite, FORECAST, ROOF_VALUES, SITE, SiteStack, siteService } from "../../../support/sites";

const { a, b } = SITE.vehicles;
const { p, q } = SITE.inverters;
const observedRoof = { deviceId: "roof-p", observe: true };

/** The changes of an update from one site to the other. */
async function changesOf(before: Properties, after: Properties, service = siteService()): Promise<readonly Change[]> {
  const site = new SiteStack(service);
  await site.up(before);
  return (await site.preview(after)).changes;
}

describe("diff of a site", () => {
  virtualClock();
  const car = { group: "vehicles", name: "a" };

  it("has the setting of each device that changes, with both values", async () => {
    const changes = await changesOf(SITE, { ...SITE, vehicles: { a: { ...a, maxCapacity: 60_000 }, b } });
    expect(changes).to.have.lengthOf(1);
    expect(changes[0]).to.deep.include({ kind: "value", key: "maxCapacity", before: 77_000, after: 60_000 });
    expect(changes[0]?.device).to.include(car);
  });

  it("has no policy of a car that keeps it because the site lacks something", async () => {
    const service = siteService();
    service.put({ businessId: "acme", deviceId: "roof-p" }, { id: "roof-p", dev_type: "Inverter", peak_power: 1000 });
    const site = { vehicles: { a }, inverters: { p: observedRoof } };
    expect(await changesOf(site, site, service)).to.deep.equal([]);
    const changes = await changesOf(site, { ...site, vehicles: { a: { ...a, maxCapacity: 60_000 } } }, service);
    expect(changes.map((change) => change.kind === "value" && change.key)).to.deep.equal(["maxCapacity"]);
  });

  it("has what a device that is managed from now on will be sent, and what is given up of one that is observed", async () => {
    const managed = { vehicles: { a }, inverters: { p } };
    const observed = { vehicles: { a }, inverters: { p: observedRoof } };
    const values = (changes: readonly Change[]) =>
      Object.fromEntries(changes.flatMap((one) => (one.kind === "value" ? [[one.key, one.after]] : [])));
    expect(values(await changesOf(observed, managed))).to.deep.include({ observe: false, ...ROOF_VALUES });
    const nothing = Object.fromEntries(Object.keys(ROOF_VALUES).map((key) => [key, undefined]));
    expect(values(await changesOf(managed, observed))).to.deep.include({ observe: true, ...nothing });
  });

  it("has the policy once, if the program declares it itself, or no longer does", async () => {
    const own = { ...SITE, vehicles: { a: { ...a, policy: FORECAST }, b } };
    expectLike(wordsOf(await changesOf(SITE, own)), ["vehicle/a: policy …program"]);
    expectLike(wordsOf(await changesOf(own, SITE)), ["vehicle/a: policy …site"]);
    const price = { ...SITE, vehicles: { a: { ...a, policy: "CHARGE BY" }, b } };
    expect(wordsOf(await changesOf(SITE, price))).to.deep.equal([`vehicle/a: policy ${FORECAST} → CHARGE BY`]);
    const more = { ...SITE, vehicles: { a: { ...a, policy: FORECAST, maxCapacity: 60_000 }, b } };
    expect(wordsOf(await changesOf(SITE, more))).to.deep.equal([
      "vehicle/a: maxCapacity 77 → 60 kWh, policy now set by the program",
    ]);
  });

  it("has no policy while a live preview finds an inverter of another kind", async () => {
    const { site } = await appliedSite({ ...SITE, inverters: { q, p: omit<unknown>(p, ["tilt"]) } });
    const keysOf = async (live: Context["live"]) =>
      (await site.preview(SITE, { live })).changes.map((change) => change.kind === "value" && change.key);
    expect(await keysOf({})).to.have.members(["tilt", "policy", "policy"]);
    expect(await keysOf({ "inverter/p": { problem: said("it is a vehicle") } })).to.deep.equal(["tilt"]);
  });

  it("has the name, and the end, of a device that is only observed", async () => {
    const observed = { vehicles: { a }, inverters: { p: observedRoof } };
    const renamed = { vehicles: { a }, inverters: { roof: observedRoof } };
    expect((await changesOf(observed, renamed)).map(({ kind }) => kind)).to.deep.equal(["renamed"]);
    const [left] = (await changesOf(observed, { vehicles: { a } })).filter(({ kind }) => kind === "leaves");
    expect(left).to.include({ onDelete: "observed" }).and.have.nested.property("device.name", "p");
  });

  it("lets the resource that adopts a device know the baseline of the site that it leaves", async () => {
    const service = siteService();
    const [east, west] = [new SiteStack(service, {}, "east"), new SiteStack(service, {}, "west")];
    await east.up({ vehicles: { a, b } });
    const run = east.run();
    const { inputs } = await east.check({ vehicles: { b } }, run);
    await east.operations(run).diff(east.context(), east.outputs ?? {}, inputs);
    await west.up({ vehicles: { a } }, run);
    expect(eachIn(west.device("vehicle/a"), "baseline")).to.include({ maxCapacity: 60_000, maxChargePower: 3000 });
  });

  it("is reported without the values of secrets, of a device that is new too", async () => {
    const after = {
      vehicles: { a: { ...a, maxCapacity: 61_234 }, b },
      inverters: { p, q, r: { ...q, deviceId: "roof-r" } },
    };
    const secrets = new SecretInputs(["vehicles.a.maxCapacity", "inverters.r"]);
    const service = siteService();
    service.put({ businessId: "acme", deviceId: "roof-r" }, { id: "roof-r", dev_type: "Inverter" });
    const [ofRoof = "", ofCar, ...others] = wordsOf(await changesOf(SITE, after, service), secrets);
    expect(others).to.deep.equal([]);
    expect(ofCar).to.equal("vehicle/a: maxCapacity [secret] → [secret]");
    expect(ofRoof).to.contain("inverter/r: new").and.contain("peakPower [secret]").and.not.contain(String(q.peakPower));
  });

  it("has what changes of the site as a whole", async () => {
    expect(wordsOf(await changesOf(SITE, { ...SITE, latitude: 48 }))).to.deep.equal(["site: latitude 48"]);
    expectLike(wordsOf(await changesOf({ ...SITE, latitude: 48 }, SITE)), ["site: latitude 48 → …"]);
    expect(wordsOf(await changesOf({ ...SITE, latitude: 48 }, { ...SITE, latitude: 52 }))).to.deep.equal([
      "site: latitude 48 → 52",
    ]);
  });

  it("knows of no device that leaves, while the devices are not known yet", async () => {
    const changes = await changesOf(SITE, { ...SITE, vehicles: UNKNOWN });
    expect(wordsOf(changes)).to.deep.equal([`site: vehicles ${valueInWords("vehicles", UNKNOWN)}`]);
  });

  it("has no device that leaves and comes, while only its id is not known yet", async () => {
    const known = { deviceId: UNKNOWN, maxCapacity: 70_000 };
    const { inverters } = SITE;
    expectLike(wordsOf(await changesOf(SITE, { vehicles: { a: UNKNOWN, b }, inverters })), [
      "vehicle/a: … (known after the update)",
    ]);
    expectLike(wordsOf(await changesOf(SITE, { vehicles: { a: known, b }, inverters })), [
      "vehicle/a: … (known after the update), maxCapacity 70 kWh, …",
    ]);
  });

  it("has a device that leaves apart from a new one of its name, with both ids", async () => {
    const changes = await changesOf(SITE, { ...SITE, inverters: { p, q: { ...q, deviceId: "roof-r" } } });
    expect(wordsOf(changes)).to.have.members([
      "inverter/q: deviceId roof-q → roof-r, new, peakPower 9.8 kW, azimuth 180° (S), tilt 35°, cutInThreshold 150 W, baseLoad 0 W",
      "inverter/q: leaves (retain)",
    ]);
  });

  it("needs no run, and leaves its arguments as they are", async () => {
    const { site } = await appliedSite();
    const frozen = structuredClone({ outputs: site.outputs, inputs: site.inputs });
    const news = { ...site.inputs, inverters: { p: omit(p as Record<string, unknown>, ["tilt"]) } };
    const compared = () =>
      changesIn(planOf(fromSiteOutputs(site.outputs ?? {}), declaredSite(news), { store: new Store() }));
    expect(compared()).to.deep.equal(compared());
    expect({ outputs: site.outputs, inputs: site.inputs }).to.deep.equal(frozen);
  });
});
