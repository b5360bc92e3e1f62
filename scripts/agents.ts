import { ownPackage } from "../provider/engine/plugin";
import { repositoryOf } from "../provider/engine/repository";
import { withLinksToRepository } from "./site";

/**
 * The files for coding agents: an index of the documents, and a page that is enough to begin. Both come from the
 * documents.
 */
export const PAGES_FOR_AGENTS = { "llms.txt": llmsText, "skills/solar-charging/SKILL.md": skillPage };

/** Reads a file of the repository. */
type Read = (file: string) => string;

/** The sections of the documents that the skill contains, each with its page. */
const SECTIONS: readonly (readonly [page: string, heading: string])[] = [
  ["README.md", "Use it"],
  ["README.md", "What it never does"],
  ["README.md", "Commands"],
  ["README.md", "Maturity"],
  ["docs/concepts.md", "Readiness"],
  ["docs/concepts.md", "Delete"],
  ["docs/troubleshooting.md", "Roll back"],
  ["docs/troubleshooting.md", "Exit codes"],
];

/** An index in the form of https://llmstxt.org. */
function llmsText(read: Read): string {
  const { name, description } = packageOf(read);
  const rows = [...read("docs/index.md").matchAll(/^\| (\[.*?\) ?.*?) \| (.*?) \|$/gm)];
  const pages = rows
    .filter(([line]) => !line.includes("solar-charging "))
    .map(([, page, what]) => `- ${page}: ${what}`);
  return absolute("docs/index.md", [`# ${name}`, "", `> ${description}`, "", "## Documentation", "", ...pages, ""]);
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
  const sections = SECTIONS.map(([page, heading]) => absolute(page, sectionOf(read(page), heading)));
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

/** Lines of a page with links that work anywhere. */
function absolute(page: string, lines: readonly string[]): string {
  const [, file] = /([^/]*)$/.exec(page) ?? [];
  const text = lines.join("\n").replaceAll("](#", `](${file}#`);
  return withLinksToRepository(page, text, repositoryOf(ownPackage()));
}
