import { expect } from "chai";
import { describeWithEachHost } from "./installation";
import { sharedProvider, siteInputs } from "./provider";

const CAR = { maxCapacity: 77_000, maxChargePower: 11_000 };
const ROOF = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

/** The number of values that the engine copies: all scalars, and empty lists and maps. */
function valuesIn(value: unknown): number {
  const items = typeof value === "object" && value !== null ? Object.values(value) : [];
  return items.length === 0 ? 1 : items.reduce((sum: number, item) => sum + valuesIn(item), 0);
}

// The time and memory of the engine grow with the values of each call. So an output that nobody reads costs every user.
describeWithEachHost("A site of four cars and an inverter", (sdk) => {
  const provider = sharedProvider(sdk);

  it("has a known number of values in each call", async () => {
    const { host } = provider();
    const cars = Array.from({ length: 4 }, () => provider().vehicle({ max_capacity: 60_000, max_charge_power: 7400 }));
    const roof = provider().inverter({ peak_power: 5000, azimuth: 2, tilt: 3, cut_in_threshold: 4, base_load: 5 });
    const vehicles = Object.fromEntries(
      cars.map(({ deviceId }, index) => [`car-${index}`, { deviceId, ...CAR }] as const),
    );
    const program = { vehicles, inverters: { roof: { deviceId: roof.deviceId, ...ROOF } }, latitude: 48.1 };
    const hidden = valuesIn(siteInputs(sdk, {})); // The provider string and the hidden input are Pulumi's and ours.
    const inputs = (await host.check(siteInputs(sdk, program))).inputs;
    const { id, properties } = await host.create(inputs);
    const found = await host.read(id, properties);
    const changed = { ...vehicles, "car-0": { ...vehicles["car-0"], maxCapacity: 78_000 } };
    const next = (await host.check(siteInputs(sdk, { ...program, vehicles: changed }), found.inputs)).inputs;
    const updated = await host.update(id, found.properties, next);
    expect({
      program: valuesIn(siteInputs(sdk, program)) - hidden,
      checked: valuesIn(inputs) - hidden,
      created: valuesIn(properties),
      read: valuesIn(found.properties),
      updated: valuesIn(updated),
    }).to.deep.equal({ program: 19, checked: 27, created: 51, read: 51, updated: 51 });
  });
});
