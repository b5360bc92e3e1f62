/** Bundles the page of `solar-charging report`, with the libraries that it is made of, into dist/cli/report/page.js and .css. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

// What is bundled has to carry its license.
const licenses = ["preact", "uplot", "suncalc"].map(
  (name) => `${name}\n${readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8").trim()}`,
);

await build({
  absWorkingDir: ROOT,
  entryPoints: { page: "cli/report/page/main.tsx" },
  outdir: join("dist", "cli", "report"),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  banner: { js: `/*!\n${licenses.join("\n\n")}\n*/` },
  logLevel: "warning",
});
