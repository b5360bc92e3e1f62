import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, ConfigureRequest, ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { PluginProcess } from "../../cli/stacks/plugin";
import { ENDED } from "../../provider/plugin/binding";
import { temporaryFolder } from "../support/folder";
import { servers } from "../support/server";
import { type FakeEngine, startEngine } from "./engine";
import { struct } from "./host";
import { PLUGIN } from "./installation";
import { MAIN } from "./pluginHost";
import { urnOf } from "./provider";

type Method<Q> = (request: Q, done: (error: ServiceError | null) => void) => unknown;

/** Each client has a connection of its own, as each provider of an engine has. */
const OWN_CONNECTION = { "grpc.use_local_subchannel_pool": 1 };

describe("A plugin to which engines attach", () => {
  let child: ChildProcess;
  let port: string;
  const clients: ResourceProviderClient[] = [];
  const engines: FakeEngine[] = [];

  beforeEach(() => start());

  /** Starts a process, and binds it to a run. */
  async function start(environment: Readonly<Record<string, string>> = {}) {
    child?.kill();
    child = spawn(process.execPath, [MAIN], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    child.send({ environment, run: { stack: "dev", project: "fleet" } });
    [port] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line");
  }

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    for (const engine of engines.splice(0)) engine.stop();
    child.kill();
  });

  /** A caller that has not attached. */
  function connect() {
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), OWN_CONNECTION);
    clients.push(client);
    const call = <Q>(method: Method<Q>, request: Q) =>
      new Promise<void>((resolve, reject) => {
        method.call(client, request, (error) => (error ? reject(error) : resolve()));
      });
    return {
      attach: (address: string) => call(client.attach, new PluginAttach().setAddress(address)),
      read: (urn: string) => call(client.read, new ReadRequest().setId("acme/car").setUrn(urn)),
      configure: (args: Record<string, string>) =>
        call(client.configure, new ConfigureRequest().setArgs(struct(args)).setAcceptsecrets(true)),
      cancel: () => call(client.cancel, new Empty()),
      checkConfig: (args: Record<string, string>) => call(client.checkConfig, new CheckRequest().setNews(struct(args))),
    };
  }

  async function attach() {
    const engine = await startEngine();
    engines.push(engine);
    const caller = connect();
    await caller.attach(engine.address);
    return { engine, ...caller };
  }

  it("shows messages to the engine that asked, also if a language host has attached later", async () => {
    const first = await attach();
    const later = await attach();

    await first.checkConfig({ baseUrll: "http://127.0.0.1:1" });

    expect(first.engine.messages).to.have.lengthOf(1);
    expect(later.engine.messages).to.deep.equal([]);
  });

  it("serves two providers with the same configuration", async () => {
    const [one, other] = [await attach(), await attach()];

    await one.configure({ businessId: "acme", version: "0.1.0" });

    await other.configure({ businessId: "acme", version: "0.2.0" });
  });

  it("refuses a provider with another configuration, because it would confuse their devices", async () => {
    const [one, other] = [await attach(), await attach()];
    await one.configure({ businessId: "acme" });

    const failure = await other.configure({ businessId: "other" }).catch((error) => error);

    expect(failure).to.be.an("error").with.property("details").that.contains("PULUMI_DEBUG_PROVIDERS");
  });

  it("ends when its engine is gone", async () => {
    const { engine, configure } = await attach();
    await configure({ businessId: "acme" });

    engine.stop();

    await once(child, "exit");
  });

  it("ends with the command that started it if no engine has configured it", async () => {
    child.disconnect();

    await once(child, "exit");
  });

  it("ends with the command once its engine has ended the run", async () => {
    const { configure, cancel } = await attach();
    await configure({ businessId: "acme" });
    await cancel();

    child.disconnect();

    await once(child, "exit");
  });

  it("serves its engine to the end if the command is killed", async () => {
    const { configure, checkConfig, cancel, engine } = await attach();
    await configure({ businessId: "acme" });

    child.disconnect();

    await checkConfig({ baseUrll: "http://127.0.0.1:1" });
    expect(engine.messages).to.have.lengthOf(1);
    await cancel();
    expect(child.exitCode).to.equal(null);
  });

  describe("that the command line has started", () => {
    const path = temporaryFolder();
    const startServer = servers();
    const failureOf = (call: Promise<void>) => call.then(() => undefined).catch((error: ServiceError) => error.details);

    it("has no port before it is bound to a run", async () => {
      // Reports what is open once the program has begun to wait.
      const preload = `process.on("newListener", (name) => {
        if (name === "message") setImmediate(() => process.send(process.getActiveResourcesInfo()));
      });`;
      writeFileSync(path("preload.cjs"), preload);
      child.kill();
      child = spawn(process.execPath, ["--require", path("preload.cjs"), MAIN], {
        stdio: ["ignore", "pipe", "inherit", "ipc"],
      });

      const [open] = await once(child, "message");

      expect(open).to.be.an("array").and.not.include("TCPServerWrap");
    });

    it("is configured by its binding alone: it takes no address from a caller, and no other binding during its run", async () => {
      const [own, foreign] = [await startServer({ body: "{}" }), await startServer({ body: "{}" })];
      const TOKEN = "the-token";
      const variables = (url: string) => ({
        SOLAR_CHARGING_ENVIRONMENT_ONLY: "true",
        SOLAR_CHARGING_BASE_URL: url,
        SOLAR_CHARGING_ACCESS_TOKEN: TOKEN,
        SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "1",
      });
      await start(variables(own.url));
      child.send({ environment: variables(foreign.url), run: { stack: "other", project: "fleet" } });
      const { configure, read } = await attach();

      await configure({ baseUrl: foreign.url, accessToken: "another" });
      await read(urnOf(PLUGIN, "VehicleSettings", "car")).catch(() => {});

      expect(foreign.received).to.deep.equal([]);
      expect(own.received[0]?.headers.authorization).to.equal(`Bearer ${TOKEN}`);
    });

    it("serves its next run once the engine has ended the last one", async () => {
      const { configure, cancel, engine } = await attach();
      await configure({});
      const [last, ended] = [port, once(child, "message")];
      await cancel();
      expect(await ended).to.deep.equal([ENDED, undefined]);
      engine.stop();

      child.send({ environment: {}, run: { stack: "prod", project: "fleet" } });
      [port] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line");

      expect(port).not.to.equal(last);
      const next = await attach();
      await next.configure({});
      const urn = (stack: string) => `urn:pulumi:${stack}::fleet::solar-charging:index:VehicleSettings::car`;
      expect(await failureOf(next.read(urn("dev")))).to.contain("prod of fleet");
      expect(await failureOf(next.read(urn("prod")))).not.to.contain("prod of fleet");
    });

    it("has no port between two runs", async () => {
      const { configure, cancel, engine } = await attach();
      await configure({});
      await cancel();
      engine.stop();

      // It closes its port as soon as it finds that the engine is gone.
      const isOpen = () =>
        new Promise<boolean>((resolve) => {
          const socket = createConnection(Number(port), "127.0.0.1");
          socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
          socket.on("connect", () => socket.destroy());
        });
      while (await isOpen());

      expect(child.exitCode).to.equal(null);
    });

    it("is configured by no caller without the address of an engine", async () => {
      expect(await failureOf(connect().configure({}))).to.contain("attach");
    });

    it("serves no resource of another stack", async () => {
      const { configure, read } = await attach();
      await configure({});

      const refused = await failureOf(read("urn:pulumi:prod::p::solar-charging:index:VehicleSettings::car"));

      expect(refused).to.contain("dev of fleet");
    });

    it("answers no other user of the machine", async function () {
      // Only root can start a process of another user, and only Linux says whose a connection is.
      if (process.geteuid?.() !== 0 || process.platform !== "linux") this.skip();
      const ask = `const socket = require("node:net").connect(${port}, "127.0.0.1");
        socket.on("error", () => process.exit(7)).on("close", () => process.exit(7)).on("data", () => process.exit(0));
        socket.write("PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n\\0\\0\\0\\4\\0\\0\\0\\0\\0");`;
      const codeOf = async (uid: number) =>
        (await once(spawn(process.execPath, ["-e", ask], { uid, cwd: "/", stdio: "inherit" }), "exit"))[0];

      expect([await codeOf(0), await codeOf(65_534)]).to.deep.equal([0, 7]);
    });
  });
});

describe("A process of the plugin that the command line reuses", () => {
  it("serves run after run, and leaves no listeners of which Node warns", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const plugin = new PluginProcess(tmpdir(), {});
    for (let runs = 0; runs < 25; runs++) {
      const { PULUMI_DEBUG_PROVIDERS: address = "" } = await plugin.bind({ stack: "dev", project: "fleet" }, {});
      const engine = await startEngine();
      const url = `127.0.0.1:${address.split(":").at(-1)}`;
      const client = new ResourceProviderClient(url, credentials.createInsecure(), OWN_CONNECTION);
      const call = <Q>(method: Method<Q>, request: Q) =>
        new Promise<void>((resolve, reject) => {
          method.call(client, request, (error) => (error ? reject(error) : resolve()));
        });
      await call(client.attach, new PluginAttach().setAddress(engine.address));
      await call(client.configure, new ConfigureRequest().setArgs(struct({})).setAcceptsecrets(true));
      await call(client.cancel, new Empty());
      client.close();
      engine.stop();
      // The message that the run has ended comes on a channel of its own.
      while (!plugin.isFree) await new Promise((resolve) => setImmediate(resolve));
    }
    await plugin.end();
    process.off("warning", note);
    expect(warnings).to.deep.equal([]);
  });
});
