import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { basename, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { reason } from "./execute";

// It has no types of its own.
const { inject } = createRequire(__filename)("postject") as {
  inject(
    file: string,
    name: string,
    data: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
};

const ROOT = resolve(__dirname, "../..");
const NAME = "pulumi-resource-solar-charging";

/** What the engine calls this machine in the name of an archive. */
const SYSTEM = `${platform() === "win32" ? "windows" : platform()}-${arch() === "x64" ? "amd64" : arch()}`;

/** Marks in the `node` executable where a program may be put. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** What `npm run plugin` leaves. */
export interface Built {
  readonly executable: string;
  /** Archives as the engine expects them: for this machine, and a small one for machines that have Node. */
  readonly archives: readonly string[];
}

/** Builds the plugin as one executable for this machine, and the archives of a release. */
export async function buildPlugin(folder: string): Promise<Built> {
  const { version } = createRequire(__filename)(join(ROOT, "package.json")) as { version: string };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = await bundled(folder);
  const executable = await executableOf(folder, bundle);
  const archive = (of: string, files: string[]) => packed(folder, `${NAME}-v${version}-${of}.tar.gz`, files);
  const archives = [archive(SYSTEM, [basename(executable)]), archive("node", launchers(folder, bundle))];
  const sums = archives.map((file) => `${sha256(file)}  ${basename(file)}\n`);
  writeFileSync(join(folder, `checksums-${SYSTEM}.txt`), sums.join(""));
  return { executable, archives };
}

/** Messages of zod in other languages are never shown, and a fifth of the bundle. */
const WITHOUT_LOCALES: Plugin = {
  name: "without locales",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({ contents: "", loader: "js" }));
  },
};

/** The plugin and all that it loads, in one file. */
async function bundled(folder: string): Promise<string> {
  const outfile = join(folder, `${NAME}.cjs`);
  await build({
    entryPoints: [join(ROOT, "dist", "provider", "plugin", "main.js")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "inline",
    logLevel: "warning",
    plugins: [WITHOUT_LOCALES],
  });
  return outfile;
}

/** A copy of this `node` with the program in it, compiled beforehand: so it starts in half the time. */
async function executableOf(folder: string, bundle: string): Promise<string> {
  const executable = join(folder, platform() === "win32" ? `${NAME}.exe` : NAME);
  const [config, blob] = [join(folder, "sea-config.json"), join(folder, "sea.blob")];
  writeFileSync(
    config,
    JSON.stringify({ main: bundle, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }),
  );
  run(process.execPath, ["--experimental-sea-config", config]);
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  // macOS starts nothing whose signature does not fit.
  if (platform() === "darwin") run("codesign", ["--remove-signature", executable]);
  await inject(executable, "NODE_SEA_BLOB", readFileSync(blob), {
    sentinelFuse: FUSE,
    ...(platform() === "darwin" && { machoSegmentName: "NODE_SEA" }),
  });
  if (platform() === "darwin") run("codesign", ["--sign", "-", executable]);
  for (const file of [config, blob]) rmSync(file);
  return executable;
}

/** What starts the bundle with the Node that is there, in a folder of their own beside the executable of the same name. */
function launchers(folder: string, bundle: string): string[] {
  const own = join(folder, "node");
  mkdirSync(own);
  copyFileSync(bundle, join(own, basename(bundle)));
  writeFileSync(join(own, NAME), `#!/bin/sh\nexec node "$(dirname "$0")/${NAME}.cjs" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(own, `${NAME}.cmd`), `@node "%~dp0${NAME}.cjs" %*\r\n`);
  return [NAME, `${NAME}.cmd`, basename(bundle)].map((file) => join("node", file));
}

/** An archive of these files, with nothing above them. */
function packed(folder: string, name: string, files: readonly string[]): string {
  const of = files[0]?.startsWith("node") ? "node" : ".";
  // Without a drive in its name: a tar of Git for Windows takes what is before a colon for another machine.
  run("tar", ["-czf", name, "-C", of, ...files.map((file) => basename(file))], folder);
  return join(folder, name);
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function run(command: string, args: readonly string[], cwd?: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}

async function main(): Promise<void> {
  const { executable, archives } = await buildPlugin(join(ROOT, ".local", "plugin"));
  for (const file of [executable, ...archives]) {
    console.log(`${(statSync(file).size / 1e6).toFixed(1)} MB  ${file}`);
  }
}

if (require.main === module) {
  main().catch((error) => {
    console.error(reason(error));
    process.exitCode = 1;
  });
}
