import { inParallel } from "../../../provider/lifecycle/pool";
import { counted } from "../../counted";
import { mergedOutcomes } from "../outcome/merged";
import { declaredIn } from "../outcome/outcome";
import type { DeviceStep } from "../progress/tally";
import { type FleetOperation, isWhole, type RunStack, type StackResult, type StackRunOptions } from "../stack";
import { deviceCount, largestFirst, type Plan, type StackPlan } from "./plan";
import { doneIn, type RolloutProgress, type StackProgress } from "./record";
import { type WaveReport, waveReportOf, waveText } from "./waveReport";
import { sizeOf, stopReason, type Wave } from "./waves";

/** The needs of a run of a fleet. */
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
export function runAll(running: Running, operation: FleetOperation): Promise<StackResult[]> {
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
  operation: FleetOperation,
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
  readonly progress: RolloutProgress | undefined;
  /** Keeps how far it has come, after each stack; a run that is killed goes on from there. */
  keep(progress: RolloutProgress): void;
  /** Whether the rollout goes on after this wave, and before the next. */
  gate(done: WaveReport, next: Wave): Promise<boolean>;
  /** A wave begins that has so many devices left. */
  onWave(name: string, devices: number): void;
  /** A wave is through, as far as it came. */
  onReport(report: WaveReport, wave: Wave): void;
  say(line: string): void;
}

/** The outcome of a rollout. */
export interface RolledOut {
  readonly results: readonly StackResult[];
  /** Why it did not go on after a wave. */
  readonly stopped?: string;
  /** Why nothing more was begun: how far it has come could not be kept. */
  readonly broken?: string;
}

/** Applies the waves in turn, each only if the one before did well enough. */
export async function rollOut(rollout: Rollout): Promise<RolledOut> {
  const course = new Course(rollout);
  const done = doneIn(rollout.progress).length;
  if (done > 0) {
    rollout.say(`done by an earlier run of this rollout: ${counted(done, "stack")} (--restart runs them again)`);
  }
  course.keep();
  for (const index of rollout.waves.keys()) {
    if (course.isOver) break;
    const stopped = await course.take(index);
    if (stopped !== undefined) return { results: course.results, stopped };
  }
  return { results: course.results, ...(course.broken !== undefined && { broken: course.broken }) };
}

/** How far a rollout has come, and what is left of it. */
class Course {
  readonly results: StackResult[] = [];
  /** Why how far it has come could not be kept. */
  broken: string | undefined;
  readonly #stacks: Map<string, StackProgress>;
  readonly #released: Set<string>;
  #canaryDone: boolean;

  constructor(private readonly rollout: Rollout) {
    const { stacks = {}, released, canaryDone = false } = rollout.progress ?? {};
    this.#stacks = new Map(Object.entries(stacks));
    this.#released = new Set(released);
    this.#canaryDone = canaryDone;
  }

  get isOver(): boolean {
    return this.rollout.signal.aborted || this.broken !== undefined;
  }

  keep(): void {
    const stacks = Object.fromEntries(this.#stacks);
    try {
      this.rollout.keep({ canaryDone: this.#canaryDone, released: [...this.#released], stacks });
    } catch (error) {
      this.broken ??= (error as Error).message;
    }
  }

  /** Applies what is left of a wave, and asks whether it goes on. @returns why it does not */
  async take(index: number): Promise<string | undefined> {
    const { waves, gate, say, onReport } = this.rollout;
    const wave = waves[index] as Wave;
    const left = this.#leftOf(wave);
    // A run that is killed from here on leaves them as nobody knows.
    if (left.filter(({ name }) => this.#stacks.delete(name)).length > 0) this.keep();
    if (this.isOver) return undefined;
    const ofWave = left.length > 0 ? await this.#apply({ ...wave, stacks: left }) : [];
    const stopped = stopOf({ ...wave, stacks: left }, ofWave);
    const next = this.#after(index);
    const isReleased = !next || this.#released.has(wave.name);
    const report = waveReportOf(wave, left, ofWave);
    if (left.length > 0) onReport(report, wave);
    if (left.length > 0 || !isReleased) say(waveText(report, stopped === undefined ? next : undefined));
    if (this.isOver) return undefined;
    if (stopped !== undefined && index < waves.length - 1) return stopped;
    if (left.length > 0) {
      this.#canaryDone ||= wave.canary !== undefined;
      this.keep();
    }
    if (isReleased || this.isOver) return undefined;
    if (!(await gate(report, next))) return `not released after wave ${wave.name}`;
    this.#released.add(wave.name);
    this.keep();
    return undefined;
  }

  #leftOf(wave: Wave): StackPlan[] {
    if (wave.canary && this.#canaryDone) return [];
    return largestFirst(wave.stacks).filter(({ name }) => !this.#stacks.get(name)?.isDone);
  }

  /** The next wave that has something left. */
  #after(index: number): Wave | undefined {
    const next = this.rollout.waves.slice(index + 1).find((later) => this.#leftOf(later).length > 0);
    return next && { ...next, stacks: this.#leftOf(next) };
  }

  /** Runs the stacks of a wave. */
  async #apply(wave: Wave): Promise<StackResult[]> {
    const { onWave, say, signal } = this.rollout;
    const isEmptied = wave.name === "removal";
    const site = wave.canary?.id;
    const items = wave.stacks.map(({ name }) => ({ name, isEmptied, ...(site !== undefined && { onlySite: site }) }));
    const devices = new Map(wave.stacks.map((stack) => [stack.name, deviceCount(stack)]));
    onWave(wave.name, sizeOf(wave));
    say(wave.canary ? `wave canary: site ${wave.canary.id}` : `wave ${wave.name}: ${counted(items.length, "stack")}`);
    const keep = (name: string, result: StackResult) => {
      const { revision } = result;
      if (isEmptied || revision === undefined || signal.aborted) return;
      const isAll = declaredIn(result.outcomes).length >= (devices.get(name) as number);
      this.#stacks.set(name, { revision, isDone: !wave.canary && isAll && isWhole(result) });
      this.keep();
    };
    const ofWave = await atOnce(this.rollout, items, "up", () => this.isOver, keep);
    this.results.push(...ofWave);
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
