import { expect } from "chai";
import { UNKNOWN } from "../../../provider/lifecycle/program";
import { siteKey } from "../../../provider/lifecycle/siteCheck";
import type { Properties } from "../../../provider/lifecycle/state";
import { FakeService } from "../../support/fakes";
import { CAR_VALUES, SITE, SiteStack } from "../../support/sites";

const { a, b } = SITE.vehicles;
const { p, q } = SITE.inverters;

/** The check of a site of its own, with the codes of what it warned of. */
async function checked(args: Properties, environment: NodeJS.ProcessEnv = {}) {
  const site = new SiteStack(new FakeService(), environment);
  const codes: string[] = [];
  const run = site.run({ problem: ({ code }) => void codes.push(code) });
  const { inputs, problems } = await site.check(args, run);
  return { inputs, problems, codes, shown: run.shown, properties: problems.map(({ property }) => property) };
}

describe("the arguments of a site", () => {
  it("are refused by their path, the site's own beside those of its devices", async () => {
    const wrong = {
      ...SITE,
      ...{ solar: "yes", latitude: 91, requireReady: 1, onDelete: "drop", ignoreLints: "all", size: 3 },
    };
    expect((await checked(wrong)).properties).to.have.members([
      ...["solar", "latitude", "requireReady", "onDelete", "ignoreLints", "size"],
    ]);
    expect((await checked({ vehicles: [a], inverters: { p: "roof-p", "": p } })).properties).to.have.members([
      ...["vehicles", "inverters.p", "inverters."],
    ]);
  });

  it("are refused if a name is longer than 256 characters, and accepted up to there", async () => {
    const named = (length: number) => ({ vehicles: { ["n".repeat(length)]: a } });
    expect((await checked(named(256))).problems).to.deep.equal([]);
    expect((await checked(named(257))).properties).to.deep.equal([`vehicles.${"n".repeat(257)}`]);
  });

  it("need a business for each device, and no business of the site if each device has one", async () => {
    const without = { SOLAR_CHARGING_BUSINESS_ID: undefined };
    const own = { ...a, businessId: "north" };
    expect((await checked({ vehicles: { a: own, b } }, without)).properties).to.deep.equal(["vehicles.b.businessId"]);
    expect((await checked({ vehicles: { a: own } }, without)).properties).to.deep.equal([]);
    expect((await checked({ vehicles: { b }, businessId: "south" }, without)).properties).to.deep.equal([]);
  });

  it("cannot have one device twice in one business, and can in two", async () => {
    const twice = { one: a, two: { deviceId: "car-a", observe: true } };
    expect((await checked({ vehicles: twice })).properties).to.deep.equal(["vehicles.two.deviceId"]);
    const apart = { one: a, two: { ...a, businessId: "north" } };
    expect((await checked({ vehicles: apart })).properties).to.deep.equal([]);
  });

  it("take no device that is not known yet for another one", async () => {
    const unknown = { deviceId: UNKNOWN, ...CAR_VALUES };
    expect((await checked({ vehicles: { one: unknown, two: unknown } })).properties).to.deep.equal([]);
    expect((await checked({ vehicles: { one: UNKNOWN, two: UNKNOWN } })).properties).to.deep.equal([]);
    const business = { ...a, businessId: UNKNOWN };
    expect((await checked({ vehicles: { one: business, two: business } })).properties).to.deep.equal([]);
  });

  it("refuse ids that are no texts once each, and not as duplicates", async () => {
    const number = { deviceId: 7, ...CAR_VALUES };
    expect((await checked({ vehicles: { one: number, two: number } })).properties).to.deep.equal([
      "vehicles.one.deviceId",
      "vehicles.two.deviceId",
    ]);
  });

  it("give each inverter the latitude of the site, for what looks wrong by it", async () => {
    const north = { p: { ...p, azimuth: 0 }, q: { ...q, azimuth: 0 } };
    const warned = async (args: Properties) => (await checked({ vehicles: { a }, ...args })).shown.length;
    const anywhere = await warned({ inverters: north });
    expect(await warned({ inverters: north, latitude: 52.5 })).to.be.above(anywhere);
    expect(await warned({ inverters: north, latitude: -33 })).to.equal(anywhere);
    expect((await checked({ ...SITE, latitude: 52.5 })).inputs).to.include({ latitude: 52.5 });
    expect((await checked(SITE)).inputs).to.not.have.property("latitude");
  });

  it("warn of names of inverters' fields that nobody confirmed only if the site has an inverter", async () => {
    const unconfirmed = { SOLAR_CHARGING_INVERTER_FIELDS: undefined };
    const warned = async (args: Properties) => (await checked(args, unconfirmed)).shown.length;
    expect(await warned({ vehicles: { a } })).to.equal(0);
    expect(await warned({ vehicles: { a }, inverters: {} })).to.equal(0);
    expect(await warned(SITE)).to.equal(1);
    expect(await warned({ vehicles: { a }, inverters: UNKNOWN })).to.equal(1);
  });

  it("leave a device that is only observed out of what looks wrong with the site", async () => {
    const double = { p, q: { ...q, baseLoad: 400 } };
    expect((await checked({ vehicles: { a }, inverters: double })).shown).to.have.lengthOf(1);
    const observed = { p, q: { deviceId: "roof-q", observe: true } };
    expect((await checked({ vehicles: { a }, inverters: observed })).shown).to.deep.equal([]);
  });

  it("cannot declare settings, onDelete or lints of a device that is only observed", async () => {
    const observed = { deviceId: "roof-p", observe: true, tilt: 30, onDelete: "restore", ignoreLints: [] };
    expect((await checked({ inverters: { p: observed } })).properties).to.have.members([
      ...["inverters.p.tilt", "inverters.p.onDelete", "inverters.p.ignoreLints"],
    ]);
    expect((await checked({ inverters: { p: { ...p, observe: UNKNOWN } } })).properties).to.deep.equal([
      "inverters.p.observe",
    ]);
    expect((await checked({ inverters: { p: { ...p, latitude: 50 } } })).properties).to.deep.equal([
      "inverters.p.latitude",
    ]);
  });

  it("say in one warning all that the site lacks", async () => {
    const { codes, shown } = await checked({ ...SITE, vehicles: { a: { deviceId: "car-a" }, b } });
    expect(codes).to.deep.equal(["notReady"]);
    expect(shown[0]).to.match(/vehicle\/a: maxCapacity [^;]*; vehicle\/a: maxChargePower /);
  });
});

describe("what identifies a site among those of a program", () => {
  const inputs = (changes: Properties = {}) => ({ site: "home", ...SITE, ...changes });

  it("is its name and its devices, whatever their settings", () => {
    expect(siteKey(inputs({ vehicles: { a: { deviceId: "car-a" }, b: { deviceId: "car-b" } } }))).to.equal(
      siteKey(inputs()),
    );
    expect(siteKey(inputs({ site: "north" }))).to.not.equal(siteKey(inputs()));
    expect(siteKey(inputs({ vehicles: { a } }))).to.not.equal(siteKey(inputs()));
    expect(siteKey(inputs({ vehicles: { a, b: { ...b, deviceId: "car-c" } } }))).to.not.equal(siteKey(inputs()));
    expect(siteKey(inputs({ vehicles: UNKNOWN }))).to.not.equal(siteKey(inputs()));
  });
});
