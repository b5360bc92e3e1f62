import { SingleBar } from "cli-progress";
import { isLive } from "./terminal";
import { numbered } from "./words";

/** The progress of some work at one moment. */
interface ProgressNow {
  readonly done: number;
  readonly of: number;
  readonly text: string;
  /** Whether to show it although nothing more is done. */
  readonly isUrgent?: boolean;
}

/** Progress that is shown until its end, and not while the work uses the terminal for something else. */
interface ProgressDisplay {
  pause(): void;
  resume(): void;
  end(): void;
}

/** Time between two lines without a terminal, and between two drawings of the bar, in milliseconds (our choice). */
const LINE_EVERY = 10_000;
const DRAW_EVERY = 200;

/**
 * Shows a bar on a terminal, otherwise a line every ten seconds. Uses standard error, because standard output is
 * reserved for the result.
 */
export function shownProgress(now: () => ProgressNow, stream: NodeJS.WriteStream = process.stderr): ProgressDisplay {
  return isLive(stream) ? barOf(now, stream) : linesOf(now, stream);
}

function linesOf(now: () => ProgressNow, stream: NodeJS.WriteStream): ProgressDisplay {
  let last = 0;
  const line = () => {
    const { done, text, isUrgent } = now();
    if (done === last && !isUrgent) return;
    last = done;
    stream.write(`${text}\n`);
  };
  const timer = setInterval(line, LINE_EVERY);
  return { pause() {}, resume() {}, end: () => clearInterval(timer) };
}

function barOf(now: () => ProgressNow, stream: NodeJS.WriteStream): ProgressDisplay {
  const bar = new SingleBar({ format: "{bar} {text}", stream, barsize: 20, autopadding: false, clearOnComplete: true });
  let timer: NodeJS.Timeout | undefined;
  const pause = () => {
    clearInterval(timer);
    if (timer) bar.stop();
    timer = undefined;
  };
  const resume = () => {
    const { done, of, text } = now();
    bar.start(of, done, { text });
    timer = setInterval(() => {
      const { done, text } = now();
      bar.update(done, { text });
    }, DRAW_EVERY);
  };
  resume();
  // The bar turns off line wrapping. Turn it on again even if a second Ctrl-C ends this process.
  process.once("exit", pause);
  return { pause, resume, end: pause };
}

/** Progress that counts the devices that were read. */
export function startProgress(of: number) {
  let done = 0;
  const { end } = shownProgress(() => ({ done, of, text: `read ${numbered(done)} of ${numbered(of)} devices` }));
  /** Counts one more device. */
  const step = () => {
    done += 1;
  };
  return { step, end };
}
