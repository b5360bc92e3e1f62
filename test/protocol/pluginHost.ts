import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigureRequest, ProviderHandshakeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { ROOT } from "../support/project";
import { type Asked, type HostOptions, type Properties, ProviderHost, startProcess, struct } from "./host";
import { PLUGIN } from "./installation";
import { urnOf } from "./provider";

export const MAIN = join(ROOT, "dist", "provider", "plugin", "main.js");

const CLASSES: Readonly<Record<string, string>> = {
  vehicle: "VehicleSettings",
  inverter: "InverterSettings",
  site: "SiteSettings",
};

/** The URN of the default provider, which the engine creates. */
export const DEFAULT_PROVIDER = "urn:pulumi:dev::p::pulumi:providers:solar-charging::default_0_1_0";

/**
 * The native plugin, with the same inputs as the host of dynamic resources, so that one table of cases covers both. The
 * provider string decides the type of the resource.
 */
export class PluginHost extends ProviderHost {
  static async start(
    options: HostOptions,
    urn = DEFAULT_PROVIDER,
    main = [process.execPath, MAIN],
  ): Promise<PluginHost> {
    const host = new PluginHost(await startProcess(main, tmpdir(), options));
    return await host.after(async () => {
      const request = new ProviderHandshakeRequest().setConfigureWithUrn(true).setInvokeWithPreview(true);
      await host.call(host.client.handshake, request);
      await host.configure(options.config ?? {}, urn);
    });
  }

  /** The engine gives a provider the configuration of its namespace. */
  async configure(config: Properties, urn = DEFAULT_PROVIDER): Promise<void> {
    const own = Object.entries(config).flatMap(([key, value]) =>
      key.startsWith("solar-charging:") ? [[key.replace("solar-charging:", ""), value]] : [],
    );
    const request = new ConfigureRequest().setArgs(struct(Object.fromEntries(own))).setAcceptsecrets(true);
    await this.call(this.client.configure, request.setSendsOldInputs(true).setUrn(urn));
  }

  /** The inputs of a dynamic resource in the plugin's form. */
  protected asked({ __provider, __program, ...values }: Properties): Asked {
    const className = CLASSES[String(__provider).split(".").at(-1) ?? ""] as string;
    const { urn = urnOf(PLUGIN, className, String(values.deviceId)) } = (__program ?? {}) as { urn?: string };
    return { urn, values, added: { __provider, ...(__program !== undefined && { __program }) } };
  }
}
