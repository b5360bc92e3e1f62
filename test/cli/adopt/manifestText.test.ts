import { expect } from "chai";
import fc from "fast-check";
import { declarable } from "../../../cli/adopt/declarable";
import { manifestText } from "../../../cli/adopt/manifestText";
import type { Adopted } from "../../../cli/adopt/nodes";
import { parseManifest } from "../../../provider/manifest/manifest";
import { inverter } from "../../../provider/settings/inverter";
import { idSchema } from "../../../provider/settings/schema";
import type { DeviceKind, Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";

const adopted = (
  kind: DeviceKind,
  deviceId: string,
  reported: Values,
  site = "main",
  businessId = "acme",
): Adopted => ({
  device: { deviceId, businessId, site, place: "test" },
  kind,
  reading: { deviceId, businessId, reported },
});
const FULL_CAR = { maxCapacity: 60_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };

describe("adopt: what of a device can be declared", () => {
  it("is what it reports, without a remark where that is everything", () => {
    const { values, remarks } = declarable(vehicle, FULL_CAR);
    expect(values).to.deep.equal(FULL_CAR);
    expect(remarks).to.deep.equal({});
  });

  it("has a remark for each other setting, with unit and range, and whose range it is", () => {
    const { remarks } = declarable(vehicle, { maxCapacity: 60_000 });
    expect(remarks).to.deep.equal({
      maxChargePower: "maxChargePower is not reported; supply it by hand, in W, 1000 to 350000",
      policy: "policy is not reported; supply it by hand, CHARGE BY or CHARGE BY FORECAST",
    });
    expect(declarable(inverter, {}).remarks.tilt).to.contain(
      "in degrees, 0 to 90 (our range: the service documents none)",
    );
  });

  it("leaves out a value that the provider refuses, and says why", () => {
    const { values, remarks, refused } = declarable(vehicle, { ...FULL_CAR, maxCapacity: 60, policy: "CHARGE" });
    expect(values).to.deep.equal({ maxChargePower: 11_000 });
    expect(refused).to.have.members(["maxCapacity", "policy"]);
    expect(remarks.maxCapacity).to.match(/is left out, .*: 60 Wh is below 1000 Wh.*; supply it by hand, in Wh/);
  });

  it("leaves out a value that another one rules out", () => {
    const { values, refused } = declarable(inverter, { peakPower: 5000, cutInThreshold: 6000 });
    expect(values).to.deep.equal({ peakPower: 5000 });
    expect(refused).to.deep.equal(["cutInThreshold"]);
  });
});

describe("adopt: the manifest", () => {
  it("has devices in their sites, comments for what is missing, and a site that stays as it is", () => {
    const { text, missing, warnings } = manifestText("fleet", "acme", [
      adopted(vehicle, "car", { maxCapacity: 60_000, policy: "CHARGE BY" }, "berlin"),
      adopted(inverter, "roof", { peakPower: 9800, tilt: 30, azimuth: 180, cutInThreshold: 50 }, "berlin"),
      adopted(vehicle, "van", FULL_CAR, "depot"),
    ]);
    expect(text.replace(/^#.*\n/gm, "")).to.equal(`
fleet: fleet
businessId: acme
sites:
  - id: berlin
    # Nothing changes by the adoption. To have the site made ready for solar-aware charging: supply what is missing below, take
    # out the vehicles' policy, which the site sets then, and write solar: true.
    solar: false
    vehicles:
      - deviceId: car
        maxCapacity: 60000
        policy: CHARGE BY
        # maxChargePower is not reported; supply it by hand, in W, 1000 to 350000
    inverters:
      - deviceId: roof
        peakPower: 9800
        azimuth: 180
        tilt: 30
        cutInThreshold: 50
        # baseLoad is not reported; supply it by hand, in W, 0 to 100000 (our range: the service documents none)
  - id: depot
    vehicles:
      - deviceId: van
        maxCapacity: 60000
        maxChargePower: 11000
        policy: CHARGE BY FORECAST
`);
    expect(missing).to.equal(2);
    expect(warnings).to.deep.equal([]);
  });

  it("names the devices whose values cannot be declared", () => {
    const { warnings } = manifestText("fleet", "acme", [adopted(vehicle, "car", { maxCapacity: 60 })]);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/^device 'car': maxCapacity is left out/);
  });

  it("tells two businesses' devices of one id apart", () => {
    const { text } = manifestText("fleet", "acme", [
      adopted(vehicle, "car", {}),
      adopted(vehicle, "car", {}, "main", "other"),
    ]);
    const [site] = parseManifest(text, "fleet.yaml").sites;
    expect(site?.vehicles.map(({ name, businessId }) => [name, businessId])).to.deep.equal([
      ["acme-car", "acme"],
      ["other-car", "other"],
    ]);
  });

  const clashes: Record<string, [device: string, site: string, business: string, name: string][]> = {
    "in two sites": [
      ["c", "a-b", "acme", "c"],
      ["b-c", "a", "acme", "acme-b-c"],
    ],
    "with a vehicle's policy, which is a resource of its own where the site is solar": [
      ["car", "a", "acme", "car"],
      ["car-policy", "a", "acme", "acme-car-policy"],
    ],
    "with a name that tells two businesses apart": [
      ["other-car", "a", "acme", "other-car"],
      ["car", "a", "acme", "acme-car"],
      ["car", "a", "other", "other-car-2"],
    ],
    "with an asterisk, which no name can have": [
      ["car*", "a", "acme", "car_"],
      ["car_", "a", "acme", "acme-car_"],
    ],
  };
  for (const [what, devices] of Object.entries(clashes)) {
    it(`has a name for a device that would be called as another ${what}`, () => {
      const all = devices.map(([id, site, business]) => adopted(vehicle, id, {}, site, business));
      const { sites } = parseManifest(manifestText("fleet", "acme", all).text, "fleet.yaml");
      expect(sites.flatMap(({ vehicles }) => vehicles.map(({ name }) => name))).to.deep.equal(
        devices.map(([, , , name]) => name),
      );
    });
  }

  it("is read back as exactly what is reported, whatever the ids", () => {
    const id = fc
      .oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("1e3", "true", "null", "0x1F", "~", "- a", "a: b", "# c", "&d"),
      )
      .filter((text) => idSchema.safeParse(text).success);
    const car = fc.record(
      {
        maxCapacity: fc.double({ min: 1000, max: 300_000, noNaN: true }),
        maxChargePower: fc.integer({ min: 1000, max: 350_000 }),
        policy: fc.constantFrom("CHARGE BY", "CHARGE BY FORECAST"),
      },
      { requiredKeys: [] },
    );
    const roof = fc.record(
      { azimuth: fc.double({ min: -0, max: 360, noNaN: true }), tilt: fc.integer({ min: 0, max: 90 }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), id, car, roof, (ids, business, ofCar, ofRoof) => {
        const devices = ids.flatMap((deviceId, index) => [
          adopted(vehicle, deviceId, ofCar, `site-${index}`, business),
          adopted(inverter, `roof ${deviceId}`.slice(0, 200).trim(), ofRoof, `site-${index}`, business),
        ]);
        const { fleet, sites } = parseManifest(manifestText("fleet", business, devices).text, "fleet.yaml");
        expect(fleet).to.equal("fleet");
        expect(sites.map(({ vehicles }) => vehicles)).to.deep.equal(
          ids.map((deviceId) => [{ name: deviceId, deviceId, businessId: business, values: ofCar }]),
        );
        for (const { isSolar, inverters } of sites) {
          expect(isSolar).to.equal(false);
          expect(inverters[0]?.values).to.deep.equal(JSON.parse(JSON.stringify(ofRoof)));
        }
      }),
    );
  });
});
