import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Manifest } from "../../../provider/manifest/model";
import { written } from "../../../provider/manifest/written";
import { notWritten, replaceFile } from "../../files";
import { LINKED, makeWorkFolder, workFolderOf } from "../../workFolder";
import { devicesOf, type StackPlan } from "../rollout/plan";
import { isOfManifest, notRun, notRunning, type RunStack } from "../stack";
import { refuseForeignSettings } from "./foreignSettings";

const PACKAGES = {
  "pulumi-solar-charging": resolve(__dirname, "../../../.."),
  "@pulumi/pulumi": dirname(require.resolve("@pulumi/pulumi/package.json")),
} satisfies Record<(typeof LINKED)[number], string>;

/** Where the manifest's fleet has its project and the record of its rollouts, beside the manifest. */
export function projectFolder(manifestFile: string, fleet: string): string {
  return join(workFolderOf(manifestFile), fleet);
}

/**
 * Writes the Pulumi project whose stacks are the fleet's shards, so that the provider is found from its folder, and `pulumi`
 * run there works on the same stacks. Packages are linked, so that the folder can be anywhere.
 * @throws Error if it cannot be written, as on a full disk, or has settings of its own
 */
export function writeProject(folder: string, fleet: string): void {
  writing(() => {
    makeWorkFolder(dirname(folder));
    mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
    const settings = { name: fleet, runtime: { name: "nodejs", options: { typescript: false } }, main: "index.js" };
    keep(join(folder, "Pulumi.yaml"), JSON.stringify(settings)); // JSON is YAML.
    keep(join(folder, "package.json"), JSON.stringify({ name: "fleet", private: true, main: "index.js" }));
    keep(
      join(folder, "index.js"),
      `const { getStack } = require("@pulumi/pulumi");
const { FleetSettings } = require("pulumi-solar-charging");
new FleetSettings(${JSON.stringify(fleet)}, { manifest: require(\`./\${getStack()}.json\`) });
`,
    );
    for (const name of LINKED) link(folder, name, PACKAGES[name]);
  });
  refuseForeignSettings(folder);
}

/** Has a stack that is previewed or applied declare its sites, and keeps them for `pulumi` run in the project's folder. */
export function withSites(
  run: RunStack,
  {
    folder,
    manifest,
    stacks,
    business,
  }: {
    readonly folder: string;
    readonly manifest: Manifest;
    readonly stacks: readonly StackPlan[];
    readonly business: string | undefined;
  },
): RunStack {
  return async (name, operation, options) => {
    const sites = stacks.find((stack) => stack.name === name)?.sites;
    if (!sites || !isOfManifest(operation)) return await run(name, operation, options);
    try {
      writing(() => replaceFile(join(folder, `${name}.json`), JSON.stringify(written({ ...manifest, sites }))));
    } catch (error) {
      return notRun(name, notRunning((error as Error).message));
    }
    const { onlySite } = options;
    const declared = onlySite === undefined ? sites : sites.filter(({ id }) => id === onlySite);
    return await run(name, operation, {
      ...options,
      manifest: written({ ...manifest, sites: declared }),
      declared: devicesOf({ sites: declared }, business),
    });
  };
}

function writing(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Error(`the fleet's project cannot be written: ${notWritten(error)}`);
  }
}

/** Writes a file that has to be there. Another run, of another part of the fleet, may be using it. */
function keep(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) replaceFile(file, text);
}

/** As `keep`, for a link: the last run may have been one of another installation. */
function link(folder: string, name: string, target: string): void {
  const path = join(folder, "node_modules", name);
  if (existsSync(path) && realpathSync(path) === realpathSync(target)) return;
  rmSync(path, { recursive: true, force: true });
  try {
    symlinkSync(target, path, "junction");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // Another run was faster.
  }
}
