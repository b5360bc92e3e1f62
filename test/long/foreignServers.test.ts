import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { type Simulator, startSimulator } from "solar-charging-simulator";
import { PluginHost } from "../protocol/pluginHost";
import { PROVIDERS } from "../protocol/provider";
import { expectFacts } from "../support/facts";
import { failureOf } from "../support/failure";
import { temporaryFolder } from "../support/folder";
import { freePort } from "../support/freePort";
import { isOnPath } from "../support/onPath";
import { certify, makeAuthority } from "../support/tls";

const CAR = { id: "acme/car", before: { max_capacity: 60_000, max_charge_power: 5000, policy: "CHARGE BY" } };
const ROOF = { id: "acme/roof", before: { peak_power: 8000, azimuth: 200, tilt: 30 } };

/** Nothing listens there. As many shells do, the tests set it in small letters, and no `no_proxy`. */
const DEAD = "http://127.0.0.1:1";
const PROXIES = { http_proxy: DEAD, grpc_proxy: DEAD, no_proxy: "", NO_PROXY: "" };

/** An address of this machine that no client takes for loopback, so that it goes through a proxy. */
const MAPPED = "::ffff:127.0.0.1";

describe("foreign servers between the provider and the service", () => {
  const inFolder = temporaryFolder();
  const running: ChildProcess[] = [];
  let simulator: Simulator;

  beforeEach(async () => {
    const devices = {
      car: { type: "vehicle", settings: CAR.before },
      roof: { type: "inverter", settings: ROOF.before },
    };
    simulator = await startSimulator({ fleet: { businesses: { acme: devices as never } } });
  });
  afterEach(async () => {
    await simulator.close();
    await Promise.all(
      running.splice(0).map(async (child) => {
        if (child.exitCode === null && child.kill()) await once(child, "close");
      }),
    );
  });

  /** Starts a server that stays in the foreground, and waits until it listens. */
  async function start(command: string, args: readonly string[], port: number): Promise<void> {
    const child = spawn(command, args, { stdio: "ignore" });
    running.push(child);
    for (;;) {
      const socket = connect(port, "127.0.0.1");
      const isUp = await new Promise((done) =>
        socket.once("connect", () => done(true)).once("error", () => done(false)),
      );
      socket.destroy();
      if (isUp) return;
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
      await setTimeout(20);
    }
  }

  /** nginx in front of the simulator. @returns its port */
  async function nginx(inServer: string, inLocation = "", location = "/"): Promise<number> {
    const port = await freePort();
    mkdirSync(inFolder("nginx"), { recursive: true });
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${inFolder("nginx")};`)
      .join(" ");
    writeFileSync(
      inFolder("nginx.conf"),
      `daemon off; pid ${inFolder("nginx.pid")}; error_log stderr; events {}
      http { access_log off; ${temporary} limit_req_zone $server_name zone=slow:1m rate=5r/s;
        server { ${inServer.replace("PORT", String(port))} location ${location} { ${inLocation} proxy_pass ${simulator.url}/; } } }`,
    );
    await start("nginx", ["-c", inFolder("nginx.conf"), "-p", inFolder("."), "-e", "stderr"], port);
    return port;
  }

  async function withTls(isExpired = false) {
    const authority = await makeAuthority();
    const { cert, key } = await certify({ authority, address: MAPPED, isExpired, names: ["localhost"] });
    for (const [name, text] of Object.entries({ ca: authority.cert, cert, key }))
      writeFileSync(inFolder(`${name}.pem`), text);
    const files = `ssl_certificate ${inFolder("cert.pem")}; ssl_certificate_key ${inFolder("key.pem")};`;
    return { server: `listen 127.0.0.1:PORT ssl; ${files}`, environment: { NODE_EXTRA_CA_CERTS: inFolder("ca.pem") } };
  }

  async function startPlugin(baseUrl: string, environment: Record<string, string> = {}) {
    return await PluginHost.start({
      environment: {
        SOLAR_CHARGING_BASE_URL: baseUrl,
        SOLAR_CHARGING_BUSINESS_ID: "acme",
        SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
        SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "30",
        ...PROXIES,
        ...environment,
      },
    });
  }

  const site = (maxCapacity: number) => ({
    __provider: PROVIDERS.site,
    __program: { urn: "urn:pulumi:dev::p::solar-charging:index:SiteSettings::home" },
    onDelete: "restore",
    vehicles: { car: { deviceId: "car", maxCapacity, maxChargePower: 11_000 } },
    inverters: {
      roof: { deviceId: "roof", peakPower: 9800, azimuth: 202.5, tilt: 35, cutInThreshold: 100, baseLoad: 300 },
    },
  });

  /** Creates, reads and changes a site, and deletes it in a second run. Every message arrives, and each device ends as it was. */
  async function expectLife(baseUrl: string, environment: Record<string, string> = {}) {
    const [up, destroy] = [await startPlugin(baseUrl, environment), await startPlugin(baseUrl, environment)];
    try {
      const first = await up.check(site(77_000));
      const { id, properties } = await up.create(first.inputs);
      const found = await up.read(id, { ...properties, __provider: PROVIDERS.site });
      expect(found.properties).to.deep.equal(properties);
      const second = await up.check(site(79_000), first.inputs);
      const outputs = await up.update(id, found.properties, second.inputs);
      expect(simulator.device("acme", "car")).to.include({ max_capacity: 79_000, policy: "CHARGE BY FORECAST" });
      expectFacts(up.engine.messages.join(), ["doctor --device", "values before the first update", "60 kWh"]);
      await destroy.delete(id, { ...outputs, __provider: PROVIDERS.site });
      expect(simulator.device("acme", "car")).to.include(CAR.before);
      expect(simulator.device("acme", "roof")).to.include(ROOF.before);
    } finally {
      await Promise.all([up.stop(), destroy.stop()]);
    }
  }

  describe("nginx", () => {
    before(function () {
      if (isOnPath("nginx")) return;
      console.log("not run: there is no nginx on the PATH (Debian: nginx-light)");
      this.skip();
    });

    const plain = "listen 127.0.0.1:PORT;";
    const rows: Record<string, [server: string, inLocation?: string, location?: string]> = {
      "closes each connection": [`${plain} keepalive_timeout 0;`],
      "compresses answers": [`${plain} gzip on; gzip_types application/json; gzip_min_length 1;`],
      "limits the rate, with 503": [plain, "limit_req zone=slow;"],
      "adds a path prefix": [plain, "", "/energy/"],
    };
    for (const [what, [server, inLocation, location]] of Object.entries(rows)) {
      it(`that ${what} changes nothing`, async () => {
        const port = await nginx(server, inLocation, location);
        await expectLife(`http://127.0.0.1:${port}${location?.replace(/\/$/, "") ?? ""}`);
      });
    }

    it("with a private certificate authority changes nothing", async () => {
      const { server, environment } = await withTls();
      await expectLife(`https://localhost:${await nginx(server)}`, environment);
    });

    const refusals: Record<string, { location: string; facts: string[]; isRead: boolean }> = {
      "an update with 405": {
        location: "if ($request_method = PATCH) { return 405; }",
        facts: ["HTTP 405", "solar-charging:baseUrl"],
        isRead: false,
      },
      "a body of a few bytes": {
        location: "client_max_body_size 5;",
        facts: ["HTTP 413", "solar-charging:baseUrl"],
        isRead: false,
      },
      "everything, with a page": { location: "return 502;", facts: ["HTTP 502", '"502 Bad Gateway"'], isRead: true },
      "everything, with 304": { location: "return 304;", facts: ["HTTP 304", "solar-charging:baseUrl"], isRead: true },
    };
    for (const [what, { location, facts, isRead }] of Object.entries(refusals)) {
      it(`that refuses ${what} is an error that says so, and nothing is changed`, async () => {
        const host = await startPlugin(`http://127.0.0.1:${await nginx(plain, location)}`, {
          SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0",
        });
        const { inputs } = await host.check(site(77_000));
        const { message } = await failureOf(host.create(inputs));
        await host.stop();
        expectFacts(message, [isRead ? "cannot read" : "cannot update", ...facts]);
        expect(simulator.device("acme", "car")).to.include(CAR.before);
      });
    }

    it("with an expired certificate is an error that says so", async () => {
      const { server, environment } = await withTls(true);
      const host = await startPlugin(`https://localhost:${await nginx(server)}`, environment);
      const { inputs } = await host.check(site(77_000));
      const { message } = await failureOf(host.create(inputs));
      await host.stop();
      expectFacts(message, ["CERT_HAS_EXPIRED", "expired"]);
      expect(message).not.to.contain("NODE_EXTRA_CA_CERTS");
    });
  });

  describe("tinyproxy", () => {
    before(function () {
      if (["tinyproxy", "nginx"].every(isOnPath)) return;
      console.log("not run: there is no tinyproxy or no nginx on the PATH (Debian: tinyproxy-bin, nginx-light)");
      this.skip();
    });

    async function proxied() {
      const { server, environment } = await withTls();
      const target = await nginx(server);
      const port = await freePort();
      const lines = [
        `Port ${port}`,
        "Listen 127.0.0.1",
        "Allow 127.0.0.1",
        "BasicAuth us3r pa55",
        `ConnectPort ${target}`,
      ];
      writeFileSync(inFolder("tinyproxy.conf"), `${lines.join("\n")}\n`);
      await start("tinyproxy", ["-d", "-c", inFolder("tinyproxy.conf")], port);
      return { baseUrl: `https://[${MAPPED}]:${target}`, environment, address: `127.0.0.1:${port}` };
    }

    for (const [what, scheme] of [
      ["with", "http://"],
      ["without", ""],
    ] as const) {
      it(`${what} a scheme, in small letters, changes nothing`, async () => {
        const { baseUrl, environment, address } = await proxied();
        await expectLife(baseUrl, { ...environment, https_proxy: `${scheme}us3r:pa55@${address}` });
      });
    }

    it("that refuses the password is an error that names the proxy, and nothing was sent", async () => {
      const { baseUrl, environment, address } = await proxied();
      const host = await startPlugin(baseUrl, { ...environment, https_proxy: `http://us3r:wr0ng@${address}` });
      const { inputs } = await host.check(site(77_000));
      const { message } = await failureOf(host.create(inputs));
      await host.stop();
      expectFacts(message, ["HTTP 401", `http://${address}`, "HTTPS_PROXY"]);
      expect(message + host.printed).not.to.match(/wr0ng|may have been applied/);
    });
  });

  describe("toxiproxy", () => {
    const TOXIPROXY = "github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0";
    const bin = join(tmpdir(), "solar-charging-toxiproxy");

    before(function () {
      const env = { ...process.env, GOBIN: bin, GOFLAGS: "-mod=mod" };
      if (isOnPath("go") && spawnSync("go", ["install", TOXIPROXY], { env }).status === 0) return;
      console.log("not run: there is no go on the PATH, or it cannot install toxiproxy");
      this.skip();
    });

    async function toxic() {
      const [control, port] = [await freePort(), await freePort()];
      await start(join(bin, "server"), ["-port", String(control)], control);
      const post = async (path: string, body: object) => {
        const response = await fetch(`http://127.0.0.1:${control}${path}`, {
          method: "POST",
          body: JSON.stringify(body),
        });
        if (!response.ok) throw new Error(await response.text());
      };
      const upstream = new URL(simulator.url).host;
      await post("/proxies", { name: "service", listen: `127.0.0.1:${port}`, upstream, enabled: true });
      return {
        url: `http://127.0.0.1:${port}`,
        add: (type: string, attributes: object, toxicity = 1) =>
          post("/proxies/service/toxics", { type, attributes, toxicity, stream: "downstream" }),
      };
    }

    const toxics: Record<string, [type: string, attributes: object, toxicity?: number]> = {
      "is slow": ["latency", { latency: 200, jitter: 100 }],
      "has 2 KB a second": ["bandwidth", { rate: 2 }],
      "cuts answers into pieces": ["slicer", { average_size: 20, size_variation: 5, delay: 1000 }],
      "resets some connections": ["reset_peer", { timeout: 0 }, 0.3],
      "ends some connections in the answer": ["limit_data", { bytes: 60 }, 0.3],
    };
    for (const [what, [type, attributes, toxicity]] of Object.entries(toxics)) {
      it(`that ${what} changes nothing`, async () => {
        const { url, add } = await toxic();
        await add(type, attributes, toxicity);
        await expectLife(url);
      });
    }
  });
});
