import { existsSync } from "node:fs";
import { posix } from "node:path";

/** Pages of the site that are not in docs/, each with its address. */
const OUTSIDE: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "docs/index.md": "pages.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security.md",
  "examples/ci/README.md": "pipelines.md",
  "policy/README.md": "policy-pack.md",
  "simulator/README.md": "simulator-reference.md",
};

/** Pages of the Pulumi Registry, which repeat others. */
export const REGISTRY = ["docs/_index.md", "docs/installation-configuration.md"];

/** The address of a Markdown file on the site, such as `concepts.md` for `docs/concepts.md`; undefined if it is no page. */
export function addressOf(file: string): string | undefined {
  if (REGISTRY.includes(file)) return undefined;
  return OUTSIDE[file] ?? /^docs\/(.+\.md)$/.exec(file)?.[1];
}

/** The anchor that GitHub gives a heading. The site gives the same one, so that a link works in both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * A link of a page as the site has it: to the page if the file is one, else to the file in the repository; undefined if
 * the repository is not known.
 * @param page the file with the link, and `root`, the folder that it is relative to
 * @param repository address of the repository, such as `https://github.com/acme/solar`
 * @throws Error if there is no such file
 */
export function linkOnSite(
  page: string,
  link: string,
  { root, repository }: { readonly root: string; readonly repository?: string | undefined },
): string | undefined {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [path = "", anchor] = link.split("#");
  const file = posix.join(posix.dirname(page), path);
  const address = addressOf(file);
  if (!address?.startsWith("api/") && !existsSync(posix.join(root, file))) {
    throw new Error(`${page} links to ${link}, and there is no file ${file}`);
  }
  const end = anchor === undefined ? "" : `#${anchor}`;
  if (address) return `/${address.replace(/(index)?\.md$/, "")}${end}`;
  return repository && `${repository}/blob/main/${file}${end}`;
}

/** The address of the repository: of the workflow's, else of package.json. */
export function repositoryOf(
  environment: NodeJS.ProcessEnv,
  manifest: { readonly repository?: { readonly url: string } },
): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = environment;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY) return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  return manifest.repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");
}
