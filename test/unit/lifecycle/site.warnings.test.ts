import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import type { Properties } from "../../../provider/lifecycle/state";
import { textOf } from "../../../provider/messages/message";
import { vehicle } from "../../../provider/settings/vehicle";
import { FakeService } from "../../support/fakes";
import { FORECAST, SITE, SiteStack, urnOf } from "../../support/sites";

const { a } = SITE.vehicles;
const { p, q } = SITE.inverters;

/** A check of a site that is not in state, with the warnings that it showed. */
async function checked(args: Properties, facts: Properties = {}) {
  const service = new FakeService();
  const site = new SiteStack(service);
  const run = site.run();
  const { inputs, problems } = await site.check(args, run, facts);
  expect(service.requests).to.deep.equal([]);
  return { inputs, shown: run.shown, properties: problems.map(({ property }) => property), problems, run };
}

describe("check of a site: warnings and secrets", () => {
  describe("of a device that is declared twice", () => {
    it("refuses it within a site, whatever the keys are, and between a site and another resource", async () => {
      const apart = {
        one: { deviceId: "car-a", maxCapacity: 77_000 },
        two: { deviceId: "car-a", maxChargePower: 11_000 },
      };
      expect((await checked({ vehicles: apart })).properties, "other keys").to.deep.equal(["vehicles.two.deviceId"]);
      const both = { one: a, two: { deviceId: "car-a", observe: true } };
      expect((await checked({ vehicles: both })).properties, "observed").to.deep.equal(["vehicles.two.deviceId"]);

      const { run } = await checked(SITE);
      const twice = { businessId: "acme", deviceId: "car-a", policy: "CHARGE BY", __program: { urn: "urn:car" } };
      const { problems } = await check(vehicle, run, {}, twice);
      expect(problems.map(({ property }) => property)).to.deep.equal(["policy"]);
      expect(problems[0]?.reason).to.contain("vehicle/a of SiteSettings 'home'");
    });

    it("refuses it as a car and as an inverter", async () => {
      const { properties } = await checked({ vehicles: { a }, inverters: { p: { ...p, deviceId: "car-a" } } });
      expect(properties).to.deep.equal(["vehicles.a.deviceId"]);
    });

    it("accepts a policy that another resource declares if the site is not solar", async () => {
      const site = new SiteStack(new FakeService());
      const run = site.run();
      const policy = { businessId: "acme", deviceId: "car-a", policy: "CHARGE BY", __program: { urn: "urn:car" } };
      await check(vehicle, run, {}, policy);
      expect((await site.check(SITE, run)).problems.map(({ property }) => property)).to.deep.equal(["vehicles.a"]);
      expect((await site.check({ ...SITE, solar: false }, run)).problems).to.deep.equal([]);
    });
  });

  describe("of secrets", () => {
    it("shows none in a warning or a problem of a device", async () => {
      const site = new SiteStack(new FakeService());
      const secrets = ["vehicles.a.maxChargePower", "inverters.q"];
      const given = {
        vehicles: { a: { ...a, maxChargePower: 51_234 } },
        inverters: { p, q: { ...q, baseLoad: 6_789 } },
      };
      const run = site.run();
      await site.check(given, run, { secrets });
      expect(run.shown.join("\n")).to.contain("vehicle/a: maxChargePower looks wrong").and.contain("inverter/q: ");
      expect(run.shown.join("\n")).to.not.match(/51234|6789/);
      const { problems } = await site.check({ ...given, vehicles: { a: { ...a, maxChargePower: 99 } } }, run, {
        secrets,
      });
      expect(problems.map(({ property, isSecret }) => [property, isSecret])).to.deep.equal([
        ["vehicles.a.maxChargePower", true],
      ]);
    });
  });

  describe("of what looks wrong", () => {
    it("warns of each device by its label, and of the site as a whole, with its resource", async () => {
      const site = new SiteStack(new FakeService());
      const warnings: [message: string, urn: string | undefined][] = [];
      const run = site.run({ warn: async (message, urn) => void warnings.push([textOf(message), urn]) });
      await site.check(
        { vehicles: { a: { ...a, maxChargePower: 50_000 } }, inverters: { p, q: { ...q, baseLoad: 400 } } },
        run,
      );
      expect(warnings.map(([, urn]) => urn)).to.deep.equal(warnings.map(() => urnOf("home")));
      const [ofCar, ofSite, ...others] = warnings.map(([message]) => message);
      expect(ofCar).to.match(/^vehicle\/a: maxChargePower 50000 W/);
      expect(ofSite).to.contain("inverter/p and inverter/q");
      expect(others).to.deep.equal([]);
    });

    it("takes a base load of 0 for low only if no inverter of the site has another", async () => {
      expect((await checked(SITE)).shown).to.deep.equal([]);
      const { shown } = await checked({ ...SITE, inverters: { p: { ...p, baseLoad: 0 }, q } });
      expect(shown.map((text) => text.slice(0, "inverter/p".length))).to.deep.equal(["inverter/p", "inverter/q"]);
    });

    it("says nothing that the site or the device switches off", async () => {
      const wrong = {
        vehicles: { a: { ...a, maxChargePower: 50_000, ignoreLints: ["direct-current-power"] } },
        inverters: { p, q: { ...q, baseLoad: 400 } },
      };
      const { shown } = await checked({ ...wrong, ignoreLints: ["repeated-base-load"] });
      expect(shown).to.deep.equal([]);
    });

    it("warns of a car that declares CHARGE BY FORECAST if no inverter is declared anywhere", async () => {
      const alone = { vehicles: { a: { ...a, policy: FORECAST } } };
      expect((await checked(alone, { hasInverter: false })).shown).to.have.lengthOf(1);
      expect((await checked(alone, { hasInverter: true })).shown).to.deep.equal([]);
    });
  });
});
