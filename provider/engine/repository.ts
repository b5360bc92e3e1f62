import { type Package, pluginOf } from "./plugin";

/** The address of the repository, such as `https://github.com/acme/solar`. */
export function repositoryOf({ repository }: Pick<Package, "repository">): string {
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** Whether the package has releases. Without the address of its repository, there is no place to download them from. */
export function isReleased(own: Package): boolean {
  return pluginOf(own).pluginDownloadURL !== undefined;
}
