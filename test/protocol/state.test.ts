import { expect } from "chai";
import { expectFacts } from "../support/facts";
import { failureOf } from "./failures";
import { describeWithEachHost } from "./installation";
import { sharedProvider } from "./provider";

describeWithEachHost("State that a newer version wrote", (sdk) => {
  const provider = sharedProvider(sdk);

  const given = async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await provider().host.create(car.declares({ maxCapacity: 77_000, onDelete: "restore" }));
    car.takeRequests();
    return { car, id, properties: { ...properties, settings: { maxCapacity: { status: "confirmed" } } } };
  };

  for (const operation of ["diff", "update", "read", "delete"] as const) {
    it(`is refused by ${operation}, with the device and the part that is not understood; nothing is sent`, async () => {
      const { car, id, properties } = await given();
      const news = car.declares({ maxCapacity: 80_000 });

      const error = await failureOf(provider().host[operation](id, properties, news));

      expectFacts(error.details, ["VehicleSettings", `'${car.deviceId}'`, "(settings.maxCapacity.status)"]);
      expect(car.takeRequests()).to.deep.equal([]);
    });
  }
});
