import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../workFolder";

/** How far a rollout has come. */
export interface Progress {
  readonly canaryDone: boolean;
  /** Stacks that are done, with no device failed. */
  readonly stacks: readonly string[];
}

const schema = z.object({ manifest: z.string(), canaryDone: z.boolean(), stacks: z.array(z.string()) });

/** The record of a rollout that is under way, or was stopped, in a file that is there as long as it is. */
export class RolloutRecord {
  readonly #file: string;
  readonly #manifest: string;

  /** @param manifest text of the manifest: a rollout of another text is another rollout */
  constructor(folder: string, manifest: string) {
    this.#file = join(folder, "rollout.json");
    this.#manifest = createHash("sha256").update(manifest).digest("hex");
  }

  /** How far the rollout of this manifest has come. A record that cannot be understood is none: everything is run again. */
  read(): Progress | undefined {
    try {
      const { manifest, ...progress } = schema.parse(JSON.parse(readFileSync(this.#file, "utf8")));
      return manifest === this.#manifest ? progress : undefined;
    } catch {
      return undefined;
    }
  }

  /** @throws Error where it cannot be written, as on a full disk; what was there before stays */
  write(progress: Progress): void {
    try {
      replaceFile(this.#file, JSON.stringify({ manifest: this.#manifest, ...progress }));
    } catch (error) {
      throw new Error(`the rollout cannot be recorded: ${(error as Error).message}. Make room, then run this again`);
    }
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
