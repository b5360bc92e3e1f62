import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { capacityOf, type Operation, type Prepared, type Setting } from "./contestant";
import { declare, environmentOf, PULUMI_ARGUMENTS, stateBytesIn, writeProgram } from "./pulumi";
import { resourcesOf } from "./workload";

/** Resources of a stack (our choice): with more, the engine's writing of state outweighs its start. */
const RESOURCES_OF_STACK = 250;

/** What `solar-charging fleet` sets for its engines: without it, the floor would be above us. */
const ENGINE_SETTINGS = { PULUMI_DIY_BACKEND_ZSTD: "true", GOGC: "400" };

/** The floor in several stacks, run by `pulumi` itself, one a core at a time. */
export async function floorStacks(setting: Setting): Promise<Prepared> {
  const { folder, workload } = setting;
  writeProgram(folder, { package: "bench-floor", name: "Floor" });
  const env = { ...environmentOf(setting), ...ENGINE_SETTINGS };
  return {
    command(operation) {
      const resources = Object.entries(resourcesOf(workload, capacityOf(operation)));
      const stacks: string[] = [];
      for (let first = 0; first < resources.length; first += RESOURCES_OF_STACK) {
        stacks.push(`stack-${stacks.length}`);
        const share = Object.fromEntries(resources.slice(first, first + RESOURCES_OF_STACK));
        declare(folder, stacks.at(-1) as string, share);
      }
      return {
        command: process.execPath,
        args: [join(__dirname, "floorStacks.js"), operation, ...stacks],
        cwd: folder,
        env,
      };
    },
    stateBytes: () => stateBytesIn(setting),
  };
}

/** Runs an operation with each of the stacks, in the folder of the program. */
async function runStacks(operation: Operation, stacks: readonly string[]): Promise<void> {
  const left = [...stacks];
  const worker = async () => {
    for (let stack = left.shift(); stack !== undefined; stack = left.shift()) {
      // The driver of a fleet makes its stacks at the first preview too.
      if (operation === "first preview") await pulumi("stack", "init", stack, "--no-select");
      await pulumi(...PULUMI_ARGUMENTS[operation], "--stack", stack);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

async function pulumi(...args: string[]): Promise<void> {
  await promisify(execFile)("pulumi", [...args, "--non-interactive"], { maxBuffer: 2 ** 28 });
}

if (require.main === module) {
  const [operation, ...stacks] = process.argv.slice(2) as [Operation, ...string[]];
  runStacks(operation, stacks).catch((error: Error & { stdout?: string }) => {
    console.error(error.message, error.stdout);
    process.exitCode = 1;
  });
}
