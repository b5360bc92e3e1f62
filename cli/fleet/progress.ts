import { shownProgress } from "../progress";
import type { DeviceStep } from "../stacks/stack";
import { isOut, ProgressCounter, progressText, RunClock } from "./progressCounter";
import type { ServiceWatch } from "./serviceWatch";

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
