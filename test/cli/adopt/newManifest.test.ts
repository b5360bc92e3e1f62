import { expect } from "chai";
import fc from "fast-check";
import { newManifest } from "../../../cli/adopt/addition";
import { declarable } from "../../../cli/adopt/declarable";
import type { Adopted } from "../../../cli/adopt/read";
import { parseManifest } from "../../../provider/manifest/manifest";
import { ManifestError } from "../../../provider/manifest/report";
import { inverter } from "../../../provider/settings/inverter";
import { idSchema } from "../../../provider/settings/schema";
import type { DeviceKind, Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { expectFacts, like } from "../../support/facts";
import { thrownBy } from "../../support/failure";

const adopted = (
  kind: DeviceKind,
  deviceId: string,
  reported: Values,
  site = "main",
  businessId = "acme",
): Adopted => ({
  ...{ deviceId, businessId, site, place: "test" },
  kind,
  reported,
});
const FULL_CAR = { maxCapacity: 60_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };

describe("adopt: what of a device can be declared", () => {
  it("is what it reports, without a remark if that is everything", () => {
    const { values, remarks } = declarable(vehicle, FULL_CAR);
    expect(values).to.deep.equal(FULL_CAR);
    expect(remarks).to.deep.equal({});
  });

  it("has a remark for each other setting, with unit and range", () => {
    const { remarks } = declarable(vehicle, { maxCapacity: 60_000 });
    expect(Object.keys(remarks)).to.deep.equal(["maxChargePower", "policy"]);
    expectFacts(remarks.maxChargePower, [" 1 kW ", " 350 kW"]);
    expectFacts(remarks.policy, [" CHARGE BY ", " CHARGE BY FORECAST"]);
    expect(declarable(inverter, {}).remarks.tilt).to.match(/ 0° .* 90°$/);
  });

  it("leaves out a value that the provider refuses, with the reason", () => {
    const { values, remarks, refused } = declarable(vehicle, { ...FULL_CAR, maxCapacity: 60, policy: "CHARGE" });
    expect(values).to.deep.equal({ maxChargePower: 11_000 });
    expect(refused).to.have.members(["maxCapacity", "policy"]);
    expect(remarks.maxCapacity).to.match(/ 1 kWh .* 300 kWh, .* 60 Wh/);
  });

  it("leaves out a value that another one rules out", () => {
    const { values, refused } = declarable(inverter, { peakPower: 5000, cutInThreshold: 6000 });
    expect(values).to.deep.equal({ peakPower: 5000 });
    expect(refused).to.deep.equal(["cutInThreshold"]);
  });
});

describe("adopt: the manifest", () => {
  it("has devices in their sites, comments for what is missing, and an unchanged site", () => {
    const { text, missing, warnings } = newManifest(
      "fleet",
      "acme",
      [
        adopted(vehicle, "car", { maxCapacity: 60_000, policy: "CHARGE BY" }, "berlin"),
        adopted(inverter, "roof", { peakPower: 9800, tilt: 30, azimuth: 180, cutInThreshold: 50 }, "berlin"),
        adopted(vehicle, "van", FULL_CAR, "depot"),
      ],
      {},
    );
    // The comment above names both sources of the values.
    expect(text).to.match(/^# .*list.*cache/);
    expect(text.replace(/^#.*\n/gm, "")).to.match(
      like(`
fleet: fleet
businessId: acme
sites:
  berlin:
    # …solar: true.
    solar: false
    vehicles:
      car:
        deviceId: car
        maxCapacity: 60000
        policy: CHARGE BY
        # maxChargePower …, 1 kW … 350 kW
    inverters:
      roof:
        deviceId: roof
        peakPower: 9800
        azimuth: 180
        tilt: 30
        cutInThreshold: 50
        # baseLoad …, 0 W … 1000 kW
  depot:
    vehicles:
      van:
        deviceId: van
        maxCapacity: 60000
        maxChargePower: 11000
        policy: CHARGE BY FORECAST
`),
    );
    expect(missing).to.equal(2);
    expect(warnings).to.deep.equal([]);
  });

  it("names the devices whose values cannot be declared", () => {
    const { warnings } = newManifest("fleet", "acme", [adopted(vehicle, "car", { maxCapacity: 60 })], {});
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/^device 'car': maxCapacity .* 60 Wh/);
  });

  it("names no line of a manifest that is not written", () => {
    const error = thrownBy(() => newManifest("fleet", "acme", [adopted(vehicle, "car", {}, "a b")], {}));
    expect(error).to.be.instanceOf(ManifestError);
    expect((error as ManifestError).problems.map(({ path, line }) => [path, line])).to.deep.equal([
      ["sites.a b", undefined],
    ]);
    expect(error.message).to.not.match(/:\d/);
  });

  it("keeps devices of two businesses with one id apart", () => {
    const { text } = newManifest(
      "fleet",
      "acme",
      [adopted(vehicle, "car", {}), adopted(vehicle, "car", {}, "main", "other")],
      {},
    );
    const [site] = parseManifest(text, "fleet.yaml").sites;
    expect(site?.vehicles).to.deep.equal({
      "acme-car": { deviceId: "car" },
      "other-car": { deviceId: "car", businessId: "other" },
    });
  });

  const names: Record<string, [device: string, business: string, name: string][]> = {
    "a name that tells two businesses apart": [
      ["other-car", "acme", "other-car"],
      ["car", "acme", "acme-car"],
      ["car", "other", "other-car-2"],
    ],
    "a word of JavaScript": [["__proto__", "acme", "acme-__proto__"]],
    "an id that is too long to be a part of a name": [
      ["x".repeat(256), "acme", `acme-${"x".repeat(100)}`],
      ["x".repeat(256), "other", `other-${"x".repeat(100)}`],
    ],
  };
  for (const [what, devices] of Object.entries(names)) {
    it(`has another name for a device because of ${what}`, () => {
      const all = devices.map(([id, business]) => adopted(vehicle, id, {}, "main", business));
      const [site] = parseManifest(newManifest("fleet", "acme", all, {}).text, "fleet.yaml").sites;
      expect(Object.entries(site?.vehicles ?? {}).map(([name, { deviceId }]) => [name, deviceId])).to.deep.equal(
        devices.map(([id, , name]) => [name, id]),
      );
    });
  }

  it("lets a vehicle and an inverter have one name", () => {
    const { text } = newManifest(
      "fleet",
      "acme",
      [adopted(vehicle, "x", {}), adopted(inverter, "x", {}, "main", "other")],
      {},
    );
    const [site] = parseManifest(text, "fleet.yaml").sites;
    expect([Object.keys(site?.vehicles ?? {}), Object.keys(site?.inverters ?? {})]).to.deep.equal([["x"], ["x"]]);
  });

  it("reads back exactly the reported values, whatever the ids", () => {
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
        const { fleet, sites } = parseManifest(newManifest("fleet", business, devices, {}).text, "fleet.yaml");
        expect(fleet).to.equal("fleet");
        const nameIn = (deviceId: string) => (deviceId in {} ? `${business.slice(0, 100)}-${deviceId}` : deviceId);
        for (const [index, { vehicles, inverters, solar, businessId }] of sites.entries()) {
          const deviceId = ids[index] as string;
          expect([solar, businessId]).to.deep.equal([false, business]);
          expect(vehicles).to.deep.equal({ [nameIn(deviceId)]: { deviceId, ...ofCar } });
          expect(Object.values(inverters ?? {})).to.deep.include({
            deviceId: `roof ${deviceId}`.slice(0, 200).trim(),
            ...JSON.parse(JSON.stringify(ofRoof)),
          });
        }
      }),
    );
  });
});
