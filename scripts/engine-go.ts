import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  atLeast,
  CLI,
  DYNAMIC_PROVIDER,
  ENGINE_VERSION,
  type EngineContext,
  LANGUAGE_HOST,
  versionIn,
  WITHOUT_CLOUDS,
} from "./engine-sources";
import { execute, reason } from "./execute";

/** The Go version that the engine's go.mod requires. */
export const GO_MINIMUM = "1.25.11";

export const ENGINE_MODULE = "github.com/pulumi/pulumi/pkg/v3";

/** Runs `go` in a folder. @returns its output */
export type Go = (args: string[], cwd: string) => Promise<string>;

const TOOLS = [
  {
    name: CLI,
    package: `${ENGINE_MODULE}/cmd/pulumi`,
    version: ENGINE_VERSION,
    flags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`,
  },
  {
    name: LANGUAGE_HOST,
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    version: "3.68.0", // The last version that is published as a module. It works with the current engine and SDKs.
    flags: "-s -w",
  },
  {
    name: "pulumi-language-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    version: "1.32.0", // The newest version whose modules are all published.
    flags: "-s -w",
    isOptional: true, // Without it, the test of the example in YAML is skipped with a message.
  },
];

/** Approximate time on one core to fetch and compile all tools. They are built in parallel, on all cores. */
const CORE_SECONDS = 700;

/** Source 4: built from Go modules, for machines that reach package registries only. @returns the filled folder */
export async function buildFromGoModules(folder: string, context: EngineContext): Promise<string> {
  const { sdk, progress, needsClouds } = context;
  const go = await findGo(folder, context);

  const content = join(folder, "engine");
  const bin = join(content, "bin");
  await mkdir(bin, { recursive: true });
  const build = async (tool: (typeof TOOLS)[number]) => {
    // `go install` refuses packages whose go.mod has replace directives, so our own module requires them.
    const scratch = await emptyModule(join(folder, tool.name));
    if (tool.name === CLI && !needsClouds) await leaveOutClouds(scratch, go);
    await go(["get", `${tool.package}@v${tool.version}`], scratch);
    await go(["build", "-ldflags", tool.flags, "-o", join(bin, tool.name), tool.package], scratch);
  };
  const limits = needsClouds ? "" : ", without cloud storages, key services and log readers";
  const built = await progress.step(
    `Building ${CLI} ${ENGINE_VERSION} and its hosts of programs from Go modules${limits}`,
    // In parallel, so that one fetches while another compiles. Waits for all of them before the folder is removed.
    () => Promise.allSettled(TOOLS.map(build)),
    CORE_SECONDS / availableParallelism(),
  );
  for (const [index, { name, isOptional }] of TOOLS.entries()) {
    const result = built[index];
    if (result?.status !== "rejected") continue;
    if (!isOptional) throw result.reason;
    progress.say(`${name} is left out: ${reason(result.reason)}`);
  }
  await copyFile(join(sdk, DYNAMIC_PROVIDER), join(bin, DYNAMIC_PROVIDER));
  await chmod(join(bin, DYNAMIC_PROVIDER), 0o755);
  if (!needsClouds) await writeFile(join(content, WITHOUT_CLOUDS), "");
  return content;
}

/** Finds a `go` that is new enough. @throws Error if there is none */
export async function findGo(folder: string, { env }: Pick<EngineContext, "env">): Promise<Go> {
  const goEnv = { ...env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GOWORK: "off" };
  const go: Go = (args, cwd) => execute("go", args, { cwd, env: goEnv, seconds: 1_800 });
  const version = await go(["env", "GOVERSION"], folder).then(versionIn, () => {
    throw new Error("no working go on PATH");
  });
  if (!atLeast(version, GO_MINIMUM)) throw new Error(`go on PATH is ${version}, older than ${GO_MINIMUM}`);
  return go;
}

/** Makes a folder with a Go module that requires nothing. @returns the folder */
export async function emptyModule(folder: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, "go.mod"), `module scratch\n\ngo ${GO_MINIMUM}\n`);
  return folder;
}

/** Drivers of cloud storages, key services and log readers. They are 40 % of the compiler's work. */
const CUTS: Readonly<Record<string, readonly RegExp[]>> = {
  "backend/diy/backend.go": [
    /^\t"gocloud\.dev\/blob\/azureblob".*\n/m,
    /^\t"gocloud\.dev\/blob\/gcsblob".*\n/m,
    /^\t_ "gocloud\.dev\/blob\/s3blob".*\n/m,
    /^\t"github\.com\/pulumi\/pulumi\/pkg\/v3\/authhelpers"\n/m,
    /^\tif p\.Scheme == gcsblob\.Scheme \{\n[\s\S]*?^\t\}\n/m,
    /^\tif p\.Scheme == azureblob\.Scheme \{\n[\s\S]*?^\t\}\n/m,
  ],
  "backend/diy/bucket.go": [
    /^\t"net\/url"\n/m,
    /^\tawss3 .*\n/m,
    /^\t\tvar input \*awss3\.CopyObjectInput\n[\s\S]*?^\t\t\}\n/m,
    /^func fixupS3CopySource\([\s\S]*?^\}\n/m,
  ],
  "secrets/cloud/manager.go": [
    /^\tnetUrl "net\/url"\n/m,
    /^\t_ "gocloud\.dev\/secrets\/awskms"[\s\S]*?cloudkms\/v1"\n/m,
    /^\t"github\.com\/pulumi\/pulumi\/pkg\/v3\/authhelpers"\n/m,
    /^\tu, err := netUrl\.Parse\(url\)\n[\s\S]*?^\tdefault:\n/m,
    /(?<=return gosecrets\.OpenKeeper\(ctx, url\)\n)\t\}\n/,
  ],
  "operations/resources.go": [/^\tcase "cloud":\n[\s\S]*?GCPOperationsProvider.*\n/m],
  "operations/operations_aws.go": [/(?<=^package operations\n)[\s\S]*/m],
  "operations/operations_cloud_aws.go": [/(?<=^package operations\n)[\s\S]*/m],
  "operations/operations_gcp.go": [/(?<=^package operations\n)[\s\S]*/m],
};

/**
 * Makes a module use a copy of the engine's module without the parts that only clouds need. Such an engine refuses the
 * address of a cloud's storage.
 * @throws Error if a file is not as expected, because the version of the engine has changed
 */
async function leaveOutClouds(scratch: string, go: Go): Promise<void> {
  const answer = await go(["mod", "download", "-json", `${ENGINE_MODULE}@v${ENGINE_VERSION}`], scratch);
  const copy = join(scratch, "pkg");
  const run = (command: string, ...args: string[]) => execute(command, args, { env: process.env, seconds: 120 });
  await run("cp", "-R", (JSON.parse(answer) as { readonly Dir: string }).Dir, copy);
  await run("chmod", "-R", "u+w", copy); // Files of the module cache are read-only.
  for (const [file, cuts] of Object.entries(CUTS)) {
    let text = await readFile(join(copy, file), "utf8");
    for (const cut of cuts) {
      if (!cut.test(text)) {
        throw new Error(
          `${file} of Pulumi ${ENGINE_VERSION} has nothing like ${cut}: correct CUTS in scripts/engine-go.ts`,
        );
      }
      text = text.replace(cut, "");
    }
    await writeFile(join(copy, file), text);
  }
  await go(["mod", "edit", "-replace", `${ENGINE_MODULE}=./pkg`], scratch);
}
