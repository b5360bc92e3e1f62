import { existsSync } from "node:fs";
import { nativeType } from "../../provider/engine/tokens";
import { toId } from "../../provider/lifecycle/state";
import { replaceFile } from "../files";
import { version } from "../version";
import { type GivenDevices, listedDevices, reachableRun } from "./given";
import { sortByKind } from "./kinds";
import type { Adopted } from "./look";
import { reportFailures, reportTypes } from "./messages";
import { nameFor } from "./names";
import { startProgress } from "./progress";
import { Readings, readAll } from "./readings";

export interface ImportFileOptions extends GivenDevices {
  /** The file to write. */
  readonly importFile: string;
  readonly business?: string;
  readonly force?: true;
}

/**
 * Reads devices, and writes the file with which `pulumi import --file` takes all of them into a stack.
 * @returns the exit code: 0, or 1 if a device could not be read or is of no kind; the others are written
 * @throws Error if nothing could be done, and nothing was written
 */
export async function writeImportFile(ids: readonly string[], options: ImportFileOptions): Promise<number> {
  const { importFile, force, business } = options;
  if (existsSync(importFile) && !force) {
    throw new Error(`${importFile} is there already: give another --import-file, or --force to write it anew`);
  }
  const run = reachableRun();
  const { businessId } = run.configuration();
  const readings = new Readings(listedDevices(ids, options, () => business ?? businessId));
  const progress = startProgress(readings.devices.length);
  await readAll(run, readings, progress.show).finally(progress.end);
  const { adopted, failed, supposed } = sortByKind(readings.read);
  const all = [...readings.failed, ...failed];
  reportFailures(all);
  reportTypes(supposed);
  if (adopted.length === 0) throw new Error(`no device can be imported: ${importFile} is not written`);
  replaceFile(importFile, `${JSON.stringify({ resources: resourcesOf(adopted) }, null, 2)}\n`);
  const words = `${adopted.length} ${adopted.length === 1 ? "device is" : "devices are"} in ${importFile}`;
  console.error(`${words}: next, run pulumi import --file ${importFile}`);
  return all.length === 0 ? 0 : 1;
}

/** Names are unique among all, because they become variables of one program. */
function resourcesOf(adopted: readonly Adopted[]): object[] {
  const names = new Set<string>();
  return adopted.map(({ device, kind }) => {
    const isShared = adopted.some((other) => other.device !== device && other.device.deviceId === device.deviceId);
    const name = nameFor(device, isShared, names);
    return { type: nativeType(kind.resource), name, id: toId(device), version };
  });
}
