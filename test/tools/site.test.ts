import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { addressOf, anchorOf, linkOnSite, repositoryOf } from "../../scripts/site";
import { ROOT } from "../support/project";

describe("the site of the documents", () => {
  const options = { root: ROOT, repository: "https://github.com/acme/solar" };

  for (const [page, link, onSite] of [
    ["README.md", "docs/getting-started.md", "/getting-started"],
    ["docs/getting-started.md", "../README.md#use-it", "/#use-it"],
    ["docs/getting-started.md", "index.md", "/pages"],
    ["docs/concepts.md", "#drift", "#drift"],
    ["docs/concepts.md", "https://example.com/a.md", "https://example.com/a.md"],
    ["docs/reviewing.md", "../policy/README.md", "/policy-pack"],
    [
      "docs/languages.md",
      "../examples/languages/go/main.go",
      `${options.repository}/blob/main/examples/languages/go/main.go`,
    ],
    ["examples/ci/README.md", "up.sh", `${options.repository}/blob/main/examples/ci/up.sh`],
  ] as const) {
    it(`leads from ${page} to ${onSite}`, () => expect(linkOnSite(page, link, options)).to.equal(onSite));
  }

  it("has no link to a file of a repository that is not known", () => {
    expect(linkOnSite("README.md", "LICENSE", { root: ROOT })).to.equal(undefined);
  });

  it("fails for a link to a file that is not there", () => {
    expect(() => linkOnSite("docs/concepts.md", "none.md", options)).to.throw("no file docs/none.md");
  });

  it("has the anchors that GitHub has", () => {
    expect(anchorOf("Names of an inverter's settings")).to.equal("names-of-an-inverters-settings");
    expect(anchorOf("failed to load checkpoint: EOF")).to.equal("failed-to-load-checkpoint-eof");
  });

  it("knows its repository from the workflow, else from package.json", () => {
    const workflow = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "acme/solar" };
    const repository = { url: "git+https://github.com/a/b.git" };
    expect(repositoryOf(workflow, { repository })).to.equal("https://github.com/acme/solar");
    expect(repositoryOf({}, { repository })).to.equal("https://github.com/a/b");
    expect(repositoryOf({}, {})).to.equal(undefined);
  });

  it("lists every page of docs/ in its sidebar, but those of the Pulumi Registry", () => {
    const config = readFileSync(join(ROOT, "docs", ".vitepress", "config.mts"), "utf8");
    const pages = readdirSync(join(ROOT, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []));
    const addresses = pages.flatMap((page) => addressOf(page) ?? []);
    expect(addresses).to.have.lengthOf(pages.length - 2);
    for (const address of addresses) expect(config).to.contain(`"/${address.replace(".md", "")}"`);
  });
});
