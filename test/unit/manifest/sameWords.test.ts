import { expect } from "chai";
import { checkSite } from "../../../provider/lifecycle/site/check";
import { toManifest } from "../../../provider/manifest/manifest";
import type { ManifestError } from "../../../provider/manifest/report";
import { failureOf } from "../../support/failure";
import { COMPLETE, contextOf, FakeService, runOf } from "../../support/fakes";

/** The problems in the check of a `SiteSettings`, as `path: reason`. */
async function inProgram(site: object): Promise<string[]> {
  const { problems } = await checkSite(runOf(COMPLETE, new FakeService()), contextOf(), {
    olds: {},
    news: { ...site },
  });
  return problems.map(({ property, reason }) => `${property}: ${reason}`);
}

/** The problems of a manifest with the same site. */
async function inManifest(site: object): Promise<string[]> {
  const { problems } = (await failureOf(
    (async () => toManifest({ fleet: "a", sites: { berlin: site } }))(),
  )) as ManifestError;
  return problems.map(({ path, message }) => `${path.replace(/^sites\.berlin\./, "")}: ${message}`);
}

describe("a problem with a site has the same words in a program and in a manifest:", () => {
  const car = (settings: object) => ({ vehicles: { car: { deviceId: "car", ...settings } } });
  const roof = (settings: object) => ({ inverters: { roof: { deviceId: "roof", ...settings } } });
  const sites: Record<string, object> = {
    "a misspelled key of the site": { latitud: 52 },
    "a misspelled setting": car({ maxCapcity: 77_000 }),
    "a value out of its range": car({ maxCapacity: "770 kWh" }),
    "a unit that does not fit": roof({ peakPower: "9 kWh" }),
    "two settings that do not fit each other": roof({ peakPower: 4000, cutInThreshold: 5000 }),
    "a latitude that cannot be read": { latitude: "north" },
    "a flag that is a text": { solar: "yes" },
    "a list of devices": { vehicles: [{ deviceId: "car" }] },
    "a device that is a number": { vehicles: { car: 3 } },
    "a name that is too long": { vehicles: { ["x".repeat(257)]: { deviceId: "car" } } },
    "an id that is a number": { vehicles: { car: { deviceId: 7 } } },
    "an id with an override of the direction": { vehicles: { car: { deviceId: "a\u202eb" } } },
    "no id": { inverters: { roof: { tilt: 30 } } },
    "a policy that there is not": car({ policy: "charge by" }),
    "a lint that there is not": { ignoreLints: ["nope"] },
    "a reset of inverters": { onDelete: "reset", ...roof({}) },
    "settings of a device that is only read": car({ observe: true, maxCapacity: 77_000 }),
    "a text for observe": car({ observe: "true" }),
    "a latitude of one inverter": roof({ latitude: 52 }),
  };
  for (const [what, site] of Object.entries(sites)) {
    it(what, async () => {
      const problems = await inProgram(site);
      expect(problems).to.have.length(1);
      expect(await inManifest(site)).to.deep.equal(problems);
    });
  }
});
