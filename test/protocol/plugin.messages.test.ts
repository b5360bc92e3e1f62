import { expect } from "chai";
import { proxies } from "../support/proxy";
import { PluginHost } from "./pluginHost";
import { inputsOf } from "./provider";

/** Nothing listens there. */
const DEAD = "http://127.0.0.1:1";

describe("The plugin's messages", () => {
  const startProxy = proxies();

  it("go to standard error if the engine does not take them", async () => {
    const host = await PluginHost.start({});
    host.engine.refuses = true;
    await host.check(inputsOf("inverter", { deviceId: "roof", peakPower: 9800 }));
    await host.stop();
    expect(host.printed).to.contain("doctor --device");
  });

  const rows: readonly (readonly [name: string | undefined, isDead: boolean])[] = [
    [undefined, true],
    ...["https_proxy", "http_proxy", "grpc_proxy"].flatMap((name) => [[name, true] as const, [name, false] as const]),
  ];
  for (const [name, isDead] of rows) {
    const words = name ? `${name} names a proxy that ${isDead ? "does not run" : "refuses"}` : "there is no proxy";
    it(`reach the engine if ${words}`, async () => {
      const proxy = await startProxy({ status: 403 });
      const environment = { no_proxy: "", NO_PROXY: "", ...(name && { [name]: isDead ? DEAD : proxy.url }) };
      const host = await PluginHost.start({ environment });
      try {
        await host.check(inputsOf("inverter", { deviceId: "roof", peakPower: 9800 }));
        expect(host.engine.messages.filter((message) => message.includes("doctor --device"))).to.have.lengthOf(1);
        expect(proxy.tunnels).to.deep.equal([]);
      } finally {
        await host.stop();
      }
    });
  }
});
