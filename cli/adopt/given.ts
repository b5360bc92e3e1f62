import { textOf } from "../../provider/messages/message";
import type { Run } from "../../provider/run";
import { AT_COMMAND_LINE, configurationProblems, startCommandRun } from "../environment";
import { devicesOfList, type Listed } from "./devices";
import { readRows } from "./list";

/** Which devices a person names. */
export interface GivenDevices {
  /** File of the list of devices; `-` is standard input. */
  readonly devices?: string;
  readonly column?: string;
  readonly site: string;
}

/** @throws Error if the environment does not say how to reach the service */
export function reachableRun(): Run {
  const run = startCommandRun();
  const problems = configurationProblems(run).map((problem) => textOf(problem, AT_COMMAND_LINE));
  refuse(problems, "the environment does not say how to reach the service");
  return run;
}

/** @throws Error if no device is named, or the list of devices has a mistake */
export function listedDevices(
  ids: readonly string[],
  options: GivenDevices,
  businessAt: (site: string) => string | undefined,
): Listed[] {
  const { rows, notes } = readRows(ids, options);
  for (const note of notes) console.error(`note: ${note}`);
  const { devices, problems } = devicesOfList(rows, { businessAt, site: options.site });
  refuse(problems, "the list of devices cannot be used, and nothing was read");
  if (devices.length === 0) throw new Error("no device is named. Give ids, or a list with --devices");
  return devices;
}

function refuse(problems: readonly string[], what: string): void {
  if (problems.length > 0) throw new Error([`${what}:`, ...problems.map((problem) => `  ${problem}`)].join("\n"));
}
