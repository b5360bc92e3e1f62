import { expect } from "chai";
import { servers } from "../support/server";
import { failureOf } from "./failures";
import type { ProviderHost } from "./host";
import { LOCKED } from "./installation";
import { BUSINESS, connected, inputsOf, ownProviders } from "./provider";

const CAR = { businessId: BUSINESS, deviceId: "car" };
const ID = `${BUSINESS}/car`;

describe(`hostile input, with SDK ${LOCKED.version}`, () => {
  const serve = servers();
  const start = ownProviders(LOCKED);

  /** Starts a provider whose service answers every request with this body. */
  async function hostBefore(body: string): Promise<{ host: ProviderHost; requests: () => string[] }> {
    const server = await serve({ body });
    const { host } = await start((simulator) => {
      const { config, environment } = connected(simulator);
      return { config: { ...config, "solar-charging:baseUrl": server.url }, environment };
    });
    return { host, requests: () => server.received.map(({ method }) => method) };
  }

  const harmless: [string, string][] = [
    ["__proto__", '{"id":"car","__proto__":{"policy":"X","maxCapacity":1},"constructor":{"prototype":{"polluted":1}}}'],
    ["10,000 objects in each other", `{"id":"car","config":${'{"config":'.repeat(9_999)}1${"}".repeat(10_000)}`],
    ["ill-formed text, which the engine would not read", '{"policy":"\\ud800"}'],
    ["a text of almost a megabyte, which would be in state", `{"policy":"${"x".repeat(1_000_000)}"}`],
  ];
  for (const [what, body] of harmless) {
    it(`from the service is kept out of state: ${what}`, async () => {
      const { host, requests } = await hostBefore(body);
      const inputs = inputsOf("vehicle", { ...CAR, maxCapacity: 77_000 });

      const { id, properties } = await host.create(inputs);
      const refreshed = await host.read(id, properties);

      expect(properties).to.deep.equal({ ...inputs, settings: { maxCapacity: { status: "notReported" } } });
      expect(refreshed.properties).to.deep.equal(properties);
      expect(requests()).to.deep.equal(["GET", "PATCH", "GET", "GET"]);
    });
  }

  const refused: [string, string][] = [
    ["ill-formed", "\\ud800"],
    ["ruling the terminal", "\\u001b[2J\\u202e"],
    ["very long", "x".repeat(200_000)],
  ];
  for (const [what, type] of refused) {
    it(`from the service ends every call with a message of one line; the type is ${what}`, async () => {
      const { host, requests } = await hostBefore(`{"dev_type":"${type}"}`);

      const { details } = await failureOf(host.create(inputsOf("vehicle", { ...CAR, maxCapacity: 77_000 })));

      expect(details).to.match(/^device 'car' .*'[^\p{Cc}\p{Cf}]{1,4000}$/u);
      expect(requests()).to.deep.equal(["GET"]);
    });
  }

  for (const id of [`${BUSINESS}/..`, `../car`, `${BUSINESS}/a%0Ab`, `${BUSINESS}/${"x".repeat(10_240)}`]) {
    it(`from a program is refused without a request: get of ${id.slice(0, 20)}`, async () => {
      const { host, requests } = await hostBefore("{}");

      const { details } = await failureOf(host.read(id, inputsOf("vehicle", {})));

      expect(details).to.contain(id.slice(0, 3000));
      expect(requests()).to.deep.equal([]);
    });
  }

  it("continues to serve the next call", async () => {
    const { host } = await hostBefore('{"dev_type":"\\ud800"}');
    await failureOf(host.read(ID, inputsOf("vehicle", {})));

    const { failures } = await host.check(inputsOf("vehicle", { ...CAR, maxCapacity: 77_000 }));

    expect(failures).to.deep.equal([]);
  });
});
