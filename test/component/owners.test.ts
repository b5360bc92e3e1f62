import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { InverterSettings, VehicleSettings } from "../../provider";
import { mockedEngine } from "./mocks";

describe("A program that declares a setting of a device twice", () => {
  const engine = mockedEngine();

  // Ends the program run: other tests are again without stack and configuration.
  afterEach(() => {
    pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, "");
    pulumi.runtime.setAllConfig({});
  });

  /** What the engine is told about each resource of a program to be declared elsewhere. */
  const run = async (program: () => pulumi.CustomResource[]): Promise<unknown[]> => {
    const resources: pulumi.CustomResource[] = [];
    await pulumi.runtime.runInPulumiStack(async () => {
      resources.push(...program());
    });
    const asked = await Promise.all(resources.map((resource) => engine.askedFor(resource)));
    return asked.map(({ inputs }) => inputs.__program?.declaredElsewhere);
  };

  it("tells the engine so with the second resource, and names the first", async () => {
    const declared = await run(() => [
      new VehicleSettings("first", { deviceId: "car", maxCapacity: 77_000, policy: "CHARGE BY" }),
      new VehicleSettings("second", { deviceId: "car", maxCapacity: 60_000, maxChargePower: 11_000 }),
    ]);

    expect(declared).to.deep.equal([undefined, { maxCapacity: "VehicleSettings 'first'" }]);
  });

  it("tells the engine so of a device that is declared as another kind", async () => {
    const declared = await run(() => [
      new VehicleSettings("car", { deviceId: "car", maxCapacity: 77_000 }),
      new InverterSettings("roof", { deviceId: "car", tilt: 35 }),
    ]);

    expect(declared).to.deep.equal([undefined, { deviceId: "VehicleSettings 'car'" }]);
  });

  it("is also one that gives the business of the configuration once", async () => {
    pulumi.runtime.setConfig("solar-charging:businessId", "acme");

    const declared = await run(() => [
      new VehicleSettings("first", { deviceId: "car", maxCapacity: 77_000 }),
      new VehicleSettings("second", { deviceId: "car", businessId: "acme", maxCapacity: 77_000 }),
    ]);

    expect(declared).to.deep.equal([undefined, { maxCapacity: "VehicleSettings 'first'" }]);
  });

  it("is not one that declares other settings, other devices or devices of other businesses", async () => {
    const declared = await run(() => [
      new VehicleSettings("first", { deviceId: "car", businessId: "acme", maxCapacity: 77_000 }),
      new VehicleSettings("other setting", { deviceId: "car", businessId: "acme", maxChargePower: 11_000 }),
      new VehicleSettings("other device", { deviceId: "van", businessId: "acme", maxCapacity: 77_000 }),
      new VehicleSettings("other business", { deviceId: "car", businessId: "north", maxCapacity: 77_000 }),
    ]);

    expect(declared).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it("is not one whose first resource turns out to declare nothing", async () => {
    const declared = await run(() => [
      new VehicleSettings("first", { deviceId: "car", maxCapacity: pulumi.output(undefined as unknown as number) }),
      new VehicleSettings("second", { deviceId: "car", maxCapacity: 60_000 }),
    ]);

    expect(declared).to.deep.equal([undefined, undefined]);
  });

  it("is not one that only reads the device beside it", async () => {
    const declared = await run(() => [
      VehicleSettings.get("read", "acme/car"),
      new VehicleSettings("declared", { deviceId: "car", businessId: "acme", maxCapacity: 77_000 }),
      VehicleSettings.get("read again", "acme/car"),
    ]);

    expect(declared).to.deep.equal([undefined, undefined, undefined]);
  });

  it("is not one that runs twice in one process", async () => {
    const program = (name: string) => () => [new VehicleSettings(name, { deviceId: "car", maxCapacity: 77_000 })];

    const declared = [...(await run(program("first run"))), ...(await run(program("second run")))];

    expect(declared).to.deep.equal([undefined, undefined]);
  });
});
