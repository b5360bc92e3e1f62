import { expect } from "chai";
import { sunSiteOf } from "../../../../cli/sun/sunSite";

const roof = { label: "inverter/roof", values: { peakPower: 9800, azimuth: 202.5, tilt: 35, baseLoad: 400 } };
const car = { label: "vehicle/car", values: { maxChargePower: 11_000, maxCapacity: 77_000 } };

describe("sunSiteOf", () => {
  it("takes what the sun depends on", () => {
    expect(sunSiteOf(48.1, [roof, car])).to.deep.equal({
      site: { latitude: 48.1, inverters: { roof: roof.values }, chargePowers: [11_000] },
    });
  });

  it("names what has to be declared first", () => {
    const { azimuth: _, ...values } = roof.values;
    expect(sunSiteOf(undefined, [{ ...roof, values }]).gaps).to.deep.equal([
      { device: "site", setting: "latitude" },
      { device: "inverter/roof", setting: "azimuth" },
    ]);
    expect(sunSiteOf(48.1, [car]).gaps).to.deep.equal([{ device: "site", setting: "inverters" }]);
  });

  it("does not take a value that is not known yet for a number", () => {
    const values = { ...roof.values, tilt: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
    expect(sunSiteOf(48.1, [{ ...roof, values }]).gaps).to.deep.equal([{ device: "inverter/roof", setting: "tilt" }]);
  });

  it("leaves out a car that does not charge by the forecast", () => {
    const policy = "CHARGE BY";
    const others = [{ label: "vehicle/van", values: { ...car.values, policy } }];
    expect(sunSiteOf(48.1, [roof, car, ...others]).site?.chargePowers).to.deep.equal([11_000]);
  });

  it("supposes of a car without a charge power what the service supposes", () => {
    expect(sunSiteOf(48.1, [roof, { label: "vehicle/car", values: {} }]).site?.chargePowers).to.deep.equal([7200]);
  });
});
