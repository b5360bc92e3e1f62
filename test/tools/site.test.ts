import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ownPackage } from "../../provider/engine/plugin";
import { repositoryOf } from "../../scripts/repository";
import {
  addressOf,
  anchorOf,
  linkOnSite,
  REGISTRY,
  withLinksToRepository,
  withRepository,
  withTabs,
} from "../../scripts/site";
import { ROOT } from "../support/project";

const ADDRESS = repositoryOf(ownPackage());

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

  it("fails for a link to a file that is not there", () => {
    expect(() => linkOnSite("docs/concepts.md", "none.md", options)).to.throw("no file docs/none.md");
  });

  it("has the anchors that GitHub has", () => {
    expect(anchorOf("Names of an inverter's settings")).to.equal("names-of-an-inverters-settings");
    expect(anchorOf("failed to load checkpoint: EOF")).to.equal("failed-to-load-checkpoint-eof");
  });

  for (const directory of [undefined, "policy", "simulator", "measure"]) {
    it(`has the repository of package.json in ${directory ?? "it"} whole`, () => {
      const manifest = JSON.parse(readFileSync(join(ROOT, directory ?? "", "package.json"), "utf8"));
      expect(withRepository(manifest, ADDRESS, directory)).to.deep.equal(manifest);
    });
  }

  it("has the programs of other languages as tabs, and other folded parts and programs as they are", () => {
    const yaml = "<!-- example: yaml -->\n\n```yaml\na: 1\n```\n\n<!-- end -->\n\n";
    const folded = `<details><summary>YAML</summary>\n\n${yaml}</details>\n\n`;
    const before = "```ts\nalone;\n```\n\nText.\n\n<details><summary>More</summary>\n\ntext\n\n</details>\n\n";
    expect(withTabs(`${before}\`\`\`ts\nfirst;\n\`\`\`\n\n${folded}After.\n`)).to.equal(
      `${before}::: code-group\n\n\`\`\`ts [TypeScript]\nfirst;\n\`\`\`\n\n\`\`\`yaml [YAML]\na: 1\n\`\`\`\n\n:::\n\nAfter.\n`,
    );
  });

  it("follows the repository if that moves", () => {
    const text =
      "[a](configuration.md#values) [b](#here) [c](https://pulumi.com) [d](https://old.test/x/blob/main/docs/b.md)";
    expect(withLinksToRepository("docs/_index.md", text, "https://new.test/y")).to.equal(
      "[a](https://new.test/y/blob/main/docs/configuration.md#values) [b](#here) [c](https://pulumi.com) [d](https://new.test/y/blob/main/docs/b.md)",
    );
  });

  it("lists every page of docs/ in its sidebar, but those of the Pulumi Registry", () => {
    const config = readFileSync(join(ROOT, "docs", ".vitepress", "config.mts"), "utf8");
    const pages = readdirSync(join(ROOT, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []));
    const addresses = pages.flatMap((page) => addressOf(page) ?? []);
    expect(addresses).to.have.lengthOf(pages.length - REGISTRY.length);
    for (const address of addresses) expect(config).to.contain(`"/${address.replace(".md", "")}"`);
  });
});
