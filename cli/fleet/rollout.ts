import { setTimeout } from "node:timers/promises";
import { inParallel } from "../../provider/lifecycle/run/pool";
import { memberCount } from "../../provider/manifest/model";
import { defined } from "../../provider/settings/objects";
import type { RolloutProgress } from "../stacks/fleetRecord";
import { declaredIn, isLeft, mergedOutcomes } from "../stacks/outcome";
import { largestFirst, type Plan, type StackPlan } from "../stacks/plan";
import {
  type DeviceStep,
  type FleetOperation,
  isWhole,
  type RunStack,
  type StackResult,
  type StackRunOptions,
} from "../stacks/stack";
import { counted } from "../words";
import { afterWatch, FailureWatch, stopOf } from "./failures";
import { sizeWords, type WaveReport, waveReportOf, waveText } from "./waveReport";
import { finishedSites, isFinished, markOf, sizeOf, type Wave, type WaveStack } from "./waves";

/** The parts that every run of a fleet needs. */
export interface Running {
  readonly plan: Plan;
  /** Stacks that run at the same time. */
  readonly parallel: number;
  readonly run: RunStack;
  readonly signal: AbortSignal;
  readonly onDevice: (step: DeviceStep) => void;
  /** Whether an `up` or a `preview` reads the devices first. */
  readonly refresh: boolean;
  /** Whether the result is printed as JSON. */
  readonly json?: boolean | undefined;
}

/** Runs all stacks without waves: the largest first, those without sites last. */
export function runAll(running: Running, operation: FleetOperation): Promise<StackResult[]> {
  const { plan, signal } = running;
  const emptied = plan.emptied.map((name) => ({ stack: { name, sites: [] }, isEmptied: true }));
  const items = [...largestFirst(plan.stacks).map((stack) => ({ stack })), ...emptied];
  return atOnce(running, items, { operation, isOver: () => signal.aborted });
}

type Item = { readonly stack: StackPlan } & Pick<StackRunOptions, "only" | "isEmptied">;

/** Callbacks before and after the run of each stack. */
interface StackHooks {
  onBegin?(name: string): void;
  onResult?(name: string, result: StackResult): void;
}

/** Runs these stacks, up to the allowed number at the same time. */
function atOnce(
  { parallel, run, signal, onDevice, refresh, json }: Running,
  items: readonly Item[],
  { operation, isOver }: { readonly operation: FleetOperation; readonly isOver: () => boolean },
  { onBegin, onResult }: StackHooks = {},
): Promise<StackResult[]> {
  const count = Math.min(parallel, items.length);
  const task = async ({ stack, ...options }: Item) => {
    onBegin?.(stack.name);
    const result = await run(stack, operation, signal, { ...options, atOnce: count, refresh, json, onDevice });
    onResult?.(stack.name, result);
    return result;
  };
  return inParallel(items, count, task, isOver);
}

export interface RolloutOptions extends Running {
  readonly waves: readonly Wave[];
  /** The progress of an earlier run of this rollout. */
  readonly progress: RolloutProgress | undefined;
  /** Failures stop a running wave only after this number of its devices is done. */
  readonly minDevices: number;
  readonly clock: Clock;
  /** Saves the progress after each stack. The next run continues from there if this one is killed. */
  keep(progress: RolloutProgress): void;
  /** Whether the rollout continues with the next wave after this one. */
  gate(done: WaveReport, next: Wave): Promise<boolean>;
  /** A wave begins. @param devices the number of devices that are left in it */
  onWave(name: string, devices: number): void;
  /** A wave has ended, complete or not. */
  onReport(report: WaveReport, wave: Wave): void;
  log(line: string): void;
}

export interface RolledOut {
  readonly results: readonly StackResult[];
  /** The reason why it did not continue. */
  readonly stopped?: string;
  /** The reason if no more stacks were started because the progress could not be saved. */
  readonly broken?: string;
}

/** Applies the waves in turn. The next one starts only if the one before succeeded well enough. */
export async function rollOut(rollout: RolloutOptions): Promise<RolledOut> {
  const running = new RunningRollout(rollout);
  const done = finishedSites(rollout.waves, rollout.progress?.done);
  if (done.length > 0) {
    const what = `${counted(done.length, "site")} with ${counted(memberCount(done), "device")}`;
    rollout.log(`an earlier run of this rollout finished ${what}, which this run skips (to run them again: --restart)`);
  }
  running.keep();
  for (const index of rollout.waves.keys()) {
    if (running.isOver) break;
    const stopped = await running.take(index);
    if (stopped !== undefined) return { results: running.results, stopped };
  }
  return defined({ results: running.results, broken: running.broken });
}

/** The progress of a rollout, and its remaining stacks. */
class RunningRollout {
  readonly results: StackResult[] = [];
  /** The reason why the progress could not be saved. */
  broken: string | undefined;
  #progress: RolloutProgress;

  constructor(private readonly rollout: RolloutOptions) {
    this.#progress = rollout.progress ?? { done: {}, soaked: [], released: [], revisions: {} };
  }

  get isOver(): boolean {
    return this.rollout.signal.aborted || this.broken !== undefined;
  }

  keep(change: Partial<RolloutProgress> = {}): void {
    this.#progress = { ...this.#progress, ...change };
    try {
      this.rollout.keep(this.#progress);
    } catch (error) {
      this.broken ??= (error as Error).message;
    }
  }

  /** Applies the rest of a wave, watches it, and asks whether the rollout continues. @returns the reason to stop */
  async take(index: number): Promise<string | undefined> {
    const { waves, gate, log, onReport } = this.rollout;
    const wave = waves[index] as Wave;
    const begun = this.#leftOf(wave);
    const { ofWave, stop } = begun.length > 0 ? await this.#apply({ ...wave, stacks: begun }) : { ofWave: [] };
    const report = waveReportOf(wave, begun, ofWave);
    // Updates in progress end after the stop, so the numbers of the whole wave count.
    const stopped = stopOf(wave, report) ?? stop;
    const next = this.#after(index);
    const isReleased = !next || this.#progress.released.includes(wave.name);
    if (begun.length > 0) onReport(report, wave);
    if (begun.length > 0 || !isReleased) {
      log(waveText(report, stopped === undefined && !this.isOver ? next : undefined));
    }
    if (this.isOver) return undefined;
    if (stopped !== undefined && (stop || index < waves.length - 1)) return stopped;
    const unsteady = stopped === undefined ? await this.#watch(wave) : undefined;
    if (unsteady !== undefined) return unsteady;
    if (isReleased || this.isOver) return undefined;
    if (!(await gate(report, next)))
      return `stopped by the gate or your answer, after wave ${wave.name}. To continue, run the same command again`;
    this.keep({ released: [...this.#progress.released, wave.name] });
    return undefined;
  }

  #leftOf({ name: wave, stacks }: Wave): WaveStack[] {
    return largestFirst(stacks).filter((stack) => !isFinished(wave, stack, this.#progress.done));
  }

  /** The next wave with remaining stacks. */
  #after(index: number): Wave | undefined {
    const next = this.rollout.waves.slice(index + 1).find((later) => this.#leftOf(later).length > 0);
    return next && { ...next, stacks: this.#leftOf(next) };
  }

  /** Runs the stacks of a wave in parallel, until too many devices fail. */
  async #apply(wave: Wave): Promise<{ ofWave: StackResult[]; stop?: string | undefined }> {
    const { onWave, log } = this.rollout;
    const ending = new AbortController();
    const signal = AbortSignal.any([this.rollout.signal, ending.signal]);
    let stop: string | undefined;
    const failures = new FailureWatch(wave, this.rollout.minDevices);
    const onDevice = (step: DeviceStep) => {
      this.rollout.onDevice(step);
      const reason = failures.take(step);
      if (reason === undefined) return;
      stop ??= `wave ${wave.name}: ${reason}`;
      ending.abort();
    };
    onWave(wave.name, sizeOf(wave));
    log(`wave ${wave.name}: ${subjectOf(wave)}`);
    const items = wave.stacks.map((stack) => ({ stack, isEmptied: wave.isRemoval, ...targets(stack) }));
    const onBegin = (name: string) => {
      // If the run is killed after this line, the state of the stack is unknown.
      const { [name]: _, ...revisions } = this.#progress.revisions;
      this.keep({ revisions });
    };
    const onResult = (name: string, result: StackResult) => this.#keepResult(wave, name, result);
    const isOver = () => this.isOver || signal.aborted;
    const ofWave = await atOnce(
      { ...this.rollout, signal, onDevice },
      items,
      { operation: "up", isOver },
      { onBegin, onResult },
    );
    this.results.push(...ofWave);
    return { ofWave, stop };
  }

  #keepResult(wave: Wave, name: string, result: StackResult): void {
    const { revision } = result;
    const stack = wave.stacks.find((one) => one.name === name);
    if (!stack || revision === undefined || this.rollout.signal.aborted) return;
    const size = memberCount(stack.isPart ? stack.own : stack.sites);
    const isDone = declaredIn(result.outcomes).length >= size && isWhole(result);
    const done = this.#progress.done[wave.name] ?? [];
    this.keep({
      revisions: { ...this.#progress.revisions, [name]: revision },
      ...(isDone && { done: { ...this.#progress.done, [wave.name]: [...done, markOf(stack)] } }),
    });
  }

  /** Waits after a wave, and reads its devices again. @returns the reason to stop */
  async #watch(wave: Wave): Promise<string | undefined> {
    const { soak } = wave;
    if (soak === undefined || this.#progress.soaked.includes(wave.name)) return undefined;
    const { clock, log, signal } = this.rollout;
    const kept = this.#progress.watch;
    const latest = new Date(clock.now().getTime() + soak * 1000).toISOString();
    // A clock that was wrong must not make a rollout wait longer than it would now.
    const until = kept?.wave === wave.name && kept.until < latest ? kept.until : latest;
    this.keep({ watch: { wave: wave.name, until } });
    log(`wave ${wave.name}: watching until ${until}`);
    await clock.until(new Date(until), signal);
    if (this.isOver) return undefined;
    const items = wave.stacks.map((stack) => ({ stack, only: stack.own.map(({ id }) => id) }));
    const found = await atOnce({ ...this.rollout, refresh: false, onDevice() {} }, items, {
      operation: "drift",
      isOver: () => this.isOver,
    });
    if (this.isOver) return undefined;
    const left = new Map([...mergedOutcomes(this.results)].filter(([, one]) => isLeft(one)));
    const { results, stopped } = afterWatch(wave, found, left);
    this.results.push(...results);
    if (stopped === undefined) {
      this.keep({ soaked: [...this.#progress.soaked, wave.name] });
      return undefined;
    }
    // The next run applies stacks with failures again.
    const bad = new Set(results.filter((result) => !isWhole(result)).map(({ stack }) => stack));
    const again = wave.stacks.filter(({ name }) => bad.has(name)).map(markOf);
    const done = (this.#progress.done[wave.name] ?? []).filter((mark) => !again.includes(mark));
    this.keep({ watch: undefined, done: { ...this.#progress.done, [wave.name]: done } });
    return stopped;
  }
}

function targets({ isPart, own }: WaveStack): { readonly only?: readonly string[] } {
  return isPart ? { only: own.map(({ id }) => id) } : {};
}

/** `site berlin`, `42 devices, 21 sites`, or `2 stacks` that have no sites any more. */
function subjectOf(wave: Wave): string {
  const [first, ...others] = wave.stacks.flatMap(({ own }) => own);
  if (!first) return counted(wave.stacks.length, "stack");
  return others.length === 0 ? `site ${first.id}` : sizeWords(wave);
}

/** The current time, and a wait until a later one. */
export interface Clock {
  now(): Date;
  /** Resolves at a time, or when the signal is aborted. It never rejects. */
  until(date: Date, signal: AbortSignal): Promise<void>;
}

/** Longest timer of Node, in milliseconds: a longer one would end immediately. */
const LONGEST_WAIT = 2 ** 31 - 1;

export const CLOCK: Clock = {
  now: () => new Date(),
  async until(date, signal) {
    for (;;) {
      const left = date.getTime() - Date.now();
      if (left <= 0 || signal.aborted) return;
      await setTimeout(Math.min(left, LONGEST_WAIT), undefined, { signal }).catch(() => {});
    }
  },
};
