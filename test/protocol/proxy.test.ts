import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { temporaryFolder } from "../support/folder";
import { proxies } from "../support/proxy";
import { certify, makeAuthority, tlsServers } from "../support/tls";
import { failureOf } from "./failures";
import type { ProviderHost } from "./host";
import { LOCKED } from "./installation";
import { inputsOf } from "./provider";
import { startHost } from "./startHost";

const TOKEN = "can4ry-t0ken";

/** The requests to a service. */
type Log = { host: string | undefined; url: string | undefined; authorization: string | undefined }[];

describe("A provider behind a proxy, or before a service with a private certificate authority", () => {
  const startTls = tlsServers();
  const startProxy = proxies();
  const inFolder = temporaryFolder();
  const running: ProviderHost[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((host) => host.stop()));
  });

  /** A service and a token endpoint with TLS. A file contains their authority. */
  async function startService() {
    const authority = await makeAuthority();
    writeFileSync(inFolder("ca.pem"), authority.cert);
    const log: Log = [];
    const certified = await certify({ authority, names: ["api.solar.test", "id.solar.test", "localhost"] });
    const port = await startTls(certified, ({ headers, url }, response) => {
      log.push({ host: headers.host, url, authorization: headers.authorization });
      const grant = { access_token: TOKEN, token_type: "Bearer", expires_in: 3600 };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify(url === "/token" ? grant : { id: url?.split("/").at(-1), dev_type: "Electric vehicle" }),
      );
    });
    return { port, log, authorities: { NODE_EXTRA_CA_CERTS: inFolder("ca.pem") } };
  }

  /** Reads two different cars with a new host. */
  async function reading(environment: Record<string, string>) {
    const host = await startHost(LOCKED, {
      environment: { SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0", NO_PROXY: "", no_proxy: "", ...environment },
    });
    running.push(host);
    const read = (id: string) => host.read(id, inputsOf("vehicle", {}));
    return { host, first: () => read("acme/car"), second: () => read("acme/van") };
  }

  it("trusts the authorities of NODE_EXTRA_CA_CERTS, and goes straight to this machine whatever the proxy", async () => {
    const { port, log, authorities } = await startService();
    const proxy = await startProxy({ port });
    const { first, second } = await reading({
      ...authorities,
      HTTPS_PROXY: proxy.url,
      SOLAR_CHARGING_BASE_URL: `https://localhost:${port}`,
      SOLAR_CHARGING_ACCESS_TOKEN: TOKEN,
    });

    expect([(await first()).id, (await second()).id]).to.deep.equal(["acme/car", "acme/van"]);

    expect(log).to.have.lengthOf(2);
    expect(proxy.tunnels).to.deep.equal([]);
  });

  it("explains how to trust an unknown certificate authority", async () => {
    const { port, log } = await startService();
    const { first } = await reading({
      SOLAR_CHARGING_BASE_URL: `https://localhost:${port}`,
      SOLAR_CHARGING_ACCESS_TOKEN: TOKEN,
    });

    const { details } = await failureOf(first());

    expect(details).to.match(/https:\/\/localhost:\d+ .*NODE_EXTRA_CA_CERTS/);
    expect(log).to.deep.equal([]);
  });

  it("goes through the proxy with one tunnel each for the service and the token endpoint, encrypted", async () => {
    const { port, log, authorities } = await startService();
    const proxy = await startProxy({ port });
    const { host, first, second } = await reading({
      ...authorities,
      HTTPS_PROXY: proxy.url.replace("//", "//us3r:pa55@"),
      SOLAR_CHARGING_BASE_URL: "https://api.solar.test",
      SOLAR_CHARGING_OAUTH_TOKEN_URL: "https://id.solar.test/token",
      SOLAR_CHARGING_OAUTH_CLIENT_ID: "pipeline",
      SOLAR_CHARGING_OAUTH_CLIENT_SECRET: "s3cret",
    });

    expect([(await first()).id, (await second()).id]).to.deep.equal(["acme/car", "acme/van"]);

    expect(log.map(({ host }) => host)).to.deep.equal(["id.solar.test", "api.solar.test", "api.solar.test"]);
    expect(log[1]?.authorization).to.equal(`Bearer ${TOKEN}`);
    expect(proxy.tunnels.map(({ target }) => target)).to.deep.equal(["id.solar.test:443", "api.solar.test:443"]);
    expect(proxy.requests).to.deep.equal([]);
    for (const { headers, sent } of proxy.tunnels) {
      expect(headers).to.include({ "proxy-authorization": `Basic ${btoa("us3r:pa55")}` });
      expect(headers).not.to.have.property("authorization");
      for (const secret of [TOKEN, "s3cret", btoa("pipeline:s3cret")]) expect(sent.includes(secret)).to.equal(false);
    }
    await host.stop();
    expect(host.printed + host.engine.messages.join()).not.to.match(/pa55|can4ry|s3cret/);
  });

  it("does not take a proxy's 404 for a device that is gone", async () => {
    const { authorities } = await startService();
    const proxy = await startProxy({ status: 404 });
    const { first } = await reading({
      ...authorities,
      HTTPS_PROXY: proxy.url.replace("//", "//us3r:pa55@"),
      SOLAR_CHARGING_BASE_URL: "https://api.solar.test",
      SOLAR_CHARGING_ACCESS_TOKEN: TOKEN,
    });

    const { details } = await failureOf(first());

    expect(details)
      .to.match(/HTTP 404.*proxy http:\/\/127/)
      .and.not.contain("pa55");
  });
});
