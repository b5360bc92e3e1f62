import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Manifest } from "../../provider/manifest/model";
import { written } from "../../provider/manifest/written";
import { makeWorkFolder, replaceFile, workFolderOf } from "../workFolder";
import type { StackPlan } from "./plan";
import type { RunStack } from "./stackRun";

/** Where the manifest's fleet has its project and the record of its rollouts, beside the manifest. */
export function projectFolder(manifestFile: string, fleet: string): string {
  return join(workFolderOf(manifestFile), fleet);
}

/**
 * Writes the Pulumi project whose stacks are the fleet's shards. It is a program like any other, so that `pulumi` run in
 * its folder works on the same stacks. Packages are linked, so that the folder can be anywhere.
 * @throws Error where it cannot be written, as on a full disk
 */
export function writeProject(folder: string, fleet: string): void {
  writing(() => {
    makeWorkFolder(dirname(folder));
    mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
    const settings = { name: fleet, runtime: { name: "nodejs", options: { typescript: false } }, main: "index.js" };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(settings)); // JSON is YAML.
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "fleet", private: true, main: "index.js" }));
    writeFileSync(
      join(folder, "index.js"),
      `const { getStack, log } = require("@pulumi/pulumi");
const { FleetSettings } = require("pulumi-solar-charging");
// Nobody reads these of a program that has no code of its own, and they take a third of its time: messages for debugging,
// each a request to the engine, and stack traces, of which the SDK makes several for each property of a resource.
log.debug = async () => {};
Error.stackTraceLimit = 0;
new FleetSettings(${JSON.stringify(fleet)}, { manifest: require(\`./\${getStack()}.json\`) });
`,
    );
    link(folder, "pulumi-solar-charging", resolve(__dirname, "../../.."));
    link(folder, "@pulumi/pulumi", dirname(require.resolve("@pulumi/pulumi/package.json")));
  });
}

/**
 * Has each stack's program declare the stack's sites, of which it finds a file: to read the whole manifest takes a program
 * longer the larger the fleet is. The file is written when the stack is run, so that a run which is under way goes on
 * with the manifest that it began with, whatever another one finds in it meanwhile.
 */
export function withSites(run: RunStack, folder: string, manifest: Manifest, stacks: readonly StackPlan[]): RunStack {
  return async (name, operation, options) => {
    const sites = stacks.find((stack) => stack.name === name)?.sites;
    try {
      const text = sites && JSON.stringify(written({ ...manifest, sites }));
      if (text) writing(() => replaceFile(join(folder, `${name}.json`), text));
    } catch (error) {
      return { stack: name, outcomes: new Map(), notReady: [], error: (error as Error).message };
    }
    return await run(name, operation, options);
  };
}

function writing(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Error(
      `the fleet's project cannot be written: ${(error as Error).message}. Make room, then run this again`,
    );
  }
}

/** Links anew, as the last run may have been one of another installation. */
function link(folder: string, name: string, target: string): void {
  const path = join(folder, "node_modules", name);
  rmSync(path, { force: true });
  if (!existsSync(path)) symlinkSync(target, path, "junction");
}
