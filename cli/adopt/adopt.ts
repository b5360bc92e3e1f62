import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { ManifestError } from "../../provider/manifest/error";
import { parseManifest, readManifest, readManifestText, toManifest } from "../../provider/manifest/manifest";
import { deviceKey, type Manifest, membersOf } from "../../provider/manifest/model";
import { configurationProblems, inEnvironment, startCommandRun } from "../environment";
import { workFolderOf } from "../workFolder";
import { addDevices, devicesOf, type Present } from "./addition";
import { businessesOf, treeOf } from "./defaults";
import { Journal } from "./journal";
import { readRows } from "./list";
import { whileNoOther } from "./lock";
import { manifestText } from "./manifestText";
import { startProgress } from "./progress";
import { readAll } from "./readings";
import { tellOfInterruption, tellOfPresent, tellOfReplaced, tellOfSites, tellOfTaken } from "./told";
import { type Wanted, wantedOf } from "./wanted";
import { writeAdopted } from "./write";

export interface AdoptOptions {
  /** File of the list of devices; `-` is standard input. */
  readonly devices?: string;
  readonly column?: string;
  readonly business?: string;
  readonly site: string;
  readonly out: string;
  readonly fleet?: string;
  readonly force?: true;
}

/**
 * Reads devices and writes the manifest of what they report, or adds them to the one that is there.
 * @returns the exit code: 0, or 1 where a device could not be adopted; the others are written
 * @throws Error where nothing could be done, and nothing was written
 */
export async function adopt(ids: readonly string[], options: AdoptOptions): Promise<number> {
  const { out } = options;
  const [, form] = /\.(csv|json)$/i.exec(out) ?? [];
  if (form) throw new Error(`${out} would be ${form.toUpperCase()}, and YAML is written: end it in .yaml`);
  const text = existsSync(out) && !options.force ? readManifestText(out) : undefined;
  const there = text === undefined ? undefined : parseManifest(text, out);
  const fleet = fleetOf(out, options.fleet, there);
  const run = startCommandRun();
  refuse(configurationProblems(run), "the environment does not say how to reach the service");
  const { businessId: configured, baseUrl, inverterFields } = run.configuration();
  const told = text === undefined ? () => undefined : businessesOf(treeOf(text));
  const businessAt = (site: string) => options.business ?? told(site) ?? configured;
  const { rows, notes } = readRows(ids, options);
  for (const note of notes) console.error(`note: ${note}`);
  const { wanted: listed, problems } = wantedOf(rows, { businessAt, site: options.site });
  refuse(problems, "the list of devices cannot be used, and nothing was read");
  if (listed.length === 0) throw new Error("no device is named. Give ids, or a list with --devices");
  const wanted = listed.filter(notIn(there, configured));
  if (wanted.length < listed.length) tellOfPresent(out, listed.length - wanted.length);
  if (wanted.length === 0) return 0;
  tellOfSites(wanted);
  if (options.force) tellOfReplaced(out, countIn(out), wanted.length);

  const kept = join(workFolderOf(out), `${basename(out)}.adopt.jsonl`);
  return whileNoOther(out, kept, async () => {
    if (options.force) rmSync(kept, { force: true });
    const journal = new Journal(kept, { baseUrl, inverterFields, command: fingerprintOf(out, fleet, listed) });
    tellOfTaken(kept, journal.taken(wanted));
    const progress = startProgress(wanted.length);
    if (!options.force) tellOfInterruption(kept); // When the bar is off the line.
    const readings = await readAll(run, wanted, journal, progress.show).finally(progress.end);
    if (!there && !options.force && existsSync(out))
      throw new Error(
        `${out} was written by somebody else meanwhile: run this again to add to it; nothing is read twice`,
      );
    const { written, failed } = writeAdopted(out, readings, (devices) =>
      there
        ? addDevices(present(out), configured, devices)
        : manifestText(fleet, options.business ?? configured, devices),
    );
    journal.remove(); // What could not be adopted is read again: it may be mended by then.
    if (written === 0) throw new Error(`no device can be adopted: ${out} is not written`);
    return failed === 0 ? 0 : 1;
  });
}

/** @throws Error where a fleet cannot be called so, or the manifest is another one's */
function fleetOf(out: string, given: string | undefined, there: Manifest | undefined): string {
  const fleet = given ?? there?.fleet ?? basename(out, extname(out));
  if (there && there.fleet !== fleet) {
    throw new Error(`${out} is of the fleet ${there.fleet}, not ${fleet}: leave --fleet out, or give another --out`);
  }
  try {
    toManifest({ fleet, sites: [] });
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const [problem] = error.problems;
    throw new Error(`the fleet ${JSON.stringify(fleet)} ${problem?.message}: name it with --fleet`);
  }
  return fleet;
}

/** Tells a command from others: what is to be read, and where it is to be written. */
function fingerprintOf(out: string, fleet: string, listed: readonly Wanted[]): string {
  const devices = listed.map(({ businessId, deviceId, site, kind }) => [businessId, deviceId, site, kind?.name]);
  return createHash("sha256")
    .update(JSON.stringify([resolve(out), fleet, devices]))
    .digest("hex");
}

/** The manifest as it is by now: reading many devices takes its time. */
function present(file: string): Present {
  const text = readFileSync(file, "utf8");
  return { file, text, manifest: parseManifest(text, file) };
}

/** How many devices a manifest has; none where it is none. */
function countIn(file: string): number {
  try {
    return readManifest(file).sites.flatMap(membersOf).length;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return 0;
  }
}

/** Whether a device is none of a manifest's. */
function notIn(manifest: Manifest | undefined, configured: string | undefined): (device: Wanted) => boolean {
  if (!manifest) return () => true;
  const present = devicesOf(manifest, configured);
  return ({ businessId, deviceId }) => !present.has(deviceKey(businessId, deviceId));
}

function refuse(problems: readonly string[], what: string): void {
  if (problems.length > 0)
    throw new Error([`${what}:`, ...problems.map((problem) => `  ${inEnvironment(problem)}`)].join("\n"));
}
