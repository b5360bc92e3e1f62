import { memberCount } from "../../provider/manifest/model";
import { deviceName } from "../../provider/service/device";
import { defined } from "../../provider/settings/objects";
import { startCommandRun } from "../environment";
import { sendsInSteps } from "../review/sends";
import { serviceHost } from "../stacks/environment";
import type { WaveCounts } from "../stacks/fleetRecord";
import { type ExpectedDevice, isOpen } from "../stacks/outcome";
import { type Claim, claimsOf, declaredDevicesOf } from "../stacks/plan";
import { callsIn, RunFileReader } from "../stacks/runFile";
import { type FleetOperation, isOfManifest, type StackResult } from "../stacks/stack";
import { quoted } from "../words";
import { confirmed, gateOf } from "./gate";
import type { Applied } from "./journal";
import type { FleetOptions } from "./options";
import { type Prepared, prepare } from "./prepare";
import { fleetProgress, ServiceWatch } from "./progress";
import { exitCodeOfRun, type FleetReview, reviewOfRun } from "./review";
import { CLOCK, type RolledOut, rollOut, runAll } from "./rollout";
import { finishedSites } from "./waves";

/** The result of an operation. */
export interface Ran {
  /** Absent if a person declined, or interrupted the question. */
  readonly review?: FleetReview;
  readonly code: number;
}

/** Runs one operation with a fleet. */
export async function ranFleet(operation: FleetOperation, options: FleetOptions): Promise<Ran> {
  if (!options.accept && (options.site || options.setting)) {
    throw new Error("--site and --setting choose what --accept writes: add --accept, or leave them out");
  }
  const { signal, stop } = interruption();
  try {
    const prepared = await prepare(operation, options);
    if (!(await confirmed(prepared, options))) {
      console.error("nothing is done");
      return { code: signal.aborted ? 130 : 3 };
    }
    const executed = await execute(prepared, signal);
    const review = reviewed(prepared, executed, signal);
    const code = exitCodeOfRun(review);
    await keepFiles(prepared, executed, review, code);
    return { review, code };
  } finally {
    stop();
  }
}

/** Keeps the files that a later run needs. */
async function keepFiles(
  { operation, plan, service, business, record, journal, existing, list, id }: Prepared,
  { results, revisions = {}, stopped, broken }: Executed,
  { interrupted }: FleetReview,
  code: number,
): Promise<void> {
  if (operation === "up") {
    record.end(plan, revisions, defined({ interrupted, stopped, broken }), code);
    const claims = () => claimsOf({ sites: plan.stacks.flatMap(({ sites }) => sites) }, business);
    journal.settle(() => ({ ...(code === 0 ? { claims: claims() } : settledBy(results, claims(), id)), service }));
  }
  const unchanged = results.flatMap(({ stack, error, outcomes }) =>
    error === undefined && [...outcomes.values()].every(({ result }) => result === "unchanged") ? [stack] : [],
  );
  if (operation === "refresh") await record.renew(unchanged, existing, list);
  if (operation === "destroy") await record.renew([], existing, list);
  if (operation === "destroy" && code === 0) journal.settle(() => ({ claims: [] }));
}

/**
 * The settings that are in state after a run that did not apply all. Without this, one device that fails would make each
 * later run report the baselines of all others.
 * @param claims those of the whole run. @param run its id
 */
function settledBy(results: readonly StackResult[], claims: readonly Claim[], run: string): Omit<Applied, "service"> {
  const unsaved = new Set(results.filter(({ isSaved }) => !isSaved).map(({ stack }) => stack));
  const saved = results.filter(({ stack }) => !unsaved.has(stack));
  const outcomes = saved.flatMap((one) => [...one.outcomes.values()]);
  const applied = outcomes.filter((one) => !isOpen(one));
  const devices = new Set(applied.map(({ device }) => device));
  return {
    claims: claims.filter(([device]) => devices.has(deviceName(device))),
    part: { run, saved: new Set(saved.map(({ stack }) => stack)) },
  };
}

/** The results of the stacks, and of the waves of an `up`. */
interface Executed extends RolledOut {
  readonly waves?: readonly WaveCounts[];
  /** The backend's revision of each stack after an `up`. */
  readonly revisions?: Readonly<Record<string, string>>;
}

/** Failures stop a running wave only after this number of its devices is done (our choice): the first may be unlucky. */
const MIN_DEVICES = 20;

/** Runs the stacks. */
async function execute(prepared: Prepared, signal: AbortSignal): Promise<Executed> {
  const { operation, options, plan, waves, record, run, earlier } = prepared;
  const { parallel, refresh = false, json } = options;
  const gate = gateOf(plan.fleet, options, signal);
  // Without those of an earlier run, which this one does not run again.
  const devices =
    memberCount(plan.stacks.flatMap(({ sites }) => sites)) - memberCount(finishedSites(waves, earlier?.done));
  const progress = fleetProgress(devices, new ServiceWatch(prepared.runFile));
  const running = { plan, parallel, refresh, json, run, signal, onDevice: progress.device };
  try {
    if (operation !== "up") return { results: await runAll(running, operation) };
    const reported: WaveCounts[] = [];
    let revisions: Readonly<Record<string, string>> = {};
    const rolledOut = await rollOut({
      ...running,
      ...{ waves, minDevices: MIN_DEVICES, clock: CLOCK },
      progress: earlier,
      keep: (kept) => {
        revisions = kept.revisions;
        record.write(kept);
      },
      gate: (done, next) => progress.aside(() => gate(done, next)),
      onWave: progress.wave,
      onReport: ({ wave, ok, failed, notDone }, { stacks }) => {
        const counts = { wave, stacks: stacks.length, ok, failed, notDone };
        record.add(counts);
        reported.push(counts);
      },
      log: progress.log,
    });
    return { ...rolledOut, waves: reported, revisions };
  } finally {
    progress.end();
  }
}

function reviewed(
  prepared: Prepared,
  { results, stopped, broken, waves }: Executed,
  { aborted: interrupted }: AbortSignal,
): FleetReview {
  const { operation, options, manifest, plan, planned, business, runFile } = prepared;
  const about = {
    ...{ fleet: plan.fleet, operation },
    calls: [
      {
        ...defined({ service: serviceHost(process.env) }),
        ...callsIn(new RunFileReader(runFile).news((text) => text.includes('"request":'))),
      },
    ],
    ...defined({ interrupted, stopped, broken, waves }),
    ...(operation === "drift" && { repair: commandFor("up", options) }),
    ...(operation === "preview" && { next: [`${commandFor(options.destroy ? "destroy" : "up", options)} --yes`] }),
    ...(operation === "preview" && options.json && { sends: sendsOfRun(prepared, results) }),
  };
  return reviewOfRun(about, results, {
    expected: expectedOf(prepared, results),
    declared: isOfManifest(operation) && !options.destroy ? declaredDevicesOf(manifest, business) : [],
    sites: options.destroy ? [] : manifest.sites,
    awaited: interrupted || isOfManifest(operation) || operation === "destroy" ? [] : planned,
  });
}

/** The values that an update of the previewed stacks may send. */
function sendsOfRun({ journal }: Prepared, results: readonly StackResult[]) {
  return sendsInSteps(
    startCommandRun(journal.env),
    results.flatMap(({ steps = [] }) => steps),
  );
}

/** The command that repairs drift, or applies a preview. */
function commandFor(operation: FleetOperation, { manifest, shard }: FleetOptions): string {
  const part = shard ? ` --shard ${shard.index}/${shard.count}` : "";
  return `npx solar-charging fleet ${operation} --manifest ${quoted(manifest)}${part}`;
}

/**
 * The devices of this run. For an update or its preview: all that no earlier run has finished. Other operations find
 * their devices in state, so only the devices of stacks that could not run come from the manifest.
 */
function expectedOf(
  { operation, plan, waves, earlier, business }: Prepared,
  results: readonly StackResult[],
): ExpectedDevice[] {
  const run = results.filter(({ error }) => error === undefined).map(({ stack }) => stack);
  const through = new Set(isOfManifest(operation) ? [] : run);
  const done = new Set(finishedSites(waves, earlier?.done));
  return plan.stacks
    .filter(({ name }) => !through.has(name))
    .flatMap(({ sites }) => declaredDevicesOf({ sites: sites.filter((site) => !done.has(site)) }, business));
}

/** The signals of a run. */
interface Interruption {
  /** Aborted at the first signal: no more stacks start, and running ones save their progress. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** The signals of Ctrl-C, of pipelines and service managers, and of a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Watches for Ctrl-C and similar signals. A second signal ends this process and its engines immediately, without
 * saving. A closing terminal is an exception: it sends its signal several times and accepts no output.
 */
function interruption(): Interruption {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    if (signal === "SIGHUP") for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
    if (controller.signal.aborted && signal !== "SIGHUP") process.exit(130);
    if (controller.signal.aborted) return;
    controller.abort();
    console.error("Interrupted. Saving progress; press Ctrl-C again to stop immediately");
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}
