import { InvokeRequest, ProviderHandshakeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { failureOf } from "./failures";
import { type Properties, plain, struct } from "./host";
import { PLUGIN } from "./installation";
import type { PluginHost } from "./pluginHost";
import { BUSINESS, sharedProvider } from "./provider";

describe("The native plugin", () => {
  const provider = sharedProvider(PLUGIN);
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
});
