import { join } from "node:path";
import { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import {
  type Asked,
  type HostOptions,
  type Properties,
  ProviderHost,
  type Started,
  startProcess,
  struct,
} from "./host";
import { Installation, type Sdk } from "./installation";

/** Pulumi's own host of dynamic resources. */
export class DynamicHost extends ProviderHost {
  private constructor(
    started: Started,
    private readonly installation: Installation,
  ) {
    super(started);
  }

  static async start(sdk: Sdk, options: HostOptions): Promise<DynamicHost> {
    const installation = new Installation(sdk);
    const script = join(installation.folder, "node_modules/@pulumi/pulumi/cmd/dynamic-provider");
    const started = await startProcess([process.execPath, script], installation.folder, options);
    const host = new DynamicHost(started, installation);
    return await host.after(() => host.configure(options.config ?? {}));
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.installation.remove();
  }

  override kill(): void {
    super.kill();
    this.installation.remove();
  }

  async configure(config: Properties): Promise<void> {
    await this.call(this.client.configure, new ConfigureRequest().setArgs(struct(config)).setAcceptsecrets(true));
  }

  protected asked(values: Properties): Asked {
    return { urn: "", values, added: {} };
  }
}
