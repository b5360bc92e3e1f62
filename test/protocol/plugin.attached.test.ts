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

  beforeEach(async () => {
    child = spawn(process.execPath, [MAIN], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    [port] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line");
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    for (const engine of engines.splice(0)) engine.stop();
    child.kill();
  });

  async function attach() {
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), OWN_CONNECTION);
    clients.push(client);
    const engine = await startEngine();
    engines.push(engine);
    const call = <Q>(method: Method<Q>, request: Q) =>
      new Promise<void>((resolve, reject) => {
        method.call(client, request, (error) => (error ? reject(error) : resolve()));
      });
    await call(client.attach, new PluginAttach().setAddress(engine.address));
    return {
      engine,
      configure: (args: Record<string, string>) =>
        call(client.configure, new ConfigureRequest().setArgs(struct(args)).setAcceptsecrets(true)),
      cancel: () => call(client.cancel, new Empty()),
      checkConfig: (args: Record<string, string>) => call(client.checkConfig, new CheckRequest().setNews(struct(args))),
    };
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

  it("refuses a provider with another configuration, whose devices it would mistake for the first one's", async () => {
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
    const { configure, checkConfig, engine } = await attach();
    await configure({ businessId: "acme" });

    child.disconnect();

    await checkConfig({ baseUrll: "http://127.0.0.1:1" });
    expect(engine.messages).to.have.lengthOf(1);
  });
});
