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

/** What the engine's go.mod asks for. */
export const GO_MINIMUM = "1.25.11";

const ENGINE_MODULE = "github.com/pulumi/pulumi/pkg/v3";

type Go = (args: string[], cwd: string) => Promise<string>;

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
    version: "3.68.0", // The last one published as a module; it serves the current engine and SDKs.
    flags: "-s -w",
  },
  {
    name: "pulumi-language-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    version: "1.32.0", // The newest one whose modules are all published.
    flags: "-s -w",
    isOptional: true, // Without it, the test of the example in YAML says that it is skipped.
  },
];

/** What fetching and compiling take on one core, nearly. The tools are built side by side, on all cores. */
const CORE_SECONDS = 700;

/** Source 4: built from Go modules, where only package registries can be reached. Gives the folder it has filled. */
export async function buildFromGoModules(folder: string, context: EngineContext): Promise<string> {
  const { env, sdk, progress, needsClouds } = context;
  const goEnv = { ...env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GOWORK: "off" };
  const go: Go = (args, cwd) => execute("go", args, { cwd, env: goEnv, seconds: 1_800 });

  const version = await go(["env", "GOVERSION"], folder).then(versionIn, () => {
    throw new Error("no working go on PATH");
  });
  if (!atLeast(version, GO_MINIMUM)) throw new Error(`go on PATH is ${version}, older than ${GO_MINIMUM}`);

  const content = join(folder, "engine");
  const bin = join(content, "bin");
  await mkdir(bin, { recursive: true });
  const build = async (tool: (typeof TOOLS)[number]) => {
    // `go install` refuses packages whose go.mod has replace directives: a module of our own requires them instead.
    const scratch = join(folder, tool.name);
    await mkdir(scratch);
    await writeFile(join(scratch, "go.mod"), `module scratch\n\ngo ${GO_MINIMUM}\n`);
    if (tool.name === CLI && !needsClouds) await leaveOutClouds(scratch, go);
    await go(["get", `${tool.package}@v${tool.version}`], scratch);
    await go(["build", "-ldflags", tool.flags, "-o", join(bin, tool.name), tool.package], scratch);
  };
  const limits = needsClouds ? "" : ", without cloud storages, key services and log readers";
  const built = await progress.step(
    `Building ${CLI} ${ENGINE_VERSION} and its hosts of programs from Go modules${limits}`,
    // Side by side, one fetches while another compiles. All of them end before the folder is removed.
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

/** Drivers of cloud storages, key services and log readers are 40 % of what the compiler works through. */
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
 * Has a module use a copy of the engine's without what only clouds need. Such an engine refuses the address of a cloud's storage.
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
