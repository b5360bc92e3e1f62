import { shownProgress } from "../progress";
import type { DeviceStep } from "../stacks/stack";
import { isOut, ProgressCounter, progressText, RunClock } from "./progressCounter";
import type { ServiceWatch } from "./serviceWatch";

/** Shows the progress of a run. */
interface FleetProgress {
  device(step: DeviceStep): void;
  /** A wave begins. @param devices the number of its devices */
  wave(name: string, devices: number): void;
  log(line: string): void;
  /** Pauses the progress while the work uses the terminal. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

export function fleetProgress(devices: number, service: ServiceWatch): FleetProgress {
  const counter = new ProgressCounter(devices, new RunClock(), service);
  const shown = shownProgress(() => {
    const { progress } = counter;
    return { done: progress.done, of: progress.of, text: progressText(progress), isUrgent: isOut(progress) };
  });
  const { clock } = counter;
  return {
    device: (step) => counter.take(step),
    wave: (name, of) => counter.begin(name, of),
    log: (line) => {
      shown.pause();
      console.error(line);
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
    end: shown.end,
  };
}
