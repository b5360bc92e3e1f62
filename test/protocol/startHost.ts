import { DynamicHost } from "./dynamicHost";
import type { HostOptions, ProviderHost } from "./host";
import { PLUGIN, type Sdk } from "./installation";
import { PluginHost } from "./pluginHost";

/** Starts the host for the tests of both doors. */
export function startHost(sdk: Sdk, options: HostOptions): Promise<ProviderHost> {
  return sdk === PLUGIN ? PluginHost.start(options) : DynamicHost.start(sdk, options);
}
