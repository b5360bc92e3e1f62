import { expect } from "chai";
import { describeWithEachHost } from "./installation";
import { sharedProvider } from "./provider";

// Tests the order of commands in docs/recovery.md, and the results of another order.
describeWithEachHost("An update that was sent when the engine was killed", (sdk) => {
  const provider = sharedProvider(sdk);

  /** A vehicle with 79000, and a state with only 77000. */
  const killed = async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });
    const declares = (maxCapacity: number) => car.declares({ maxCapacity, onDelete: "restore" });
    const { id, properties } = await provider().host.create(declares(77_000));
    await provider().host.update(id, properties, declares(79_000));
    return { car, id, properties, declares };
  };

  it("is undone by a restore if an up comes before the refresh", async () => {
    const { car, id, properties, declares } = await killed();

    const updated = await provider().host.update(id, properties, declares(79_000));
    const refreshed = await provider().host.read(id, updated);
    await provider().host.delete(id, refreshed.properties);

    expect(car.settings).to.include({ max_capacity: 60_000 });
  });

  it("counts as somebody else's if a refresh comes first: there is nothing to update, and a restore leaves it", async () => {
    const { car, id, properties, declares } = await killed();

    const refreshed = await provider().host.read(id, properties);
    expect(await provider().host.diff(id, refreshed.properties, declares(79_000))).to.include({ changes: false });
    await provider().host.delete(id, refreshed.properties);

    expect(car.settings).to.include({ max_capacity: 79_000 });
  });

  it("is ours again after such a refresh once another value was declared and updated, and then this one", async () => {
    const { car, id, properties, declares } = await killed();

    const refreshed = await provider().host.read(id, properties);
    const other = await provider().host.update(id, refreshed.properties, declares(80_000));
    const again = await provider().host.update(id, other, declares(79_000));
    await provider().host.delete(id, again);

    expect(car.settings).to.include({ max_capacity: 60_000 });
  });
});
