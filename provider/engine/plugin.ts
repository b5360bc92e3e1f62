/** The plugin that the engine starts, and the address for its download. */
interface PluginRelease {
  readonly version: string;
  readonly pluginDownloadURL?: string;
}

/** The package.json of this package. It is the only source of name, version, author, keywords, license and address. */
export interface Package {
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly repository: { readonly url: string };
}

export function ownPackage(): Package {
  // A constant path, so that the bundler includes the file.
  return require("../../../package.json") as Package;
}

/** The plugin of the release of this package. */
export function ownPlugin(): PluginRelease {
  return pluginOf(ownPackage());
}

/** The plugin of a release. The engine downloads it if the repository is at GitHub. */
export function pluginOf({ version, repository }: Pick<Package, "version" | "repository">): PluginRelease {
  const [, owner, name] = /github\.com[/:]([\w-]+)\/([\w.-]+?)(?:\.git)?$/.exec(repository.url) ?? [];
  return { version, ...(owner && { pluginDownloadURL: `github://api.github.com/${owner}/${name}` }) };
}

/** Whether the package has releases. Without the address of its repository, there is no place to download them from. */
export function isReleased(own: Package): boolean {
  return pluginOf(own).pluginDownloadURL !== undefined;
}
