import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { CONFIGURATION_KEYS } from "../../provider/configuration/configurationKeys";
import { ownPackage } from "../../provider/engine/plugin";
import { ledgerLine } from "../../provider/ledger/ledgerLine";
import { LINT_CODES } from "../../provider/messages/codes";
import { variableOf } from "../../provider/messages/names";
import { GapReason, gapInWords } from "../../provider/settings/readiness";
import { SettingStatus } from "../../provider/settings/verification";
import { PAGES_FOR_AGENTS } from "../../scripts/agents";
import { repositoryOf } from "../../scripts/repository";
import { anchorOf, REGISTRY, withLinksToRepository } from "../../scripts/site";
import { PAGES_WITH_TABLES, withInstall, withTables } from "../../scripts/tables";
import { filesBelow } from "../support/folder";
import { blocksOf } from "../support/markdown";
import { ROOT } from "../support/project";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const PAGES = [
  "README.md",
  ...readdirSync(join(ROOT, "docs")).flatMap((name) => (/\.md$/.test(name) ? [`docs/${name}`] : [])),
];
const ALL = [
  ...PAGES,
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "simulator/README.md",
  "policy/README.md",
  "examples/ci/README.md",
];

const ADDRESS = repositoryOf(ownPackage());

/** The links of a page to other files, each with its anchor. */
function linksOf(page: string): { file: string; anchor: string }[] {
  const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? "",
  );
  return targets
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = "", anchor = ""] = target.split("#");
      return { file: path ? normalize(join(dirname(page), path)) : page, anchor };
    });
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

/** The files and folders of the source that a page names, each with the function or type that is named before it. */
function sourcesIn(page: string): { path: string; name: string | undefined }[] {
  const pattern = /(?:`(\w+)`\s+\()?`((?:provider|cli|sky|test|policy|scripts)\/[^`\s]*)`/g;
  return [...read(page).matchAll(pattern)].map(([, name, path = ""]) => ({ path, name }));
}

/** The link, if it leads to a file or heading that the repository does not have. */
function deadInRepository(link: string): string[] {
  if (!link.startsWith(ADDRESS)) return [];
  const [file = "", anchor = ""] = link.slice(`${ADDRESS}/blob/main/`.length).split("#");
  const isThere = existsSync(join(ROOT, file)) && (anchor === "" || anchorsOf(file).includes(anchor));
  return isThere ? [] : [link];
}

describe("the contributing guide", () => {
  it("names files that exist, and functions that are in them", () => {
    const sources = sourcesIn("CONTRIBUTING.md");
    expect(sources.filter(({ name }) => name !== undefined)).to.have.lengthOf.above(20);
    for (const { path, name } of sources) {
      expect(existsSync(join(ROOT, path)), path).to.equal(true);
      if (name === undefined || !path.endsWith(".ts")) continue;
      const declaration = new RegExp(`\\b(?:function|class|const|interface|type|async) ${name}\\b`);
      expect(declaration.test(read(path)), `${name} in ${path}`).to.equal(true);
    }
  });
});

describe("documents", () => {
  for (const page of ALL) {
    it(`${page} links to files and headings that are there`, () => {
      const dead = linksOf(page).filter(
        ({ file, anchor }) =>
          !existsSync(join(ROOT, file)) || (anchor !== "" && file.endsWith(".md") && !anchorsOf(file).includes(anchor)),
      );
      expect(dead).to.deep.equal([]);
    });
  }

  it("lead from pages of the Registry, which has no other page of them, to the repository", () => {
    for (const page of REGISTRY) {
      const text = read(page);
      expect(withLinksToRepository(page, text, ADDRESS), page).to.equal(text);
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
      expect(links.flatMap((link) => deadInRepository(link))).to.deep.equal([]);
      const within = links.filter((link) => link.startsWith("#")).map((link) => link.slice(1));
      expect(within.filter((anchor) => !anchorsOf(page).includes(anchor))).to.deep.equal([]);
    }
  });

  it("docs/index.md leads to every page", () => {
    const listed = linksOf("docs/index.md").map(({ file }) => file);
    expect(PAGES.filter((page) => page !== "docs/index.md" && !listed.includes(page))).to.deep.equal([]);
  });

  it("have the tables that npm run schema writes, and no other page has a mark of one", () => {
    expect(PAGES.filter((page) => /<!-- (table|example|install):/.test(read(page)))).to.have.members(PAGES_WITH_TABLES);
    for (const page of PAGES_WITH_TABLES) expect(read(page), page).to.equal(withTables(read(page)));
  });

  it("install the packages from npm once their repository has an address, and from a clone before", () => {
    // Without the note, the command would fail, or install somebody else's package of that name.
    const installing = PAGES.filter((page) =>
      /npm install (--save-dev )?(pulumi-)?solar-charging|www\.npmjs\.com/.test(read(page)),
    );
    // It would run, without a question, a package of that name that anybody may have registered.
    expect(PAGES.filter((page) => read(page).includes("npx --yes"))).to.deep.equal([]);
    expect(installing).to.include.members([
      "docs/languages.md",
      "docs/reviewing.md",
      "docs/installation-configuration.md",
    ]);
    for (const page of installing) {
      const at = (url: string) => withInstall(read(page), { ...ownPackage(), repository: { url } });
      expect(at("git+https://example.com/solar.git"), page).to.contain("not at npm yet");
      expect(at("git+https://github.com/acme/solar.git"), page).to.not.contain("not at npm yet");
    }
    for (const page of ["README.md", "docs/getting-started.md"]) {
      const at = (url: string) => withInstall(read(page), { ...ownPackage(), repository: { url } });
      expect(at("git+https://example.com/solar.git"), page).to.contain("not at npm yet").and.contain("npm pack");
      const released = at("git+https://github.com/acme/solar.git");
      expect(released, page).to.not.match(/not at npm|npm pack|\.tgz/);
      expect(released, page).to.contain("npm install pulumi-solar-charging\n");
    }
  });

  it("have the pages for coding agents that npm run schema writes, whose links lead to files and headings", () => {
    for (const [file, made] of Object.entries(PAGES_FOR_AGENTS)) {
      const text = read(file);
      expect(text, file).to.equal(made(read));
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
      expect(links, file).to.have.length.greaterThan(10);
      const target = (link: string) => join(dirname(file), link.replace(/#.*/, ""));
      const isDead = (link: string) =>
        link.startsWith("http") ? deadInRepository(link).length > 0 : !existsSync(join(ROOT, target(link)));
      expect(links.filter(isDead)).to.deep.equal([]);
    }
  });

  it("have links that this test follows: no references, and no links in HTML", () => {
    for (const page of ALL) expect(read(page), page).to.not.match(/^\[[^\]]+\]: |<a\s|\]\[/m);
  });

  it("list all settings of the configuration, warnings, gaps and ways to read back", () => {
    const configuration = read("docs/configuration.md");
    for (const key of CONFIGURATION_KEYS) {
      expect(configuration).to.contain(`| \`solar-charging:${key}\`<br>\`${variableOf(key)}\` |`);
    }
    expect(LINT_CODES.filter((name) => !read("docs/settings.md").includes(`\`${name}\``))).to.deep.equal([]);
    const concepts = read("docs/concepts.md");
    for (const name of Object.values(SettingStatus)) expect(concepts).to.contain(`| \`${name}\` |`);
    const gaps = [...concepts.matchAll(/^\| `(\w+)` \| `(\S+): (.*?)` \|/gm)];
    expect(gaps.map(([, reason]) => reason)).to.have.members(Object.values(GapReason));
    for (const [, reason, device = "", words = ""] of gaps) {
      const [setting = ""] = reason === "none" ? words.split(" ").slice(-1) : words.split(" ");
      expect(gapInWords({ device, setting, reason: reason as GapReason })).to.equal(`${device}: ${words}`);
    }
  });

  it("quote messages in docs/troubleshooting.md that the code has", () => {
    // A text that spans several lines of code counts as one text.
    const code = [...filesBelow(join(ROOT, "provider")), ...filesBelow(join(ROOT, "cli"))]
      .map((file) => readFileSync(file, "utf8").replace(/["'`] \+\s+["'`]/g, ""))
      .concat(read("test/unit/messages/golden.md"))
      .join("\n");
    const [ours = ""] = read("docs/troubleshooting.md").split("## The engine's messages");
    const cells = [...ours.matchAll(/^\| (`.+`) \| /gm)].map(([, cell = ""]) => cell);
    const quoted = cells.flatMap((cell) => [...cell.matchAll(/`(.+?)`/g)].map(([, message = ""]) => message));
    expect(quoted).to.have.length.greaterThan(30);
    const pieces = quoted.flatMap((message) => message.split(/…|HTTP \d+/)).filter((piece) => piece.trim().length > 3);
    expect(pieces.filter((piece) => !code.includes(piece.trim()))).to.deep.equal([]);
  });

  // What the provider cannot mend. Without these words, a user would look for the fault in the program.
  const LIMITS: readonly (readonly [page: string, ...words: string[]])[] = [
    ["languages.md", "npm", "pnpm", "yarn", "Bun is", "untested"],
    ["languages.md", "`pulumi:disable-default-providers`"],
    ["resources.md", '`ignoreChanges: ["vehicles[*].maxCapacity"]`'],
    ["configuration.md", "`no_proxy=127.0.0.1,localhost`"],
    ["troubleshooting.md", "`HTTP 401`", "`--run-program`"],
  ];
  for (const [page, ...words] of LIMITS) {
    it(`docs/${page} has a paragraph about ${words.join(", ")}`, () => {
      const paragraphs = read(`docs/${page}`).split(/\n(?=\n|- |\| )/);
      expect(paragraphs.filter((text) => words.every((word) => text.includes(word)))).to.have.lengthOf(1);
    });
  }

  it("show a line of a ledger that is one", () => {
    const [line] = blocksOf("docs/ledger.md").filter(({ language }) => language === "json");
    expect(ledgerLine.parse(JSON.parse(line?.text ?? ""))).to.include({ outcome: "accepted" });
  });

  it("have no code block that is not run or read by a test", () => {
    const found = PAGES.filter((page) => blocksOf(page).length > 0);
    expect(found).to.have.members(Object.keys(RUN_BY));
    for (const [page, test] of Object.entries(RUN_BY)) expect(read(test), page).to.contain(page);
  });
});

describe("the length of documents", () => {
  const wordsIn = (page: string) => read(page).split(/\s+/).length;

  for (const page of PAGES) {
    const most = page === "README.md" ? 900 : 1400;
    it(`${page} has at most ${most} words`, () => {
      expect(wordsIn(page)).to.be.at.most(most);
    });
  }

  it("is at most 18,500 words in all", () => {
    expect(PAGES.reduce((sum, page) => sum + wordsIn(page), 0)).to.be.at.most(18_500);
  });
});

/** The pages with code blocks, each with the test that runs them. */
const RUN_BY = {
  "README.md": "test/engine/readme.test.ts",
  "docs/_index.md": "test/engine/languages.test.ts",
  "docs/adopting.md": "test/long/adopt.test.ts",
  "docs/concepts.md": "test/long/documents.test.ts",
  "docs/configuration.md": "test/long/documents.test.ts",
  "docs/drift.md": "test/long/documents.test.ts",
  "docs/fleets.md": "test/long/documents.test.ts",
  "docs/getting-started.md": "test/engine/readme.test.ts",
  "docs/installation-configuration.md": "test/long/languages.test.ts",
  "docs/languages.md": "test/long/languages.test.ts",
  "docs/large-fleets.md": "test/cli/documents.test.ts",
  "docs/ledger.md": "test/cli/documents.test.ts",
  "docs/measuring.md": "test/cli/documents.test.ts",
  "docs/recovery.md": "test/crashes/site.ts",
  "docs/resources.md": "test/long/documents.test.ts",
  "docs/settings.md": "test/long/documents.test.ts",
  "docs/reviewing.md": "test/long/documents.test.ts",
  "docs/roof.md": "test/cli/documents.test.ts",
  "docs/status.md": "test/engine/status.test.ts",
  "docs/troubleshooting.md": "test/cli/documents.test.ts",
};
