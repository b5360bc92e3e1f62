import { expect } from "chai";
import { inverter } from "../../../provider/settings/inverter";
import { type Problem, problemsOf } from "../../../provider/settings/schema";
import type { DeviceKind } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { freshKind } from "../../support/kinds";

const ids = { businessId: "acme", deviceId: "car" };

function problems(kind: DeviceKind, inputs: Record<string, unknown>, unknown: string[] = []): Problem[] {
  return problemsOf(freshKind(kind), { ...ids, ...inputs }, new Set(unknown));
}

/** The one reason why this property is refused. */
function reason(kind: DeviceKind, property: string, value: unknown): string {
  const found = problems(kind, { [property]: value });
  expect(found.map((problem) => problem.property)).to.deep.equal([property]);
  return (found[0] as Problem).reason;
}

describe("problemsOf: latitude", () => {
  it("accepts every one from pole to pole", () => {
    for (const latitude of [-90, -33.9, 0, 52.5, 90]) expect(problems(inverter, { latitude })).to.deep.equal([]);
  });

  const refused: [unknown, string][] = [
    [90.1, "has to be from -90 to 90 degrees, north positive"],
    [-90.1, "has to be from -90 to 90 degrees, north positive"],
    ["52.5", 'has to be a number with a unit, such as "30 °", or a number without quotes: 52.5'],
    [null, "has no value: give one, or leave the key out"],
  ];
  for (const [latitude, expected] of refused) {
    it(`refuses ${JSON.stringify(latitude)}`, () => {
      expect(reason(inverter, "latitude", latitude)).to.equal(expected);
    });
  }

  it("is no property of a car, of which nothing depends on it", () => {
    expect(reason(vehicle, "latitude", 52.5)).to.equal("is not a property of VehicleSettings");
  });
});

describe("problemsOf: unknown keys", () => {
  const keys: [DeviceKind, string, string][] = [
    [vehicle, "max_capacity", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "MAX_CAPACITY", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "BUSINESS_ID", "is not a property of VehicleSettings; did you mean businessId?"],
    [vehicle, "max_charge_power", "is not a property of VehicleSettings; did you mean maxChargePower?"],
    [vehicle, "dev_id", "is not a property of VehicleSettings; did you mean deviceId?"],
    [vehicle, "on_delete", "is not a property of VehicleSettings; did you mean onDelete?"],
    [vehicle, "MaxCapacity", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "maxCapactiy", "is not a property of VehicleSettings; did you mean maxCapacity?"],
    [vehicle, "peakPower", "is not a property of VehicleSettings"],
    [vehicle, "constructor", "is not a property of VehicleSettings"],
    [inverter, "cut_in_threshold", "is not a property of InverterSettings; did you mean cutInThreshold?"],
    [inverter, "baseload", "is not a property of InverterSettings; did you mean baseLoad?"],
    [inverter, "policy", "is not a property of InverterSettings"],
  ];
  for (const [kind, key, expected] of keys) {
    it(`refuses ${key} of ${kind.resource}`, () => {
      expect(reason(kind, key, 1)).to.equal(expected);
    });
  }

  for (const key of ["constructor", "toString", "__proto__"]) {
    it(`refuses ${key} also where its value is not known yet`, () => {
      const inputs = JSON.parse(`{"deviceId":"car","businessId":"acme","${key}":"sentinel"}`);
      expect(problemsOf(freshKind(vehicle), inputs, new Set([key]))).to.deep.equal([
        { property: key, reason: "is not a property of VehicleSettings" },
      ]);
    });
  }

  it("refuses each of several on its own property", () => {
    expect(problems(vehicle, { foo1234567: 1, bar1234567: 2 }).map(({ property }) => property)).to.have.members([
      "foo1234567",
      "bar1234567",
    ]);
  });
});

describe("problemsOf: several at once", () => {
  it("names every problem, each on its property", () => {
    const found = problems(vehicle, { deviceId: "", maxCapacity: 77, maxChargePower: null, policy: "FAST", speed: 1 });
    expect(found.map(({ property }) => property)).to.have.members([
      "deviceId",
      "maxCapacity",
      "maxChargePower",
      "policy",
      "speed",
    ]);
  });

  it("names of several problems of one property the first", () => {
    expect(problems(vehicle, { deviceId: " a\nb", maxCapacity: 77 })).to.deep.equal([
      { property: "deviceId", reason: "must not begin or end with white space" },
      { property: "maxCapacity", reason: "77 Wh is below 1000 Wh; 77 kWh is 77000" },
    ]);
  });
});

describe("problemsOf: values that are not known yet", () => {
  it("pass for every key, required ones too", () => {
    const keys = ["deviceId", "businessId", "onDelete", "maxCapacity", "maxChargePower", "policy"];
    const inputs = Object.fromEntries(keys.map((key) => [key, "sentinel"]));
    expect(problems(vehicle, inputs, keys)).to.deep.equal([]);
  });

  it("do not pass for a property that does not exist", () => {
    expect(problems(vehicle, { speed: "sentinel" }, ["speed"])).to.deep.equal([
      { property: "speed", reason: "is not a property of VehicleSettings" },
    ]);
  });

  it("do not hide what is wrong with known ones", () => {
    const found = problems(vehicle, { deviceId: "sentinel", maxCapacity: 77 }, ["deviceId"]);
    expect(found.map(({ property }) => property)).to.deep.equal(["maxCapacity"]);
  });

  it("do not hide that another key is missing", () => {
    const found = problemsOf(freshKind(vehicle), { businessId: "acme", policy: "sentinel" }, new Set(["policy"]));
    expect(found).to.deep.equal([{ property: "deviceId", reason: "is required" }]);
  });

  it("count in no relation between two keys", () => {
    expect(problems(inverter, { peakPower: "sentinel", cutInThreshold: 5000 }, ["peakPower"])).to.deep.equal([]);
  });
});

describe("problemsOf: relations", () => {
  it("keeps the cut-in threshold below the peak power", () => {
    expect(problems(inverter, { peakPower: 5000, cutInThreshold: 4999.9 })).to.deep.equal([]);
    for (const cutInThreshold of [5000, 6000]) {
      expect(problems(inverter, { peakPower: 5000, cutInThreshold })).to.deep.equal([
        { property: "cutInThreshold", reason: `${cutInThreshold} W is not below peakPower, which is 5000 W` },
      ]);
    }
  });

  it("compares nothing with a peak power that is not declared", () => {
    expect(problems(inverter, { cutInThreshold: 900_000 })).to.deep.equal([]);
  });

  const declarations = [{}, { tilt: 30 }, { peakPower: 9800, azimuth: 0, tilt: 0, cutInThreshold: 0, baseLoad: 0 }];
  for (const declared of declarations) {
    it(`refuses a reset of an inverter, which has no documented default, with ${JSON.stringify(declared)}`, () => {
      expect(problems(inverter, { onDelete: "reset", ...declared })).to.deep.equal([
        {
          property: "onDelete",
          reason:
            '"reset" writes the service\'s defaults, and none is documented for ' +
            'peakPower, azimuth, tilt, cutInThreshold, baseLoad; use "restore" or "retain"',
        },
      ]);
    });
  }
});
