import { expect } from "chai";
import { labelOf, placeOf } from "../../../provider/settings/groups";
import { asMember, deviceProblems, isSolarSite, SITE_KEYS, siteProblems } from "../../../provider/settings/site";

const pathsOf = (site: Record<string, unknown>) => siteProblems(site).map(({ path }) => path.join("."));

describe("siteProblems", () => {
  it("finds nothing in a site that has everything, nor in an empty one", () => {
    const site = {
      vehicles: { car: { deviceId: "car" } },
      inverters: { roof: { deviceId: "roof", observe: true } },
      latitude: 48.1,
      solar: true,
      requireReady: false,
      businessId: "acme",
      onDelete: "restore",
      onDrift: { policy: "keep", baseLoad: "repair" },
      ignoreLints: ["repeated-base-load", "flat-tilt"],
    };
    expect(Object.keys(site)).to.have.members(SITE_KEYS);
    expect(siteProblems(site)).to.deep.equal([]);
    expect(siteProblems({})).to.deep.equal([]);
    expect(siteProblems(Object.fromEntries(SITE_KEYS.map((key) => [key, undefined])))).to.deep.equal([]);
  });

  const wrong: readonly [key: string, value: unknown][] = [
    ["latitude", 91],
    ["latitude", "north"],
    ["solar", "yes"],
    ["requireReady", 1],
    ["businessId", ""],
    ["onDelete", "keep"],
    ["ignoreLints", "flat-tilt"],
    ["ignoreLints", ["flat"]],
    ["vehicles", []],
    ["vehicles", "car"],
    ["inverters", null],
    ["vehicle", {}],
  ];
  for (const [key, value] of wrong) {
    it(`refuses ${JSON.stringify(value)} as ${key}`, () => {
      expect(pathsOf({ [key]: value })).to.deep.equal([key]);
    });
  }

  it("offers the key that a misspelled one is near to", () => {
    expect(siteProblems({ requireReadyy: true })[0]?.reason).to.contain(" requireReady?");
  });

  it("passes what is not known yet, but no misspelled key", () => {
    const unknown = Object.fromEntries(SITE_KEYS.map((key) => [key, "later"]));
    expect(siteProblems(unknown, (value) => value === "later")).to.deep.equal([]);
    expect(siteProblems({ solr: "later" }, (value) => value === "later")).to.have.lengthOf(1);
  });

  for (const name of ["", "__proto__", "constructor", "toString", "a\nb", "\ud800", "x".repeat(257)]) {
    it(`refuses the name ${JSON.stringify(name.slice(0, 10))} of a device`, () => {
      const vehicles = Object.defineProperty({}, name, { value: { deviceId: "car" }, enumerable: true });
      expect(siteProblems({ vehicles }).map(({ path }) => path)).to.deep.equal([["vehicles", name]]);
    });
  }

  it("accepts a name of 1 to 256 characters", () => {
    for (const name of ["x", "x".repeat(256)]) {
      expect(siteProblems({ vehicles: { [name]: { deviceId: "car" } } })).to.deep.equal([]);
    }
  });

  it("refuses a device that is no object", () => {
    expect(pathsOf({ vehicles: { a: "car-a", b: { deviceId: "car-b" } }, inverters: { p: 1 } })).to.deep.equal([
      "vehicles.a",
      "inverters.p",
    ]);
  });
});

describe("deviceProblems", () => {
  const ofValues = { property: "tilt", reason: "is wrong" };
  const ofId = { property: "deviceId", reason: "is required" };

  it("are those of its values", () => {
    expect(deviceProblems({ deviceId: "roof", tilt: 99 }, [ofValues])).to.deep.equal([ofValues]);
    expect(deviceProblems({ deviceId: "roof", observe: false }, [])).to.deep.equal([]);
  });

  it("of an observed device are each setting that it is given, and what is wrong with its ids", () => {
    const given = { observe: true, businessId: "acme", tilt: 99, onDelete: "reset", azimuth: undefined };
    const problems = deviceProblems(given, [ofValues, ofId]);
    expect(problems.map(({ property }) => property)).to.deep.equal(["tilt", "onDelete", "deviceId"]);
  });

  it("refuse another observe, also one that is not known yet, and a latitude of its own", () => {
    const problems = deviceProblems({ deviceId: "roof", observe: "later", latitude: 48 }, []);
    expect(problems.map(({ property }) => property)).to.deep.equal(["latitude", "observe"]);
  });
});

describe("a site", () => {
  it("is solar if it declares so; by default, if it has inverters", () => {
    const roof = { group: "inverters" as const };
    const car = { group: "vehicles" as const };
    expect([isSolarSite(undefined, [car, roof]), isSolarSite(undefined, [car])]).to.deep.equal([true, false]);
    expect([isSolarSite(true, [car]), isSolarSite(false, [roof])]).to.deep.equal([true, false]);
  });

  it("names its devices by kind and name", () => {
    expect(labelOf({ group: "vehicles", name: "van" })).to.equal("vehicle/van");
    expect(labelOf({ group: "inverters", name: "roof" })).to.equal("inverter/roof");
  });

  it("finds the place of a device by its label, which may contain that of another kind", () => {
    expect(placeOf("vehicle/van")).to.deep.equal({ group: "vehicles", name: "van" });
    expect(placeOf("inverter/vehicle/van")).to.deep.equal({ group: "inverters", name: "vehicle/van" });
    for (const label of ["site", "vehicle", "vehicles/van"]) expect(placeOf(label), label).to.equal(undefined);
  });

  it("leaves out of readiness only cars that declare their own policy", () => {
    const device = { group: "vehicles" as const, name: "van", observe: false, policyFromSite: false };
    expect(asMember(device, { policy: "CHARGE BY" }).isLeftOut).to.equal(true);
    expect(asMember(device, {}).isLeftOut).to.equal(false);
    expect(asMember({ ...device, policyFromSite: true }, { policy: "CHARGE BY FORECAST" }).isLeftOut).to.equal(false);
    expect(asMember({ ...device, observe: true }, { policy: "CHARGE BY" }).isLeftOut).to.equal(false);
  });
});
