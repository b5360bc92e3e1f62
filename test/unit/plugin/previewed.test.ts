import { expect } from "chai";
import { nativeType } from "../../../provider/engine/tokens";
import { previewed, type ResourceType, resourceTypes } from "../../../provider/plugin/resources";
import type { Properties } from "../../../provider/settings/objects";
import { isUnknown, UNKNOWN } from "../../../provider/settings/objects";
import { CAR, COMPLETE, contextOf, fleet, runOf } from "../../support/fakes";

const ROOF = { deviceId: "roof", peakPower: 9800 };
const SITE = { businessId: "acme", solar: false, vehicles: { car: { deviceId: "car", maxCapacity: 77_000 } } };

describe("the outputs that a preview of the plugin knows", () => {
  const run = runOf(COMPLETE, fleet({ max_capacity: 60_000 }));
  const types = resourceTypes(() => run);
  const typeOf = (name: string) => types.get(nativeType(name)) as ResourceType;
  const context = contextOf("urn:pulumi:dev::home::solar-charging:index:SiteSettings::home");

  async function afterUpdate(name: string, olds: Properties, news: Properties) {
    const type = typeOf(name);
    const difference = await type.operations.diff(context, olds, news);
    return previewed(type, context, news, { olds, ...difference }).outputs;
  }

  it("are all but the records of a new resource", () => {
    expect(previewed(typeOf("VehicleSettings"), context, { ...CAR, maxCapacity: 77_000 }).outputs).to.deep.include({
      ...{ ...CAR, maxCapacity: 77_000 },
      settings: UNKNOWN,
    });
    const { outputs } = previewed(typeOf("SiteSettings"), context, { ...SITE, ready: false });
    expect(outputs).to.deep.include({ ready: false, gaps: UNKNOWN, devices: UNKNOWN, unverified: UNKNOWN });
  });

  it("are all of a device of which only an option changes, and not the records if a setting does", async () => {
    const olds = { ...CAR, maxCapacity: 77_000, settings: { maxCapacity: { baseline: 60_000 } } };
    const option = await afterUpdate("VehicleSettings", olds, { ...CAR, maxCapacity: 77_000, onDelete: "restore" });
    expect(option).to.deep.include({ ...olds, onDelete: "restore" });
    const value = await afterUpdate("VehicleSettings", olds, { ...CAR, maxCapacity: 80_000 });
    expect(value).to.deep.include({ maxCapacity: 80_000, settings: UNKNOWN });
  });

  it("are the devices of a site that do not change", async () => {
    const { inputs } = await typeOf("SiteSettings").operations.check(
      context,
      {},
      { ...SITE, inverters: { roof: ROOF } },
    );
    const device = (given: object, key: string) => ({ ...given, settings: { [key]: {} } });
    const [car, roof] = [device(SITE.vehicles.car, "maxCapacity"), device(ROOF, "peakPower")];
    const olds = {
      ...{ businessId: "acme", solar: false, devices: { "inverter/roof": roof, "vehicle/car": car } },
      ...{ ready: false, gaps: [], missing: [], unverified: [] },
    };
    const outputs = await afterUpdate("SiteSettings", olds, {
      ...inputs,
      inverters: { roof: { ...ROOF, peakPower: 9900 } },
    });
    expect(outputs.devices).to.deep.equal({ "inverter/roof": UNKNOWN, "vehicle/car": car });
    expect(outputs.unverified).to.equal(UNKNOWN);
    const same = await afterUpdate("SiteSettings", olds, { ...inputs, requireReady: true });
    expect(isUnknown([same.devices, same.unverified])).to.equal(false);
    const { devices } = await afterUpdate("SiteSettings", olds, { ...inputs, vehicles: UNKNOWN });
    expect(devices).to.equal(UNKNOWN);
  });
});
