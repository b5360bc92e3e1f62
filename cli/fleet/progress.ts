import { isAlive } from "../../provider/ledger/placeOfRun";
import { defined } from "../../provider/settings/objects";
import { shownProgress } from "../progress";
import { RunFileReader } from "../stacks/runFile";
import type { DeviceStep } from "../stacks/stack";
import { numbered } from "../words";

/** Shows the progress of a run. */
export function fleetProgress(devices: number, service: ServiceWatch) {
  const counter = new ProgressCounter(devices, new RunClock(), service);
  const shown = shownProgress(() => {
    const { progress } = counter;
    return { done: progress.done, of: progress.of, text: progressText(progress), isUrgent: isOut(progress) };
  });
  const { clock } = counter;
  return {
    device: (step: DeviceStep) => counter.take(step),
    /** A wave begins. @param of the number of its devices */
    wave: (name: string, of: number) => counter.begin(name, of),
    log: (line: string) => {
      shown.pause();
      console.error(line);
      shown.resume();
    },
    /** Pauses the progress while the work uses the terminal. */
    aside: async <T>(work: () => Promise<T>): Promise<T> => {
      shown.pause();
      clock.pause();
      try {
        return await work();
      } finally {
        clock.resume();
        shown.resume();
      }
    },
    end: shown.end,
  };
}

/** The duration of a part of a run. The clock stops while a person or a command decides. */
export class RunClock {
  #running = 0;
  #since: number | undefined;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#since = now();
  }

  get seconds(): number {
    return (this.#running + (this.#since === undefined ? 0 : this.now() - this.#since)) / 1000;
  }

  pause(): void {
    this.#running = this.seconds * 1000;
    this.#since = undefined;
  }

  resume(): void {
    this.#since ??= this.now();
  }
}

/** The progress of a run. */
interface RunProgress {
  /** The progress of the current wave. */
  readonly wave?: { readonly name: string; readonly done: number; readonly of: number };
  readonly done: number;
  readonly of: number;
  readonly failed: number;
  readonly seconds: number;
  /** Devices per second. Absent until the first device is done. */
  readonly rate?: number;
  readonly secondsLeft?: number;
  /** Seconds since the service stopped answering. Absent if it answers. */
  readonly failingSeconds?: number;
}

/** Share of the work from which the time left is shown (our choice). The canary alone, at its slow start, promises half an hour for 10 s. */
const LEAST_SHARE = 0.05;

interface WaveProgress {
  readonly name: string;
  readonly of: number;
  readonly done: Set<string>;
}

/** Counts devices. A device that is seen again counts once: stacks with a canary run twice. */
export class ProgressCounter {
  readonly #read = new Set<string>();
  readonly #done = new Map<string, boolean>();
  #wave: WaveProgress | undefined;

  /** @param of number of devices of the run. A run can find more, such as devices that are no longer declared */
  constructor(
    private readonly of: number,
    readonly clock: RunClock,
    private readonly service: { readonly failingSeconds: number | undefined } = { failingSeconds: undefined },
  ) {}

  begin(name: string, of: number): void {
    this.#wave = { name, of, done: new Set() };
  }

  take({ device, stage, isFailed }: DeviceStep): void {
    if (stage === "read") {
      this.#read.add(device);
      return;
    }
    // A stack with a canary runs again in a later wave, which has only its other devices.
    if (!this.#done.has(device)) this.#wave?.done.add(device);
    this.#done.set(device, isFailed);
  }

  get progress(): RunProgress {
    const { seconds } = this.clock;
    const done = this.#done.size;
    const of = Math.max(this.of, done);
    // A device that was only read counts half.
    const work = (done + Math.max(done, this.#read.size)) / 2;
    const rate = work > 0 && seconds > 0 ? work / seconds : undefined;
    const wave = this.#wave;
    return defined({
      wave: wave && { name: wave.name, done: wave.done.size, of: Math.max(wave.of, wave.done.size) },
      ...{ done, of, failed: [...this.#done.values()].filter(Boolean).length },
      ...{ seconds, rate, failingSeconds: this.service.failingSeconds },
      secondsLeft: rate && work / of >= LEAST_SHARE ? (of - work) / rate : undefined,
    });
  }
}

/**
 * The progress of a run, in words: `wave share: 40 of 60 devices, run: 52 of 300, 3.2 devices/s, 1 min 18 s left, 1
 * failed`.
 */
export function progressText(progress: RunProgress): string {
  const { wave, done, of, failed, seconds, rate, secondsLeft, failingSeconds } = progress;
  const devices = `${numbered(done)} of ${numbered(of)} devices`;
  return [
    ...(wave ? [`wave ${wave.name}: ${wave.done} of ${wave.of} devices`, `run: ${devices}`] : [devices]),
    ...(rate === undefined ? [] : [`${rate < 10 ? rate.toFixed(1) : Math.round(rate)} devices/s`]),
    durationText(seconds),
    ...(secondsLeft === undefined || done >= of ? [] : [`${durationText(secondsLeft)} left`]),
    ...(failed === 0 ? [] : [`${numbered(failed)} failed`]),
    ...(isOut(progress)
      ? [`the service has not answered for ${durationText(failingSeconds as number)}; retrying`]
      : []),
  ].join(", ");
}

/** Seconds without an answer after which an outage is shown (our choice): a single request may fail at any time. */
const OUT_AFTER = 5;

/** Whether an outage has lasted long enough to be shown. */
export function isOut({ failingSeconds = 0 }: RunProgress): boolean {
  return failingSeconds >= OUT_AFTER;
}

/** A time as `42 s`, `3 min 5 s` or `1 h 12 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Follows the state of the service, which the providers of a run write to its file. */
export class ServiceWatch {
  readonly #file: RunFileReader;
  /** By process, the time since which the service has failed it, in milliseconds of the clock. */
  readonly #failing = new Map<number, number>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    path: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#file = new RunFileReader(path);
  }

  /** Seconds since the service stopped answering a running provider; undefined if it answers. */
  get failingSeconds(): number | undefined {
    for (const { pid, isFailing } of this.#file.news((text) => text.includes('"isFailing":'))) {
      if (isFailing) this.#failing.set(pid, this.now());
      else this.#failing.delete(pid);
    }
    for (const pid of this.#failing.keys()) if (!isAlive(pid)) this.#failing.delete(pid);
    const since = Math.min(...this.#failing.values());
    return Number.isFinite(since) ? (this.now() - since) / 1000 : undefined;
  }
}
