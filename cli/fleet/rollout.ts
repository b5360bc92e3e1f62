import { inParallel } from "../../provider/lifecycle/pool";
import { counted } from "./counted";
import { mergedOutcomes } from "./merged";
import { declaredIn } from "./outcomes";
import { deviceCount, largestFirst, type Plan } from "./plan";
import { doneIn, type Progress, type StackProgress } from "./record";
import { isWhole, type Operation, type RunStack, type StackResult, type StackRunOptions } from "./stack";
import type { DeviceStep } from "./tally";
import { type WaveReport, waveReportOf, waveText } from "./waveReport";
import { sizeOf, stopReason, type Wave } from "./waves";

/** What a run of a fleet needs. */
export interface Running {
  readonly plan: Plan;
  /** Stacks that run at the same time. */
  readonly parallel: number;
  readonly run: RunStack;
  readonly signal: AbortSignal;
  readonly onDevice: (step: DeviceStep) => void;
  /** Whether an `up` or a `preview` reads the devices first. */
  readonly refresh: boolean;
}

/** Runs all stacks, those without sites too, in no order. */
export function runAll(running: Running, operation: Operation): Promise<StackResult[]> {
  const { plan, signal } = running;
  const stacks = [
    ...largestFirst(plan.stacks).map(({ name }) => ({ name, isEmptied: false })),
    ...plan.emptied.map((name) => ({ name, isEmptied: true })),
  ];
  return atOnce(running, stacks, operation, () => signal.aborted);
}

type Item = { readonly name: string } & Omit<StackRunOptions, "onDevice" | "atOnce" | "refresh">;

/** Runs these stacks, as many at the same time as may. */
function atOnce(
  { parallel, run, onDevice, refresh }: Running,
  items: readonly Item[],
  operation: Operation,
  isOver: () => boolean,
  onResult: (name: string, result: StackResult) => void = () => {},
): Promise<StackResult[]> {
  const count = Math.min(parallel, items.length);
  const task = async ({ name, ...options }: Item) => {
    const result = await run(name, operation, { ...options, atOnce: count, refresh, onDevice });
    onResult(name, result);
    return result;
  };
  return inParallel(items, count, task, isOver);
}

export interface Rollout extends Running {
  readonly waves: readonly Wave[];
  /** How far an earlier run of it has come. */
  readonly progress: Progress | undefined;
  /** Keeps how far it has come, after each stack; a run that is killed goes on from there. */
  keep(progress: Progress): void;
  /** Whether the rollout goes on after this wave, and before the next. */
  gate(done: WaveReport, next: Wave): Promise<boolean>;
  /** A wave begins that has so many devices left. */
  onWave(name: string, devices: number): void;
  /** A wave is through, as far as it came. */
  onReport(report: WaveReport, wave: Wave): void;
  say(line: string): void;
}

/** What became of a rollout. */
export interface RolledOut {
  readonly results: readonly StackResult[];
  /** Why it did not go on after a wave. */
  readonly stopped?: string;
  /** Why nothing more was begun: how far it has come could not be kept. */
  readonly broken?: string;
}

/** Applies the waves in turn, each only if the one before did well enough. */
export async function rollOut(rollout: Rollout): Promise<RolledOut> {
  const { waves, signal, say, progress } = rollout;
  const results: StackResult[] = [];
  const stacks = new Map<string, StackProgress>(Object.entries(progress?.stacks ?? {}));
  const released = new Set(progress?.released);
  let canaryDone = progress?.canaryDone ?? false;
  let broken: string | undefined;
  const keep = () => {
    try {
      rollout.keep({ canaryDone, released: [...released], stacks: Object.fromEntries(stacks) });
    } catch (error) {
      broken ??= (error as Error).message;
    }
  };
  const isOver = () => signal.aborted || broken !== undefined;
  const soFar = () => ({ results, ...(broken !== undefined && { broken }) });
  const leftOf = (wave: Wave) =>
    wave.canary && canaryDone ? [] : largestFirst(wave.stacks).filter(({ name }) => !stacks.get(name)?.isDone);
  const done = doneIn(progress).length;
  if (done > 0) say(`done by an earlier run of this rollout: ${counted(done, "stack")} (--restart runs them again)`);
  keep();

  for (const [index, wave] of waves.entries()) {
    if (isOver()) return soFar();
    const left = leftOf(wave);
    // A run that is killed from here on leaves them as nobody knows.
    if (left.filter(({ name }) => stacks.delete(name)).length > 0) keep();
    if (isOver()) return soFar();
    const ofWave = left.length > 0 ? await apply({ ...wave, stacks: left }) : [];
    const stopped = stopOf({ ...wave, stacks: left }, ofWave);
    const isLast = index === waves.length - 1;
    const nextWave = waves.slice(index + 1).find((later) => leftOf(later).length > 0);
    const next = nextWave && { ...nextWave, stacks: leftOf(nextWave) };
    const isReleased = !next || released.has(wave.name);
    const report = waveReportOf(wave, left, ofWave);
    if (left.length > 0) rollout.onReport(report, wave);
    if (left.length > 0 || !isReleased) say(waveText(report, stopped === undefined ? next : undefined));
    if (isOver()) return soFar();
    if (stopped !== undefined && !isLast) return { results, stopped };
    if (left.length > 0) {
      canaryDone ||= wave.canary !== undefined;
      keep();
    }
    if (isReleased) continue;
    if (isOver()) return soFar();
    if (!(await rollout.gate(report, next))) return { results, stopped: `not released after wave ${wave.name}` };
    released.add(wave.name);
    keep();
  }
  return soFar();

  /** Runs the stacks of a wave. */
  async function apply(wave: Wave): Promise<StackResult[]> {
    const isEmptied = wave.name === "removal";
    const site = wave.canary?.id;
    const items = wave.stacks.map(({ name }) => ({ name, isEmptied, ...(site !== undefined && { onlySite: site }) }));
    const devices = new Map(wave.stacks.map((stack) => [stack.name, deviceCount(stack)]));
    rollout.onWave(wave.name, sizeOf(wave));
    say(wave.canary ? `wave canary: site ${wave.canary.id}` : `wave ${wave.name}: ${counted(items.length, "stack")}`);
    const ofWave = await atOnce(rollout, items, "up", isOver, (name, result) => {
      const { revision } = result;
      if (isEmptied || revision === undefined || signal.aborted) return;
      const isAll = declaredIn(result.outcomes).length >= (devices.get(name) as number);
      stacks.set(name, { revision, isDone: !wave.canary && isAll && isWhole(result) });
      keep();
    });
    results.push(...ofWave);
    return ofWave;
  }
}

/** Why the rollout ends after this wave; undefined if it goes on. A stack that did not run at all ends it. */
function stopOf(wave: Wave, results: readonly StackResult[]): string | undefined {
  const broken = results.filter(({ error }) => error !== undefined).map(({ stack }) => stack);
  if (broken.length > 0) return `wave ${wave.name}: ${broken.join(", ")} could not be run`;
  const reason = stopReason(wave, mergedOutcomes(results));
  return reason && `wave ${wave.name}: ${reason}`;
}
