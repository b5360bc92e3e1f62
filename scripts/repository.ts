import type { Package } from "../provider/engine/plugin";

/** The address of the repository, such as `https://github.com/acme/solar`. */
export function repositoryOf({ repository }: Pick<Package, "repository">): string {
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}
