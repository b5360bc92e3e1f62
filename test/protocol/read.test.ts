import { ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { struct } from "./host";
import { describeWithEachHost, NEWEST } from "./installation";
import { BUSINESS, inputsOf, ownProviders, PROVIDERS, sharedProvider, unmanaged, verified } from "./provider";

describeWithEachHost("Read", (sdk) => {
  const provider = sharedProvider(sdk);

  it("shows in properties and inputs the declared keys that someone else changed", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await provider().host.create(car.declares({ maxCapacity: 77_000 }));
    provider().simulator.appUserSets(BUSINESS, car.deviceId, { max_capacity: 50_000, max_charge_power: 3_700 });

    const read = await provider().host.read(id, properties);

    expect(read).to.deep.equal({
      id,
      properties: {
        businessId: BUSINESS,
        deviceId: car.deviceId,
        physicalDevice: car.physicalDevice,
        maxCapacity: 50_000,
        settings: {
          maxCapacity: { status: "drifted", ours: 77_000, baseline: 60_000 },
          maxChargePower: unmanaged(3_700),
          policy: unmanaged("CHARGE BY"),
        },
        __provider: PROVIDERS.vehicle,
      },
      inputs: car.declares({ maxCapacity: 50_000 }),
    });
  });

  it("returns the same properties and inputs if nothing changed, and no inputs if it got none", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const inputs = car.declares({ maxCapacity: 77_000, onDelete: "restore" });
    const { id, properties } = await provider().host.create(inputs);

    const read = await provider().host.read(id, properties);
    expect(read).to.deep.include({ id, properties });
    // Without inputs, the engine keeps those in state.
    expect([inputs, {}]).to.deep.include(read.inputs);
  });

  it("is one request", async () => {
    const car = provider().vehicle();

    const declared = { maxCapacity: 77_000 };
    await provider().host.read(car.resourceId, car.declares({ ...declared, settings: verified(declared) }));

    expect(car.takeRequests()).to.deep.equal(["GET"]);
  });

  it("answers an empty id for a device that is gone", async () => {
    const car = provider().vehicle();
    const { id, properties } = await provider().host.create(car.declares({}));
    car.remove();

    expect(await provider().host.read(id, properties)).to.have.property("id", "");
  });

  it("shows everything of a device that is known by its id alone", async () => {
    const roof = provider().inverter({ peak_power: 9_800, azimuth: 180 });
    const shown = { peakPower: 9_800, azimuth: 180 };
    const device = { businessId: BUSINESS, deviceId: roof.deviceId, __provider: PROVIDERS.inverter };

    expect(await provider().host.read(roof.resourceId, inputsOf("inverter", {}))).to.deep.equal({
      id: roof.resourceId,
      properties: { ...device, ...shown },
      inputs: { ...device, ...shown },
    });
  });

  it("continues to show everything of a device that is only read, and claims to have written nothing", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const first = await provider().host.read(car.resourceId, inputsOf("vehicle", {}));
    provider().simulator.appUserSets(BUSINESS, car.deviceId, { max_capacity: 50_000, max_charge_power: 11_000 });

    const { properties } = await provider().host.read(first.id, first.properties);

    expect(properties).to.include({ maxCapacity: 50_000, maxChargePower: 11_000 });
    expect(properties).to.not.have.property("settings");
  });
});

describe(`Read of an id with inputs only, with SDK ${NEWEST.version}`, () => {
  const start = ownProviders(NEWEST);

  it("shows everything of the device", async () => {
    const provider = await start();
    const car = provider.vehicle({ max_capacity: 60_000 });
    const request = new ReadRequest().setId(car.resourceId).setInputs(struct(inputsOf("vehicle", {})));

    const { properties } = await provider.host.readWith(request);

    expect(properties).to.deep.include({ maxCapacity: 60_000, policy: "CHARGE BY" });
  });
});
