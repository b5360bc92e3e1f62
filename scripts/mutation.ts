import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { reason } from "./execute";

/** `npm run mutation`: changes the code in small ways, and fails if the tests notice too few of the changes. */
async function main(options: string[]): Promise<void> {
  // The `exports` of the package do not contain its program.
  const stryker = join(dirname(require.resolve("@stryker-mutator/core/package.json")), "bin", "stryker.js");
  // Each change is tested with the same short histories.
  const env = { LAW_SEED: "1", LAW_RUNS: "20", ...process.env };
  const child = spawn(process.execPath, [stryker, "run", ...options], { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
