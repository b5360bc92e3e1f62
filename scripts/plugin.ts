import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { reason } from "./execute";

// The package has no types of its own.
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

/** The plugin for machines that have Node: the bundle, and its launcher for Windows. */
const BUNDLE = join(ROOT, "dist", "plugin");

/** The engine's word for this system, in the name of an archive. */
const SYSTEM = `${platform() === "win32" ? "windows" : platform()}-${arch() === "x64" ? "amd64" : arch()}`;

/** The plugin's file that this machine starts with its Node. */
const LAUNCHER = join(BUNDLE, platform() === "win32" ? `${NAME}.cmd` : NAME);

/** Marks the place for a program in the `node` executable. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** The results of `npm run plugin`. */
export interface Built {
  readonly executable: string;
  /** Archives in the engine's form: one for this machine, and a small one for machines that have Node. */
  readonly archives: readonly string[];
}

/** Builds the plugin as one executable for this machine, and the archives of a release. */
export async function buildPlugin(folder: string): Promise<Built> {
  const { version } = createRequire(__filename)(join(ROOT, "package.json")) as { version: string };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const executable = await executableOf(folder);
  for (const plugin of [executable, LAUNCHER]) {
    const answer = run(plugin, ["--version"]).trim();
    if (answer !== version) throw new Error(`${plugin} is version ${answer}, not ${version}`);
  }
  const archive = (of: string, from: string, files: readonly string[]) =>
    packed(folder, `${NAME}-v${version}-${of}.tar.gz`, from, files);
  const archives = [archive(SYSTEM, folder, [basename(executable)]), archive("node", BUNDLE, readdirSync(BUNDLE))];
  const sums = archives.map((file) => `${sha256(file)}  ${basename(file)}\n`);
  writeFileSync(join(folder, `checksums-${SYSTEM}.txt`), sums.join(""));
  return { executable, archives };
}

/** A copy of this `node` that contains the compiled program. Compiled in advance, it starts in half the time. */
async function executableOf(folder: string): Promise<string> {
  const executable = join(folder, platform() === "win32" ? `${NAME}.exe` : NAME);
  const [config, blob] = [join(folder, "sea-config.json"), join(folder, "sea.blob")];
  writeFileSync(
    config,
    JSON.stringify({ main: join(BUNDLE, NAME), output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }),
  );
  run(process.execPath, ["--experimental-sea-config", config]);
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  // macOS does not start a program with an invalid signature.
  if (platform() === "darwin") run("codesign", ["--remove-signature", executable]);
  await inject(executable, "NODE_SEA_BLOB", readFileSync(blob), {
    sentinelFuse: FUSE,
    ...(platform() === "darwin" && { machoSegmentName: "NODE_SEA" }),
  });
  if (platform() === "darwin") run("codesign", ["--sign", "-", executable]);
  for (const file of [config, blob]) rmSync(file);
  return executable;
}

/** An archive of these files, without a folder above them. */
function packed(folder: string, name: string, from: string, files: readonly string[]): string {
  // A path without a drive: the tar of Git for Windows takes the part before a colon for another machine.
  run("tar", ["-czf", name, "-C", relative(folder, from) || ".", ...files], folder);
  return join(folder, name);
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** @returns the output of the command @throws Error if it fails */
function run(command: string, args: readonly string[], cwd?: string): string {
  const shell = command.endsWith(".cmd"); // Windows starts such a file only by a shell.
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", shell });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return stdout;
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
