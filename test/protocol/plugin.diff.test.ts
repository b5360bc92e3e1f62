import { DiffRequest, DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { type Properties, struct } from "./host";
import { PLUGIN } from "./installation";
import { DEFAULT_PROVIDER, type PluginHost } from "./pluginHost";
import { BUSINESS, inputsOf, sharedProvider, siteInputs, verified } from "./provider";

const { ADD, UPDATE, DELETE, UPDATE_REPLACE } = PropertyDiff.Kind;

describe("The native plugin's diff", () => {
  const provider = sharedProvider(PLUGIN);
  const host = () => provider().host as PluginHost;

  const site = (power: number | undefined) => ({
    vehicles: { car: { businessId: BUSINESS, deviceId: "car", ...(power && { maxChargePower: power }) } },
    inverters: {},
  });
  const kept = (power: number) => ({
    ready: false,
    missing: [],
    unverified: [],
    devices: {
      "vehicle/car": {
        businessId: BUSINESS,
        deviceId: "car",
        maxChargePower: power,
        settings: verified({ maxChargePower: power }, { maxChargePower: 7200 }),
      },
    },
  });

  it("of a site names the setting of the device", async () => {
    const [olds, inputs, news] = [kept(11_000), site(11_000), site(7400)].map((one) => siteInputs(PLUGIN, one));
    const { changes, detail } = await host().detailedDiff(
      "home",
      olds as Properties,
      inputs as Properties,
      news as Properties,
    );
    expect(changes).to.equal(true);
    expect(detail).to.deep.equal({ "vehicles.car.maxChargePower": UPDATE });
  });

  it("of a site shows settings that are no longer declared, and a name that needs quotes", async () => {
    const van = { ...site(7400).vehicles.car, deviceId: "van" };
    const news = siteInputs(PLUGIN, { ...site(undefined), vehicles: { ...site(undefined).vehicles, "my.van": van } });
    const olds = inputsOf("site", kept(11_000));
    const { detail } = await host().detailedDiff("home", olds, siteInputs(PLUGIN, site(11_000)), news);
    expect(detail).to.include({ "vehicles.car.maxChargePower": DELETE, 'vehicles["my.van"]': ADD });
  });

  it("of a site has no path for the policy of a car that keeps it, because an observed inverter lacks a value", async () => {
    const car = provider().vehicle({ policy: "CHARGE BY" });
    const roof = provider().inverter({ peak_power: 9800 });
    const vehicle = (maxCapacity: number) => ({ deviceId: car.deviceId, maxCapacity, maxChargePower: 11_000 });
    const inverters = { roof: { deviceId: roof.deviceId, observe: true } };
    const check = async (maxCapacity: number, olds: Properties) =>
      await host().check(siteInputs(PLUGIN, { vehicles: { car: vehicle(maxCapacity) }, inverters }, "held"), olds);
    const { inputs } = await check(77_000, {});
    expect(inputs.policies).to.deep.equal({ car: "CHARGE BY FORECAST" });
    const { id, properties } = await host().create(inputs);
    const { inputs: news } = await check(60_000, inputs);
    const { detail } = await host().detailedDiff(id, properties, inputs, news);
    expect(detail).to.deep.equal({ "vehicles.car.maxCapacity": UPDATE });
  });

  it("of a device shows a replacement, and as an addition each value that did not reach the device", async () => {
    const car = provider().vehicle({});
    const declared = car.declares({ maxCapacity: 77_000 });
    const olds = { ...declared, settings: { maxCapacity: { status: "uncertain", sent: [77_000] } } };
    const same = await host().detailedDiff(car.resourceId, olds, declared, declared);
    expect(same).to.deep.include({ changes: true, detail: { maxCapacity: ADD } });
    const other = await host().detailedDiff(car.resourceId, olds, declared, { ...declared, deviceId: "other" });
    expect(other.replaces).to.deep.equal(["deviceId"]);
    expect(other.detail).to.include({ deviceId: UPDATE_REPLACE });
  });

  it("of the configuration never replaces, also from another provider's keys", async () => {
    for (const olds of [{ baseUrl: "https://a.example" }, { "solar-charging:baseUrl": "https://a.example" }]) {
      const request = new DiffRequest()
        .setUrn(DEFAULT_PROVIDER)
        .setOlds(struct(olds))
        .setNews(struct({ baseUrl: "https://b.example" }));
      const response = await host().call(host().client.diffConfig, request);
      expect(response.getReplacesList()).to.deep.equal([]);
      expect(response.getChanges()).to.equal(DiffResponse.DiffChanges.DIFF_SOME);
    }
  });
});
