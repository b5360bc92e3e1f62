/** The plugin that the engine starts, and its address, for resources, functions and the schema. */
export interface PluginRelease {
  readonly version: string;
  readonly pluginDownloadURL?: string;
}

interface Package {
  readonly version: string;
  /** Absent until an address is known. */
  readonly repository?: string | { readonly url: string };
}

/** The plugin of the release of this package. */
export function ownPlugin(): PluginRelease {
  // As a constant, so that a bundle has it in itself.
  return pluginOf(require("../../../package.json") as Package);
}

/** The engine downloads from releases at GitHub, if the repository is there. */
export function pluginOf({ version, repository = "" }: Package): PluginRelease {
  const address = typeof repository === "string" ? repository : repository.url;
  const [, owner, name] = /(?:^|^github:|github\.com[/:])([\w-]+)\/([\w.-]+?)(?:\.git)?$/.exec(address) ?? [];
  return { version, ...(owner && { pluginDownloadURL: `github://api.github.com/${owner}/${name}` }) };
}
