import { expect } from "chai";
import { inverter } from "../../../provider/settings/inverter";

describe("inverter", () => {
  it("has the five settings that the interface names, under the default wire names", () => {
    const names = Object.entries(inverter.settings).map(([key, { wireName }]) => [key, wireName]);
    expect(Object.fromEntries(names)).to.deep.equal({
      peakPower: "peak_power",
      azimuth: "azimuth",
      tilt: "tilt",
      cutInThreshold: "cut_in_threshold",
      baseLoad: "base_load",
    });
  });

  it("presents no assumption as documented", () => {
    expect(inverter.isDocumented).to.equal(false);
    for (const [key, { source }] of Object.entries(inverter.settings)) expect(source, key).to.match(/^our choice/);
  });

  it("claims no default, because none is documented", () => {
    for (const [key, setting] of Object.entries(inverter.settings))
      expect(setting, key).not.to.have.property("default");
  });

  it("accepts every type but a vehicle's, because an inverter's is not documented", () => {
    for (const type of ["Inverter", "Solar inverter", "PV"]) expect(inverter.accepts(type), type).to.equal(true);
    expect(inverter.accepts("Electric vehicle")).to.equal(false);
  });

  it("keeps its name, which every state holds", () => {
    expect(inverter.name).to.equal("inverter");
  });
});
