import { SingleBar } from "cli-progress";
import type { DeviceStep } from "../stacks/stack";
import { isLive } from "../terminal";
import { isOut, ProgressCounter, progressText, RunClock } from "./progressCounter";
import type { ServiceWatch } from "./serviceWatch";

/** Shows the progress of a run. */
export interface FleetProgress {
  device(step: DeviceStep): void;
  /** A wave begins. @param devices the number of its devices */
  wave(name: string, devices: number): void;
  log(line: string): void;
  /** Pauses the progress while the work uses the terminal. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

/** Time between two lines without a terminal, and between two drawings of the bar, in milliseconds (our choice). */
const LINE_EVERY = 10_000;
const DRAW_EVERY = 200;

/**
 * Shows a bar on a terminal, otherwise a line every ten seconds. Uses standard error, because standard output is
 * reserved for the summary.
 */
export function fleetProgress(
  devices: number,
  service: ServiceWatch,
  stream: NodeJS.WriteStream = process.stderr,
): FleetProgress {
  const counter = new ProgressCounter(devices, new RunClock(), service);
  const shown = isLive(stream) ? barOf(counter, stream) : linesOf(counter, stream);
  const { clock } = counter;
  return {
    device: (step) => counter.take(step),
    wave: (name, of) => counter.begin(name, of),
    log: (line) => {
      shown.pause();
      stream.write(`${line}\n`);
      shown.resume();
    },
    aside: async (work) => {
      shown.pause();
      clock.pause();
      try {
        return await work();
      } finally {
        clock.resume();
        shown.resume();
      }
    },
    end: () => shown.end(),
  };
}

interface ProgressDisplay {
  pause(): void;
  resume(): void;
  end(): void;
}

function linesOf(counter: ProgressCounter, stream: NodeJS.WriteStream): ProgressDisplay {
  let last = 0;
  const line = () => {
    const { progress } = counter;
    if (progress.done === last && !isOut(progress)) return;
    last = progress.done;
    stream.write(`${progressText(progress)}\n`);
  };
  const timer = setInterval(line, LINE_EVERY);
  return { pause() {}, resume() {}, end: () => clearInterval(timer) };
}

function barOf(counter: ProgressCounter, stream: NodeJS.WriteStream): ProgressDisplay {
  const bar = new SingleBar({ format: "{bar} {text}", stream, barsize: 20, autopadding: false, clearOnComplete: true });
  let timer: NodeJS.Timeout | undefined;
  const draw = (show: (done: number, payload: { text: string }) => void) => {
    const { progress } = counter;
    show(progress.done, { text: progressText(progress) });
  };
  const pause = () => {
    clearInterval(timer);
    if (timer) bar.stop();
    timer = undefined;
  };
  const resume = () => {
    draw((done, payload) => bar.start(counter.progress.of, done, payload));
    timer = setInterval(() => draw((done, payload) => bar.update(done, payload)), DRAW_EVERY);
  };
  resume();
  // The bar turns off line wrapping. Turn it on again even if a second Ctrl-C ends this process.
  process.once("exit", pause);
  return { pause, resume, end: pause };
}
