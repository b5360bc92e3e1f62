import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { notWritten, replaceFile } from "../../files";
import type { ExistingStack, Part } from "./plan";

/** The progress of a rollout in one stack. */
export interface StackProgress {
  /** The backend's mark of the stack after the rollout's last update of it. */
  readonly revision: string;
  /** Whether all of it is done, with no device failed. */
  readonly isDone: boolean;
}

/** How far a rollout has come. */
export interface RolloutProgress {
  readonly canaryDone: boolean;
  /** Names of the waves after which it was released. */
  readonly released: readonly string[];
  /** By name, the stacks that were run, and are not being run again. */
  readonly stacks: Readonly<Record<string, StackProgress>>;
}

/** The stacks that are done. */
export function doneIn({ stacks }: Pick<RolloutProgress, "stacks"> = { stacks: {} }): string[] {
  return Object.keys(stacks).filter((name) => stacks[name]?.isDone);
}

const schema = z.object({
  rollout: z.string(),
  canaryDone: z.boolean(),
  released: z.array(z.string()),
  stacks: z.record(z.string(), z.object({ revision: z.string(), isDone: z.boolean() })),
});

/** Where the provider writes down what devices were before their first update, until the state has it. */
export interface JournalFile {
  readonly file: string;
  remove(): void;
}

/** The journal of the runs of a fleet: it outlives a run that is killed, and the next `up` goes by it. */
export function journalOf(folder: string, part: Part | undefined): JournalFile {
  const file = join(folder, `baselines${suffixOf(part)}.jsonl`);
  return { file, remove: () => rmSync(file, { force: true }) };
}

/** Each of several machines has files of its own. */
function suffixOf(part: Part | undefined): string {
  return part ? `-${part.index}-of-${part.count}` : "";
}

/** The record of a rollout that is under way, or was stopped, in a file that is there as long as it is. */
export class RolloutRecord {
  readonly #file: string;
  readonly #rollout: string;

  /**
   * @param part each of several machines has a record of its own
   * @param what a rollout of anything else, such as another manifest or another service, is another rollout
   */
  constructor(folder: string, part: Part | undefined, what: readonly unknown[]) {
    this.#file = join(folder, `rollout${suffixOf(part)}.json`);
    this.#rollout = createHash("sha256").update(JSON.stringify(what)).digest("hex");
  }

  /**
   * How far this rollout has come. A record that cannot be understood is none: everything is run again. So is one that the
   * backend does not confirm. Without this, a record that a pipeline's cache restored would leave out stacks that others
   * have changed since.
   * @param existing the stacks that are there
   */
  read(existing: readonly ExistingStack[]): RolloutProgress | undefined {
    try {
      const { rollout, ...progress } = schema.parse(JSON.parse(readFileSync(this.#file, "utf8")));
      const revisions = new Map(existing.map(({ name, revision }) => [name, revision]));
      const isConfirmed = Object.entries(progress.stacks).every(
        ([name, { revision }]) => revisions.get(name) === revision,
      );
      return rollout === this.#rollout && existing.length > 0 && isConfirmed ? progress : undefined;
    } catch {
      return undefined;
    }
  }

  /** @throws Error if it cannot be written, as on a full disk; what was there before stays */
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
