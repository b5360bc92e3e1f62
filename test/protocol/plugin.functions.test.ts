import { InvokeRequest, ProviderHandshakeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { failureOf } from "./failures";
import { type Properties, plain, struct } from "./host";
import { PLUGIN } from "./installation";
import type { PluginHost } from "./pluginHost";
import { BUSINESS, inputsOf, ownProviders, sharedProvider, UNKNOWN } from "./provider";

describe("The native plugin", () => {
  const provider = sharedProvider(PLUGIN);
  const start = ownProviders(PLUGIN);
  const host = () => provider().host as PluginHost;

  describe("Invoke", () => {
    const invoke = async (name: string, args: Properties, isPreview = false) => {
      const request = new InvokeRequest()
        .setTok(`solar-charging:index:${name}`)
        .setArgs(struct(args))
        .setPreview(isPreview);
      return plain((await host().call(host().client.invoke, request)).getReturn());
    };

    it("reads a device from the cache", async () => {
      const car = provider().vehicle({ max_capacity: 60_000 });
      const found = await invoke("getDevice", { deviceId: car.deviceId }, true);
      expect(found)
        .to.deep.include({ businessId: BUSINESS, deviceId: car.deviceId })
        .and.not.have.any.keys("personal", "raw");
      expect(found.reported).to.include({ maxCapacity: 60_000 });
    });

    it("refuses the latest read without allowWake, and in previews", async () => {
      const car = provider().vehicle({});
      const { deviceId } = car;
      expect((await failureOf(invoke("getLatestMetrics", { deviceId }))).details).to.contain("allowWake");
      const inPreview = await failureOf(invoke("getLatestMetrics", { deviceId, allowWake: true }, true));
      expect(inPreview.details).to.contain("preview");
      expect(car.takeRequests()).to.deep.equal([]);
      expect(await invoke("getLatestMetrics", { deviceId, allowWake: true })).to.have.property("metrics");
    });

    it("refuses the latest read if the engine does not say whether it is a preview", async () => {
      const { client } = host();
      await host().call(client.handshake, new ProviderHandshakeRequest());
      try {
        const error = await failureOf(invoke("getLatestMetrics", { deviceId: "car", allowWake: true }));
        expect(error.details).to.contain("3.206");
      } finally {
        await host().call(client.handshake, new ProviderHandshakeRequest().setInvokeWithPreview(true));
      }
    });

    it("explains a status", async () => {
      const explained = await invoke("explainStatus", { serviceStatus: "active_waiting", chargingStatus: "unplugged" });
      expect(explained).to.include({ canOccur: true });
    });

    it("knows no other function", async () => {
      expect((await failureOf(invoke("setDevice", {}))).details).to.contain("setDevice");
    });
  });

  describe("At the end of a run", () => {
    const FORECAST = { policy: "CHARGE BY FORECAST", maxCapacity: 77_000, maxChargePower: 11_000 };
    const vehicle = (name: string, more: Properties = {}) =>
      inputsOf("vehicle", { businessId: BUSINESS, deviceId: name, ...FORECAST, ...more });
    const site = (vehicles: Properties, inverters: unknown) =>
      inputsOf("site", { site: "home", businessId: BUSINESS, vehicles, inverters });

    const runs: Record<string, readonly [declared: readonly Properties[], warned: boolean]> = {
      "warns of a car on CHARGE BY FORECAST, if no inverter was declared": [[vehicle("car")], true],
      "warns of a car of a site without inverters": [[site({ car: { deviceId: "car", ...FORECAST } }, {})], true],
      "says nothing if an inverter was declared later": [
        [vehicle("car"), inputsOf("inverter", { businessId: BUSINESS, deviceId: "roof" })],
        false,
      ],
      "says nothing if a site has an inverter": [[vehicle("car"), site({}, { roof: { deviceId: "roof" } })], false],
      "says nothing while the inverters are not known yet": [[vehicle("car"), site({}, UNKNOWN)], false],
      "says nothing of a car that has another policy": [[vehicle("car", { policy: "CHARGE BY" })], false],
      "says nothing if it is switched off": [[vehicle("car", { ignoreLints: ["forecast-without-inverter"] })], false],
    };
    for (const [title, [declared, warned]] of Object.entries(runs)) {
      it(title, async () => {
        const { host: plugin } = await start();
        for (const news of declared) expect((await plugin.check(news)).failures).to.deep.equal([]);
        const isOfInverter = (message: string) => message.includes("forecast-without-inverter");
        expect(plugin.engine.messages.filter(isOfInverter)).to.deep.equal([]);
        await plugin.cancel();
        expect(plugin.engine.messages.filter(isOfInverter)).to.have.lengthOf(warned ? 1 : 0);
      });
    }
  });
});
