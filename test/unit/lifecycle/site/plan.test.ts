import { expect } from "chai";
import { Store } from "../../../../provider/ledger/store";
import { changesIn, type PlanFacts, planOf } from "../../../../provider/lifecycle/site/plan";
import { fromSiteOutputs, type SiteState } from "../../../../provider/lifecycle/site/state";
import { omit, type Properties, UNKNOWN } from "../../../../provider/settings/objects";
import { declaredSite } from "../../../../provider/settings/planSite";
import { virtualClock } from "../../../support/clock";
import { appliedSite, CAR_VALUES, FORECAST, ROOF_VALUES, refOf, SITE, siteService } from "../../../support/sites";

const { p, q } = SITE.inverters;
/** The site without a value that its cars' policy needs. */
const WITH_GAP = { ...SITE, inverters: { p: omit<unknown>(p, ["baseLoad"]), q } };

async function stateOfSite(): Promise<SiteState> {
  const { site } = await appliedSite();
  return fromSiteOutputs(site.outputs as Properties);
}

function planned(before: SiteState | undefined, args: Properties, facts: Partial<PlanFacts> = {}) {
  return planOf(before, declaredSite({ businessId: "acme", ...args }), { store: new Store(), ...facts });
}

describe("the plan of a site", () => {
  virtualClock();

  it("says whether the site is ready after the update", async () => {
    const before = await stateOfSite();
    expect(planned(before, SITE).ready).to.equal(true);
    expect(planned(before, WITH_GAP).ready).to.equal(false);
  });

  const OPEN = { "a group of devices": { inverters: UNKNOWN }, "whether the site is solar": { solar: UNKNOWN } };
  for (const [what, unknown] of Object.entries(OPEN)) {
    it(`does not say whether the site is ready if only the update knows ${what}`, async () => {
      const plan = planned(await stateOfSite(), { ...SITE, ...unknown });
      expect(plan.ready).to.equal(undefined);
    });
  }

  it("leaves the policy of a car alone while the site has a gap, even after an update of unknown outcome", async () => {
    const { devices, ...site } = await stateOfSite();
    const inDoubt = devices.map((one) => {
      const policy = { status: "uncertain", value: FORECAST, sent: [FORECAST] } as const;
      const settings = { ...one.settings, ...(one.group === "vehicles" && { policy }) };
      return { ...one, settings };
    });
    const keysIn = (args: Properties) =>
      changesIn(planned({ ...site, devices: inDoubt }, args)).map((change) => change.kind === "value" && change.key);
    expect(keysIn(WITH_GAP)).to.deep.equal(["baseLoad"]);
    expect(keysIn(SITE)).to.deep.equal(["policy", "policy"]);
    const sendsFor = (args: Properties) =>
      planned({ ...site, devices: inDoubt }, args)
        .devices.filter(({ group }) => group === "vehicles")
        .map(({ send, open }) => ({ send, open }));
    const policy = { policy: FORECAST };
    expect(sendsFor(WITH_GAP)).to.deep.equal([
      { send: {}, open: policy },
      { send: {}, open: policy },
    ]);
    expect(sendsFor(SITE)).to.deep.equal([
      { send: policy, open: {} },
      { send: policy, open: {} },
    ]);
  });

  it("may give a car its policy if the update reads what the preview did not, and nothing else is missing", () => {
    const { maxChargePower } = CAR_VALUES;
    const args = {
      vehicles: { car: { deviceId: "car-a", maxChargePower } },
      inverters: { roof: { deviceId: "roof-p", ...ROOF_VALUES } },
    };
    const planOfCar = (of: Properties) => {
      const { devices } = planned(undefined, of, { live: { "vehicle/car": { values: {} } } });
      return devices.find(({ name }) => name === "car");
    };
    expect(planOfCar(args)).to.deep.include({ send: { maxChargePower }, open: { policy: FORECAST } });
    const withGap = { ...args, inverters: { roof: { deviceId: "roof-p", ...omit<unknown>(ROOF_VALUES, ["tilt"]) } } };
    expect(planOfCar(withGap)).to.deep.include({ send: { maxChargePower }, open: {} });
  });

  it("misses a setting that the program no longer declares, although it kept somebody else's value", async () => {
    const service = siteService();
    const { site } = await appliedSite({ ...SITE, onDrift: "keep" }, service);
    service.set(refOf("roof-p"), { tilt: 30 });
    await site.refresh();
    const before = fromSiteOutputs(site.outputs as Properties);
    const args = { ...SITE, onDrift: "keep", inverters: { p: omit<unknown>(p, ["tilt"]), q } };
    const { ready, gaps } = planned(before, args);
    expect({ ready, gaps }).to.deep.equal({
      ready: false,
      gaps: [{ device: "inverter/p", setting: "tilt", reason: "notDeclared" }],
    });
  });

  it("sends a policy that the program has changed, although it kept a driver's choice of the earlier one", async () => {
    const service = siteService();
    const withPolicy = (policy: string) => ({
      ...SITE,
      onDrift: "keep",
      vehicles: { a: { ...SITE.vehicles.a, policy } },
    });
    const { site } = await appliedSite(withPolicy("CHARGE BY"), service);
    service.set(refOf("car-a"), { policy: "CHARGE NOW" });
    await site.refresh();
    const { ready, devices } = planned(fromSiteOutputs(site.outputs as Properties), withPolicy(FORECAST));
    expect({ ready, send: devices.find(({ name }) => name === "a")?.send }).to.deep.equal({
      ready: true,
      send: { policy: FORECAST },
    });
  });
});
