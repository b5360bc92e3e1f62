import { expect } from "chai";
import { toPatch, type Values } from "../../../provider/settings/setting";
import { ChargePolicy, reportedByCar, vehicle } from "../../../provider/settings/vehicle";

describe("vehicle", () => {
  // The values that the service documents.
  const documented = [
    { key: "maxCapacity", wireName: "max_capacity", unit: "Wh", minimum: 1000, maximum: 300_000, default: 80_000 },
    { key: "maxChargePower", wireName: "max_charge_power", unit: "W", minimum: 1000, maximum: 350_000, default: 7200 },
    { key: "policy", wireName: "policy", default: "CHARGE BY" },
  ];
  for (const { key, ...expected } of documented) {
    it(`has ${key} as the interface documents it`, () => {
      expect(vehicle.settings[key]).to.deep.include(expected);
    });
  }

  it("has the two documented policies", () => {
    const { policy } = vehicle.settings;
    expect(policy).to.have.property("choices").that.has.all.keys("CHARGE BY", "CHARGE BY FORECAST");
  });

  it("has no setting that the interface does not document", () => {
    expect(Object.keys(vehicle.settings)).to.have.members(documented.map(({ key }) => key));
    expect(vehicle.isDocumented).to.equal(true);
  });

  it("names both policies", () => {
    expect(ChargePolicy).to.deep.equal({ ChargeBy: "CHARGE BY", ChargeByForecast: "CHARGE BY FORECAST" });
    expect(toPatch(vehicle, { policy: ChargePolicy.ChargeByForecast })).to.deep.equal({ policy: "CHARGE BY FORECAST" });
  });

  it("accepts nothing but an electric vehicle", () => {
    expect(vehicle.accepts("Electric vehicle")).to.equal(true);
    for (const type of ["Inverter", "Battery", ""]) expect(vehicle.accepts(type), type).to.equal(false);
  });

  it("keeps its name, which every state holds", () => {
    expect(vehicle.name).to.equal("vehicle");
  });
});

describe("reportedByCar", () => {
  const cases: readonly [what: string, reported: Values, own: Values][] = [
    [
      "capacity and charge power",
      { maxCapacity: 60_000, maxChargePower: 11_000 },
      { maxCapacity: 60_000, maxChargePower: 11_000 },
    ],
    ["no policy", { maxCapacity: 60_000, policy: "CHARGE BY FORECAST" }, { maxCapacity: 60_000 }],
    ["none of the values that the service assumes", { maxCapacity: 80_000, maxChargePower: 7200 }, {}],
    ["another value beside an assumed one", { maxCapacity: 80_000, maxChargePower: 7201 }, { maxChargePower: 7201 }],
    ["nothing if the device shows nothing", {}, {}],
  ];
  for (const [what, reported, own] of cases) {
    it(`has ${what}`, () => {
      expect(reportedByCar(reported)).to.deep.equal(own);
    });
  }
});
