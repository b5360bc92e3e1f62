import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { check, parseJson, SettingsSchema } from "./schemas";
import type { Settings } from "./types";

/** Business id → device id → current settings. */
export type State = Record<string, Record<string, Settings>>;

const StateSchema = z.record(z.string(), z.record(z.string(), SettingsSchema)) satisfies z.ZodType<State>;

/** The last saved state; empty if the file does not exist yet. */
export function loadState(file: string): State {
  try {
    return check(StateSchema, parseJson(readFileSync(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(`state file ${file}: ${(error as Error).message}`);
  }
}

/** Saves the state atomically: a simulator that is killed while it writes leaves the earlier state. */
export function saveState(file: string, state: State): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(unfinished, file);
}
