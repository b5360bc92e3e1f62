import { type Browser, chromium } from "playwright-core";
import { browserOfMachine } from "../../scripts/browser";

/** A browser for all tests of a describe. Without one on this machine they are skipped, and say so. */
export function givenBrowser(): { readonly browser: Browser } {
  const given = {} as { browser: Browser };
  before(async function () {
    const executablePath = browserOfMachine();
    if (executablePath === undefined) {
      console.log("    skipped: there is no Chromium on the PATH (Debian: apt-get install chromium)");
      this.skip();
    }
    // Containers, and users that may not make a sandbox, have none. The pages are ours.
    given.browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  after(() => given.browser?.close());
  return given;
}
