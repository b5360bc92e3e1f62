import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type CallOptions, type ClientUnaryCall, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  type PropertyDiff,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type FakeEngine, startEngine } from "./engine";

export type Properties = Readonly<Record<string, unknown>>;

export interface HostOptions {
  /** The stack's configuration, by full key. */
  readonly config?: Properties;
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: an engine that accepts messages. */
  readonly engine?: FakeEngine;
}

export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

export interface Difference {
  /** Undefined: the provider does not report it, and the engine compares the inputs. */
  readonly changes: boolean | undefined;
  readonly replaces: readonly string[];
}

/** A diff with the engine's view of each path. */
export interface DetailedDifference extends Difference {
  readonly detail: Readonly<Record<string, PropertyDiff.Kind>>;
}

export interface Stored {
  readonly id: string;
  readonly properties: Properties;
}

export interface Found extends Stored {
  readonly inputs: Properties;
}

/** The engine's request for a resource whose program declares these properties. */
export interface Asked {
  readonly urn: string;
  readonly values: Properties;
  /** The inputs that tests expect in addition to the answered ones. */
  readonly added: Properties;
}

type Unary<Q, R> = (
  request: Q,
  metadata: Metadata,
  options: Partial<CallOptions>,
  done: (error: ServiceError | null, response: R) => void,
) => ClientUnaryCall;

/** An RPC without an answer after this time hangs, even on the slowest machine. It fails as DEADLINE_EXCEEDED. */
const LONGEST_RPC = 300_000;

/** A process of the provider, as the engine starts it, and the engine's calls to it. */
export abstract class ProviderHost {
  readonly engine: FakeEngine;
  readonly client: ResourceProviderClient;
  readonly #process: ChildProcess;
  readonly #output: string[] = [];

  constructor({ engine, child, client }: Started) {
    this.engine = engine;
    this.client = client;
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => this.#output.push(String(text)));
  }

  /** @param config of the stack, by full key */
  abstract configure(config: Properties): Promise<void>;

  /** @param properties inputs or outputs, with the provider string of their kind */
  protected abstract asked(properties: Properties): Asked;

  /** Makes the calls that come before all others. If one is refused, the process is ended. */
  protected async after(calls: () => Promise<unknown>): Promise<this> {
    try {
      await calls();
      return this;
    } catch (error) {
      this.kill();
      this.engine.stop();
      throw error;
    }
  }

  /** The output of the process, which the engine shows to the user. Complete once the host is stopped. */
  get printed(): string {
    return this.#output.join("");
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.#process.exitCode === null && this.#process.kill()) await once(this.#process, "close");
    this.engine.stop();
  }

  /** Ends the process immediately, for places that cannot wait. */
  kill(): void {
    this.#process.kill();
  }

  /** Waits until the process ends by itself. */
  async ended(): Promise<void> {
    if (this.#process.exitCode === null) await once(this.#process, "exit");
  }

  async check(news: Properties, olds: Properties = {}): Promise<Checked> {
    const { urn, values, added } = this.asked(news);
    const request = new CheckRequest().setUrn(urn).setOlds(struct(olds)).setNews(struct(values));
    const response = await this.call(this.client.check, request);
    return { inputs: { ...plain(response.getInputs()), ...added }, failures: response.toObject().failuresList };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<Difference> {
    const { changes, replaces } = await this.detailedDiff(id, olds, olds, news);
    return { changes, replaces };
  }

  async detailedDiff(
    id: string,
    olds: Properties,
    oldInputs: Properties,
    news: Properties,
  ): Promise<DetailedDifference> {
    const { urn, values } = this.asked(news);
    const request = new DiffRequest().setId(id).setUrn(urn).setOlds(struct(olds)).setNews(struct(values));
    const response = await this.call(this.client.diff, request.setOldInputs(struct(this.asked(oldInputs).values)));
    const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
    const changes = new Map<number, boolean>([
      [DIFF_SOME, true],
      [DIFF_NONE, false],
    ]).get(response.getChanges());
    const detail = response.toObject().detaileddiffMap.map(([path, { kind }]) => [path, kind] as const);
    return { changes, replaces: response.getReplacesList(), detail: Object.fromEntries(detail) };
  }

  async create(inputs: Properties, isPreview = false): Promise<Stored> {
    const { urn, values } = this.asked(inputs);
    const request = new CreateRequest().setUrn(urn).setProperties(struct(values)).setPreview(isPreview);
    const response = await this.call(this.client.create, request);
    return { id: response.getId(), properties: plain(response.getProperties()) };
  }

  async read(id: string, properties: Properties): Promise<Found> {
    return await this.readWith(new ReadRequest().setId(id).setProperties(struct(properties)));
  }

  /** @param request without a URN, its inputs or outputs identify the resource */
  async readWith(request: ReadRequest): Promise<Found> {
    const { urn, added } = this.asked({ ...plain(request.getInputs()), ...plain(request.getProperties()) });
    if (!request.getUrn()) request.setUrn(urn);
    const response = await this.call(this.client.read, request);
    const inputs = response.getId() ? { ...plain(response.getInputs()), ...added } : {};
    return { id: response.getId(), properties: plain(response.getProperties()), inputs };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const { urn, values } = this.asked(news);
    const request = new UpdateRequest().setId(id).setUrn(urn).setOlds(struct(olds)).setNews(struct(values));
    return plain((await this.call(this.client.update, request)).getProperties());
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const { urn } = this.asked(properties);
    await this.call(this.client.delete, new DeleteRequest().setId(id).setUrn(urn).setProperties(struct(properties)));
  }

  /** Asks the provider to stop, as the engine does after Ctrl-C and at the end of every run. */
  async cancel(): Promise<void> {
    await this.call(this.client.cancel, new Empty());
  }

  /** Calls the process as the engine does. */
  call<Q, R>(method: Unary<Q, R>, request: Q): Promise<R> {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + LONGEST_RPC };
      method.call(this.client, request, new Metadata(), options, (error, response) =>
        error ? reject(error) : resolve(response),
      );
    });
  }
}

/** The parts of a host. */
export interface Started {
  readonly engine: FakeEngine;
  readonly child: ChildProcess;
  readonly client: ResourceProviderClient;
}

/** Starts a process as the engine does, without our own configuration, and waits for its port. */
export async function startProcess(
  [command, ...args]: readonly string[],
  cwd: string,
  { environment = {}, engine: given }: HostOptions,
): Promise<Started> {
  const engine = given ?? (await startEngine());
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("SOLAR_CHARGING_"));
  const env = { ...Object.fromEntries(inherited), ...environment };
  const child = spawn(command as string, [...args, engine.address], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  try {
    const address = `127.0.0.1:${await portOf(child)}`;
    // Without this, a proxy in the environment of the tests would get the calls.
    const options = { "grpc.enable_http_proxy": 0 };
    return { engine, child, client: new ResourceProviderClient(address, credentials.createInsecure(), options) };
  } catch (error) {
    child.kill();
    engine.stop();
    throw error;
  }
}

/** The first line that the host prints. */
async function portOf(child: ChildProcess): Promise<string> {
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
