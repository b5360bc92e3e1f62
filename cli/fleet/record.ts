import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { notWritten, readAs, replaceFile } from "../files";
import { type ExistingStack, type Part, suffixOf } from "../stacks/plan";
import { stackOf } from "./waves";

/** The progress of a rollout. Waves and stacks are identified by name. */
export interface RolloutProgress {
  /** By wave, the marks of the stacks that finished without a failed device. */
  readonly done: Readonly<Record<string, readonly string[]>>;
  /** The waves that were applied and watched to the end. */
  readonly soaked: readonly string[];
  /** The waves after which the gate let the rollout continue. */
  readonly released: readonly string[];
  /** The backend's revision of each stack after its last update in the rollout. A running stack has none. */
  readonly revisions: Readonly<Record<string, string>>;
  /** The wave that is being watched, and the end of the watch. */
  readonly watch?: { readonly wave: string; readonly until: string } | undefined;
}

/** The progress of a rollout that has not started. */
export const NOTHING_DONE: RolloutProgress = { done: {}, soaked: [], released: [], revisions: {} };

const schema = z.object({
  rollout: z.string(),
  done: z.record(z.string(), z.array(z.string())),
  soaked: z.array(z.string()),
  released: z.array(z.string()),
  revisions: z.record(z.string(), z.string()),
  watch: z.object({ wave: z.string(), until: z.iso.datetime() }).optional(),
});

/**
 * The part of a progress whose stacks still have the recorded revisions. A killed run leaves stacks with other ones.
 */
function confirmed({ done, soaked, released, watch, revisions }: RolloutProgress): RolloutProgress {
  const isKnown = (mark: string) => revisions[stackOf(mark)] !== undefined;
  const known = Object.entries(done).map(([wave, marks]) => [wave, marks.filter(isKnown)] as const);
  const finished = Object.fromEntries(known.filter(([, marks]) => marks.length > 0));
  const isBegun = (wave: string) => wave in finished;
  return {
    done: finished,
    soaked: soaked.filter(isBegun),
    released: released.filter(isBegun),
    revisions,
    ...(watch && isBegun(watch.wave) && { watch }),
  };
}

/** The record of an unfinished rollout. Its file exists as long as the rollout is unfinished. */
export class RolloutRecord {
  readonly #file: string;
  readonly #rollout: string;

  /**
   * @param part each of several machines has a record of its own
   * @param what the identity of the rollout: another manifest or service makes another rollout
   */
  constructor(folder: string, part: Part | undefined, what: readonly unknown[]) {
    this.#file = join(folder, `rollout${suffixOf(part)}.json`);
    this.#rollout = createHash("sha256").update(JSON.stringify(what)).digest("hex");
  }

  /**
   * The progress of this rollout, as far as the backend confirms it. A record that is unreadable, or that the backend
   * contradicts, is ignored, and everything runs again. Without this, a record from a pipeline's cache or from a
   * checkout would skip stacks that others have changed since, or that never ran.
   * @param existing all stacks of the backend
   */
  read(existing: readonly ExistingStack[]): RolloutProgress | undefined {
    const found = readAs(this.#file, schema);
    if (found?.rollout !== this.#rollout) return undefined;
    const { rollout: _, ...progress } = found;
    const backend = new Map(existing.map(({ name, revision }) => [name, revision]));
    const known = Object.entries(progress.revisions);
    const isConfirmed = known.length > 0 && known.every(([name, mark]) => backend.get(name) === mark);
    return isConfirmed ? confirmed(progress) : undefined;
  }

  /** @throws Error if it cannot be written, as on a full disk; the earlier record stays */
  write(progress: RolloutProgress): void {
    try {
      replaceFile(this.#file, JSON.stringify({ rollout: this.#rollout, ...progress }));
    } catch (error) {
      throw new Error(`the rollout cannot be recorded: ${notWritten(error)}`);
    }
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
