import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Ajv from "ajv";
import { expect } from "chai";
import { toManifest } from "../../../provider/manifest/manifest";
import { manifestSchema } from "../../../scripts/manifestSchema";
import { PublishedTypes } from "../../../scripts/published";
import { ROOT } from "../../support/project";

const published = () =>
  JSON.parse(readFileSync(join(resolve(__dirname, "../../../.."), "schema", "fleet.schema.json"), "utf8"));

const device = (list: "vehicles" | "inverters", fields: object) => ({
  fleet: "a",
  sites: { b: { [list]: { one: { deviceId: "d", ...fields } } } },
});

describe("the JSON Schema of manifests", () => {
  it("is published unchanged; if not, npm run schema writes it again", () => {
    expect(published()).to.deep.equal(JSON.parse(JSON.stringify(manifestSchema(new PublishedTypes(ROOT)))));
  });

  describe("agrees with the parser, which", () => {
    // Not strict, because the schema has keywords for editors, which the validator does not know.
    const validate = new Ajv({ strict: false }).compile(published());
    const isTaken = (manifest: unknown) => {
      try {
        return Boolean(toManifest(manifest));
      } catch {
        return false;
      }
    };
    const taken: Record<string, unknown> = {
      "no sites": { fleet: "a", sites: {} },
      "a site without devices": { fleet: "a", sites: { b: {} } },
      "a site with all its keys": {
        fleet: "a",
        sites: {
          b: {
            latitude: "52.5 °",
            solar: true,
            requireReady: false,
            businessId: "c",
            onDelete: "reset",
            ignoreLints: ["default-power"],
            defaults: { vehicle: { policy: "CHARGE BY" } },
          },
        },
      },
      "a device that is only read": device("inverters", { observe: true, businessId: "c" }),
      "a device that is not only read": device("vehicles", { observe: false, maxCapacity: 77_000 }),
      "a schema for editors": { $schema: "x", fleet: "a", sites: {} },
      "a number": device("vehicles", { maxCapacity: 77_000 }),
      "a text with a unit": device("vehicles", { maxCapacity: "77 kWh" }),
      "a text with a unit in capitals": device("vehicles", { maxChargePower: "11KW" }),
      "peak power": device("inverters", { peakPower: "9.8 kWp" }),
      "a point of the compass": device("inverters", { azimuth: "SSW" }),
      "an azimuth with its convention": device("inverters", { azimuth: { degrees: 3, convention: "solcast" } }),
      "an azimuth with a unit": device("inverters", { azimuth: "35 °" }),
      defaults: { fleet: "a", defaults: { inverter: { tilt: 3 } }, sites: {} },
    };
    const refused: Record<string, unknown> = {
      "a list": [],
      "no fleet": { sites: {} },
      "no sites at all": { fleet: "a" },
      "a list of sites": { fleet: "a", sites: [{ id: "b" }] },
      "a list of devices": { fleet: "a", sites: { b: { vehicles: [{ deviceId: "d" }] } } },
      "a site's id with a space": { fleet: "a", sites: { "b c": {} } },
      "a key that a site has not": { fleet: "a", sites: { b: { id: "b" } } },
      "a device without an id": { fleet: "a", sites: { b: { vehicles: { one: {} } } } },
      "settings of a device that is only read": device("vehicles", { observe: true, maxCapacity: 77_000 }),
      "a latitude of one inverter": device("inverters", { latitude: 3 }),
      "an id as a default": { fleet: "a", defaults: { vehicle: { deviceId: "d" } }, sites: {} },
      "a device with a number for an id": device("vehicles", { deviceId: 7 }),
      "an unknown key": device("vehicles", { maxCapcity: 77_000 }),
      "a setting of the other kind": device("vehicles", { tilt: 3 }),
      "a value out of its range": device("vehicles", { maxCapacity: 77 }),
      "a number in quotes": device("vehicles", { maxCapacity: "77000" }),
      "power for an energy": device("vehicles", { maxCapacity: "77 kW" }),
      "peak power for a vehicle": device("vehicles", { maxChargePower: "11 kWp" }),
      milliwatts: device("vehicles", { maxChargePower: "11 mW" }),
      "a policy that there is not": device("vehicles", { policy: "CHARGE" }),
      "an unknown convention": device("inverters", { azimuth: { degrees: 3, convention: "x" } }),
      "a reset of an inverter": device("inverters", { onDelete: "reset" }),
      "an unknown lint": device("inverters", { ignoreLints: ["x"] }),
      "half a stack": { fleet: "a", shards: 1.5, sites: {} },
      null: device("vehicles", { maxCapacity: null }),
    };
    for (const [name, manifest] of Object.entries(taken)) {
      it(`takes ${name}`, () => {
        expect([validate(manifest), isTaken(manifest)], JSON.stringify(validate.errors)).to.deep.equal([true, true]);
      });
    }
    for (const [name, manifest] of Object.entries(refused)) {
      it(`refuses ${name}`, () => {
        expect([validate(manifest), isTaken(manifest)]).to.deep.equal([false, false]);
      });
    }
  });
});
