import { delimiter, dirname, join } from "node:path";
import { buildFromGoModules, GO_MINIMUM } from "./engine-go";
import { installAtomically, withInstallLock } from "./engine-install";
import {
  CLI_MINIMUM,
  downloadWithLauncher,
  ENGINE_VERSION,
  type EngineContext,
  engineFolder,
  type Found,
  inspectEngine,
  searchPath,
} from "./engine-sources";
import { reason } from "./execute";
import { terminalProgress } from "./progress";

/** A Pulumi engine that is ready to run. */
export interface Engine extends Found {
  source: "PATH" | "cache" | "download" | "go";
}

const FETCHED = [
  { source: "download", title: "official download", fill: downloadWithLauncher },
  { source: "go", title: "Go modules", fill: buildFromGoModules },
] as const;

/**
 * Finds an engine, or fetches one into the folder that npm's launcher and the Automation API use too. If two processes
 * need one at the same time, one fetches it and the other waits.
 */
export async function findOrFetchEngine(options: Partial<EngineContext> = {}): Promise<Engine> {
  const context: EngineContext = {
    env: process.env,
    fetch,
    probeMilliseconds: 5_000,
    launcher: require.resolve("pulumi/run.js"),
    sdk: dirname(require.resolve("@pulumi/pulumi/package.json")),
    progress: terminalProgress(),
    needsClouds: false,
    ...options,
  };
  const { env, progress } = context;
  const target = engineFolder(env);
  const bin = join(target, "bin");

  const failures: string[] = [];
  const attempt = async (source: Engine["source"], title: string, find: () => Promise<Found>) => {
    try {
      return { ...(await find()), source };
    } catch (error) {
      failures.push(`${title}: ${reason(error)}`);
      return undefined;
    }
  };

  const ready =
    (await attempt("PATH", "pulumi on PATH", () => searchPath(context))) ??
    (await attempt("cache", "cache", () => inspectEngine(bin, context)));
  if (ready) return ready;

  for (const failure of failures) progress.say(failure);
  progress.say(`Fetching Pulumi ${ENGINE_VERSION} into ${target}. This is done once.`);
  return withInstallLock(target, progress, async () => {
    // Another process may have filled the cache while we waited for the lock.
    const filled = await inspectEngine(bin, context).catch(() => undefined);
    if (filled) return { ...filled, source: "cache" };

    for (const { source, title, fill } of FETCHED) {
      const engine = await attempt(source, title, async () => {
        await installAtomically(target, async (folder) => {
          const content = await fill(folder, context);
          await inspectEngine(join(content, "bin"), context);
          return content;
        });
        return await inspectEngine(bin, context);
      });
      if (engine) return engine;
      progress.say(failures.at(-1) ?? "");
    }
    throw new Error(
      [
        "No Pulumi engine was found, and none could be fetched. Tried, in this order:",
        ...failures.map((failure) => `- ${failure}`),
        `Install the Pulumi CLI, ${CLI_MINIMUM} or newer (pulumi.com/docs/install), or Go, ${GO_MINIMUM} or newer (go.dev/doc/install). Then run this again.`,
      ].join("\n"),
    );
  });
}

/** The environment in which `pulumi` is this engine. */
export function engineEnvironment(engine: Pick<Engine, "bin">, base: NodeJS.ProcessEnv = process.env) {
  return {
    ...base,
    PATH: [engine.bin, base.PATH].filter(Boolean).join(delimiter),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // Without this, each run would try to download the plugins of all packages in node_modules, although no program
    // of ours but one uses them. Without a network, that takes seconds.
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

if (require.main === module) {
  findOrFetchEngine().then(
    ({ version, source, bin }) => console.log(`Pulumi engine ${version} (${source}): ${bin}`),
    (error) => {
      console.error(reason(error));
      process.exitCode = 1;
    },
  );
}
