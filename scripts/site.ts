import { existsSync } from "node:fs";
import { posix } from "node:path";

/** Pages of the site that are not in docs/, each with its address. */
const OUTSIDE: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "docs/index.md": "pages.md",
  "CHANGELOG.md": "changelog.md",
  "CODE_OF_CONDUCT.md": "code-of-conduct.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security.md",
  "examples/ci/README.md": "pipelines.md",
  "examples/pipelines/README.md": "fleet-pipelines.md",
  "policy/README.md": "policy-pack.md",
  "measure/README.md": "measure-package.md",
  "simulator/README.md": "simulator-reference.md",
};

/** Pages of the Pulumi Registry, which repeat others. */
export const REGISTRY = ["docs/_index.md", "docs/installation-configuration.md"];

/**
 * The address of a Markdown file on the site, such as `concepts.md` for `docs/concepts.md`; undefined if it is not a
 * page.
 */
export function addressOf(file: string): string | undefined {
  if (REGISTRY.includes(file)) return undefined;
  return OUTSIDE[file] ?? /^docs\/(.+\.md)$/.exec(file)?.[1];
}

/** The anchor that GitHub gives a heading. The site uses the same one, so that a link works in both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * A link of a page on the site: to the page if the file is one, otherwise to the file in the repository.
 * @param page the file with the link, and `root`, the folder that it is relative to
 * @param repository address of the repository, such as `https://github.com/acme/solar`
 * @throws Error if there is no such file
 */
export function linkOnSite(
  page: string,
  link: string,
  { root, repository }: { readonly root: string; readonly repository: string },
): string {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [path = "", anchor] = link.split("#");
  const file = posix.join(posix.dirname(page), path);
  const address = addressOf(file);
  if (!address?.startsWith("api/") && !existsSync(posix.join(root, file))) {
    throw new Error(`${page} links to ${link}, and there is no file ${file}`);
  }
  const end = anchor === undefined ? "" : `#${anchor}`;
  return address ? `/${address.replace(/(index)?\.md$/, "")}${end}` : `${repository}/blob/main/${file}${end}`;
}

const NOTE = "(?:<!--[^>]*-->\\s*)?";
const PROGRAM = "```\\w+\\n(?:(?!```).)*```\\s*";
const FOLDED = `<details><summary>[^<]*</summary>\\s*${NOTE}${PROGRAM}${NOTE}</details>\\s*`;
/** A program in TypeScript, and below it those in other languages, which GitHub and npm show folded. */
const PROGRAMS = new RegExp(`(${PROGRAM})${NOTE}((?:${FOLDED})+)`, "gs");

/** A page with tabs for its programs in several languages. */
export function withTabs(page: string): string {
  return page.replace(PROGRAMS, (_all, first: string, folded: string) => {
    const others = [...folded.matchAll(/<summary>(.*?)<\/summary>.*?(```.*?```)/gs)];
    const programs = [[first.trim(), "TypeScript"], ...others.map(([, title, text = ""]) => [text, title])];
    const tabs = programs.map(([text = "", title]) => text.replace("\n", ` [${title}]\n`));
    return ["::: code-group", ...tabs, ":::", ""].join("\n\n");
  });
}

/** A package.json with the address of its repository. */
export interface Manifest {
  readonly repository: { readonly type: string; readonly url: string };
}

/**
 * A package.json with all fields of the repository that npm shows.
 * @param directory of a package that is not at the root
 */
export function withRepository<T extends Manifest>(manifest: T, address: string, directory?: string) {
  return {
    ...manifest,
    repository: { type: "git", url: `git+${address}.git`, ...(directory && { directory }) },
    homepage: `${address}${directory ? `/tree/main/${directory}` : ""}#readme`,
    bugs: `${address}/issues`,
  };
}

/** A page of the Registry with links into the repository, because the Registry has no other page of this package. */
export function withLinksToRepository(page: string, text: string, address: string): string {
  return text.replace(/\]\((?!#)([^)\s]+)\)/g, (whole, link: string) => {
    const [, inRepository] = /\/blob\/main\/(.*)$/.exec(link) ?? [];
    if (inRepository === undefined && /^[a-z]+:/.test(link)) return whole;
    return `](${address}/blob/main/${inRepository ?? posix.join(posix.dirname(page), link)})`;
  });
}
