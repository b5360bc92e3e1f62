import { inParallel } from "../pool";
import { largestFirst, type Plan } from "./plan";
import type { Progress } from "./record";
import type { Operation, RunStack, StackResult } from "./stackRun";
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
export function runAll(
  { plan, parallel, run, signal, onDevice }: Running,
  operation: Operation,
): Promise<StackResult[]> {
  const stacks = [
    ...largestFirst(plan.stacks).map(({ name }) => ({ name, isEmptied: false })),
    ...plan.emptied.map((name) => ({ name, isEmptied: true })),
  ];
  const task = ({ name, isEmptied }: (typeof stacks)[number]) => run(name, operation, { isEmptied, onDevice });
  return inParallel(stacks, parallel, task, () => signal.aborted);
}

export interface Rollout extends Running {
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

/** Applies the waves in turn, each only where the one before did well enough. Stacks without sites come last. */
export async function rollOut(rollout: Rollout): Promise<RolledOut> {
  const { waves, plan, parallel, run, signal, onDevice, say } = rollout;
  const results: StackResult[] = [];
  const done = new Set(rollout.progress?.stacks);
  let canaryDone = rollout.progress?.canaryDone ?? false;
  let broken: string | undefined;
  const keep = () => {
    try {
      rollout.keep({ canaryDone, stacks: [...done] });
    } catch (error) {
      broken ??= (error as Error).message;
    }
  };
  const isOver = () => signal.aborted || broken !== undefined;
  const soFar = () => ({ results, ...(broken !== undefined && { broken }) });
  keep();

  for (const [index, wave] of waves.entries()) {
    const left = largestFirst(wave.stacks).filter(({ name }) => !done.has(name) && !(wave.canary && canaryDone));
    if (left.length === 0) continue;
    say(wave.canary ? `wave canary: site ${wave.canary.id}` : `wave ${wave.name}: ${left.length} stacks`);
    const targets = wave.canary && targetsOf(plan.fleet, wave.canary);
    const task = async ({ name }: (typeof left)[number]) => {
      const result = await run(name, "up", { ...(targets && { targets }), onDevice });
      if (!wave.canary && isWhole(result) && !signal.aborted) {
        done.add(name);
        keep();
      }
      return result;
    };
    const ofWave = await inParallel(left, parallel, task, isOver);
    results.push(...ofWave);
    if (isOver()) return soFar();
    const next = waves[index + 1];
    if (!next) break;
    const stopped = stopOf(wave, ofWave);
    if (stopped !== undefined) return { results, stopped };
    if (wave.canary) canaryDone = true;
    keep();
    if (isOver()) return soFar();
    if (!(await rollout.gate(wave, next))) return { results, stopped: `not released after wave ${wave.name}` };
  }

  const emptied = (name: string) => run(name, "up", { isEmptied: true, onDevice });
  results.push(...(await inParallel(plan.emptied, parallel, emptied, isOver)));
  return soFar();
}

/** Whether a stack is as declared, all of it. */
export function isWhole({ error, outcomes }: StackResult): boolean {
  return error === undefined && [...outcomes.values()].every(({ result }) => result !== "failed");
}

/** Why the rollout ends after this wave; undefined where it goes on. A stack that did not run at all ends it. */
function stopOf(wave: Wave, results: readonly StackResult[]): string | undefined {
  const broken = results.filter(({ error }) => error !== undefined).map(({ stack }) => stack);
  if (broken.length > 0) return `wave ${wave.name}: ${broken.join(", ")} could not be run`;
  const reason = stopReason(wave, new Map(results.flatMap(({ outcomes }) => [...outcomes])));
  return reason && `wave ${wave.name}: ${reason}`;
}
