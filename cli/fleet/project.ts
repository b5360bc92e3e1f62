import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Where the manifest's fleet has its project and the record of its rollouts, beside the manifest. */
export function projectFolder(manifestFile: string, fleet: string): string {
  return join(dirname(resolve(manifestFile)), ".solar-charging", fleet);
}

/**
 * Writes the Pulumi project whose stacks are the fleet's shards. It is a program like any other, so that `pulumi` run in
 * its folder works on the same stacks. Packages are linked, so that the folder can be anywhere.
 * @throws Error where it cannot be written, as on a full disk
 */
export function writeProject(folder: string, manifestFile: string, fleet: string): void {
  try {
    mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
    // Nothing in it belongs into a repository.
    writeFileSync(join(dirname(folder), ".gitignore"), "*\n");
    const settings = { name: fleet, runtime: { name: "nodejs", options: { typescript: false } }, main: "index.js" };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(settings)); // JSON is YAML.
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "fleet", private: true, main: "index.js" }));
    writeFileSync(
      join(folder, "index.js"),
      `const { getStack } = require("@pulumi/pulumi");
const { FleetSettings } = require("pulumi-solar-charging");
new FleetSettings(${JSON.stringify(fleet)}, { manifest: ${JSON.stringify(resolve(manifestFile))}, shard: getStack() });
`,
    );
    link(folder, "pulumi-solar-charging", resolve(__dirname, "../../.."));
    link(folder, "@pulumi/pulumi", dirname(require.resolve("@pulumi/pulumi/package.json")));
  } catch (error) {
    throw new Error(`the fleet's project cannot be written: ${(error as Error).message}`);
  }
}

/** Links anew, as the last run may have been one of another installation. */
function link(folder: string, name: string, target: string): void {
  const path = join(folder, "node_modules", name);
  rmSync(path, { force: true });
  if (!existsSync(path)) symlinkSync(target, path, "junction");
}
