import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { variableOf } from "../../provider/configuration/configurationKeys";
import { Approved } from "../../provider/lifecycle/approval/approved";

const VARIABLE = variableOf("approved");

/** A digest such as `sha256:…`, as a review shows it. */
export function reviewedDigest(text: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError("Give the digest that the review shows: sha256:…");
  return text;
}

/**
 * The approved set of a run, for its providers, which run in other folders than the command. Empty if there is none.
 * @param reviewed the digest that somebody has approved; default: the one in the variable
 * @throws Error if the file has another digest. Without this, a rollout would fail at each of its sites
 */
export function approvedSetting(env: NodeJS.ProcessEnv, reviewed: string | undefined): Record<string, string> {
  const { [VARIABLE]: setting } = env;
  if (setting === "") throw new Error(`${VARIABLE} is set and empty: set it to the approved set, or unset it`);
  if (setting === undefined) {
    if (reviewed !== undefined) throw new Error(`--reviewed needs the approved set: set ${VARIABLE} to its file`);
    return {};
  }
  const [, path = setting, digest] = /^(.+)#(sha256:[0-9a-f]{64})$/.exec(setting) ?? [];
  if (reviewed !== undefined && digest !== undefined && digest !== reviewed) {
    throw new Error(`--reviewed is ${reviewed}, and ${VARIABLE} names ${digest}: use the set that was reviewed`);
  }
  const approved = reviewed ?? digest;
  // The check of the configuration refuses a setting without a digest.
  if (approved === undefined) return {};
  Approved.read({ path, digest: approved });
  return { [VARIABLE]: `${resolve(path)}#${approved}` };
}
