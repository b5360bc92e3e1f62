import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { filesBelow, temporaryFolder } from "../support/folder";
import { outputOf, ROOT } from "../support/project";

describe("npm run docs", () => {
  const path = temporaryFolder();

  it("builds a site that loads nothing from another host, with an API reference and an index for its search", async () => {
    const args = [join(ROOT, "dist", "scripts", "docs.js"), "--out", path("site"), "--base", "/solar/"];
    const { code, text } = await outputOf(spawn(process.execPath, args, { cwd: ROOT }));
    expect(code, text).to.equal(0);

    const files = filesBelow(path("site"));
    const pages = files.filter((file) => file.endsWith(".html"));
    expect(pages).to.include.members([
      path("site/index.html"),
      path("site/api/pulumi-solar-charging/classes/SiteSettings.html"),
    ]);
    expect(files.some((file) => /localSearchIndex.*\.js$/.test(file))).to.equal(true);
    for (const page of pages) {
      const html = readFileSync(page, "utf8");
      const loaded = [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\s(?:src|href)="([^"]*)"/g)].map(
        ([, url]) => url,
      );
      expect(loaded, page).to.not.be.empty;
      expect(
        loaded.filter((url) => !/^(\/solar\/|data:)/.test(url ?? "")),
        page,
      ).to.deep.equal([]);
      expect(html).to.contain("default-src 'self'");
    }
  }).timeout(180_000);
});
