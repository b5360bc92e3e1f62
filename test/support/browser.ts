import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** What a Chromium is called by distributions and by its maker. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The Chromium of this machine; undefined if there is none. */
export function browserOfMachine(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((file) => existsSync(file));
}

/** A browser for all tests of a describe. Without one on this machine they are skipped, and say so. */
export function givenBrowser(): { readonly browser: Browser } {
  const given = {} as { browser: Browser };
  before(async function () {
    const executablePath = browserOfMachine();
    if (executablePath === undefined) {
      console.log("    skipped: there is no Chromium on the PATH (Debian: apt-get install chromium)");
      this.skip();
    }
    this.timeout(60_000);
    // Containers, and users that may not make a sandbox, have none. The pages are ours.
    given.browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  after(() => given.browser?.close());
  return given;
}
