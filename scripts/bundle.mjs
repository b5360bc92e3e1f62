/**
 * Bundles into dist/ the programs that run without node_modules: the native plugin, the command line, and the page of
 * `solar-charging status --html`. dist/THIRD-PARTY.txt has the licenses of the packages in them, and dist/bundled.json their
 * folders.
 */
import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The name by which the engine looks for the plugin. */
const PLUGIN = "dist/plugin/pulumi-resource-solar-charging";

/** Leaves out zod's messages in other languages: they are never shown, and would be a fifth of the bundle. */
const WITHOUT_LOCALES = {
  name: "without locales",
  /** @param {import("esbuild").PluginBuild} build */
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({ contents: "", loader: "js" }));
  },
};

/** @type {import("esbuild").BuildOptions} */
const COMMON = { absWorkingDir: ROOT, bundle: true, legalComments: "none", metafile: true, logLevel: "warning" };

/** Bundles a compiled program that starts with a line for Node. @param {string} entry @param {string} outfile */
async function program(entry, outfile) {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: [entry],
    outfile,
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [WITHOUT_LOCALES],
  });
  chmodSync(join(ROOT, outfile), 0o755);
  return metafile;
}

async function page() {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: { page: "cli/status/page/main.tsx" },
    outdir: "dist/cli/status",
    minify: true,
    format: "iife",
    target: "es2022",
    // A report is sent to others without this package, so it contains the licenses.
    banner: {
      js: `/*!\n${["preact", "uplot", "suncalc"].map((name) => license(`node_modules/${name}`)).join("\n")}*/`,
    },
  });
  return metafile;
}

/** The name of a package, and its published license. @param {string} folder */
function license(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  const files = readdirSync(join(ROOT, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(join(ROOT, folder, file), "utf8").trim());
  return `${[`${name} ${version}: ${license}`, ...texts].join("\n\n")}\n`;
}

/** The folders of the packages in a bundle. @param {import("esbuild").Metafile} metafile */
function packagesIn({ inputs }) {
  return Object.keys(inputs).flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
}

const metafiles = await Promise.all([
  program("dist/provider/plugin/main.js", PLUGIN),
  program("dist/cli/main.js", "dist/bin/solar-charging"),
  page(),
]);
// Windows starts no file without an extension.
writeFileSync(join(ROOT, `${PLUGIN}.cmd`), '@node "%~dp0pulumi-resource-solar-charging" %*\r\n');
// The host of YAML keeps the plugin's schema, and reads it from the plugin only if this folder is newer.
const now = new Date();
utimesSync(join(ROOT, dirname(PLUGIN)), now, now);
const packages = [...new Set(metafiles.flatMap(packagesIn))].sort();
writeFileSync(join(ROOT, "dist", "bundled.json"), `${JSON.stringify(packages, null, 2)}\n`);
writeFileSync(join(ROOT, "dist", "THIRD-PARTY.txt"), packages.map(license).join(`\n${"-".repeat(80)}\n\n`));
