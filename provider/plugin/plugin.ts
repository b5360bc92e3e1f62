import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
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
import type { PluginRelease } from "../engine/plugin";
import { isUnknown } from "../lifecycle/program";
import { textOf } from "../messages/message";
import { type Run, startRun } from "../run";
import { Given, isConfiguration, SECRET_KEYS } from "./configuration";
import { EngineLog } from "./engine";
import { FUNCTIONS } from "./functions";
import { checkFailure, ResourceServer } from "./resourceServer";
import { fromStruct, toStruct, unary } from "./rpc";
import { packageSchema } from "./schema";
import { hide, Secrets, sealed } from "./secrets";

/** The native plugin: what the engine asks of a provider, over the same operations as the dynamic resources. */
export class Plugin {
  readonly #log = new EngineLog();
  readonly #stop = new AbortController();
  #run: Run | undefined;

  /** Whether the engine says of a function's call that it is one of a preview. */
  #saysPreview = false;

  constructor(private readonly release: PluginRelease) {}

  /** Lets the plugin show messages to the user of this engine. */
  connect(address: string): void {
    this.#log.connect(address);
  }

  /** The RPCs of a provider. */
  get service(): UntypedServiceImplementation {
    const resources = new ResourceServer(() => this.#currentRun());
    return {
      handshake: unary((request: ProviderHandshakeRequest) => {
        this.#saysPreview = request.getInvokeWithPreview();
        return new ProviderHandshakeResponse().setAcceptSecrets(true);
      }),
      getPluginInfo: unary(() => new PluginInfo().setVersion(this.release.version)),
      attach: unary((request: PluginAttach) => {
        this.connect(request.getAddress());
        return new Empty();
      }),
      getSchema: unary((_: GetSchemaRequest) =>
        new GetSchemaResponse().setSchema(JSON.stringify({ ...packageSchema(), ...this.release })),
      ),
      checkConfig: unary((request: CheckRequest) => this.#checkConfig(request)),
      diffConfig: unary(diffConfig),
      configure: unary((request: ConfigureRequest) => this.#configure(request)),
      invoke: unary((request: InvokeRequest) => this.#invoke(request)),
      cancel: unary(() => this.#cancel()),
      ...resources.service(),
    };
  }

  async #checkConfig(request: CheckRequest): Promise<CheckResponse> {
    const news = new Secrets().open(fromStruct(request.getNews()));
    const given = new Given(news, request.getUrn());
    for (const message of given.misspelled(process.env)) await this.#log.warn(textOf(message)).catch(() => {});
    const response = new CheckResponse();
    for (const { property, reason } of given.problems(process.env)) {
      response.addFailures(checkFailure(property, hide(reason)));
    }
    const inputs = Object.entries(news).map(([key, value]) => [
      key,
      SECRET_KEYS.some((secret) => secret === key) ? sealed(value) : value,
    ]);
    return response.setInputs(toStruct(Object.fromEntries(inputs)));
  }

  #configure(request: ConfigureRequest): ConfigureResponse {
    const args = new Secrets().open(fromStruct(request.getArgs()));
    const given = new Given(args, request.getUrn() ?? "");
    this.#run = startRun(given.get, process.env, this.#log, { stopping: this.#stop.signal, provider: given.provider });
    return new ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  async #invoke(request: InvokeRequest): Promise<InvokeResponse> {
    const token = request.getTok();
    const [call] = Object.entries(FUNCTIONS).flatMap(([name, one]) =>
      token === `solar-charging:index:${name}` ? [one] : [],
    );
    if (!call) throw new Error(`there is no function ${token}`);
    const args = new Secrets().open(fromStruct(request.getArgs()));
    if (isUnknown(args)) return new InvokeResponse();
    const result = await call(args, {
      run: () => this.#currentRun(),
      isPreview: this.#saysPreview ? request.getPreview() : undefined,
    });
    return new InvokeResponse().setReturn(toStruct(result as Readonly<Record<string, unknown>>));
  }

  /** The engine asks for it at the end of every run, and when the user stops one. */
  async #cancel(): Promise<Empty> {
    this.#stop.abort();
    const warning = this.#run?.forecasts.warning();
    if (warning) await this.#run?.warn(warning);
    return new Empty();
  }

  #currentRun(): Run {
    if (!this.#run) throw new Error("the engine called the provider before it was configured");
    return this.#run;
  }
}

/** A change of the configuration is never a replacement, which would replace every device of the provider. */
function diffConfig(request: DiffRequest): DiffResponse {
  const own = (properties: Readonly<Record<string, unknown>>) =>
    JSON.stringify(
      Object.entries(new Secrets().open(properties))
        .filter(([key]) => isConfiguration(key))
        .sort(),
    );
  const isSame = own(fromStruct(request.getOlds())) === own(fromStruct(request.getNews()));
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  return new DiffResponse().setChanges(isSame ? DIFF_NONE : DIFF_SOME);
}
