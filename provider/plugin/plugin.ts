import { credentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type DiffRequest,
  DiffResponse,
  type GetSchemaRequest,
  GetSchemaResponse,
  type InvokeRequest,
  InvokeResponse,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { SECRET_KEYS } from "../configuration/configurationKeys";
import { Given } from "../configuration/given";
import { endWithEngine } from "../engine/endWithEngine";
import { readDevice, readLatestMetrics } from "../engine/getDevice";
import type { ownPlugin } from "../engine/plugin";
import { Secrets } from "../engine/secrets";
import { nativeType } from "../engine/tokens";
import { RUN_FILE } from "../ledger/runFile";
import { textOf } from "../messages/message";
import { type Display, type EngineRun, startRun } from "../run";
import type { Properties } from "../settings/objects";
import { isUnknown } from "../settings/objects";
import { explainStatus } from "../status/explain";
import { checkFailure, ResourceServer } from "./resourceServer";
import { unary } from "./rpc";
import { fromStruct, toStruct } from "./struct";

/** The native plugin. It answers the engine's calls with the same operations as the dynamic resources. */
export class Plugin {
  readonly #log = new EngineLog();
  readonly #stop = new AbortController();
  /** The address of the engine or language host that has attached over each connection to this process. */
  static readonly #attached = new Map<string, string>();
  #run: EngineRun | undefined;
  #configuration: string | undefined;

  /** Whether this engine says of a call of a function whether it belongs to a preview. */
  #marksPreviews = false;

  /**
   * @param engine address of the engine that started this process; undefined if engines attach to it
   * @param onEngineGone called when the attached engine of the run is gone
   */
  constructor(
    private readonly release: ReturnType<typeof ownPlugin>,
    private readonly engine: string | undefined,
    private readonly onEngineGone: () => void,
  ) {}

  /** The RPCs of a provider. */
  get service(): UntypedServiceImplementation {
    const resources = new ResourceServer(() => this.#currentRun());
    return {
      handshake: unary((request: ProviderHandshakeRequest, connection) => {
        this.#marksPreviews = request.getInvokeWithPreview();
        if (request.getEngineAddress()) Plugin.#attached.set(connection, request.getEngineAddress());
        return new ProviderHandshakeResponse().setAcceptSecrets(true);
      }),
      getPluginInfo: unary(() => new PluginInfo().setVersion(this.release.version)),
      attach: unary((request: PluginAttach, connection) => {
        Plugin.#attached.set(connection, request.getAddress());
        return new Empty();
      }),
      getSchema: unary((_: GetSchemaRequest) =>
        // `npm run schema` writes the file. The path is constant, so that the bundler includes it.
        new GetSchemaResponse().setSchema(
          JSON.stringify({ ...require("../../../schema/package.schema.json"), ...this.release }),
        ),
      ),
      checkConfig: unary((request: CheckRequest, connection) => this.#checkConfig(request, connection)),
      diffConfig: unary(diffConfig),
      configure: unary((request: ConfigureRequest, connection) => this.#configure(request, connection)),
      invoke: unary((request: InvokeRequest) => this.#invoke(request)),
      cancel: unary(() => this.#cancel()),
      ...resources.service(),
    };
  }

  async #checkConfig(request: CheckRequest, connection: string): Promise<CheckResponse> {
    this.#engineOf(connection);
    const secrets = new Secrets();
    const news = secrets.open(fromStruct(request.getNews()));
    const given = new Given(news, request.getUrn());
    for (const message of given.misspelled(process.env)) await this.#log.warn(textOf(message)).catch(() => {});
    const response = new CheckResponse();
    for (const problem of given.problems(process.env)) {
      const { property, reason } = secrets.inputs().hiding(problem);
      response.addFailures(checkFailure(property, reason));
    }
    return response.setInputs(toStruct(secrets.seal(news, SECRET_KEYS)));
  }

  /** @throws Error if this process already serves a provider with another configuration */
  #configure(request: ConfigureRequest, connection: string): ConfigureResponse {
    const given = new Given(new Secrets().open(fromStruct(request.getArgs())), request.getUrn() ?? "");
    const configuration = given.text;
    // Only an attached engine has several providers in one process. Without this, providers with different
    // configurations would write to each other's devices.
    if (this.#run !== undefined && configuration !== this.#configuration) {
      throw new Error(
        "this process of the plugin already serves a provider with another configuration. Unset PULUMI_DEBUG_PROVIDERS, " +
          "so that the engine starts a process for each provider",
      );
    }
    const engine = this.#engineOf(connection);
    // A connection may have attached to the plugin of the earlier run. Without this, it would configure the present
    // plugin, which would wait for ever for the end of an engine that it does not know.
    if (engine === undefined && Plugin.#attached.size > 0)
      throw new Error("no engine has attached: run the command again");
    this.#configuration = configuration;
    // The command that started the run reads its messages from the run's file. Without this, it would get each message a
    // second time from the engine, as a text without a code.
    const log = process.env[RUN_FILE] ? undefined : this.#log;
    this.#run ??= startRun(given.get, process.env, log, {
      stopping: this.#stop.signal,
      provider: given.provider,
      engine,
    });
    if (engine !== undefined && this.engine === undefined) {
      const end = () => {
        // Without this, a run whose engine is gone would still write to devices during the next run.
        this.#cancel();
        this.onEngineGone();
      };
      endWithEngine(engine, { end });
    }
    return new ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  async #invoke(request: InvokeRequest): Promise<InvokeResponse> {
    const token = request.getTok();
    const [, call] = Object.entries(FUNCTIONS).find(([name]) => nativeType(name) === token) ?? [];
    if (!call) throw new Error(`this version of the provider has no function ${token}`);
    const args = new Secrets().open(fromStruct(request.getArgs()));
    if (isUnknown(args)) return new InvokeResponse();
    const result = await call(args, {
      run: () => this.#currentRun(),
      isPreview: this.#marksPreviews ? request.getPreview() : undefined,
    });
    return new InvokeResponse().setReturn(toStruct(result as Properties));
  }

  /** Handles the engine's request to stop, which it sends at the end of every run, and when the user stops one. */
  #cancel(): Empty {
    this.#stop.abort();
    this.#run?.end();
    return new Empty();
  }

  /** The engine of a call. It shows the messages from now on. Undefined for a call without an engine. */
  #engineOf(connection: string): string | undefined {
    const engine = this.engine ?? Plugin.#attached.get(connection);
    if (engine !== undefined) this.#log.connect(engine);
    return engine;
  }

  #currentRun(): EngineRun {
    if (!this.#run) throw new Error("the engine called the provider before it was configured");
    return this.#run;
  }
}

/** Never asks for a replacement of the provider, because that would replace all its devices. */
function diffConfig(request: DiffRequest): DiffResponse {
  const [olds, news] = [request.getOlds(), request.getNews()].map(
    (one) => new Given(new Secrets().open(fromStruct(one)), request.getUrn()).text,
  );
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  return new DiffResponse().setChanges(olds === news ? DIFF_NONE : DIFF_SOME);
}

/** Shows messages to the user through the engine. Without an engine, they go to standard error. */
class EngineLog implements Display {
  readonly warn = this.#at(LogSeverity.WARNING);
  readonly info = this.#at(LogSeverity.INFO);
  readonly progress = this.#at(LogSeverity.INFO, { isEphemeral: true });
  #engine: EngineClient | undefined;

  connect(address: string): void {
    // Without this, gRPC would send the messages to a proxy of the environment, which cannot deliver them.
    this.#engine = new EngineClient(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  }

  #at(severity: LogSeverity, { isEphemeral = false } = {}): Display["warn"] {
    return async (message, urn = "") => {
      const engine = this.#engine;
      const writeDirectly = () => process.stderr.write(`${message}\n`);
      if (!engine) return void writeDirectly();
      const request = new LogRequest().setSeverity(severity).setMessage(message).setUrn(urn).setEphemeral(isEphemeral);
      await new Promise<void>((resolve, reject) => {
        engine.log(request, (error) => {
          if (!error) return resolve();
          if (!isEphemeral) writeDirectly();
          reject(error);
        });
      });
    };
  }
}

/** The context of a call, besides its arguments. */
interface Context {
  readonly run: () => EngineRun;
  /** Undefined if the engine is too old to say so. */
  readonly isPreview: boolean | undefined;
}

/** The functions of the package, by name. */
const FUNCTIONS: Readonly<Record<string, (args: Properties, context: Context) => unknown>> = {
  getDevice: (args, { run }) => readDevice(run(), args),
  getLatestMetrics: async (args, { run, isPreview }) => {
    if (isPreview === undefined) {
      throw new Error(
        "getLatestMetrics needs Pulumi 3.206 or later, because it must know whether this is a preview: update Pulumi",
      );
    }
    return {
      metrics: await readLatestMetrics(run(), { ...args, isPreview }),
    };
  },
  explainStatus: ({ serviceStatus, chargingStatus }) =>
    explainStatus(String(serviceStatus), chargingStatus === undefined ? undefined : String(chargingStatus)),
};
