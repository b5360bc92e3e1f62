import { counted } from "../counted";
import { paintOn } from "../paint";
import { quoted } from "../shell";
import { serviceHost } from "./engine/environment";
import { interruption } from "./interruption";
import type { DeclaredDevice } from "./outcome/outcome";
import { exitCode, type Summary, summaryOf } from "./outcome/summary";
import { textOf } from "./outcome/summaryText";
import { type FleetOptions, type Prepared, prepare } from "./prepare";
import { fleetProgress } from "./progress/progress";
import { callsIn, RunFileReader } from "./progress/runFile";
import { ServiceWatch } from "./progress/serviceWatch";
import { confirmed, gateOf } from "./rollout/gate";
import { devicesOf } from "./rollout/plan";
import { doneIn } from "./rollout/record";
import { type RolledOut, rollOut, runAll } from "./rollout/rollout";
import { sizeOf, wavesOf } from "./rollout/waves";
import { type FleetOperation, isOfManifest, type StackResult } from "./stack";

/** Does one operation with a fleet, and reports what came of it. @returns the exit code */
export async function runFleet(operation: FleetOperation, options: FleetOptions): Promise<number> {
  const { signal, stop } = interruption();
  try {
    const prepared = await prepare(operation, options, signal);
    if (!(await isWanted(prepared))) {
      console.error("nothing is done");
      return signal.aborted ? 130 : 1;
    }
    const outcome = await execute(prepared, signal);
    return await report(prepared, summarize(prepared, outcome, signal));
  } finally {
    stop();
  }
}

/** Asks before everything is deleted. */
async function isWanted({ operation, plan, options }: Prepared): Promise<boolean> {
  if (operation !== "destroy") return true;
  return await confirmed(`Delete ${counted(sizeOf(plan), "device")} of ${plan.fleet}?`, options);
}

/** Prints what came of it, and keeps of the run's own files what a later one needs. @returns the exit code */
async function report({ operation, options, record, journal, last }: Prepared, summary: Summary): Promise<number> {
  const code = exitCode(summary);
  last?.end(summary, code);
  // After a refresh or a destroy, what was done is not what is there.
  if (["refresh", "destroy"].includes(operation) || (operation === "up" && code === 0)) record.remove();
  // Every baseline is in state now, or of no use.
  if (["up", "destroy"].includes(operation) && code === 0) journal.remove();
  const stream = options.json ? process.stderr : process.stdout;
  await print(textOf(summary, paintOn(stream)), stream);
  if (options.json) await print(JSON.stringify(summary, undefined, 2), process.stdout);
  return code;
}

/** Runs the stacks. */
async function execute(prepared: Prepared, signal: AbortSignal): Promise<RolledOut> {
  const { operation, options, plan, record, run, earlier } = prepared;
  const { parallel, refresh = false, share = 1, maxFailures = 0, canary } = options;
  const waves = wavesOf(plan, { share, maxFailures, ...(canary !== undefined && { canary }) });
  const gate = gateOf(plan.fleet, options, signal);
  const progress = fleetProgress(sizeOf(plan), new ServiceWatch(prepared.runFile));
  const running = { plan, parallel, refresh, run, signal, onDevice: progress.device };
  try {
    if (operation !== "up") return { results: await runAll(running, operation) };
    return await rollOut({
      ...running,
      waves,
      progress: earlier,
      keep: (kept) => record.write(kept),
      gate: (done, next) => progress.aside(() => gate(done, next)),
      onWave: progress.wave,
      onReport: (report, wave) => prepared.last?.add(report, wave),
      say: progress.say,
    });
  } finally {
    progress.end();
  }
}

function summarize(
  prepared: Prepared,
  { results, stopped, broken }: RolledOut,
  { aborted: interrupted }: AbortSignal,
): Summary {
  const { operation, options, manifest, plan, business, runFile } = prepared;
  const service = serviceHost(process.env);
  const about = {
    fleet: plan.fleet,
    operation,
    ...(service !== undefined && { service }),
    calls: callsIn(new RunFileReader(runFile).newLines()),
    interrupted,
    ...(stopped !== undefined && { stopped }),
    ...(broken !== undefined && { broken }),
    ...(operation === "drift" && { repair: repairOf(options) }),
  };
  return summaryOf(about, results, {
    expected: expectedOf(prepared, results),
    declared: isOfManifest(operation) ? devicesOf(manifest, business) : [],
  });
}

/** The command that makes devices as declared again. */
function repairOf({ manifest, shard }: FleetOptions): string {
  const part = shard ? ` --shard ${shard.index}/${shard.count}` : "";
  return `npx solar-charging fleet up --manifest ${quoted(manifest)}${part}`;
}

/**
 * The devices that a run is to deal with: those of an update or its preview that no earlier run has done. The other
 * operations find in state which there are; only for stacks that they could not run, the manifest says it.
 */
function expectedOf(
  { operation, plan, earlier, business }: Prepared,
  results: readonly StackResult[],
): DeclaredDevice[] {
  const run = results.filter(({ error }) => error === undefined).map(({ stack }) => stack);
  const through = new Set(isOfManifest(operation) ? doneIn(earlier) : run);
  return plan.stacks.filter(({ name }) => !through.has(name)).flatMap((stack) => devicesOf(stack, business));
}

/** Prints a text to its end. @throws Error if it cannot be, as on a full disk; a reader that has gone has read enough */
function print(text: string, stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on("error", () => {}); // The callback gets the same.
    stream.write(`${text}\n`, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error && error.code !== "EPIPE") reject(new Error(`the summary cannot be printed: ${error.message}`));
      else resolve();
    });
  });
}
