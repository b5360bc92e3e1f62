import { expect } from "chai";
import { SecretInputs } from "../../../../provider/lifecycle/run/secretInputs";
import { inverter } from "../../../../provider/settings/inverter";
import { keysOf } from "../../../../provider/settings/setting";

const FOLDED = ["peakPower", "azimuth", "tilt"];

describe("the inputs that are secrets", () => {
  const secrets = new SecretInputs(["inverters.roof.tilt", "vehicles.car", "latitude"]);
  const keys = (paths: readonly string[]) => [...new SecretInputs(paths).keysOf(inverter)];

  for (const [path, isSecret] of [
    ["latitude", true],
    ["solar", false],
    ["inverters.roof.tilt", true],
    ["inverters.roof.azimuth", false],
    ["inverters.roof", false],
    ["vehicles.car.maxCapacity", true],
    ["vehicles.car2.maxCapacity", false],
  ] as const) {
    it(`${isSecret ? "include" : "do not include"} ${path}`, () => expect(secrets.has(path)).to.equal(isSecret));
  }

  it("of a device of a site are its own, or all of them", () => {
    const below = (path: string) => [...secrets.below(path).keysOf(inverter)];
    expect(below("inverters.roof")).to.deep.equal(["tilt"]);
    expect(below("inverters.other")).to.deep.equal([]);
    expect(below("vehicles.car")).to.deep.equal(keysOf(inverter));
    for (const other of ["inverters.roof2", "inverters.roof2.tilt"]) {
      expect(new SecretInputs([other]).below("inverters.roof").has("tilt"), other).to.equal(false);
    }
  });

  it("of planes include the settings that are computed from them, also of one plane, and of a device of that name", () => {
    for (const path of ["planes", "planes[0]", "planes[0].tilt", "planes.0"])
      expect(keys([path])).to.have.members(FOLDED);
    expect(keys(["planesOf"])).to.deep.equal([]);
    const site = new SecretInputs(["inverters.planes.planes[1].tilt"]);
    expect([...site.below("inverters.planes").keysOf(inverter)]).to.have.members(FOLDED);
    expect(site.has("peakPower")).to.equal(false);
    expect(new SecretInputs(["inverters.planes.tilt"]).below("inverters.planes").has("azimuth")).to.equal(false);
  });

  describe("hide the reason of a problem", () => {
    const hidden = (paths: readonly string[], property: string) => {
      const problem = { property, reason: "must be below 5 kW" };
      const shown = new SecretInputs(paths).hiding(problem, inverter);
      expect(shown.isSecret ? shown.reason : "").to.not.contain("5 kW");
      return shown === problem ? undefined : shown.property;
    };

    for (const [paths, property, found] of [
      [["tilt"], "tilt", "tilt"],
      [["tilt"], "azimuth", undefined],
      [["planes"], "planes[0].tilt", "planes"],
      // A threshold is refused if it is not below the peak power, so its reason shows that value.
      [["peakPower"], "cutInThreshold", "cutInThreshold"],
      [["cutInThreshold"], "peakPower", undefined],
      [["deviceId"], "deviceId", "deviceId"],
      [[], "cutInThreshold", undefined],
    ] as [string[], string, string | undefined][]) {
      const what = paths.length > 0 ? paths.join() : "nothing";
      it(`${found ? "of" : "but not of"} ${property} if ${what} is secret`, () => {
        expect(hidden(paths, property)).to.equal(found);
      });
    }
  });
});
