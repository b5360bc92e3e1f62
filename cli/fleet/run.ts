import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLAIMS_FILE, writeClaims } from "../../provider/lifecycle/claims";
import { parseManifest, readManifestText } from "../../provider/manifest/manifest";
import { callsIn } from "./calls";
import { absolutePaths, destinationOf } from "./environment";
import { confirmed, gateOf } from "./gate";
import { interruption } from "./interruption";
import { engineSettings } from "./options";
import { claimsOf, devicesOf, type Part, type Plan, planOf } from "./plan";
import { fleetProgress } from "./progress";
import { projectFolder, withSites, writeProject } from "./project";
import { type Progress, RolloutRecord } from "./record";
import { type RolledOut, rollOut, runAll } from "./rollout";
import { isOfManifest, type Operation, type StackResult } from "./stack";
import { StackThreads } from "./stackThreads";
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
  const text = readManifestText(options.manifest);
  const manifest = parseManifest(text, options.manifest);
  const folder = projectFolder(options.manifest, manifest.fleet);
  writeProject(folder, manifest.fleet);
  const scratch = mkdtempSync(join(tmpdir(), "solar-charging-fleet-"));
  // Also where a second Ctrl-C ends this process at once.
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const callsFile = join(scratch, "calls");
  const claimsFile = join(scratch, "claims.json");
  const { signal, stop } = interruption();
  const business = process.env.SOLAR_CHARGING_BUSINESS_ID;
  try {
    // A destroy lets go of what is declared, too.
    writeClaims(claimsFile, operation === "up" ? claimsOf(manifest, business) : []);
    const env = {
      ...engineSettings(process.env),
      // From Node 22 on what was compiled is kept there: each stack's provider is ready in two thirds of the CPU time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, "compiled"),
      SOLAR_CHARGING_CALLS_FILE: callsFile,
      [CLAIMS_FILE]: claimsFile,
      ...absolutePaths(process.env),
    };
    const threads = new StackThreads({ fleet: manifest.fleet, folder, env }, signal);
    const existing = await threads.list();
    const planned = planOf(manifest, existing, options.shard);
    // Reading, or letting go of, what was never applied is nothing.
    const names = existing.map(({ name }) => name);
    const isThere = ({ name }: { name: string }) => names.includes(name);
    const plan = isOfManifest(operation) ? planned : { ...planned, stacks: planned.stacks.filter(isThere) };
    const devices = sizeOf(plan);
    if (operation === "destroy" && !(await confirmed(`Let go of ${devices} devices of ${plan.fleet}?`, options))) {
      console.error("nothing is done");
      return signal.aborted ? 130 : 1;
    }
    const { parallel, share = 1, maxFailures = 0, canary } = options;
    const waves = wavesOf(plan, { share, maxFailures, ...(canary !== undefined && { canary }) });
    const record = new RolloutRecord(folder, options.shard, [
      text,
      canary,
      ...destinationOf({ ...process.env, ...env }),
    ]);
    const earlier = operation === "up" && !options.restart ? record.read(names) : undefined;
    const gate = gateOf(plan.fleet, options, signal);
    const progress = fleetProgress(devices);
    const run = withSites(threads.run, folder, manifest, plan.stacks);
    const running = { plan, parallel, run, signal, onDevice: progress.device };
    let outcome: RolledOut;
    try {
      outcome =
        operation === "up"
          ? await rollOut({
              ...running,
              business,
              waves,
              progress: earlier,
              keep: (kept) => record.write(kept),
              gate: (done, next) => progress.aside(() => gate(done, next)),
              say: progress.say,
            })
          : { results: await runAll(running, operation) };
    } finally {
      progress.end();
    }
    const { results, stopped, broken } = outcome;
    const summary = summaryOf(
      {
        fleet: plan.fleet,
        operation,
        calls: callsIn(callsFile),
        interrupted: signal.aborted,
        ...(stopped !== undefined && { stopped }),
        ...(broken !== undefined && { broken }),
      },
      results,
      {
        expected: expectedOf(operation, plan, earlier, results, business),
        declared: isOfManifest(operation) ? devicesOf(manifest, business) : [],
      },
    );
    const code = exitCode(summary);
    // After a refresh or a destroy, what was done is not what is there.
    if (["refresh", "destroy"].includes(operation) || (operation === "up" && code === 0)) record.remove();
    await print(textOf(summary), options.json ? process.stderr : process.stdout);
    if (options.json) await print(JSON.stringify(summary, undefined, 2), process.stdout);
    return code;
  } finally {
    stop();
  }
}

/**
 * The devices that a run is to deal with: those of an update or its preview that no earlier run is through with. The other
 * operations find in state what there is; only of stacks that they could not run the manifest has to tell.
 */
function expectedOf(
  operation: Operation,
  { stacks }: Plan,
  earlier: Progress | undefined,
  results: readonly StackResult[],
  business: string | undefined,
): string[] {
  const run = results.filter(({ error }) => error === undefined).map(({ stack }) => stack);
  const through = new Set(isOfManifest(operation) ? earlier?.stacks : run);
  return stacks.filter(({ name }) => !through.has(name)).flatMap((stack) => devicesOf(stack, business));
}

/** Prints a text to its end. @throws Error where it cannot be, as on a full disk; a reader that has gone has had enough */
function print(text: string, stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on("error", () => {}); // The same is told to what follows.
    stream.write(`${text}\n`, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error && error.code !== "EPIPE") reject(new Error(`the summary cannot be printed: ${error.message}`));
      else resolve();
    });
  });
}
