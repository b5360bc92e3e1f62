import { expect } from "chai";
import fc from "fast-check";
import { inverter } from "../../../provider/settings/inverter";
import { missingFor, type SiteDevice } from "../../../provider/settings/readiness";
import { keysOf } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";

const CAR = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const ROOF = { peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

const car = (values: object, isOnlyRead?: boolean): SiteDevice => ({
  kind: vehicle,
  label: "vehicle/car",
  values: { ...CAR, ...values },
  ...(isOnlyRead !== undefined && { isOnlyRead }),
});
const roof = (values: object, isOnlyRead?: boolean): SiteDevice => ({
  kind: inverter,
  label: "inverter/roof",
  values: { ...ROOF, ...values },
  ...(isOnlyRead !== undefined && { isOnlyRead }),
});

describe("missingFor", () => {
  it("finds nothing where a vehicle and an inverter have everything", () => {
    expect(missingFor([car({}), roof({})])).to.deep.equal([]);
  });

  // These words are documented and stay: programs compare them.
  for (const [what, devices, reasons] of [
    ["no device at all", [], ["site: no vehicle", "site: no inverter"]],
    ["no vehicle", [roof({})], ["site: no vehicle"]],
    ["no inverter", [car({})], ["site: no inverter"]],
    [
      "a setting of a vehicle that is not declared",
      [car({ maxCapacity: undefined }), roof({})],
      ["vehicle/car: maxCapacity not declared"],
    ],
    ["a policy that is not declared", [car({ policy: undefined }), roof({})], ["vehicle/car: policy not declared"]],
    ["another policy", [car({ policy: "CHARGE BY" }), roof({})], ["vehicle/car: policy is CHARGE BY"]],
    [
      "settings of an inverter that are not declared",
      [car({}), roof({ tilt: undefined, baseLoad: undefined })],
      ["inverter/roof: tilt not declared", "inverter/roof: baseLoad not declared"],
    ],
    [
      "settings that devices which are only read do not report",
      [car({ maxChargePower: undefined }, true), roof({ azimuth: undefined }, true)],
      ["vehicle/car: maxChargePower not reported", "inverter/roof: azimuth not reported"],
    ],
    [
      "another policy of a vehicle that is only read",
      [car({ policy: "CHARGE BY" }, true), roof({})],
      ["vehicle/car: policy is CHARGE BY"],
    ],
  ] as const) {
    it(`says of ${what}: ${reasons.join("; ")}`, () => {
      expect(missingFor(devices)).to.deep.equal(reasons);
    });
  }

  it("gives the reasons in the order of the devices, and of the settings of their kinds", () => {
    const devices = [roof({ tilt: undefined, peakPower: undefined }), car({ maxCapacity: undefined })];
    expect(missingFor(devices)).to.deep.equal([
      "inverter/roof: peakPower not declared",
      "inverter/roof: tilt not declared",
      "vehicle/car: maxCapacity not declared",
    ]);
  });

  it("takes a setting of zero for declared", () => {
    expect(missingFor([car({}), roof({ azimuth: 0, tilt: 0, cutInThreshold: 0, baseLoad: 0 })])).to.deep.equal([]);
  });

  it("gives one reason for each setting that is left out, whichever they are", () => {
    const every = [...keysOf(vehicle), ...keysOf(inverter)];
    fc.assert(
      fc.property(fc.subarray(every), (left) => {
        const without = Object.fromEntries(left.map((key) => [key, undefined]));
        const missing = missingFor([car(without), roof(without)]);
        expect(missing.map((reason) => reason.split(" ")[1])).to.have.members(left);
      }),
    );
  });
});
