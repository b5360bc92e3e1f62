import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { ChargePolicy, InverterSettings, type OnDelete, VehicleSettings } from "../../provider";
import { mockedEngine, resolved } from "./mocks";

// That these programs compile is half of each test.
describe("Arguments that are known later", () => {
  const engine = mockedEngine();

  it("may be outputs, all of a vehicle's", async () => {
    const vehicle = new VehicleSettings("car", {
      deviceId: pulumi.output("car"),
      businessId: pulumi.output("acme"),
      maxCapacity: pulumi.output(77_000),
      maxChargePower: pulumi.output(11_000),
      policy: pulumi.output(ChargePolicy.ChargeByForecast),
      onDelete: pulumi.output<OnDelete>("reset"),
    });

    const { __program, __provider, ...inputs } = (await engine.askedFor(vehicle)).inputs as Record<string, unknown>;
    expect(inputs).to.deep.equal({
      deviceId: "car",
      businessId: "acme",
      maxCapacity: 77_000,
      maxChargePower: 11_000,
      policy: "CHARGE BY FORECAST",
      onDelete: "reset",
    });
  });

  it("may be promises, all of a vehicle's", async () => {
    const vehicle = new VehicleSettings("car", {
      deviceId: Promise.resolve("car"),
      businessId: Promise.resolve("acme"),
      maxCapacity: Promise.resolve(77_000),
      maxChargePower: Promise.resolve(11_000),
      policy: Promise.resolve(ChargePolicy.ChargeBy),
      onDelete: Promise.resolve<OnDelete>("restore"),
    });

    const { __program, __provider, ...inputs } = (await engine.askedFor(vehicle)).inputs as Record<string, unknown>;
    expect(inputs).to.deep.equal({
      deviceId: "car",
      businessId: "acme",
      maxCapacity: 77_000,
      maxChargePower: 11_000,
      policy: "CHARGE BY",
      onDelete: "restore",
    });
  });

  it("may be outputs and promises, all of an inverter's", async () => {
    const inverter = new InverterSettings("roof", {
      deviceId: pulumi.output("roof"),
      businessId: Promise.resolve("acme"),
      peakPower: pulumi.output(9_800),
      azimuth: Promise.resolve(180),
      tilt: pulumi.output(Promise.resolve(35)),
      cutInThreshold: Promise.resolve(120),
      baseLoad: pulumi.output(400),
      onDelete: Promise.resolve<"retain">("retain"),
    });

    const { __program, __provider, ...inputs } = (await engine.askedFor(inverter)).inputs as Record<string, unknown>;
    expect(inputs).to.deep.equal({
      deviceId: "roof",
      businessId: "acme",
      peakPower: 9_800,
      azimuth: 180,
      tilt: 35,
      cutInThreshold: 120,
      baseLoad: 400,
      onDelete: "retain",
    });
  });

  it("may be the outputs of another settings resource", async () => {
    const first = new VehicleSettings("first", { deviceId: "car", businessId: "acme", maxCapacity: 77_000 });
    const { deviceId, businessId, maxCapacity } = first;

    const second = new VehicleSettings("second", {
      deviceId: deviceId.apply((id) => `${id}-2`),
      businessId,
      maxCapacity: maxCapacity.apply((capacity = 0) => capacity + 1_000),
    });

    expect(await resolved(second.deviceId)).to.equal("car-2");
    expect(await resolved(second.maxCapacity)).to.equal(78_000);
  });
});
