import { SingleBar } from "cli-progress";

/** Tells somebody who waits how far a run is. */
export interface FleetProgress {
  /** One device more is through. */
  device(): void;
  say(line: string): void;
  end(): void;
}

/** How often a line is printed where there is no terminal, in milliseconds (our choice). */
const LINE_EVERY = 10_000;

/** On a terminal a bar, elsewhere a line now and then; on standard error, as standard output is for the summary. */
export function fleetProgress(devices: number, stream: NodeJS.WriteStream = process.stderr): FleetProgress {
  const isLive = stream.isTTY && process.env.TERM !== "dumb" && !("CI" in process.env);
  let count = 0;
  if (!isLive) {
    let told = 0;
    const timer = setInterval(() => {
      if (told === count) return;
      told = count;
      stream.write(`${count} of ${devices} devices\n`);
    }, LINE_EVERY);
    return {
      device: () => {
        count += 1;
      },
      say: (line) => void stream.write(`${line}\n`),
      end: () => clearInterval(timer),
    };
  }
  const bar = new SingleBar({ format: "{bar} {value} of {total} devices, {duration_formatted}", stream });
  bar.start(devices, 0);
  return {
    device: () => {
      count += 1;
      // The canary's devices are seen twice.
      bar.update(Math.min(count, devices));
    },
    say: (line) => {
      bar.stop();
      stream.write(`${line}\n`);
      bar.start(devices, Math.min(count, devices));
    },
    end: () => bar.stop(),
  };
}
