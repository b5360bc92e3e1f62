import { expect } from "chai";
import { describeWithEachHost } from "./installation";
import { BUSINESS, PROVIDERS, sharedProvider, unmanaged } from "./provider";

describeWithEachHost("Create", (sdk) => {
  const provider = sharedProvider(sdk);

  it("adopts a device: one read, one update of the differences, one read-back", async () => {
    const car = provider().vehicle({ max_capacity: 60_000, max_charge_power: 11_000 });

    await provider().host.create(car.declares({ maxCapacity: 77_000, maxChargePower: 11_000 }));

    expect(car.takeRequests()).to.deep.equal(["GET", 'PATCH {"max_capacity":77000}', "GET"]);
  });

  it("answers complete outputs", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });

    const created = await provider().host.create(
      car.declares({ maxCapacity: 77_000, policy: "CHARGE BY FORECAST", onDelete: "restore" }),
    );

    expect(created).to.deep.equal({
      id: car.resourceId,
      properties: {
        businessId: BUSINESS,
        deviceId: car.deviceId,
        physicalDevice: car.physicalDevice,
        maxCapacity: 77_000,
        policy: "CHARGE BY FORECAST",
        onDelete: "restore",
        settings: {
          maxCapacity: { baseline: 60_000 },
          policy: { baseline: "CHARGE BY" },
        },
        __provider: PROVIDERS.vehicle,
      },
    });
  });

  it("answers complete outputs if the service reports nothing", async () => {
    const roof = provider().inverter();
    provider().simulator.behave({ reports: "nowhere" }, BUSINESS, roof.deviceId);

    const created = await provider().host.create(roof.declares({ peakPower: 9_800, azimuth: 180 }));

    expect(created).to.deep.equal({
      id: roof.resourceId,
      properties: {
        businessId: BUSINESS,
        deviceId: roof.deviceId,
        physicalDevice: roof.physicalDevice,
        peakPower: 9_800,
        azimuth: 180,
        settings: { peakPower: { status: "notReported" }, azimuth: { status: "notReported" } },
        __provider: PROVIDERS.inverter,
      },
    });
  });

  it("only reads a device that has every declared value", async () => {
    const car = provider().vehicle({ max_capacity: 77_000 });

    await provider().host.create(car.declares({ maxCapacity: 77_000 }));

    expect(car.takeRequests()).to.deep.equal(["GET"]);
  });

  it("encodes each part of the id", async () => {
    const { host, simulator } = provider();
    simulator.add("a/b", "c d%", { type: "vehicle" });
    const car = provider().vehicle();

    const created = await host.create({ ...car.declares({}), businessId: "a/b", deviceId: "c d%" });

    expect(created.id).to.equal("a%2Fb/c%20d%25");
  });

  it("never sends a latest read", async () => {
    const car = provider().vehicle();

    await provider().host.create(car.declares({ maxCapacity: 77_000 }));

    // Other tests use the same service. They may send a latest read for their devices.
    const latest = provider().simulator.requests.filter(({ operation }) => operation === "latest");
    expect(latest.map(({ deviceId }) => deviceId)).to.not.include(car.deviceId);
  });
});

describeWithEachHost("Update", (sdk) => {
  const provider = sharedProvider(sdk);

  it("sends the changed settings, and reads them back", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const olds = car.declares({ maxCapacity: 77_000, maxChargePower: 11_000 });
    const { id, properties } = await provider().host.create(olds);
    car.takeRequests();

    await provider().host.update(id, properties, car.declares({ maxCapacity: 80_000, maxChargePower: 11_000 }));

    expect(car.takeRequests()).to.deep.equal(['PATCH {"max_capacity":80000}', "GET"]);
  });

  it("answers complete outputs with the first baseline", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await provider().host.create(car.declares({ maxCapacity: 77_000 }));

    const updated = await provider().host.update(id, properties, car.declares({ maxCapacity: 80_000 }));

    expect(updated).to.deep.equal({
      businessId: BUSINESS,
      deviceId: car.deviceId,
      physicalDevice: car.physicalDevice,
      maxCapacity: 80_000,
      settings: { maxCapacity: { baseline: 60_000 }, policy: unmanaged("CHARGE BY") },
      __provider: PROVIDERS.vehicle,
    });
  });

  it("stops managing a key that is no longer declared, without a request", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await provider().host.create(car.declares({ maxCapacity: 77_000 }));
    car.takeRequests();

    const updated = await provider().host.update(id, properties, car.declares({}));

    expect(updated)
      .to.deep.include({ settings: { maxCapacity: unmanaged(77_000), policy: unmanaged("CHARGE BY") } })
      .and.not.to.have.property("maxCapacity");
    expect(car.takeRequests()).to.deep.equal([]);
    expect(car.settings).to.include({ max_capacity: 77_000 });
  });
});
