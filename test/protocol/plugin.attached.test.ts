import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type FakeEngine, startEngine } from "./engine";
import { struct } from "./host";
import { MAIN } from "./pluginHost";

type Method<Q> = (request: Q, done: (error: ServiceError | null) => void) => unknown;

/** Each client has a connection of its own, as each provider of an engine has. */
const OWN_CONNECTION = { "grpc.use_local_subchannel_pool": 1 };

describe("A plugin to which engines attach", () => {
  let child: ChildProcess;
  let port: string;
  const clients: ResourceProviderClient[] = [];
  const engines: FakeEngine[] = [];

  beforeEach(() => start());

  async function start() {
    child = spawn(process.execPath, [MAIN], { stdio: ["ignore", "pipe", "inherit"] });
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

  it("refuses a connection that has not attached to it, because it would never learn that its engine is gone", async () => {
    await attach();

    const failure = await connect()
      .configure({ businessId: "acme" })
      .catch((error) => error);

    expect(failure).to.be.an("error").with.property("details").that.contains("no engine has attached");
  });

  it("serves one command after another, each with its own configuration", async () => {
    for (const businessId of ["acme", "other", "third"]) {
      const engine = await startEngine();
      engines.push(engine);
      // The plugin needs a moment to find that the last engine is gone, and refuses another configuration until then.
      const configured = async () => {
        const caller = connect();
        await caller.attach(engine.address);
        await caller.configure({ businessId });
        return caller;
      };
      let caller: ReturnType<typeof connect> | undefined;
      while (!caller) caller = await configured().catch(() => undefined);
      await caller.cancel();
      engine.stop();
    }
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
