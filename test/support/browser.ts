import { type Browser, chromium } from "playwright-core";
import { browserOfMachine } from "../../scripts/browser";

/** Longest time for one step of a browser on a slow machine, in milliseconds. Only a step that never ends takes it. */
export const LONGEST = 300_000;

/** A browser for all tests of a describe. If this machine has none, the tests are skipped with a message. */
export function givenBrowser(): { readonly browser: Browser } {
  const given = {} as { browser: Browser };
  before(async function () {
    const executablePath = browserOfMachine();
    if (executablePath === undefined) {
      console.log("    skipped: there is no Chromium on the PATH (Debian: apt-get install chromium)");
      this.skip();
    }
    // Some containers and users cannot make a sandbox. The pages are ours, so they need none.
    given.browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: LONGEST });
  });
  after(() => given.browser?.close());
  return given;
}
