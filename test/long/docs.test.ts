import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "chai";
import { ownPackage } from "../../provider/engine/plugin";
import { repositoryOf } from "../../scripts/repository";
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
    expect(deadLinks(path("site"), pages)).to.deep.equal([]);
  });
});

/** The address of this test's site. */
const SERVED = "http://site.test/solar/";

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Dead links: to a page or a heading that the site does not have, or to a file that the repository does not have. */
function deadLinks(site: string, pages: readonly string[]): string[] {
  const repository = `${repositoryOf(ownPackage())}/blob/main/`;
  const anchors = new Map(
    pages.map((page) => [
      page,
      new Set([...readFileSync(page, "utf8").matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  );
  const isAlive = (page: string, href: string): boolean => {
    if (href.startsWith(repository)) return existsSync(join(ROOT, href.slice(repository.length).replace(/#.*/, "")));
    const { host, pathname, hash } = new URL(href.replaceAll("&amp;", "&"), `${SERVED}${relative(site, page)}`);
    if (host !== new URL(SERVED).host) return true;
    const file = join(site, decodeURI(pathname).replace(/^\/solar\//, ""));
    const target = [file, `${file}.html`, join(file, "index.html")].find((one) => anchors.has(one) || isFile(one));
    const anchor = decodeURIComponent(hash.slice(1));
    return target !== undefined && (!anchor || !anchors.has(target) || anchors.get(target)?.has(anchor) === true);
  };
  return pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/<a [^>]*?href="([^"]*)"/g)]
      .map(([, href = ""]) => href)
      .filter((href) => !isAlive(page, href))
      .map((href) => `${relative(site, page)}: ${href}`),
  );
}
