import { once } from "node:events";
import { createServer, get, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { expect } from "chai";
import type { ServiceFailure } from "../../../provider/service/errors";
import { exchange } from "../../../provider/service/http";
import { isLoopback, makeRouter, type Route } from "../../../provider/service/route";
import { expectFacts } from "../../support/facts";
import { type Conduct, proxies } from "../../support/proxy";
import { certify, makeAuthority, tlsServers } from "../../support/tls";

const VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
const SERVICE = "https://api.solar.test";

describe("makeRouter", () => {
  const kept: NodeJS.ProcessEnv = {};
  beforeEach(() => {
    for (const name of VARIABLES) {
      kept[name] = process.env[name];
      delete process.env[name];
    }
  });
  afterEach(() => {
    for (const name of VARIABLES) {
      delete process.env[name];
      if (kept[name] !== undefined) process.env[name] = kept[name];
    }
  });

  async function routeTo(url: string, environment: Readonly<Record<string, string>> = {}) {
    Object.assign(process.env, environment);
    return (await makeRouter()(url)) as Route;
  }

  it("goes straight if no proxy is set, and keeps connections", async () => {
    const [plain, encrypted] = [await routeTo("http://127.0.0.1:1/x"), await routeTo(`${SERVICE}/x`)];
    expect(plain.agent).to.be.instanceOf(HttpAgent).and.not.instanceOf(HttpsAgent);
    expect(encrypted.agent).to.be.instanceOf(HttpsAgent);
    expect([plain.proxy, encrypted.proxy]).to.deep.equal([undefined, undefined]);
    for (const { agent } of [plain, encrypted]) expect(agent).to.have.property("keepAlive", true);
  });

  it("closes idle connections, also if the server keeps them", async () => {
    const { agent } = await routeTo("http://127.0.0.1:1/x");
    const { options } = agent as HttpAgent & { readonly options: { timeout?: number } };
    expect(options.timeout).to.be.within(1000, 10_000);
    options.timeout = 1;
    const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
    server.keepAliveTimeout = 0;
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const [socket] = await once(
      get({ host: "127.0.0.1", port, agent }, (response) => response.resume()),
      "socket",
    );
    await once(socket as Socket, "close");
    server.close();
  });

  it("gives one route for all URLs of an origin", () => {
    const router = makeRouter();
    expect(router(`${SERVICE}/a`)).to.equal(router(`${SERVICE}:443/b`));
    expect(router(`${SERVICE}/a`)).not.to.equal(router(`${SERVICE}:8443/a`));
  });

  const proxied: Record<string, string>[] = [
    { HTTPS_PROXY: "http://proxy.test:3128" },
    { https_proxy: "http://proxy.test:3128" },
    { ALL_PROXY: "http://proxy.test:3128" },
    { HTTPS_PROXY: "http://us3r:pa55@proxy.test:3128/" },
    { HTTPS_PROXY: "proxy.test:3128" },
    { https_proxy: "us3r:pa55@proxy.test:3128" },
    { ALL_PROXY: "proxy.test:3128" },
    { HTTPS_PROXY: "http://proxy.test:3128", NO_PROXY: "solar.test,api.solar.test:8443" },
  ];
  for (const environment of proxied) {
    it(`goes through the proxy of ${JSON.stringify(environment)}, without a word of its credentials`, async () => {
      const { agent, proxy } = await routeTo(SERVICE, environment);
      expect(proxy).to.equal("http://proxy.test:3128");
      expect(agent).to.have.property("keepAlive", true);
    });
  }

  const straight: [string, Record<string, string>][] = [
    [SERVICE, { HTTP_PROXY: "http://proxy.test:3128" }],
    [SERVICE, { HTTPS_PROXY: "http://proxy.test:3128", NO_PROXY: "api.solar.test" }],
    [SERVICE, { HTTPS_PROXY: "http://proxy.test:3128", no_proxy: "a.test, .solar.test" }],
    [SERVICE, { HTTPS_PROXY: "http://proxy.test:3128", NO_PROXY: "*" }],
    ["https://127.0.0.1:8443", { HTTPS_PROXY: "http://proxy.test:3128" }],
    ["https://localhost", { HTTPS_PROXY: "http://proxy.test:3128" }],
    ["http://localhost:8787", { HTTP_PROXY: "http://proxy.test:3128", ALL_PROXY: "http://proxy.test:3128" }],
  ];
  for (const [url, environment] of straight) {
    it(`goes straight to ${url} with ${JSON.stringify(environment)}`, async () => {
      expect((await routeTo(url, environment)).proxy).to.equal(undefined);
    });
  }

  for (const proxy of ["socks5://us3r:pa55@proxy.test", "http://", "pa55@:x"]) {
    it(`does not go at all if the proxy is ${proxy}, and shows nothing of it`, async () => {
      const failure = await routeTo(SERVICE, { HTTPS_PROXY: proxy });
      expect(failure).to.include({ code: "proxyAddress", transient: false });
      expect(JSON.stringify(failure)).to.not.contain("pa55");
    });
  }

  describe("a request through a proxy", () => {
    const startProxy = proxies();
    const startTls = tlsServers();

    async function ask(
      conduct: Conduct,
      address = (url: string) => url,
      timeoutSeconds = 60,
      prepare = (_: Route) => {},
    ) {
      const proxy = await startProxy(conduct);
      process.env.HTTPS_PROXY = address(proxy.url);
      const route = (await makeRouter()(SERVICE)) as Route;
      prepare(route);
      const failure = await exchange({
        url: `${SERVICE}/car`,
        accessToken: "t0ken",
        secrets: new Set(["t0ken"]),
        fields: undefined,
        route,
        timeoutSeconds,
      });
      return { failure, proxy };
    }

    it("is not sent to a server with an untrusted certificate", async () => {
      const port = await startTls(
        await certify({ authority: await makeAuthority(), names: ["api.solar.test"] }),
        (_, response) => {
          response.end('{"id":""}');
        },
      );
      const { failure, proxy } = await ask({ port });
      expect(failure).to.have.property("code", "tls");
      expectFacts((failure as ServiceFailure).reason, [SERVICE, proxy.url]);
      expect(proxy.tunnels.map(({ target }) => target)).to.deep.equal(["api.solar.test:443"]);
    });

    const refusals: [number, boolean][] = [
      [404, false],
      [407, false],
      [502, true],
    ];
    for (const [status, transient] of refusals) {
      it(`does not count as an answer of the service if the proxy answers ${status}`, async () => {
        const { failure, proxy } = await ask({ status }, (url) => url.replace("//", "//us3r:pa55@"));
        expect(failure).to.include({ code: "proxyRefuses", transient });
        expectFacts((failure as ServiceFailure).reason, [`HTTP ${status}`, SERVICE, proxy.url]);
        expect(JSON.stringify(failure)).to.not.contain("pa55");
        expect(proxy.tunnels[0]?.headers).to.include({ "proxy-authorization": `Basic ${btoa("us3r:pa55")}` });
        expect(proxy.tunnels[0]?.headers).not.to.have.property("authorization");
        expect(proxy.tunnels[0]?.sent.toString()).to.equal("");
      });
    }

    it("ends in time if the proxy does not answer, names the proxy, and has sent nothing", async () => {
      const { failure, proxy } = await ask("stalls", undefined, 1);
      expect(failure).to.include({ code: "timeout", transient: true, isUnsent: true });
      expectFacts((failure as ServiceFailure).reason, [proxy.url]);
    });

    it("names the proxy in every failure of the service too", async () => {
      const authority = await makeAuthority();
      const certified = await certify({ authority, names: ["api.solar.test"] });
      const port = await startTls(certified, (_, response) => response.writeHead(503).end());
      const { Agent } = await import("node:https");
      const { failure, proxy } = await ask({ port }, undefined, 60, (route) => {
        Object.assign((route.agent as InstanceType<typeof Agent>).options, { ca: authority.cert });
      });
      expect(failure).to.include({ code: "serviceFails", status: 503 });
      expectFacts((failure as ServiceFailure).reason, ["HTTP 503", proxy.url]);
    });

    it("names the proxy that cannot be reached", async () => {
      const { failure } = await ask("stalls", () => "http://127.0.0.1:1");
      expect(failure).to.include({ code: "noConnection", isUnsent: true });
      expectFacts((failure as ServiceFailure).reason, [SERVICE, "http://127.0.0.1:1", "ECONNREFUSED"]);
      expectFacts((failure as ServiceFailure).advice, ["HTTPS_PROXY"]);
    });
  });
});

describe("isLoopback", () => {
  it("knows the names of this machine, and nothing that looks like them", () => {
    for (const host of ["localhost", "127.0.0.1", "127.8.9.10", "[::1]"]) expect(isLoopback(host)).to.equal(true);
    for (const host of ["localhost.test", "127.0.0.1.test", "10.0.0.1", "[::2]"])
      expect(isLoopback(host)).to.equal(false);
  });
});
