import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { engineEnvironment, findOrFetchEngine } from "./engine";
import { buildLanguageHosts } from "./engine-hosts";
import { reason } from "./execute";
import { terminalProgress } from "./progress";
import { watch } from "./watch";

/**
 * Each tier is a folder of test/, and can be run alone: `npm test -- unit component`. Files start in this order,
 * several at a time. Those that take a minute come first, so that short ones use the remaining time.
 */
const TIERS = ["engine", "protocol", "cli", "tools", "component", "measure", "unit"];

/** The additional tiers of `npm run test:long`: slow tests, and the protocol with the other versions of the SDK. */
const LONG = ["long", "protocol"];

/** The required coverage. */
const GATES = [".c8rc.provider.json", ".c8rc.measure.json", ".c8rc.cli.json"];

/** The file that the reporter writes. */
type Results = { passes: number; failures: number; pending: number; failed: string[]; retried: string[] };

/** `npm test`: runs all tiers, or the named ones. With all of them, it also checks the coverage. */
async function main(args: string[]): Promise<void> {
  const named = args.filter((arg) => arg !== "--watch");
  const unknown = named.filter((tier) => ![...TIERS, "long"].includes(tier));
  if (unknown.length > 0) throw new Error(`there is no tier ${unknown.join(", ")}: give any of ${TIERS.join(", ")}`);
  if (named.length < args.length) return watch(named.length > 0 ? named : ["unit", "component"]);
  const isLong = named.includes("long");
  const tiers = isLong ? LONG : TIERS.filter((tier) => named.length === 0 || named.includes(tier));
  const needsEngine = isLong || tiers.includes("engine");
  const engine = needsEngine ? await environment(isLong) : process.env;

  const folder = mkdtempSync(join(tmpdir(), "solar-charging-test-"));
  try {
    const results = join(folder, "results.json");
    const coverage = join(folder, "coverage");
    await node(
      "mocha/bin/mocha.js",
      [
        ...tiers.map((tier) => `dist/test/${tier}/**/*.test.js`),
        ...["--parallel", "--jobs", String(availableParallelism()), "--require", "dist/test/support/worker.js"],
        ...["--reporter", "dist/test/support/reporter.js", "--reporter-option", `output=${results}`],
      ],
      { LAW_SEED: "1", ...engine, NODE_V8_COVERAGE: coverage, ...(isLong && { TEST_SDKS: "oldest,newest" }) },
    );
    if (tiers.length === TIERS.length) {
      for (const gate of GATES) {
        const args = ["report", "--check-coverage", "--config", gate, "--temp-directory", coverage];
        await node("c8/bin/c8.js", args, process.env);
      }
    }
    const { passes, failures, pending, failed, retried } = JSON.parse(readFileSync(results, "utf8")) as Results;
    // Printed again after the tables of the coverage, because a CI keeps only the end of a long log.
    for (const test of retried) console.log(`SECOND TRY ${test}`);
    for (const test of failed) console.log(`FAILED ${test}`);
    console.log(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ""}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment in which tests find the engine, with hosts for all languages if they are needed. */
async function environment(needsHosts: boolean): Promise<NodeJS.ProcessEnv> {
  const engine = await findOrFetchEngine();
  const env = engineEnvironment(engine);
  const hosts = needsHosts && (await buildLanguageHosts(engine, { env, progress: terminalProgress() }));
  return hosts ? { ...env, PATH: [env.PATH, hosts].join(delimiter) } : env;
}

/** Runs a program of a development dependency to its end. If it fails, the run fails. */
async function node(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [createRequire(__filename).resolve(program), ...args], {
    env,
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
