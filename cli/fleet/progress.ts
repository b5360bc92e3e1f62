import { SingleBar } from "cli-progress";
import type { DeviceStep } from "../stacks/stack";
import { isLive } from "../terminal";
import type { ServiceWatch } from "./serviceWatch";
import { isOut, RunClock, standingText, Tally } from "./tally";

/** Shows the progress of a run. */
export interface FleetProgress {
  device(step: DeviceStep): void;
  /** A wave begins. @param devices the number of its devices */
  wave(name: string, devices: number): void;
  say(line: string): void;
  /** Pauses the progress while the work uses the terminal. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

/** Time between two lines without a terminal, and between two drawings of the bar, in milliseconds (our choice). */
const LINE_EVERY = 10_000;
const DRAW_EVERY = 200;

/**
 * Shows a bar on a terminal, otherwise a line now and then. Uses standard error, because standard output is reserved
 * for the summary.
 */
export function fleetProgress(
  devices: number,
  service: ServiceWatch,
  stream: NodeJS.WriteStream = process.stderr,
): FleetProgress {
  const tally = new Tally(devices, new RunClock(), service);
  const shown = isLive(stream) ? barOf(tally, stream) : linesOf(tally, stream);
  const { clock } = tally;
  return {
    device: (step) => tally.take(step),
    wave: (name, of) => tally.begin(name, of),
    say: (line) => {
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

interface Shown {
  pause(): void;
  resume(): void;
  end(): void;
}

function linesOf(tally: Tally, stream: NodeJS.WriteStream): Shown {
  let last = 0;
  const line = () => {
    const { standing } = tally;
    if (standing.done === last && !isOut(standing)) return;
    last = standing.done;
    stream.write(`${standingText(standing)}\n`);
  };
  const timer = setInterval(line, LINE_EVERY);
  return { pause() {}, resume() {}, end: () => clearInterval(timer) };
}

function barOf(tally: Tally, stream: NodeJS.WriteStream): Shown {
  const bar = new SingleBar({ format: "{bar} {text}", stream, barsize: 20, autopadding: false });
  let timer: NodeJS.Timeout | undefined;
  const draw = (show: (done: number, payload: { text: string }) => void) => {
    const { standing } = tally;
    show(standing.done, { text: standingText(standing) });
  };
  const pause = () => {
    clearInterval(timer);
    if (timer) bar.stop();
    timer = undefined;
  };
  const resume = () => {
    draw((done, payload) => bar.start(tally.standing.of, done, payload));
    timer = setInterval(() => draw((done, payload) => bar.update(done, payload)), DRAW_EVERY);
  };
  resume();
  // The bar turns off line wrapping. Turn it on again even if a second Ctrl-C ends this process.
  process.once("exit", pause);
  return { pause, resume, end: pause };
}
