import yoctoSpinner from "yocto-spinner";

/** Tells a waiting user the current step. */
export interface Progress {
  say(line: string): void;
  /**
   * Shows that `task` is running, and at its end how long it took.
   * @param seconds its usual duration: then the remaining time is shown too
   */
  step<T>(text: string, task: () => Promise<T>, seconds?: number): Promise<T>;
}

/**
 * Shows one live line a step on a terminal. Elsewhere (CI), it prints plain lines, and one each 30 s while a step runs.
 */
export function terminalProgress(stream: NodeJS.WriteStream = process.stderr, signOfLifeMs = 30_000): Progress {
  const live = stream.isTTY && process.env.TERM !== "dumb" && !("CI" in process.env);
  const say = (line: string) => void stream.write(`${line}\n`);
  return {
    say,
    async step(text, task, seconds) {
      const start = Date.now();
      const elapsed = () => `${text}: ${duration(Date.now() - start)}`;
      const state = () => elapsed() + (seconds ? `, ${left(seconds * 1_000 - (Date.now() - start))}` : "");
      const title = seconds ? `${text} (${about(seconds * 1_000)})` : text;
      const spinner = live ? yoctoSpinner({ text: title, stream }).start() : undefined;
      const tick = spinner
        ? setInterval(() => {
            spinner.text = state();
          }, 1_000)
        : setInterval(() => say(`  still at it, ${state()}`), signOfLifeMs);
      if (!spinner) say(`${title} …`);
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

function left(milliseconds: number): string {
  return milliseconds > 0 ? `${about(milliseconds)} left` : "longer than usual";
}

function about(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  return seconds < 60 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
