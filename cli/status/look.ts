import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { MeasuredSites } from "../../measure/results/model";
import { textOf } from "../../provider/messages/message";
import type { EngineRun } from "../../provider/run";
import { didYouMean } from "../../provider/settings/explain";
import { placeOf } from "../../provider/settings/groups";
import { AT_COMMAND_LINE } from "../audience";
import { configurationProblems } from "../environment";
import { measuredOf, readMeasured } from "../measured/read";
import { startProgress } from "../progress";
import { neededSubject } from "../stacks/subject";
import { isLive } from "../terminal";
import { withoutSecrets } from "../view/device";
import type { SiteView } from "../view/model";
import { type Findings, observe, withReads } from "../view/reads";
import { type KnownFleet, knownFleet, knownStack, readableIn } from "./gather";
import { historyOf, withUpdates } from "./history";
import { type Status, sitesNamed } from "./model";
import type { LookOptions } from "./options";
import { statusOf } from "./status";

/** The status of a fleet or a stack. @throws Error if it cannot be read */
export async function lookAt(options: LookOptions): Promise<Status> {
  const { offline = false, filter } = options;
  // Read the file first, so that a bad file is an error before any request.
  const measured = options.measured === undefined ? undefined : readMeasured(options.measured);
  const subject = neededSubject(options);
  const all = await ("manifest" in subject
    ? knownFleet(subject.manifest)
    : knownStack(subject, subject.stack, { isOffline: offline }));
  const known = filter === undefined ? all : { ...all, sites: sitesNamed(all.sites, filter) };
  if (filter !== undefined && all.sites.length > 0 && known.sites.length === 0) {
    const names = all.sites.flatMap(({ name, devices }) => [name, ...devices.map(({ deviceId }) => deviceId)]);
    throw new Error(`--filter: no site or device has '${filter}' in its name or id${didYouMean(filter, names)}`);
  }
  const time = new Date().toISOString();
  const found = offline ? undefined : await read(known);
  const updates = await historyOf(ledgersOf(options, known.run));
  const sites = known.sites
    .map((site) => (found ? withReads(site, found) : site))
    .map((site) => withUpdates(site, updates))
    .map((site) => (measured ? withMeasured(site, measured) : site))
    .map(withoutSecrets);
  return statusOf({ ...known, sites }, { time, isOffline: offline });
}

/** The site with the measurement of each device. */
export function withMeasured(site: SiteView, measured: MeasuredSites): SiteView {
  const devices = site.devices.map((device) => {
    const { group, name } = placeOf(device.label) ?? {};
    const own = group !== undefined && name !== undefined ? measuredOf(measured, site.name, group, name) : undefined;
    return own ? { ...device, measured: own } : device;
  });
  return { ...site, devices };
}

async function read(known: KnownFleet): Promise<Findings> {
  const devices = readableIn(known);
  if (devices.length === 0) return new Map();
  const audience = known.of === "fleet" ? AT_COMMAND_LINE : {};
  const problems = configurationProblems(known.run).map((problem) => textOf(problem, audience));
  if (problems.length > 0)
    throw new Error(`${problems.join("\n")}\nCorrect this, or pass --offline to use only the state`);
  // Without this, the progress would be in the mail about a scheduled job.
  const progress = isLive(process.stderr) ? startProgress(devices.length) : undefined;
  try {
    return await observe(known.run, devices, { onProgress: () => progress?.step(), audience });
  } finally {
    progress?.end();
  }
}

/** The given ledgers; otherwise the ledger of the environment or of the stack. */
function ledgersOf({ ledger, offline, cwd }: LookOptions, run: EngineRun): readonly string[] {
  if (ledger) return ledger;
  const { SOLAR_CHARGING_LEDGER_FILE: file } = process.env;
  const { ledgerFile } = file || offline ? {} : run.configuration();
  const usual = file || (ledgerFile && resolve(cwd, ledgerFile));
  // Before its first line, there is no ledger.
  return usual && existsSync(usual) ? [usual] : [];
}
