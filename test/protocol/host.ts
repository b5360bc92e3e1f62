import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type CallOptions, type ClientUnaryCall, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type FakeEngine, startEngine } from "./engine";
import { Installation, PLUGIN, type Sdk } from "./installation";
import { PluginHost } from "./pluginHost";

export type Properties = Readonly<Record<string, unknown>>;

export interface HostOptions {
  /** The stack's configuration, by full key. */
  readonly config?: Properties;
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: one of its own, which takes messages. */
  readonly engine?: FakeEngine;
}

export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

export interface Difference {
  /** Undefined: the provider does not say, and the engine compares the inputs. */
  readonly changes: boolean | undefined;
  readonly replaces: readonly string[];
}

export interface Stored {
  readonly id: string;
  readonly properties: Properties;
}

type Unary<Q, R> = (
  request: Q,
  metadata: Metadata,
  options: Partial<CallOptions>,
  done: (error: ServiceError | null, response: R) => void,
) => ClientUnaryCall;

/** An RPC without an answer after this time hangs: it fails as DEADLINE_EXCEEDED. */
const LONGEST_RPC = 15_000;

/** The engine's calls to a process of the provider: Pulumi's host of dynamic resources, or the native plugin. */
export interface ProviderHost {
  readonly engine: FakeEngine;
  /** What the process has printed, which the engine shows to the user; all of it once the host is stopped. */
  readonly printed: string;
  stop(): Promise<void>;
  /** Ends the process at once, where nothing can be waited for any more. */
  kill(): void;
  /** Waits for the process to end of itself. */
  ended(): Promise<void>;
  configure(config: Properties): Promise<void>;
  check(news: Properties, olds?: Properties): Promise<Checked>;
  diff(id: string, olds: Properties, news: Properties): Promise<Difference>;
  create(inputs: Properties): Promise<Stored>;
  read(id: string, properties: Properties): Promise<Stored & { readonly inputs: Properties }>;
  readWith(request: ReadRequest): Promise<Stored & { readonly inputs: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<Properties>;
  delete(id: string, properties: Properties): Promise<void>;
  /** What the engine does once the user presses Ctrl-C: it asks each provider to come to an end. */
  cancel(): Promise<void>;
}

export function startHost(sdk: Sdk, options: HostOptions): Promise<ProviderHost> {
  return sdk === PLUGIN ? PluginHost.start(options) : DynamicHost.start(sdk, options);
}

/** Pulumi's own host of dynamic resources: a process as the engine starts it, and the engine's calls to it. */
class DynamicHost implements ProviderHost {
  readonly #output: string[] = [];

  private constructor(
    readonly engine: FakeEngine,
    private readonly installation: Installation,
    private readonly process: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {
    for (const stream of [process.stdout, process.stderr])
      stream?.on("data", (text) => this.#output.push(String(text)));
  }

  static async start(sdk: Sdk, options: HostOptions): Promise<DynamicHost> {
    const { config = {}, environment = {}, engine = await startEngine() } = options;
    const installation = new Installation(sdk);
    const script = join(installation.folder, "node_modules/@pulumi/pulumi/cmd/dynamic-provider");
    const child = startProcess([process.execPath, script, engine.address], installation.folder, environment);
    try {
      const client = new ResourceProviderClient(`127.0.0.1:${await portOf(child)}`, credentials.createInsecure());
      const host = new DynamicHost(engine, installation, child, client);
      await host.configure(config);
      return host;
    } catch (error) {
      child.kill();
      engine.stop();
      installation.remove();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.process.exitCode === null && this.process.kill()) await once(this.process, "close");
    this.engine.stop();
    this.installation.remove();
  }

  kill(): void {
    this.process.kill();
    this.installation.remove();
  }

  async ended(): Promise<void> {
    if (this.process.exitCode === null) await once(this.process, "exit");
  }

  get printed(): string {
    return this.#output.join("");
  }

  async configure(config: Properties): Promise<void> {
    const request = new ConfigureRequest().setArgs(struct(config)).setAcceptsecrets(true);
    await this.#call(this.client.configure, request);
  }

  async check(news: Properties, olds: Properties = {}): Promise<Checked> {
    const request = new CheckRequest().setOlds(struct(olds)).setNews(struct(news));
    const response = await this.#call(this.client.check, request);
    return { inputs: plain(response.getInputs()), failures: response.toObject().failuresList };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<Difference> {
    const request = new DiffRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    const response = await this.#call(this.client.diff, request);
    const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
    const changes = new Map<number, boolean>([
      [DIFF_SOME, true],
      [DIFF_NONE, false],
    ]).get(response.getChanges());
    return { changes, replaces: response.getReplacesList() };
  }

  async create(inputs: Properties): Promise<Stored> {
    const response = await this.#call(this.client.create, new CreateRequest().setProperties(struct(inputs)));
    return { id: response.getId(), properties: plain(response.getProperties()) };
  }

  async read(id: string, properties: Properties): Promise<Stored & { readonly inputs: Properties }> {
    return await this.readWith(new ReadRequest().setId(id).setProperties(struct(properties)));
  }

  async readWith(request: ReadRequest): Promise<Stored & { readonly inputs: Properties }> {
    const response = await this.#call(this.client.read, request);
    return { id: response.getId(), properties: plain(response.getProperties()), inputs: plain(response.getInputs()) };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new UpdateRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    return plain((await this.#call(this.client.update, request)).getProperties());
  }

  async delete(id: string, properties: Properties): Promise<void> {
    await this.#call(this.client.delete, new DeleteRequest().setId(id).setProperties(struct(properties)));
  }

  async cancel(): Promise<void> {
    await this.#call(this.client.cancel, new Empty());
  }

  #call<Q, R>(method: Unary<Q, R>, request: Q): Promise<R> {
    return call(this.client, method, request);
  }
}

/** Calls a provider as the engine does. */
export function call<Q, R>(client: ResourceProviderClient, method: Unary<Q, R>, request: Q): Promise<R> {
  return new Promise((resolve, reject) => {
    const options = { deadline: Date.now() + LONGEST_RPC };
    method.call(client, request, new Metadata(), options, (error, response) =>
      error ? reject(error) : resolve(response),
    );
  });
}

/** A process of the provider, which has nothing of our own configuration. */
export function startProcess(
  [command, ...args]: readonly [string, ...string[]],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("SOLAR_CHARGING_"));
  const env = { ...Object.fromEntries(inherited), ...environment };
  return spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
}

/** The first line that the host prints. */
export async function portOf(child: ChildProcess): Promise<string> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the host ended with ${code} before it printed its port`);
  });
  const printed = child.stdout ? once(child.stdout, "data") : Promise.reject(new Error("no output"));
  const [line] = await Promise.race([printed, failed]);
  return String(line).trim();
}

export function struct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function plain(properties: Struct | undefined): Properties {
  return properties?.toJavaScript() ?? {};
}
