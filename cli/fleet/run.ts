import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readManifest } from "../../provider/manifest/manifest";
import { callsIn } from "./calls";
import { confirmed, gateOf } from "./gate";
import { interruption } from "./interruption";
import { concurrencyOfStack } from "./options";
import { type Part, planOf } from "./plan";
import { fleetProgress } from "./progress";
import { projectFolder, withSites, writeProject } from "./project";
import { RolloutRecord } from "./record";
import { type RolledOut, rollOut, runAll } from "./rollout";
import { type Operation, openStacks } from "./stackRun";
import { exitCode, summaryOf, textOf } from "./summary";
import { sizeOf, wavesOf } from "./waves";

/** What the command line gives. Those for waves are there where the operation is `up`. */
export interface FleetOptions {
  readonly manifest: string;
  readonly shard?: Part;
  readonly parallel: number;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly canary?: string;
  readonly share?: number;
  readonly maxFailures?: number;
  readonly gate?: string;
  readonly restart?: boolean;
}

/** Does one operation with a fleet, and tells what came of it. @returns the exit code */
export async function runFleet(operation: Operation, options: FleetOptions): Promise<number> {
  const manifest = readManifest(options.manifest);
  const folder = projectFolder(options.manifest, manifest.fleet);
  writeProject(folder, manifest.fleet);
  const scratch = mkdtempSync(join(tmpdir(), "solar-charging-fleet-"));
  const callsFile = join(scratch, "calls");
  const { signal, engines, stop } = interruption();
  try {
    const env = {
      SOLAR_CHARGING_CALLS_FILE: callsFile,
      SOLAR_CHARGING_MAX_CONCURRENCY: concurrencyOfStack(process.env.SOLAR_CHARGING_MAX_CONCURRENCY, options.parallel),
    };
    const stacks = await openStacks(folder, { ...env, ...ledgerOf(process.env.SOLAR_CHARGING_LEDGER_FILE) }, engines);
    const planned = planOf(manifest, stacks.existing, options.shard);
    // Reading, or letting go of, what was never applied is nothing.
    const isThere = ({ name }: { name: string }) => stacks.existing.includes(name);
    const plan = ["preview", "up"].includes(operation)
      ? planned
      : { ...planned, stacks: planned.stacks.filter(isThere) };
    const devices = sizeOf({ name: "rest", stacks: plan.stacks, failureLimit: 0 });
    if (operation === "destroy" && !(await confirmed(`Let go of ${devices} devices of ${plan.fleet}?`, options))) {
      throw new Error("destroy needs --yes where nobody can be asked");
    }
    const progress = fleetProgress(devices);
    const { parallel } = options;
    const run = withSites(stacks.run, folder, manifest, plan.stacks);
    const running = { plan, parallel, run, signal, onDevice: progress.device };
    let outcome: RolledOut;
    if (operation === "up") {
      const { share = 1, maxFailures = 0, canary } = options;
      const waves = wavesOf(plan, { share, maxFailures, ...(canary !== undefined && { canary }) });
      const record = new RolloutRecord(folder, readFileSync(options.manifest, "utf8"));
      outcome = await rollOut({
        ...running,
        waves,
        progress: options.restart ? undefined : record.read(),
        keep: (kept) => record.write(kept),
        gate: gateOf(plan.fleet, options),
        say: progress.say,
      });
      const isWhole = outcome.results.every(
        ({ error, outcomes }) => error === undefined && [...outcomes.values()].every((one) => one.result !== "failed"),
      );
      if (isWhole && outcome.stopped === undefined && !signal.aborted) record.remove();
    } else {
      outcome = { results: await runAll(running, operation) };
    }
    progress.end();
    const summary = summaryOf(
      {
        fleet: plan.fleet,
        operation,
        calls: callsIn(callsFile),
        interrupted: signal.aborted,
        ...(outcome.stopped !== undefined && { stopped: outcome.stopped }),
      },
      outcome.results,
    );
    console.error(textOf(summary));
    if (options.json) console.log(JSON.stringify(summary, undefined, 2));
    return exitCode(summary);
  } finally {
    stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A relative ledger is relative to where the command is run, not to where the driver keeps its program. */
function ledgerOf(file: string | undefined): Record<string, string> {
  return file ? { SOLAR_CHARGING_LEDGER_FILE: resolve(file) } : {};
}
