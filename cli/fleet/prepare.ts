import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ENVIRONMENT_ONLY, misspelled, NUMBERS } from "../../provider/configuration/configurationKeys";
import { ConfigurationError } from "../../provider/configuration/error";
import { RUN_ID } from "../../provider/ledger/origin";
import { writeClaims } from "../../provider/ledger/runFile";
import { Approved } from "../../provider/lifecycle/approval/approved";
import { parseManifest, readManifestText } from "../../provider/manifest/manifest";
import type { Manifest, Site } from "../../provider/manifest/model";
import { variableOf } from "../../provider/messages/names";
import type { EngineRun } from "../../provider/run";
import { firstNames } from "../../provider/settings/explain";
import { inverter } from "../../provider/settings/inverter";
import { keysOf } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { configurationProblems, startCommandRun } from "../environment";
import { refuseUnknown } from "../names";
import { absolutePaths, destinationOf, homeWithoutLog } from "../stacks/environment";
import { FleetRecord } from "../stacks/fleetRecord";
import { FleetStacks } from "../stacks/fleetStacks";
import { type Claim, claimsOf, type Part, type Plan, planOf } from "../stacks/plan";
import { StackFolders } from "../stacks/project";
import { engineSettings } from "../stacks/settings";
import { type FleetOperation, isOfManifest } from "../stacks/stack";
import { type JournalFile, journalOf, leftBaselines } from "./journal";
import type { FleetOptions } from "./options";
import { type Wave, wavesOf } from "./waves";

/** All parts of a run that is ready to start. Nothing was sent yet. */
export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** @throws Error if the manifest, the engine or the state cannot be used */
export async function prepare(operation: FleetOperation, options: FleetOptions) {
  const text = readManifestText(options.manifest);
  const manifest = parseManifest(text, options.manifest);
  refuseUnknown(
    "--site",
    "site",
    options.site,
    manifest.sites.map(({ id }) => id),
  );
  refuseUnknown("--setting", "setting", options.setting, [...keysOf(vehicle), ...keysOf(inverter)]);
  const run = startCommandRun();
  // Without this, each stack would fail with a value that cannot be used.
  run.configuration();
  for (const { finding } of misspelled([], process.env)) console.error(`warning: ${finding}`);
  const service = readsDevices(operation, options) ? requiredService(run) : undefined;
  const approved = operation === "up" || operation === "destroy" ? approvedSetting(run) : {};
  const folders = new StackFolders(options.manifest, manifest.fleet);
  const folder = folders.root;
  const business = process.env.SOLAR_CHARGING_BUSINESS_ID;
  const journal = journalOf(folder, options.shard);
  // A destroy also deletes declared devices, so it has no claims.
  const claims = operation === "up" ? claimsOf(manifest, business) : [];
  if (operation === "up" || operation === "destroy") {
    const left = leftBaselines(journal.files, () => claimsOf(manifest, business));
    for (const line of left) console.error(line);
  }
  const scratch = scratchFolder();
  const { env: settings, runFile } = environmentOf(scratch, journal, claims, options);
  const env = { ...settings, ...approved };
  const stacks = new FleetStacks(folders, env, join(scratch, "previews"), business);
  const existing = await stacks.list();
  const names = existing.map(({ name }) => name);
  const planned = planOf(manifest, existing, options.shard);
  // A stack that was never applied has nothing to read or to delete.
  const isThere = ({ name }: { name: string }) => names.includes(name);
  const there = planned.stacks.filter(isThere);
  const plan = options.destroy
    ? { ...planned, stacks: [], emptied: [...there.map(({ name }) => name), ...planned.emptied] }
    : isOfManifest(operation)
      ? planned
      : { ...planned, stacks: there };
  const where = destinationOf({ ...process.env, ...env });
  const record = new FleetRecord(folder, options.shard, where, [text, options.canary, options.share]);
  const isUp = operation === "up";
  // A stack that a destroy has removed has no folder any more.
  const lost = record.lost(existing).filter((name) => folders.has(name));
  if (isOfManifest(operation) && lost.length > 0 && !run.configuration().ledgerFile) console.error(lostWords(lost));
  return {
    planned: planned.stacks.flatMap(({ sites }) => sites.map(({ id }) => id)),
    ...{ operation, options, manifest, plan, service, business, record, existing, journal, runFile },
    earlier: isUp && !options.restart ? record.resume(existing) : undefined,
    waves: isUp ? wavesIn(manifest, plan, options, record.changed(plan, existing)) : [],
    id: settings[RUN_ID],
    run: stacks.run.bind(stacks),
    list: () => stacks.listed(),
  };
}

/** Without this, a lost state would make our values the baselines, and a later `restore` would change nothing. */
function lostWords(stacks: readonly string[]): string {
  return (
    `warning: an earlier run has applied ${firstNames(stacks)}, and the backend has no such state. Restore it, or set ` +
    "SOLAR_CHARGING_LEDGER_FILE to the ledger of the earlier runs: otherwise the present values become the baselines"
  );
}

/** Whether an operation reads all devices. A destroy sends nothing to devices with `onDelete: retain`. */
function readsDevices(operation: FleetOperation, { refresh = false }: FleetOptions): boolean {
  return operation === "preview" ? refresh : operation !== "destroy";
}

/**
 * Address of the service. Without the check, a forgotten token would be found by the canary, as a failure of each of
 * its devices.
 * @throws ConfigurationError if the service cannot be called
 */
function requiredService(run: EngineRun) {
  const problems = configurationProblems(run);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return run.configuration().baseUrl;
}

/** @throws Error if both manifest and command line choose the first sites */
function wavesIn({ fleet, rollout }: Manifest, plan: Plan, options: FleetOptions, changed: readonly Site[]): Wave[] {
  const { canary, share, gate, maxFailures = 0 } = options;
  if (rollout && (canary !== undefined || share !== undefined)) {
    throw new Error(`the manifest of ${fleet} declares the waves: leave out --canary and --share`);
  }
  return wavesOf(plan, { canary, share, maxFailures, declared: rollout?.waves, changed, hasGate: gate !== undefined });
}

/** A folder for this run alone. */
function scratchFolder(): string {
  const scratch = mkdtempSync(join(tmpdir(), "solar-charging-fleet-"));
  // Removes the folder even if a second Ctrl-C ends this process immediately.
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  return scratch;
}

/** The variables of the engines, in addition to the environment of this process. */
function environmentOf(
  scratch: string,
  journal: JournalFile,
  claims: readonly Claim[],
  { engineLog, shard }: FleetOptions,
) {
  const runFile = join(scratch, "run.jsonl");
  const env = {
    ...engineSettings(process.env),
    [ENVIRONMENT_ONLY]: "true",
    ...paceOf(shard, process.env),
    ...writeClaims(runFile, claims),
    ...journal.env,
    // Without this, the ledger would show one run of the fleet as one run for each stack.
    [RUN_ID]: process.env[RUN_ID] || randomUUID(),
    ...absolutePaths(process.env),
    ...(!engineLog && homeWithoutLog(join(scratch, "home"), process.env)),
  };
  return { env, runFile };
}

/**
 * This machine's share of the requests per minute. The provider refuses invalid values with its own message.
 * @throws Error if the share is less than the provider can keep
 */
export function paceOf(shard: Part | undefined, env: NodeJS.ProcessEnv): Record<string, string> {
  const name = variableOf("maxRequestsPerMinute");
  const [least] = NUMBERS.maxRequestsPerMinute.range;
  const all = Number(env[name] || Number.NaN);
  if (!shard || !(all >= least)) return {};
  const share = all / shard.count;
  // Without this, the provider would refuse a number that nobody has written.
  if (share < least) {
    throw new Error(
      `--shard ${shard.index}/${shard.count}: ${name}=${all} leaves each part ${Number(share.toPrecision(2))} requests a ` +
        `minute, fewer than ${least}. Set it to ${Math.ceil(least * shard.count * 100) / 100} or more, or use fewer parts`,
    );
  }
  return { [name]: String(share) };
}

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
