import yoctoSpinner from "yocto-spinner";

/** Tells a user who waits what is being done. */
export interface Progress {
  say(line: string): void;
  /** Shows that `task` is under way, and at its end how long it took. */
  step<T>(text: string, task: () => Promise<T>): Promise<T>;
}

/** On a terminal one live line a step; elsewhere (CI) plain lines, with a sign of life each 30 s. */
export function terminalProgress(stream: NodeJS.WriteStream = process.stderr, signOfLifeMs = 30_000): Progress {
  const live = stream.isTTY && process.env.TERM !== "dumb" && !("CI" in process.env);
  const say = (line: string) => void stream.write(`${line}\n`);
  return {
    say,
    async step(text, task) {
      const start = Date.now();
      const elapsed = () => `${text}: ${duration(Date.now() - start)}`;
      const spinner = live ? yoctoSpinner({ text, stream }).start() : undefined;
      const tick = spinner
        ? setInterval(() => {
            spinner.text = elapsed();
          }, 1_000)
        : setInterval(() => say(`  still at it, ${elapsed()}`), signOfLifeMs);
      if (!spinner) say(`${text} …`);
      try {
        const result = await task();
        const done = `${elapsed()}, done`;
        spinner ? spinner.success(done) : say(`  ${done}`);
        return result;
      } catch (error) {
        const failed = `${elapsed()}, did not work`;
        spinner ? spinner.error(failed) : say(`  ${failed}`);
        throw error;
      } finally {
        clearInterval(tick);
      }
    },
  };
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
