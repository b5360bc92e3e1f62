import { constants } from "node:fs";
import { access, chmod, copyFile, mkdir, realpath, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { delimiter, join, sep } from "node:path";
import { execute, reason } from "./execute";
import type { Progress } from "./progress";

/** The version that is fetched: the newest one that both npm's launcher and the Go modules offer. */
export const ENGINE_VERSION = "3.259.0";
/** The oldest one accepted on PATH: as old as the newest SDK for Node 20, with which we build and test. */
export const CLI_MINIMUM = "3.248.0";
/** What the engine's go.mod asks for. */
export const GO_MINIMUM = "1.25.11";

const CLI = "pulumi";
const LANGUAGE_HOST = "pulumi-language-nodejs";
const DYNAMIC_PROVIDER = "pulumi-resource-pulumi-nodejs";
const DOWNLOAD_URL = "https://get.pulumi.com/install.sh";

/** What the sources of an engine need of the world. */
export interface EngineContext {
  env: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  /** How long the download's host may take to answer. */
  probeMilliseconds: number;
  /** `run.js` of npm's launcher. */
  launcher: string;
  /** Folder of `@pulumi/pulumi`. */
  sdk: string;
  progress: Progress;
}

export interface Found {
  /** Folder that holds `pulumi`, to be put first on PATH. */
  bin: string;
  version: string;
}

/** Makes sure that `bin` holds a whole engine that runs; `elsewhere` are more folders to look for its helpers. */
export async function inspectEngine(bin: string, { env }: EngineContext, elsewhere: string[] = []): Promise<Found> {
  await requireExecutable(CLI, [bin]);
  await requireExecutable(LANGUAGE_HOST, [bin, ...elsewhere]);
  await requireExecutable(DYNAMIC_PROVIDER, [bin, ...elsewhere]);
  const output = await execute(join(bin, CLI), ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    seconds: 15,
  });
  return { bin, version: versionIn(output) };
}

/** Source 1: an installed CLI. */
export async function searchPath(context: EngineContext): Promise<Found> {
  const folders = (context.env.PATH ?? "").split(delimiter).filter(Boolean);
  const rejected: string[] = [];
  for (const folder of folders) {
    const cli = join(folder, CLI);
    // npm's launcher is not an installed CLI: to ask for its version would start a download without a time-out.
    const file = await realpath(cli).catch(() => undefined);
    if (!file || file.includes(`${sep}node_modules${sep}`)) continue;
    try {
      const found = await inspectEngine(folder, context, folders);
      if (atLeast(found.version, CLI_MINIMUM)) return found;
      rejected.push(`${cli} is ${found.version}, older than ${CLI_MINIMUM}`);
    } catch (error) {
      rejected.push(reason(error));
    }
  }
  throw new Error(rejected.join("; ") || "none");
}

/** Source 3: the official download, by npm's launcher, in a home of its own. Gives the folder it has filled. */
export async function downloadWithLauncher(folder: string, context: EngineContext): Promise<string> {
  const { env, fetch, launcher, probeMilliseconds, progress } = context;
  const host = new URL(DOWNLOAD_URL).host;
  // The launcher itself would wait for the host without end.
  await progress.step(`Asking whether ${host} answers (at most ${probeMilliseconds / 1_000} s)`, async () => {
    const signal = AbortSignal.timeout(probeMilliseconds);
    const response = await fetch(DOWNLOAD_URL, { signal }).catch((error) => {
      throw new Error(`${host} cannot be reached: ${reason(error)}`);
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${host} answers with HTTP ${response.status}`);
  });
  await progress.step(
    `Downloading Pulumi ${ENGINE_VERSION}`,
    () =>
      execute(process.execPath, [launcher, "version"], {
        env: { ...env, PULUMI_HOME: folder, PULUMI_VERSION: ENGINE_VERSION, PULUMI_SKIP_UPDATE_CHECK: "true" },
        seconds: 600,
      }),
    60,
  );
  return join(folder, "versions", ENGINE_VERSION);
}

/** `coreSeconds`: what compiling takes on one core, nearly; it uses all of them. */
const GO_TOOLS = [
  {
    name: CLI,
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    version: ENGINE_VERSION,
    flags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`,
    coreSeconds: 600,
  },
  {
    name: LANGUAGE_HOST,
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    version: "3.68.0", // The last one published as a module; it serves the current engine and SDKs.
    flags: "-s -w",
    coreSeconds: 30,
  },
  {
    name: "pulumi-language-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    version: "1.32.0", // The newest one whose modules are all published.
    flags: "-s -w",
    coreSeconds: 120,
    isOptional: true, // Without it, the test of the example in YAML says that it is skipped.
  },
];

/** Source 4: built from Go modules, where only package registries can be reached. Gives the folder it has filled. */
export async function buildFromGoModules(folder: string, { env, sdk, progress }: EngineContext): Promise<string> {
  const goEnv = { ...env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GOWORK: "off" };
  const go = (args: string[], cwd: string) => execute("go", args, { cwd, env: goEnv, seconds: 1_800 });

  const version = await go(["env", "GOVERSION"], folder).then(versionIn, () => {
    throw new Error("no working go on PATH");
  });
  if (!atLeast(version, GO_MINIMUM)) throw new Error(`go on PATH is ${version}, older than ${GO_MINIMUM}`);

  const content = join(folder, "engine");
  const bin = join(content, "bin");
  await mkdir(bin, { recursive: true });
  const build = async (tool: (typeof GO_TOOLS)[number]) => {
    // `go install` refuses packages whose go.mod has replace directives: a module of our own requires them instead.
    const scratch = join(folder, tool.name);
    await mkdir(scratch);
    await writeFile(join(scratch, "go.mod"), "module scratch\n\ngo 1.25\n");
    await progress.step(
      `Fetching the Go modules of ${tool.name} ${tool.version}`,
      () => go(["get", `${tool.package}@v${tool.version}`], scratch),
      60,
    );
    await progress.step(
      `Compiling ${tool.name} ${tool.version}`,
      () => go(["build", "-ldflags", tool.flags, "-o", join(bin, tool.name), tool.package], scratch),
      tool.coreSeconds / availableParallelism(),
    );
  };
  for (const tool of GO_TOOLS) {
    await build(tool).catch((error) => {
      if (!tool.isOptional) throw error;
      progress.say(`${tool.name} is left out: ${reason(error)}`);
    });
  }
  await copyFile(join(sdk, DYNAMIC_PROVIDER), join(bin, DYNAMIC_PROVIDER));
  await chmod(join(bin, DYNAMIC_PROVIDER), 0o755);
  return content;
}

async function requireExecutable(name: string, folders: string[]): Promise<void> {
  for (const folder of folders) {
    const usable = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return;
  }
  throw new Error(`${folders[0]} holds no ${name}${folders.length > 1 ? ", nor does PATH" : ""}`);
}

function versionIn(output: string): string {
  const version = /\d+\.\d+(\.\d+)?/.exec(output)?.[0];
  if (!version) throw new Error(`no version in "${output.trim()}"`);
  return version;
}

function atLeast(version: string, minimum: string): boolean {
  return version.localeCompare(minimum, "en", { numeric: true }) >= 0;
}
