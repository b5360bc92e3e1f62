import { resolve } from "node:path";
import { Approved } from "../../provider/lifecycle/approval/approved";
import { variableOf } from "../../provider/messages/names";
import type { EngineRun } from "../../provider/run";

/**
 * The approved set of a run, for its providers, which run in other folders than the command. Empty if there is none.
 * @throws Error if the setting cannot be used, or the file has another digest. Without this, a rollout would fail at each
 * of its sites
 */
export function approvedSetting(run: EngineRun): Record<string, string> {
  const { approved } = run.configuration();
  if (!approved) return {};
  Approved.read(approved);
  return { [variableOf("approved")]: `${resolve(approved.path)}#${approved.digest}` };
}
