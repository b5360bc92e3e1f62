import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../files";
import type { Summary } from "../outcome/summary";
import type { Part } from "./plan";
import type { WaveReport } from "./waveReport";
import type { Wave } from "./waves";

const schema = z.object({
  /** When it ended, or its last wave did. */
  time: z.iso.datetime(),
  outcome: z.enum(["done", "stopped", "interrupted", "failed"]),
  /** Why it did not go on. */
  reason: z.string().optional(),
  waves: z.array(
    z.object({
      wave: z.string(),
      stacks: z.number(),
      ok: z.number(),
      failed: z.number(),
      notDone: z.number(),
    }),
  ),
});

/** The result of a rollout, wave by wave. */
export type Rollout = z.infer<typeof schema>;

/** Keeps what the last rollout of a fleet came to, for whoever looks at the fleet later. The next one takes its place. */
export class LastRollout {
  readonly #file: string;
  #rollout: Rollout;

  /** @param goesOn whether the rollout resumes an earlier run, whose waves then count too */
  constructor(
    folder: string,
    part: Part | undefined,
    goesOn: boolean,
    private readonly now: () => Date = () => new Date(),
  ) {
    this.#file = join(folder, part ? `last-rollout-${part.index}-of-${part.count}.json` : "last-rollout.json");
    const waves = (goesOn && readRollout(this.#file)?.waves) || [];
    this.#rollout = { time: this.now().toISOString(), outcome: "interrupted", waves };
  }

  add({ wave, ok, failed, notDone }: WaveReport, { stacks }: Wave): void {
    const others = this.#rollout.waves.filter((one) => one.wave !== wave);
    this.#keep({ outcome: "interrupted", waves: [...others, { wave, stacks: stacks.length, ok, failed, notDone }] });
  }

  /** @param code the exit code of the run */
  end({ interrupted, stopped, broken }: Pick<Summary, "interrupted" | "stopped" | "broken">, code: number): void {
    const reason = stopped ?? broken;
    const outcome = interrupted ? "interrupted" : stopped !== undefined ? "stopped" : code === 0 ? "done" : "failed";
    this.#keep({ outcome, waves: this.#rollout.waves, ...(reason !== undefined && { reason }) });
  }

  /** Nothing goes by this file: one that cannot be written fails no rollout. */
  #keep(rollout: Omit<Rollout, "time">): void {
    this.#rollout = { time: this.now().toISOString(), ...rollout };
    try {
      replaceFile(this.#file, JSON.stringify(this.#rollout));
    } catch {
      // As on a full disk, which the rollout itself reports.
    }
  }
}

/** The last rollout of a fleet that was made from this folder, of all of it or of a part; undefined if none was. */
export function lastRolloutIn(folder: string): Rollout | undefined {
  const files = readdirSync(folder).filter((name) => /^last-rollout.*\.json$/.test(name));
  const rollouts = files.flatMap((name) => readRollout(join(folder, name)) ?? []);
  return rollouts.sort((a, b) => a.time.localeCompare(b.time)).at(-1);
}

function readRollout(file: string): Rollout | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined; // There is none, or it is of another version.
  }
}
