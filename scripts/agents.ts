import { posix } from "node:path";
import { isReleased, ownPackage } from "../provider/engine/plugin";
import { repositoryOf } from "./repository";
import { withLinksToRepository } from "./site";

const SKILL = "skills/solar-charging/SKILL.md";

/**
 * The files for coding agents: an index of the documents, and a page that is enough to begin. Both come from the
 * documents.
 */
export const PAGES_FOR_AGENTS = { "llms.txt": llmsText, [SKILL]: skillPage };

/** Reads a file of the repository. */
type Read = (file: string) => string;

/** The sections of the documents that the skill contains, each with its page. */
const SECTIONS: readonly (readonly [page: string, heading: string])[] = [
  ["README.md", "Use it"],
  ["README.md", "What it never does"],
  ["docs/index.md", "Commands"],
  ["README.md", "Maturity"],
  ["docs/concepts.md", "Readiness"],
  ["docs/drift.md", "Delete"],
  ["docs/troubleshooting.md", "Exit codes"],
];

/** An index in the form of https://llmstxt.org. */
function llmsText(read: Read): string {
  const { name, description } = packageOf(read);
  const rows = [...read("docs/index.md").matchAll(/^\| (\[.*?\) ?.*?) \| (.*?) \|$/gm)];
  const pages = rows
    .filter(([line]) => !line.includes("solar-charging "))
    .map(([, page, what]) => `- ${page}: ${what}`);
  return linked(
    "docs/index.md",
    [`# ${name}`, "", `> ${description}`, "", "## Documentation", "", ...pages, ""],
    "llms.txt",
  );
}

function skillPage(read: Read): string {
  const { name, description } = packageOf(read);
  const front = [
    "---",
    `name: ${name.replace("pulumi-", "")}`,
    `description: Write, preview, apply and repair programs of ${name}. ${description}.`,
    "---",
    "",
    `# ${name}`,
    "",
  ];
  const sections = SECTIONS.map(([page, heading]) => linked(page, sectionOf(read(page), heading), SKILL));
  return [...front, ...sections].join("\n");
}

function packageOf(read: Read): { readonly name: string; readonly description: string } {
  return JSON.parse(read("package.json"));
}

/** The lines of a section, from its heading to before the next one. */
function sectionOf(text: string, heading: string): string[] {
  const lines = text.split("\n");
  const first = lines.indexOf(`## ${heading}`);
  if (first < 0) throw new Error(`no page has the section ${heading} any more: change SECTIONS`);
  const length = lines.slice(first + 1).findIndex((line) => line.startsWith("## "));
  const section = lines.slice(first, length < 0 ? undefined : first + 1 + length);
  return section.filter((line) => !line.startsWith("<img "));
}

/**
 * Lines of a page with links that work in another file: to the repository, or to the files of the package as long as the
 * repository has no address.
 */
function linked(page: string, lines: readonly string[], made: string): string {
  const [, file] = /([^/]*)$/.exec(page) ?? [];
  const text = lines.join("\n").replaceAll("](#", `](${file}#`);
  if (isReleased(ownPackage())) return withLinksToRepository(page, text, repositoryOf(ownPackage()));
  const toRoot = posix.relative(posix.dirname(made), ".") || ".";
  return withLinksToRepository(page, text, "<root>").replaceAll("](<root>/blob/main/", `](${toRoot}/`);
}
