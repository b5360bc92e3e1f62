import { expect } from "chai";
import { describeWithEachHost } from "./installation";
import { BUSINESS, sharedProvider, type TestDevice } from "./provider";

describeWithEachHost("Delete", (sdk) => {
  const provider = sharedProvider(sdk);

  /** Declares settings of a device, as an earlier run did, and drops its requests from the log. */
  const created = async (device: TestDevice, declared: Record<string, unknown>) => {
    const stored = await provider().host.create(device.declares(declared));
    device.takeRequests();
    return stored;
  };

  for (const [title, onDelete] of [
    ["by default", {}],
    ["with retain", { onDelete: "retain" }],
  ] as const) {
    it(`makes no request ${title}`, async () => {
      const car = provider().vehicle({ max_capacity: 60_000 });
      const { id, properties } = await created(car, { maxCapacity: 77_000, ...onDelete });

      await provider().host.delete(id, properties);

      expect(car.takeRequests()).to.deep.equal([]);
      expect(car.settings).to.include({ max_capacity: 77_000 });
    });
  }

  it("with restore writes back the baselines of the declared keys, in one update", async () => {
    const car = provider().vehicle({ max_capacity: 60_000, max_charge_power: 11_000 });
    const { id, properties } = await created(car, { maxCapacity: 77_000, onDelete: "restore" });

    await provider().host.delete(id, properties);

    expect(car.takeRequests()).to.deep.equal(["GET", 'PATCH {"max_capacity":60000}']);
  });

  it("with restore keeps a value that someone else has set since, and reports it", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await created(car, { maxCapacity: 77_000, onDelete: "restore" });
    provider().simulator.appUserSets(BUSINESS, car.deviceId, { max_capacity: 50_000 });

    await provider().host.delete(id, properties);

    expect(car.takeRequests()).to.deep.equal(["GET"]);
    const warnings = provider().host.engine.messages.filter((message) => message.startsWith("WARNING"));
    const own = warnings.filter((message) => message.includes(`'${car.deviceId}'`));
    expect(own[0]).to.match(/^WARNING .*maxCapacity .* 50 kWh$/);
  });

  it("with reset writes the service's defaults of the declared keys", async () => {
    const car = provider().vehicle({ max_capacity: 60_000, max_charge_power: 11_000 });
    const declared = { maxCapacity: 77_000, policy: "CHARGE BY FORECAST", onDelete: "reset" };
    const { id, properties } = await created(car, declared);

    await provider().host.delete(id, properties);

    expect(car.takeRequests()).to.deep.equal(["GET", 'PATCH {"max_capacity":80000,"policy":"CHARGE BY"}']);
  });

  it("succeeds when the device is gone", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await created(car, { maxCapacity: 77_000, onDelete: "restore" });
    car.remove();

    await provider().host.delete(id, properties);

    expect(car.takeRequests()).to.deep.equal(["GET"]);
  });

  it("succeeds when the device goes between its read and its update", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await created(car, { maxCapacity: 77_000, onDelete: "restore" });
    provider().simulator.fail({ method: "PATCH", deviceId: car.deviceId, status: 404 });

    await provider().host.delete(id, properties);

    expect(car.takeRequests()).to.deep.equal(["GET", 'PATCH {"max_capacity":60000}']);
  });

  describe("after the create of a resource for the same device, as in a rename without an alias", () => {
    const rename = async (car: TestDevice, before: Record<string, unknown>, after: Record<string, unknown>) => {
      const old = await created(car, { ...before, onDelete: "restore" });
      const { inputs } = await provider().host.check(car.declares({ ...after, onDelete: "restore" }));
      await provider().host.create(inputs);
      car.takeRequests();
      await provider().host.delete(old.id, old.properties);
    };

    it("does not revert the device", async () => {
      const car = provider().vehicle({ max_capacity: 60_000 });

      await rename(car, { maxCapacity: 77_000 }, { maxCapacity: 77_000 });

      expect(car.takeRequests()).to.deep.equal([]);
      expect(car.settings).to.include({ max_capacity: 77_000 });
    });

    it("reverts the keys that the new resource does not declare", async () => {
      const car = provider().vehicle({ max_capacity: 60_000 });

      await rename(car, { maxCapacity: 77_000, policy: "CHARGE BY FORECAST" }, { maxCapacity: 77_000 });

      expect(car.takeRequests()).to.deep.equal(["GET", 'PATCH {"policy":"CHARGE BY"}']);
    });
  });
});
