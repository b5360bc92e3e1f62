import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect } from "chai";
import { servers } from "../support/server";
import { type FakeEngine, startEngine } from "./engine";
import { failureOf } from "./failures";
import { describeWithEachHost } from "./installation";
import { connected, inputsOf, ownProviders } from "./provider";

const CAR = inputsOf("vehicle", { businessId: "acme", deviceId: "car", maxCapacity: 77_000 });

describeWithEachHost("A host whose engine is gone", (sdk) => {
  const start = ownProviders(sdk);
  const startServer = servers();

  it("ends at once, and gives up the request that is under way", async () => {
    const engine = await startEngine();
    const service = await startServer(() => engine.stop());
    const { host } = await start((simulator) => {
      const { config, environment } = connected(simulator);
      return { config: { ...config, "solar-charging:baseUrl": service.url }, environment, engine };
    });
    const failure = failureOf(host.create(CAR));

    await host.ended();

    expect((await failure).message).to.match(/UNAVAILABLE/);
    expect(service.received.map(({ method }) => method)).to.deep.equal(["GET"]);
  });
});

describeWithEachHost("A host whose engine lives", (sdk) => {
  const start = ownProviders(sdk);

  it("continues when the engine closes its connection, however often", async () => {
    const { engine, closedThree } = await startImpatientEngine();
    const { host } = await start((simulator) => ({ ...connected(simulator), engine }));
    await host.check(CAR);

    await closedThree;

    expect((await host.check(CAR)).failures).to.deep.equal([]);
  });
});

/** An engine that closes every connection. `closedThree` resolves after three of them. */
async function startImpatientEngine(): Promise<{ engine: FakeEngine; closedThree: Promise<void> }> {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const closedThree = new Promise<void>((resolve) => {
    let closed = 0;
    server.on("connection", () => {
      closed += 1;
      if (closed === 3) resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    engine: { address: `127.0.0.1:${port}`, messages: [], refuses: false, stop: () => server.close() },
    closedThree,
  };
}
