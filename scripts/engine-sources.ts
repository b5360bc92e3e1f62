import { constants, existsSync } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve, sep } from "node:path";
import { execute, reason } from "./execute";
import type { Progress } from "./progress";

/** The fetched version: the newest one that both npm's launcher and the Go modules offer. */
export const ENGINE_VERSION = "3.259.0";
/** The oldest version that is accepted on PATH: that of the newest SDK for Node 20, with which we build and test. */
export const CLI_MINIMUM = "3.248.0";

export const CLI = "pulumi";
export const LANGUAGE_HOST = "pulumi-language-nodejs";
export const DYNAMIC_PROVIDER = "pulumi-resource-pulumi-nodejs";
const DOWNLOAD_URL = "https://get.pulumi.com/install.sh";

/** The environment, tools and limits for the sources of an engine. */
export interface EngineContext {
  env: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  /** Time in which the download's host has to answer. */
  probeMilliseconds: number;
  /** `run.js` of npm's launcher. */
  launcher: string;
  /** Folder of `@pulumi/pulumi`. */
  sdk: string;
  progress: Progress;
  /** Whether the engine also has to support state in cloud storages. */
  needsClouds: boolean;
}

export interface Found {
  /** Folder with `pulumi`, to be put first on PATH. */
  bin: string;
  version: string;
  /** Whether the engine also supports state in cloud storages. */
  hasClouds: boolean;
}

/** The folder of the fetched engine. npm's launcher and the Automation API use it too. */
export function engineFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", ENGINE_VERSION);
}

/** Name of a file beside `bin`. It marks an engine that supports state in folders and PostgreSQL only. */
export const WITHOUT_CLOUDS = "without-clouds";

/** Checks that `bin` contains a complete engine that runs. @param elsewhere further folders with its helpers */
export async function inspectEngine(
  bin: string,
  { env, needsClouds }: EngineContext,
  elsewhere: string[] = [],
): Promise<Found> {
  await requireExecutable(CLI, [bin]);
  await requireExecutable(LANGUAGE_HOST, [bin, ...elsewhere]);
  await requireExecutable(DYNAMIC_PROVIDER, [bin, ...elsewhere]);
  const output = await execute(join(bin, CLI), ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    seconds: 15,
  });
  const hasClouds = !existsSync(join(bin, "..", WITHOUT_CLOUDS));
  if (needsClouds && !hasClouds) throw new Error(`${bin} keeps state in folders and PostgreSQL only`);
  return { bin, version: versionIn(output), hasClouds };
}

/** Source 1: an installed CLI. */
export async function searchPath(context: EngineContext): Promise<Found> {
  const folders = (context.env.PATH ?? "").split(delimiter).filter(Boolean);
  const rejected: string[] = [];
  for (const folder of folders) {
    const cli = join(folder, CLI);
    // npm's launcher is not an installed CLI: it would answer the question for its version by a download without a time
    // limit.
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

/** Source 3: the official download, by npm's launcher, in a separate home. @returns the filled folder */
export async function downloadWithLauncher(folder: string, context: EngineContext): Promise<string> {
  const { env, fetch, launcher, probeMilliseconds, progress } = context;
  const host = new URL(DOWNLOAD_URL).host;
  // The launcher itself would wait for the host forever.
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

export function versionIn(output: string): string {
  const version = /\d+\.\d+(\.\d+)?/.exec(output)?.[0];
  if (!version) throw new Error(`no version in "${output.trim()}"`);
  return version;
}

export function atLeast(version: string, minimum: string): boolean {
  return version.localeCompare(minimum, "en", { numeric: true }) >= 0;
}
