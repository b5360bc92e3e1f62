import { SingleBar } from "cli-progress";
import { numbered } from "./counted";
import { isLive } from "./terminal";

/** Progress on standard error: a bar on a terminal, otherwise a line for each tenth of the devices. */
export interface Progress {
  /** Counts one more device. */
  step(): void;
  end(): void;
}

export function startProgress(total: number): Progress {
  let done = 0;
  if (!isLive(process.stderr)) {
    const step = Math.max(1, Math.ceil(total / 10));
    return {
      step() {
        done += 1;
        if (done % step === 0 || done === total) console.error(`read ${numbered(done)} of ${numbered(total)} devices`);
      },
      end() {},
    };
  }
  const bar = new SingleBar({
    format: "{bar} {value} of {total} devices, {eta_formatted} left",
    stream: process.stderr,
    clearOnComplete: true,
  });
  bar.start(total, 0);
  // The bar turns off line wrapping. Turn it on again even if a signal ends this process.
  process.once("exit", () => bar.stop());
  return { step: () => bar.increment(), end: () => bar.stop() };
}
