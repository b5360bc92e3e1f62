import { expect } from "chai";
import { expectFacts } from "../support/facts";
import { failureOf, initFailureOf } from "./failures";
import { describeWithEachHost } from "./installation";
import { BUSINESS, PROVIDERS, sharedProvider, type TestDevice, unmanaged } from "./provider";

describeWithEachHost("An update whose outcome is unknown", (sdk) => {
  const provider = sharedProvider(sdk);

  const loseTheAnswerTo = ({ deviceId }: TestDevice) =>
    provider().simulator.fail({ method: "PATCH", deviceId, kind: "reset-after-apply" });

  /** A create whose update is applied but not answered. @returns the part that the engine keeps */
  const uncertainCreate = async (car: TestDevice, maxCapacity: number) => {
    loseTheAnswerTo(car);
    const error = await failureOf(provider().host.create(car.declares({ maxCapacity })));
    const kept = initFailureOf(error);
    if (!kept) throw new Error(`the engine is told to keep nothing: ${error.details}`);
    return kept;
  };

  it("lets a create fail with the id and the true baseline to keep", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });

    const { id, properties } = await uncertainCreate(car, 77_000);

    expect(car.settings).to.include({ max_capacity: 77_000 });
    expect(id).to.equal(car.resourceId);
    expect(properties).to.deep.equal({
      businessId: BUSINESS,
      deviceId: car.deviceId,
      physicalDevice: car.physicalDevice,
      maxCapacity: 77_000,
      settings: {
        maxCapacity: { status: "uncertain", sent: [77_000], reported: 60_000, baseline: 60_000 },
        policy: unmanaged("CHARGE BY"),
      },
      __provider: PROVIDERS.vehicle,
    });
  });

  it("gives one reason: the outcome, and the next step", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });

    const { reasons } = await uncertainCreate(car, 77_000);

    expect(reasons).to.have.lengthOf(1);
    expectFacts(reasons[0], ["update", `'${car.deviceId}'`, "ECONNRESET", '"pulumi up"']);
  });

  it("shows as a change in the next preview", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await uncertainCreate(car, 77_000);

    const difference = await provider().host.diff(id, properties, car.declares({ maxCapacity: 77_000 }));

    expect(difference).to.deep.equal({ changes: true, replaces: [] });
  });

  it("is sent again by the next update, which keeps the true baseline", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await uncertainCreate(car, 77_000);
    car.takeRequests();

    const updated = await provider().host.update(id, properties, car.declares({ maxCapacity: 77_000 }));

    expect(car.takeRequests()).to.deep.equal(['PATCH {"max_capacity":77000}', "GET"]);
    expect(updated.settings).to.deep.include({ maxCapacity: { baseline: 60_000 } });
  });

  it("counts as accepted once a refresh sees its value", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await uncertainCreate(car, 77_000);

    const read = await provider().host.read(id, properties);

    expect(read.properties.settings).to.deep.include({ maxCapacity: { baseline: 60_000 } });
  });

  it("is undone by a delete with restore", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await uncertainCreate(car, 77_000);

    await provider().host.delete(id, { ...properties, onDelete: "restore" });

    expect(car.settings).to.include({ max_capacity: 60_000 });
  });

  it("keeps the first baseline and the settled values when an update fails", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const policy = "CHARGE BY FORECAST";
    const { id, properties } = await provider().host.create(car.declares({ maxCapacity: 77_000, policy }));
    loseTheAnswerTo(car);

    const error = await failureOf(
      provider().host.update(id, properties, car.declares({ maxCapacity: 80_000, policy })),
    );

    expect(initFailureOf(error)).to.have.property("id", id);
    expect(initFailureOf(error)?.properties).to.deep.include({
      maxCapacity: 80_000,
      settings: {
        maxCapacity: { status: "uncertain", sent: [80_000], ours: 77_000, reported: 77_000, baseline: 60_000 },
        policy: { baseline: "CHARGE BY" },
      },
      __provider: PROVIDERS.vehicle,
    });
  });

  it("does not include refused updates: the engine then keeps the earlier state", async () => {
    const car = provider().vehicle();
    provider().simulator.fail({ method: "PATCH", deviceId: car.deviceId, status: 422 });

    const error = await failureOf(provider().host.create(car.declares({ maxCapacity: 77_000 })));

    expect(error.details).to.contain("HTTP 422");
    expect(initFailureOf(error)).to.equal(undefined);
  });
});
