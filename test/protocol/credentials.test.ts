import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import type { Simulator } from "solar-charging-simulator";
import { expectFacts } from "../support/facts";
import { temporaryFolder } from "../support/folder";
import { servers } from "../support/server";
import { failureOf } from "./failures";
import { describeWithEachHost } from "./installation";
import { connected, inputsOf, ownProviders, type TestProvider } from "./provider";

const SECRET = "can4ry/+=";

describeWithEachHost("Credentials", (sdk) => {
  const start = ownProviders(sdk);
  const serve = servers();
  const inFolder = temporaryFolder();

  /** Starts a provider with credentials other than a token. */
  const startWith = (environment: (simulator: Simulator) => Record<string, string>) =>
    start((simulator) => ({ ...connected(simulator), environment: environment(simulator) }));

  /** Reads a vehicle and an inverter at the same time. @returns whether both were found */
  async function readsBoth(provider: TestProvider): Promise<boolean> {
    const devices = [provider.vehicle(), provider.inverter()];
    const found = await Promise.all(
      devices.map((device) => provider.host.read(device.resourceId, device.declares({}))),
    );
    return found.every(({ id }, index) => id === devices[index]?.resourceId);
  }

  it("are a token in a file, which is read again when the service refuses it", async () => {
    const provider = await startWith(({ token }) => {
      writeFileSync(inFolder("token"), `${token}\n`);
      return { SOLAR_CHARGING_ACCESS_TOKEN: `file:${inFolder("token")}` };
    });
    provider.simulator.fail({ status: 401, times: 1 });

    expect(await readsBoth(provider)).to.equal(true);
  });

  it("come from the output of a command, which runs once for all devices of both kinds", async () => {
    const provider = await startWith(({ token }) => ({
      SOLAR_CHARGING_TOKEN_COMMAND: `echo run >> '${inFolder("runs")}'; echo ${token}`,
    }));

    expect(await readsBoth(provider)).to.equal(true);

    expect(readFileSync(inFolder("runs"), "utf8")).to.equal("run\n");
  });

  it("are those of an OAuth client, whose secret is in the environment and the rest in the stack", async () => {
    let token = "";
    const endpoint = await serve((response, { headers }) => {
      const isClient = headers.authorization === `Basic ${btoa(`pipeline:${encodeURIComponent(SECRET)}`)}`;
      response.statusCode = isClient ? 200 : 401;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: 3600 }));
    });
    const provider = await start((simulator) => {
      token = simulator.token;
      return {
        config: {
          ...connected(simulator).config,
          "solar-charging:oauthTokenUrl": `${endpoint.url}/token`,
          "solar-charging:oauthClientId": "pipeline",
        },
        environment: { SOLAR_CHARGING_OAUTH_CLIENT_SECRET: SECRET },
      };
    });

    expect(await readsBoth(provider)).to.equal(true);

    expect(endpoint.received).to.have.lengthOf(1);
  });

  it("that cannot be had are an error of each device, which shows no secret", async () => {
    const endpoint = await serve((response, { headers }) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: "invalid_client", got: headers, secret: SECRET }));
    });
    const { host, simulator } = await startWith(() => ({
      SOLAR_CHARGING_OAUTH_TOKEN_URL: `${endpoint.url}/token`,
      SOLAR_CHARGING_OAUTH_CLIENT_ID: "pipeline",
      SOLAR_CHARGING_OAUTH_CLIENT_SECRET: SECRET,
    }));
    const car = inputsOf("vehicle", { businessId: "acme", deviceId: "car", maxCapacity: 77_000 });

    const errors = await Promise.all([failureOf(host.create(car)), failureOf(host.read("acme/car", car))]);

    await host.stop();
    expect(simulator.requests).to.deep.equal([]);
    for (const { details } of errors) {
      expect(details).to.match(/device 'car' .*oauthTokenUrl: HTTP 400.*oauthScope/);
    }
    const shown = [...errors.map(({ details }) => details), host.printed, ...host.engine.messages].join("\n");
    for (const form of [SECRET, encodeURIComponent(SECRET), btoa(SECRET), btoa(`pipeline:${SECRET}`).slice(12)]) {
      expect(shown).not.to.contain(form);
    }
  });

  it("of two kinds at one place fail the check, and both are named", async () => {
    const { host } = await startWith(() => ({
      SOLAR_CHARGING_ACCESS_TOKEN: SECRET,
      SOLAR_CHARGING_TOKEN_COMMAND: "echo x",
    }));

    const { failures } = await host.check(inputsOf("vehicle", { businessId: "acme", deviceId: "car" }));

    expectFacts(failures[0]?.reason, ["SOLAR_CHARGING_ACCESS_TOKEN ", "SOLAR_CHARGING_TOKEN_COMMAND "]);
    expect(failures[0]?.reason).not.to.contain(SECRET);
  });
});
