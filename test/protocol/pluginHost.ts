import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  type PropertyDiff,
  ProviderHandshakeRequest,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ROOT } from "../support/project";
import { type FakeEngine, startEngine } from "./engine";
import {
  type Checked,
  call,
  type Difference,
  type HostOptions,
  type Properties,
  type ProviderHost,
  plain,
  portOf,
  type Stored,
  startProcess,
  struct,
} from "./host";
import { PLUGIN } from "./installation";
import { urnOf } from "./provider";

/** The compiled plugin, as `node` runs it. */
export const MAIN = join(ROOT, "dist", "provider", "plugin", "main.js");

const CLASSES: Readonly<Record<string, string>> = {
  vehicle: "VehicleSettings",
  inverter: "InverterSettings",
  site: "SiteSettings",
};

/** The URN of the provider that the engine makes by itself. */
export const DEFAULT_PROVIDER = "urn:pulumi:dev::p::pulumi:providers:solar-charging::default_0_1_0";

/**
 * The native plugin: a process as the engine starts it, and the engine's calls to it. It takes what the host of dynamic
 * resources takes, so that one table of cases holds for both: which resource it is, the provider string says.
 */
export class PluginHost implements ProviderHost {
  readonly #output: string[] = [];

  private constructor(
    readonly engine: FakeEngine,
    private readonly process: ChildProcess,
    readonly client: ResourceProviderClient,
  ) {
    for (const stream of [process.stdout, process.stderr])
      stream?.on("data", (text) => this.#output.push(String(text)));
  }

  static async start(
    options: HostOptions,
    urn = DEFAULT_PROVIDER,
    main = [process.execPath, MAIN],
  ): Promise<PluginHost> {
    const { config = {}, environment = {}, engine = await startEngine() } = options;
    const command = [...main, engine.address] as unknown as readonly [string, ...string[]];
    const child = startProcess(command, tmpdir(), environment);
    try {
      const client = new ResourceProviderClient(`127.0.0.1:${await portOf(child)}`, credentials.createInsecure());
      const host = new PluginHost(engine, child, client);
      await call(client, client.handshake, new ProviderHandshakeRequest().setConfigureWithUrn(true));
      await host.configure(config, urn);
      return host;
    } catch (error) {
      child.kill();
      engine.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.process.exitCode === null && this.process.kill()) await once(this.process, "close");
    this.engine.stop();
  }

  kill(): void {
    this.process.kill();
  }

  async ended(): Promise<void> {
    if (this.process.exitCode === null) await once(this.process, "exit");
  }

  get printed(): string {
    return this.#output.join("");
  }

  /** @param config of the stack: the engine gives a provider what is in its namespace. */
  async configure(config: Properties, urn = DEFAULT_PROVIDER): Promise<void> {
    const own = Object.entries(config).flatMap(([key, value]) =>
      key.startsWith("solar-charging:") ? [[key.replace("solar-charging:", ""), value]] : [],
    );
    const args = struct(Object.fromEntries(own));
    await call(
      this.client,
      this.client.configure,
      new ConfigureRequest().setArgs(args).setAcceptsecrets(true).setSendsOldInputs(true).setUrn(urn),
    );
  }

  async check(news: Properties, olds: Properties = {}): Promise<Checked> {
    const { urn, values } = resourceOf(news);
    const request = new CheckRequest().setUrn(urn).setOlds(struct(olds)).setNews(struct(values));
    const response = await call(this.client, this.client.check, request);
    const inputs = { ...plain(response.getInputs()), __provider: news.__provider };
    return { inputs, failures: response.toObject().failuresList };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<Difference> {
    const { changes, replaces } = await this.detailedDiff(id, olds, olds, news);
    return { changes, replaces };
  }

  /** The diff and, by path, how the engine shows it. */
  async detailedDiff(
    id: string,
    olds: Properties,
    oldInputs: Properties,
    news: Properties,
  ): Promise<
    Difference & {
      readonly detail: Readonly<Record<string, PropertyDiff["getKind"] extends () => infer K ? K : never>>;
    }
  > {
    const { urn, values } = resourceOf(news);
    const request = new DiffRequest().setId(id).setUrn(urn).setOlds(struct(olds)).setNews(struct(values));
    const response = await call(
      this.client,
      this.client.diff,
      request.setOldInputs(struct(resourceOf(oldInputs).values)),
    );
    const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
    const changes = new Map<number, boolean>([
      [DIFF_SOME, true],
      [DIFF_NONE, false],
    ]).get(response.getChanges());
    const detail = response.toObject().detaileddiffMap.map(([path, { kind }]) => [path, kind] as const);
    return { changes, replaces: response.getReplacesList(), detail: Object.fromEntries(detail) };
  }

  async create(inputs: Properties, isPreview = false): Promise<Stored> {
    const { urn, values } = resourceOf(inputs);
    const request = new CreateRequest().setUrn(urn).setProperties(struct(values)).setPreview(isPreview);
    const response = await call(this.client, this.client.create, request);
    return { id: response.getId(), properties: plain(response.getProperties()) };
  }

  async read(id: string, properties: Properties): Promise<Stored & { readonly inputs: Properties }> {
    return await this.readWith(new ReadRequest().setId(id).setProperties(struct(properties)));
  }

  /** @param request what it is of, its inputs or outputs say */
  async readWith(request: ReadRequest): Promise<Stored & { readonly inputs: Properties }> {
    const { urn, provider } = resourceOf({ ...plain(request.getInputs()), ...plain(request.getProperties()) });
    if (!request.getUrn()) request.setUrn(urn);
    const response = await call(this.client, this.client.read, request);
    const inputs = response.getId() ? { ...plain(response.getInputs()), __provider: provider } : {};
    return { id: response.getId(), properties: plain(response.getProperties()), inputs };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const { urn, values } = resourceOf(news);
    const request = new UpdateRequest().setId(id).setUrn(urn).setOlds(struct(olds)).setNews(struct(values));
    return plain((await call(this.client, this.client.update, request)).getProperties());
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const { urn } = resourceOf(properties);
    const request = new DeleteRequest().setId(id).setUrn(urn).setProperties(struct(properties));
    await call(this.client, this.client.delete, request);
  }

  async cancel(): Promise<void> {
    await call(this.client, this.client.cancel, new Empty());
  }
}

/** What the inputs of a dynamic resource are for the plugin. */
function resourceOf({ __provider: provider, __program: program, site = "one", ...values }: Properties) {
  const kind = String(provider).split(".").at(-1) ?? "";
  const name = kind === "site" ? site : values.deviceId;
  const { urn } = { urn: urnOf(PLUGIN, CLASSES[kind] as string, String(name)), ...(program as { urn?: string }) };
  return { urn, provider, values: kind === "site" ? { ...values, site } : values };
}
