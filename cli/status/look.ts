import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { MeasuredSites } from "../../measure/results/model";
import type { LedgerLine } from "../../provider/ledger/ledgerLine";
import { textOf } from "../../provider/messages/message";
import type { EngineRun } from "../../provider/run";
import { deviceName } from "../../provider/service/device";
import { didYouMean } from "../../provider/settings/explain";
import { placeOf } from "../../provider/settings/groups";
import { defined } from "../../provider/settings/objects";
import { AT_COMMAND_LINE, configurationProblems } from "../environment";
import { readLedgers } from "../ledger/read";
import { measuredOf, readMeasured } from "../measured/read";
import { startProgress } from "../progress";
import { neededSubject } from "../stacks/subject";
import { isLive } from "../terminal";
import { withoutSecrets } from "../view/device";
import type { SiteView, Update } from "../view/model";
import { type Findings, observe, withReads } from "../view/reads";
import type { LookOptions } from "./command";
import { type KnownFleet, knownFleet, knownStack, readableIn } from "./gather";
import { type Status, sitesNamed } from "./model";
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

/** Updates of a device that are shown (our choice). `solar-charging ledger` shows all. */
const SHOWN = 10;

/**
 * The last updates of each device, newest first, by `business/device`.
 * @throws Error if one cannot be read
 */
export async function historyOf(files: readonly string[]): Promise<Map<string, Update[]>> {
  const { lines } = await readLedgers(files, { latest: SHOWN });
  const updates = new Map<string, Update[]>();
  for (const line of lines) {
    const device = deviceName(line);
    updates.set(device, [updateOf(line), ...(updates.get(device) ?? [])]);
  }
  return updates;
}

/** The site with the last updates of its devices. */
export function withUpdates(site: SiteView, updates: ReadonlyMap<string, readonly Update[]>): SiteView {
  const devices = site.devices.map((one) => ({ ...one, updates: updates.get(one.device) ?? [] }));
  return { ...site, devices };
}

function updateOf({ time, by, operation, outcome, run, changes }: LedgerLine): Update {
  const settings = changes.map(({ key, old, new: to, secret }) =>
    secret ? { key } : { key, ...defined({ from: old }), to },
  );
  return { time, by, operation, outcome, run, settings };
}
