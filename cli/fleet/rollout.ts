import { inParallel } from "../../provider/lifecycle/pool";
import { mergedOutcomes } from "./merged";
import { declaredIn, type Outcome } from "./outcomes";
import { deviceCount, devicesOf, largestFirst, type Plan } from "./plan";
import type { Progress } from "./record";
import { isWhole, type Operation, type RunStack, type StackResult, type StackRunOptions } from "./stack";
import { stopReason, targetsOf, type Wave } from "./waves";

/** What a run of a fleet needs. */
export interface Running {
  readonly plan: Plan;
  /** Stacks that run at the same time. */
  readonly parallel: number;
  readonly run: RunStack;
  readonly signal: AbortSignal;
  readonly onDevice: () => void;
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

type Item = { readonly name: string } & Omit<StackRunOptions, "onDevice" | "atOnce">;

/** Runs these stacks, as many at the same time as may. */
function atOnce(
  { parallel, run, onDevice }: Running,
  items: readonly Item[],
  operation: Operation,
  isOver: () => boolean,
  onResult: (name: string, result: StackResult) => void = () => {},
): Promise<StackResult[]> {
  const count = Math.min(parallel, items.length);
  const task = async ({ name, ...options }: Item) => {
    const result = await run(name, operation, { ...options, atOnce: count, onDevice });
    onResult(name, result);
    return result;
  };
  return inParallel(items, count, task, isOver);
}

export interface Rollout extends Running {
  /** That of the devices which do not say theirs. */
  readonly business: string | undefined;
  readonly waves: readonly Wave[];
  /** How far an earlier run of it has come. */
  readonly progress: Progress | undefined;
  /** Keeps how far it has come, after each stack; a run that is killed goes on from there. */
  keep(progress: Progress): void;
  /** Whether the rollout goes on after this wave, and before the next. */
  gate(done: Wave, next: Wave): Promise<boolean>;
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

/** Applies the waves in turn, each only where the one before did well enough. */
export async function rollOut(rollout: Rollout): Promise<RolledOut> {
  const { waves, plan, signal, say, progress } = rollout;
  const results: StackResult[] = [];
  const done = new Set(progress?.stacks);
  const released = new Set(progress?.released);
  let canaryDone = progress?.canaryDone ?? false;
  let broken: string | undefined;
  const keep = () => {
    try {
      rollout.keep({ canaryDone, released: [...released], stacks: [...done] });
    } catch (error) {
      broken ??= (error as Error).message;
    }
  };
  const isOver = () => signal.aborted || broken !== undefined;
  const soFar = () => ({ results, ...(broken !== undefined && { broken }) });
  const leftOf = ({ canary, stacks }: Wave) =>
    canary && canaryDone ? [] : largestFirst(stacks).filter(({ name }) => !done.has(name));
  if (done.size > 0) say(`done by an earlier run of this rollout: ${done.size} stacks (--restart runs them again)`);
  keep();

  for (const [index, wave] of waves.entries()) {
    const left = leftOf(wave);
    if (isOver()) return soFar();
    if (left.length > 0) {
      say(wave.canary ? `wave canary: site ${wave.canary.id}` : `wave ${wave.name}: ${left.length} stacks`);
      const stopped = await apply({ ...wave, stacks: left });
      if (isOver()) return soFar();
      if (stopped !== undefined && index < waves.length - 1) return { results, stopped };
      canaryDone ||= wave.canary !== undefined;
      keep();
    }
    const next = waves.slice(index + 1).find((later) => leftOf(later).length > 0);
    if (!next || released.has(wave.name)) continue;
    if (isOver()) return soFar();
    if (!(await rollout.gate(wave, { ...next, stacks: leftOf(next) }))) {
      return { results, stopped: `not released after wave ${wave.name}` };
    }
    released.add(wave.name);
    keep();
  }
  return soFar();

  /** Runs the stacks of a wave. @returns why the rollout ends after it, if it does */
  async function apply(wave: Wave): Promise<string | undefined> {
    const isEmptied = wave.name === "removal";
    const targets = wave.canary && { targets: targetsOf(plan.fleet, wave.canary) };
    const items = wave.stacks.map(({ name }) => ({ name, isEmptied, ...targets }));
    const devices = new Map(wave.stacks.map((stack) => [stack.name, deviceCount(stack)]));
    const ofWave = await atOnce(rollout, items, "up", isOver, (name, result) => {
      const isAll = declaredIn(result.outcomes).length >= (devices.get(name) as number);
      if (wave.canary || isEmptied || !isAll || !isWhole(result) || signal.aborted) return;
      done.add(name);
      keep();
    });
    // The engine tells of the other sites in the canary's stack too, which it leaves as they are.
    const ofCanary = wave.canary && new Set(devicesOf({ sites: [wave.canary] }, rollout.business));
    const told = ofCanary ? ofWave.map((result) => only(result, ofCanary)) : ofWave;
    results.push(...told);
    return stopOf(wave, told);
  }
}

/** What became of these devices, and what was let go of. */
function only(result: StackResult, devices: ReadonlySet<string>): StackResult {
  const isAsked = ([device, { letGo }]: [string, Outcome]) => devices.has(device) || letGo !== undefined;
  return { ...result, outcomes: new Map([...result.outcomes].filter(isAsked)) };
}

/** Why the rollout ends after this wave; undefined where it goes on. A stack that did not run at all ends it. */
function stopOf(wave: Wave, results: readonly StackResult[]): string | undefined {
  const broken = results.filter(({ error }) => error !== undefined).map(({ stack }) => stack);
  if (broken.length > 0) return `wave ${wave.name}: ${broken.join(", ")} could not be run`;
  const reason = stopReason(wave, mergedOutcomes(results));
  return reason && `wave ${wave.name}: ${reason}`;
}
