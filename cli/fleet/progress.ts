import { SingleBar } from "cli-progress";
import { isLive } from "../terminal";

/** Tells somebody who waits how far a run is. */
export interface FleetProgress {
  /** One device more is through. */
  device(): void;
  say(line: string): void;
  /** Leaves the terminal to somebody else while this goes on. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

/** How often a line is printed where there is no terminal, in milliseconds (our choice). */
const LINE_EVERY = 10_000;

/** On a terminal a bar, elsewhere a line now and then; on standard error, as standard output is for the summary. */
export function fleetProgress(devices: number, stream: NodeJS.WriteStream = process.stderr): FleetProgress {
  let count = 0;
  if (!isLive(stream)) {
    let told = 0;
    const timer = setInterval(() => {
      if (told === count) return;
      told = count;
      // The canary's devices are seen twice.
      stream.write(`${Math.min(count, devices)} of ${devices} devices\n`);
    }, LINE_EVERY);
    return {
      device: () => {
        count += 1;
      },
      say: (line) => void stream.write(`${line}\n`),
      aside: (work) => work(),
      end: () => clearInterval(timer),
    };
  }
  const bar = new SingleBar({ format: "{bar} {value} of {total} devices, {duration_formatted}", stream });
  const show = () => bar.start(devices, Math.min(count, devices));
  show();
  // It has the terminal break no lines; that is undone also where a second Ctrl-C ends this process.
  process.once("exit", () => bar.stop());
  return {
    device: () => {
      count += 1;
      bar.update(Math.min(count, devices));
    },
    say: (line) => {
      bar.stop();
      stream.write(`${line}\n`);
      show();
    },
    aside: async (work) => {
      bar.stop();
      try {
        return await work();
      } finally {
        show();
      }
    },
    end: () => bar.stop(),
  };
}
