import { existsSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { ManifestError } from "../../provider/manifest/error";
import { fleetFields } from "../../provider/manifest/form";
import { parseManifest, readManifest, readManifestText } from "../../provider/manifest/manifest";
import { deviceKey, type Manifest, membersOf } from "../../provider/manifest/model";
import { workFolderOf } from "../workFolder";
import { addDevices, devicesOf, newManifest, type Present } from "./addition";
import { businessesOf, treeOf } from "./defaults";
import type { Listed } from "./devices";
import { type GivenDevices, listedDevices, reachableRun } from "./given";
import { whileNoOther } from "./lock";
import { reportInterrupted, reportLargeSites, reportPresent, reportReplaced } from "./messages";
import { startProgress } from "./progress";
import { Readings, readAll } from "./readings";
import { writeAdopted } from "./write";

export interface AdoptOptions extends GivenDevices {
  readonly business?: string;
  readonly out: string;
  readonly fleet?: string;
  readonly force?: true;
}

/**
 * Reads devices and writes the manifest of what they report, or adds them to the one that is there.
 * @returns the exit code: 0, or 1 if a device could not be adopted; the others are written
 * @throws Error if nothing could be done, and nothing was written, or if the service refuses the token
 */
export async function adopt(ids: readonly string[], options: AdoptOptions): Promise<number> {
  const { out, force } = options;
  const [, form] = /\.(csv|json)$/i.exec(out) ?? [];
  if (form) throw new Error(`${out} would be ${form.toUpperCase()}, and YAML is written: end it in .yaml`);
  const text = existsSync(out) && !force ? readManifestText(out) : undefined;
  const there = text === undefined ? undefined : parseManifest(text, out);
  const fleet = fleetOf(out, options.fleet, there);
  const run = reachableRun();
  const { businessId: configured } = run.configuration();
  const businessIn = text === undefined ? () => undefined : businessesOf(treeOf(text));
  const businessAt = (site: string) => options.business ?? businessIn(site) ?? configured;
  const listed = listedDevices(ids, options, businessAt);
  const devices = listed.filter(notIn(there, configured));
  if (devices.length < listed.length) reportPresent(out, listed.length - devices.length);
  if (devices.length === 0) return 0;
  reportLargeSites(devices);
  if (force) reportReplaced(out, countIn(out), devices.length);

  const write = (readings: Readings) => {
    // Another person may have written it meanwhile: reading many devices takes its time.
    const now = existsSync(out) && !force ? present(out) : undefined;
    const isNew = notIn(now?.manifest, configured);
    const read = readings.read.filter(({ device }) => isNew(device));
    return writeAdopted(out, { read, failed: readings.failed }, (adopted) =>
      now ? addDevices(now, configured, adopted) : newManifest(fleet, options.business ?? configured, adopted),
    );
  };
  const lock = join(workFolderOf(out), `${basename(out)}.adopt`);
  return await whileNoOther(out, lock, async () => {
    const readings = new Readings(devices);
    const progress = startProgress(devices.length);
    // The manifest has what was read before Ctrl-C, so that the next run reads only the rest. With --force, it would have lost
    // devices for it.
    const save = () => {
      if (!force && readings.read.length > 0) write(readings);
    };
    const onExit = (code: number) => {
      if (code <= 128) return;
      progress.end();
      try {
        save();
      } catch (error) {
        console.error((error as Error).message);
      }
      reportInterrupted(out, devices.length - readings.count, force === true);
    };
    process.once("exit", onExit);
    try {
      await readAll(run, readings, progress.show).finally(progress.end);
    } catch (error) {
      save();
      throw error;
    } finally {
      process.off("exit", onExit);
    }
    const { written, failed } = write(readings);
    if (written === 0) throw new Error(`no device can be adopted: ${out} is not written`);
    return failed === 0 ? 0 : 1;
  });
}

/** @throws Error if a fleet cannot have this name, or the manifest is another fleet's */
function fleetOf(out: string, given: string | undefined, there: Manifest | undefined): string {
  const fleet = given ?? there?.fleet ?? basename(out, extname(out));
  if (there && there.fleet !== fleet) {
    throw new Error(`${out} is of the fleet ${there.fleet}, not ${fleet}: leave --fleet out, or give another --out`);
  }
  const { error } = fleetFields.fleet.safeParse(fleet);
  if (error) throw new Error(`the fleet ${JSON.stringify(fleet)} ${error.issues[0]?.message}: name it with --fleet`);
  return fleet;
}

/** The manifest as it is by now. */
function present(file: string): Present {
  const text = readFileSync(file, "utf8");
  return { file, text, manifest: parseManifest(text, file) };
}

/** How many devices a manifest has; none if the file is no manifest. */
function countIn(file: string): number {
  try {
    return readManifest(file).sites.flatMap(membersOf).length;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return 0;
  }
}

/** Whether a manifest does not have a device. */
function notIn(manifest: Manifest | undefined, configured: string | undefined): (device: Listed) => boolean {
  if (!manifest) return () => true;
  const present = devicesOf(manifest, configured);
  return ({ businessId, deviceId }) => !present.has(deviceKey(businessId, deviceId));
}
