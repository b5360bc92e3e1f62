import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readAs, replaceFile } from "../files";
import { type Part, suffixOf } from "./plan";

const schema = z.object({
  /** The time at which the rollout or its last wave ended. */
  time: z.iso.datetime(),
  outcome: z.enum(["done", "stopped", "interrupted", "failed"]),
  /** The reason why it did not continue. */
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

/** The result of a wave in numbers of devices, and how many stacks it had. */
export type WaveCounts = Rollout["waves"][number];

/** The end of a rollout. */
interface Ended {
  readonly interrupted: boolean;
  readonly stopped?: string;
  readonly broken?: string;
}

/** Keeps the result of a fleet's last rollout, for `status` and `report`. The next rollout overwrites it. */
export class LastRollout {
  readonly #file: string;
  readonly #now: () => Date;
  #rollout: Rollout;

  /** @param goesOn whether the rollout resumes an earlier run, whose waves then count too */
  constructor(
    folder: string,
    part: Part | undefined,
    { goesOn, now = () => new Date() }: { readonly goesOn: boolean; readonly now?: () => Date },
  ) {
    this.#now = now;
    this.#file = join(folder, `last-rollout${suffixOf(part)}.json`);
    const waves = (goesOn && readAs(this.#file, schema)?.waves) || [];
    this.#rollout = { time: this.#now().toISOString(), outcome: "interrupted", waves };
  }

  add(counts: WaveCounts): void {
    const others = this.#rollout.waves.filter(({ wave }) => wave !== counts.wave);
    this.#keep({ outcome: "interrupted", waves: [...others, counts] });
  }

  /** @param code the exit code of the run */
  end({ interrupted, stopped, broken }: Ended, code: number): void {
    const reason = stopped ?? broken;
    const outcome = interrupted ? "interrupted" : stopped !== undefined ? "stopped" : code === 1 ? "failed" : "done";
    this.#keep({ outcome, waves: this.#rollout.waves, ...(reason !== undefined && { reason }) });
  }

  /** Writes the file. A failure does not fail the rollout, because no decision depends on the file. */
  #keep(rollout: Omit<Rollout, "time">): void {
    this.#rollout = { time: this.#now().toISOString(), ...rollout };
    try {
      replaceFile(this.#file, JSON.stringify(this.#rollout));
    } catch {
      // Ignored: on a full disk, the rollout itself reports the problem.
    }
  }
}

/** The last rollout of this folder's fleet or of a part of it; undefined if there was none. */
export function lastRolloutIn(folder: string): Rollout | undefined {
  const files = readdirSync(folder).filter((name) => /^last-rollout.*\.json$/.test(name));
  // Without this, a time in the future would hide every later rollout.
  const isPast = ({ time }: Rollout) => Date.parse(time) <= Date.now();
  const rollouts = files.flatMap((name) => readAs(join(folder, name), schema) ?? []).filter(isPast);
  return rollouts.sort((a, b) => a.time.localeCompare(b.time)).at(-1);
}
