import { resolve } from "node:path";
import { textOf } from "../../provider/messages/message";
import type { Run } from "../../provider/run";
import { startProgress } from "../adopt/progress";
import { AT_COMMAND_LINE, configurationProblems } from "../environment";
import { isLive } from "../terminal";
import type { Findings } from "./deviceStatus";
import { filtered, type Known, knownFleet, knownStack, readableIn } from "./gather";
import { historyOf } from "./history";
import type { Status } from "./model";
import { observe } from "./observe";
import { statusOf } from "./status";

/** The options of the two commands that look at a fleet or a stack. */
export interface LookOptions {
  readonly manifest?: string;
  readonly stack?: string;
  readonly cwd: string;
  readonly offline?: true;
  readonly filter?: string;
  readonly ledger?: readonly string[];
}

/** Looks at a fleet or a stack. @throws Error if it cannot */
export async function lookAt(options: LookOptions): Promise<Status> {
  const { manifest, stack, cwd: folder, offline = false, filter } = options;
  const all = await (manifest === undefined ? knownStack({ folder, stack, isOffline: offline }) : knownFleet(manifest));
  const known = filter === undefined ? all : filtered(all, filter);
  const time = new Date().toISOString();
  const found = offline ? new Map() : await read(known);
  const changes = await historyOf(ledgersOf(options, known.run));
  return statusOf(known, { isAsked: !offline, found, changes }, time);
}

async function read(known: Known): Promise<Findings["found"]> {
  const devices = readableIn(known);
  if (devices.length === 0) return new Map();
  const audience = known.of === "fleet" ? AT_COMMAND_LINE : {};
  const problems = configurationProblems(known.run).map((problem) => textOf(problem, audience));
  if (problems.length > 0) throw new Error(`${problems.join("\n")}\nor look at the state alone, with --offline`);
  // What a scheduled job prints is mailed to somebody: it has no progress.
  const progress = isLive(process.stderr) ? startProgress(devices.length) : undefined;
  let done = 0;
  try {
    return await observe(known.run, devices, () => progress?.show(++done));
  } finally {
    progress?.end();
  }
}

/** The ledgers that are named, else that of the environment or of the stack. */
function ledgersOf({ ledger, offline, cwd }: LookOptions, run: Run): readonly string[] {
  if (ledger) return ledger;
  const { SOLAR_CHARGING_LEDGER_FILE: file } = process.env;
  if (file) return [file];
  const { ledgerFile } = offline ? {} : run.configuration();
  return ledgerFile === undefined ? [] : [resolve(cwd, ledgerFile)];
}
