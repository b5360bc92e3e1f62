import { existsSync } from "node:fs";
import { chmod, copyFile, link, mkdir, readFile, symlink } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { ENGINE_MODULE, emptyModule, findGo, type Go } from "./engine-go";
import { installAtomically, withInstallLock } from "./engine-install";
import { ENGINE_VERSION, type EngineContext, engineFolder, LANGUAGE_HOST } from "./engine-sources";
import { reason } from "./execute";

const SDK_MODULE = "github.com/pulumi/pulumi/sdk/v3";

/** The last version of the hosts of Go and Python that is published as a module. They work with the current engine and SDKs. */
const PUBLISHED_VERSION = "3.66.0";
const PUBLISHED = ["go/pulumi-language-go", "python/cmd/pulumi-language-python"];

/** The script that the host of Python runs programs with. The current one is published. */
const PYTHON_SCRIPT = "python/cmd/pulumi-language-python-exec";

/** Our host, which answers for each of these from its own folder. */
const SOURCE = resolve(__dirname, "../../scripts/language-host.go");
const HOSTS = ["pulumi-language-go", "pulumi-language-python", join("nodejs", LANGUAGE_HOST)];

/** Approximate time on one core to fetch and compile all of them beside a built engine. */
const CORE_SECONDS = 200;

/**
 * Builds hosts of Go and Python for an engine that was built from Go modules, and in the folder `nodejs` a host of
 * TypeScript that can generate code. Other engines come with theirs.
 * @returns the folder, or undefined if there is nothing to build, or if it cannot be built
 */
export async function buildLanguageHosts(
  { bin }: { readonly bin: string },
  context: Pick<EngineContext, "env" | "progress">,
): Promise<string | undefined> {
  const { env, progress } = context;
  const engine = engineFolder(env);
  if (bin !== join(engine, "bin") || existsSync(join(bin, "pulumi-language-go"))) return undefined;
  const hosts = join(engine, "hosts");
  try {
    return await withInstallLock(hosts, progress, async () => {
      const sources = [SOURCE, join(hosts, basename(SOURCE))];
      const [source, builtFrom] = await Promise.all(
        sources.map((file) => readFile(file, "utf8").catch(() => undefined)),
      );
      if (source !== builtFrom) {
        await installAtomically(hosts, async (folder) => {
          const go = await findGo(folder, context);
          const seconds = CORE_SECONDS / availableParallelism();
          return progress.step("Building the hosts of Go and Python", () => build(folder, bin, go), seconds);
        });
      }
      return hosts;
    });
  } catch (error) {
    progress.say(`Programs in Go and Python are not tested: ${reason(error)}`);
    return undefined;
  }
}

async function build(folder: string, bin: string, go: Go): Promise<string> {
  const content = join(folder, "hosts");
  const published = join(content, "published");
  await mkdir(published, { recursive: true });

  const old = await emptyModule(join(folder, "published"));
  await go(["get", `${SDK_MODULE}@v${PUBLISHED_VERSION}`], old);
  const packages = PUBLISHED.map((name) => `${SDK_MODULE}/${name}`);
  await go(["build", "-ldflags", "-s -w", "-o", `${published}/`, ...packages], old);

  const ours = await emptyModule(join(folder, "ours"));
  await copyFile(SOURCE, join(ours, "main.go"));
  await go(["get", `${ENGINE_MODULE}/codegen/go@v${ENGINE_VERSION}`], ours);
  await go(["build", "-ldflags", "-s -w", "-o", join(folder, "host"), "."], ours);
  const answer = await go(["mod", "download", "-json", `${SDK_MODULE}@v${ENGINE_VERSION}`], ours);
  const script = join(published, "pulumi-language-python-exec");
  await copyFile(join((JSON.parse(answer) as { readonly Dir: string }).Dir, PYTHON_SCRIPT), script);
  await chmod(script, 0o755);

  await mkdir(join(content, "nodejs", "published"), { recursive: true });
  await symlink(join(bin, LANGUAGE_HOST), join(content, "nodejs", "published", LANGUAGE_HOST));
  for (const host of HOSTS) await link(join(folder, "host"), join(content, host));
  await copyFile(SOURCE, join(content, basename(SOURCE)));
  return content;
}
