import { copyFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { execute, reason } from "./execute";

const ROOT = resolve(__dirname, "../..");
const SETTINGS = join(ROOT, "docs", ".vitepress");

/**
 * `npm run docs`: builds the site from docs/, with the API reference from the docstrings. An undocumented export and a
 * dead link fail it. `--base /solar/` is the path under which the site is served.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      base: { type: "string", default: "/" },
      out: { type: "string", default: join(ROOT, ".local", "site") },
    },
  });
  const node = (module: string, ...args: string[]) =>
    execute(process.execPath, [join(ROOT, "node_modules", module), ...args], {
      env: process.env,
      seconds: 300,
      cwd: ROOT,
    });
  rmSync(join(ROOT, "docs", "api"), { recursive: true, force: true }); // Removes pages of exports that no longer exist.
  await node("typedoc/bin/typedoc", "--options", join(SETTINGS, "typedoc.json"));
  await node("vitepress/bin/vitepress.js", "build", "docs", "--base", values.base, "--outDir", values.out);
  copyFileSync(join(ROOT, "llms.txt"), join(values.out, "llms.txt"));
  console.log(`The site is in ${relative(process.cwd(), values.out)}. To look at it: npx vitepress preview docs`);
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
