import { expect } from "chai";
import { sunSiteOf, withKept } from "../../../../cli/clearDays/sunSite";
import { foldOf } from "../../../../provider/settings/planes";
import { declaredSite } from "../../../support/statuses";

const roof = { label: "inverter/roof", values: { peakPower: 9800, azimuth: 202.5, tilt: 35, baseLoad: 400 } };
const car = { label: "vehicle/car", values: { maxChargePower: 11_000, maxCapacity: 77_000 } };

const of = (latitude: number | undefined, devices: Parameters<typeof declaredSite>[0]) => {
  const { latitude: _, ...site } = declaredSite(devices);
  return sunSiteOf({ ...site, ...(latitude !== undefined && { latitude }) });
};

describe("sunSiteOf", () => {
  it("takes what the sun depends on", () => {
    expect(of(48.1, [roof, car])).to.deep.equal({
      site: { latitude: 48.1, inverters: { roof: roof.values }, cars: [{ chargePower: 11_000, capacity: 77_000 }] },
      assumed: [],
    });
  });

  it("uses planes only while the reported values are their fold", () => {
    const planes = [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 30 }));
    const { peakPower, azimuth, tilt } = foldOf(planes, 48.1);
    const twin = { ...roof, values: { ...roof.values, peakPower, azimuth, tilt }, planes };
    expect(of(48.1, [twin]).site?.inverters.roof).to.deep.equal({ ...twin.values, planes });
    const drifted = { ...twin, values: { ...twin.values, azimuth: 10 } };
    expect(of(48.1, [drifted]).site?.inverters.roof).to.deep.equal(drifted.values);
  });

  it("names what has to be declared first", () => {
    const { azimuth: _, ...values } = roof.values;
    expect(of(undefined, [{ ...roof, values }]).gaps).to.deep.equal([
      { device: "site", setting: "latitude" },
      { device: "inverter/roof", setting: "azimuth" },
    ]);
    expect(of(48.1, [car]).gaps).to.deep.equal([{ device: "site", setting: "inverters" }]);
  });

  it("does not take a value that is not known yet for a number", () => {
    const values = { ...roof.values, tilt: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
    expect(of(48.1, [{ ...roof, values }]).gaps).to.deep.equal([{ device: "inverter/roof", setting: "tilt" }]);
  });

  it("leaves out a car that does not charge by the forecast", () => {
    const policy = "CHARGE BY";
    const others = [{ label: "vehicle/van", values: { ...car.values, policy } }];
    expect(of(48.1, [roof, car, ...others]).site?.cars).to.deep.equal([{ chargePower: 11_000, capacity: 77_000 }]);
  });

  it("supposes of a car what the service supposes, and names it", () => {
    const { site, assumed } = of(48.1, [roof, { label: "vehicle/car", values: {} }]) as ReturnType<typeof sunSiteOf> & {
      readonly assumed: readonly string[];
    };
    expect(site?.cars).to.deep.equal([{ chargePower: 7200, capacity: 80_000 }]);
    expect(assumed).to.deep.equal(["car"]);
  });

  it("has no car that charges by the forecast if the site is not ready, or not to be", () => {
    for (const solar of [true, false]) {
      expect(sunSiteOf(declaredSite([roof, car], { ready: false, solar })).site?.cars).to.deep.equal([]);
    }
  });

  it("keeps the value of a setting that is no longer declared", () => {
    const { baseLoad: _, ...values } = roof.values;
    const side = (of: typeof values) => declaredSite([{ label: roof.label, values: of }]);
    const kept = sunSiteOf(withKept(side(values), side(roof.values)));
    expect(kept.site?.inverters.roof).to.deep.equal(roof.values);
  });
});
