import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENVIRONMENT_ONLY, variableOf } from "../../provider/configuration/configurationKeys";
import { JOURNAL_FILE } from "../../provider/ledger/journal";
import { RUN_ID } from "../../provider/ledger/origin";
import { RUN_FILE } from "../../provider/ledger/runFile";
import { CLAIMS_FILE, type Claim, writeClaims } from "../../provider/lifecycle/claims";
import { parseManifest, readManifestText } from "../../provider/manifest/manifest";
import type { Manifest } from "../../provider/manifest/model";
import { absolutePaths, destinationOf } from "./engine/environment";
import { projectFolder, withSites, writeProject } from "./engine/project";
import { engineSettings } from "./engine/settings";
import { StackThreads } from "./engine/stackThreads";
import { LastRollout } from "./rollout/lastRollout";
import { claimsOf, type Part, type Plan, planOf } from "./rollout/plan";
import { type JournalFile, journalOf, type RolloutProgress, RolloutRecord } from "./rollout/record";
import { type FleetOperation, isOfManifest, type RunStack } from "./stack";

/** The options of the command line. Those for waves are there if the operation is `up`. */
export interface FleetOptions {
  readonly manifest: string;
  readonly shard?: Part;
  readonly parallel: number;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly canary?: string;
  readonly share?: number;
  readonly maxFailures?: number;
  readonly gate?: string;
  readonly restart?: boolean;
  /** Whether an `up` or a `preview` reads the devices first. */
  readonly refresh?: boolean;
  /** Whether devices are gone that the service does not know, even if those are most. */
  readonly allowGone?: boolean;
}

/** The needs of a run, after everything was read. Nothing was sent yet. */
export interface Prepared {
  readonly operation: FleetOperation;
  readonly options: FleetOptions;
  readonly manifest: Manifest;
  readonly plan: Plan;
  /** That of the devices which do not say theirs. */
  readonly business: string | undefined;
  readonly run: RunStack;
  readonly record: RolloutRecord;
  readonly journal: JournalFile;
  /** Of an `up`, what it comes to. */
  readonly last: LastRollout | undefined;
  /** How far an earlier run of the same rollout has come. */
  readonly earlier: RolloutProgress | undefined;
  /** In which providers report. */
  readonly runFile: string;
}

/** From this length on, in characters, a manifest takes seconds to be read, and somebody waits (our choice). */
const LONG_TEXT = 1_000_000;

/** @throws Error if the manifest, the engine or the state cannot be used */
export async function prepare(
  operation: FleetOperation,
  options: FleetOptions,
  signal: AbortSignal,
): Promise<Prepared> {
  const text = readManifestText(options.manifest);
  if (text.length > LONG_TEXT) console.error(`reading ${options.manifest}, ${(text.length / 1e6).toFixed(1)} MB`);
  const manifest = parseManifest(text, options.manifest);
  const folder = projectFolder(options.manifest, manifest.fleet);
  writeProject(folder, manifest.fleet);
  const business = process.env.SOLAR_CHARGING_BUSINESS_ID;
  const journal = journalOf(folder, options.shard);
  // A destroy deletes what is declared, too: it has no claims.
  const claims = operation === "up" ? claimsOf(manifest, business) : [];
  const { env, runFile } = environmentOf(journal, claims, options);
  const threads = new StackThreads({ fleet: manifest.fleet, folder, env }, signal);
  const existing = await threads.list();
  const names = existing.map(({ name }) => name);
  const planned = planOf(manifest, existing, options.shard);
  // Of a stack that was never applied there is nothing to read or to delete.
  const isThere = ({ name }: { name: string }) => names.includes(name);
  const plan = isOfManifest(operation) ? planned : { ...planned, stacks: planned.stacks.filter(isThere) };
  const what = [text, options.canary, ...destinationOf({ ...process.env, ...env })];
  const record = new RolloutRecord(folder, options.shard, what);
  const earlier = operation === "up" && !options.restart ? record.read(existing) : undefined;
  return {
    operation,
    options,
    manifest,
    plan,
    business,
    run: withSites(threads.run, { folder, manifest, stacks: plan.stacks, business }),
    record,
    journal,
    last: operation === "up" ? new LastRollout(folder, options.shard, earlier !== undefined) : undefined,
    earlier,
    runFile,
  };
}

/** The variables of the engines, beside the environment of this process. */
function environmentOf(journal: JournalFile, claims: readonly Claim[], { allowGone }: FleetOptions) {
  const scratch = mkdtempSync(join(tmpdir(), "solar-charging-fleet-"));
  // Also if a second Ctrl-C ends this process at once.
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const runFile = join(scratch, "run");
  const claimsFile = join(scratch, "claims.json");
  writeClaims(claimsFile, claims);
  const env = {
    ...engineSettings(process.env),
    // From Node 22 on what was compiled is kept there: each stack's provider but the first is ready in two thirds of the CPU
    // time. Not in the work folder: what a checkout brought along would be run.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(scratch, "compiled"),
    [ENVIRONMENT_ONLY]: "true",
    [RUN_FILE]: runFile,
    [CLAIMS_FILE]: claimsFile,
    [JOURNAL_FILE]: journal.file,
    // One run of the fleet is one run in the ledger, whatever the number of its stacks.
    [RUN_ID]: process.env[RUN_ID] || randomUUID(),
    ...(allowGone && { [variableOf("allowGone")]: "true" }),
    ...absolutePaths(process.env),
  };
  return { env, runFile };
}
