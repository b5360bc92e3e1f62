import { type Operation, type Prepared, PULUMI_ARGUMENTS, type Setting } from "./contestant";
import { measure } from "./measure";
import { environmentOf, type Package, stateBytesIn, writeProgram } from "./project";

/** All vehicles in one stack of the engine. @param readMs how long a read of the floor waits, in milliseconds */
export async function oneStack(setting: Setting, from: Package, readMs = 0): Promise<Prepared> {
  const { folder, vehicles } = setting;
  writeProgram(folder, from, `Array.from({ length: ${vehicles} }, (_, index) => \`car-\${index}\`)`);
  const env = { ...environmentOf(setting), BENCH_READ_MS: String(readMs) };
  await measure({ command: "pulumi", args: ["stack", "init", "dev"], cwd: folder, env });
  return {
    command: (operation: Operation) => ({
      command: "pulumi",
      args: [...PULUMI_ARGUMENTS[operation], "--non-interactive"],
      cwd: folder,
      env: operation === "one change" ? { ...env, BENCH_CAPACITY: "78000" } : env,
    }),
    stateBytes: () => stateBytesIn(folder),
  };
}
