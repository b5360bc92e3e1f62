import { existsSync } from "node:fs";
import { basename, extname } from "node:path";
import { fleetSchema } from "../../provider/manifest/form";
import { parseManifest, readManifest, readManifestText } from "../../provider/manifest/manifest";
import { deviceIdentity, type Manifest, membersOf } from "../../provider/manifest/model";
import { ManifestError } from "../../provider/manifest/report";
import { inverter } from "../../provider/settings/inverter";
import { vehicle } from "../../provider/settings/vehicle";
import { AT_COMMAND_LINE } from "../environment";
import { replaceOutput } from "../files";
import { startProgress } from "../progress";
import { type Finding, type Findings, observe } from "../view/reads";
import { counted, quoted } from "../words";
import { type Addition, addDevices, newManifest, type Present } from "./addition";
import type { AdoptOptions } from "./command";
import { businessesOf, treeOf } from "./defaults";
import { type Listed, listedDevices } from "./list";
import {
  type Adopted,
  type Adoption,
  adoptionOf,
  reachableRun,
  reportFailures,
  reportSorted,
  sortByKind,
} from "./read";

/**
 * Reads devices, and writes a manifest of their reported values or adds them to an existing one.
 * @throws Error if nothing was written, or if the service refuses the token
 */
export async function adopted(ids: readonly string[], options: AdoptOptions): Promise<Adoption> {
  const { output: out, force = false } = options;
  const [, form] = /\.(csv|json)$/i.exec(out) ?? [];
  if (form) throw new Error(`adopt writes YAML, not ${form.toUpperCase()}: end ${out} in .yaml`);
  const there = presentIn(options);
  const fleet = fleetOf(out, options.fleet, there?.manifest);
  const run = reachableRun();
  const { businessId: configured } = run.configuration();
  const businessIn = businessesOf(treeOf(there?.text ?? ""));
  const listed = listedDevices(ids, options, {
    businessAt: (site) => options.business ?? businessIn(site) ?? configured,
    present: there && { file: out, sites: there.manifest.sites },
  });
  const devices = listed.filter(notIn(there, configured));
  if (devices.length < listed.length) {
    console.error(`not read, because they are already in ${out}: ${counted(listed.length - devices.length, "device")}`);
  }
  if (devices.length === 0) return adoptionOf(undefined, [], []);
  const before = force ? countIn(out) : 0;
  if (devices.length < before) {
    console.error(`warning: ${out} has ${counted(before, "device")}, and --force overwrites it with ${devices.length}`);
  }

  const found = new Map<string, Finding>();
  const write = () => {
    // Another person may have written the file while this command read the devices.
    const now = presentIn(options);
    return writeAdopted(out, devices.filter(notIn(now, configured)), found, (some) =>
      now
        ? addDevices(now, configured, some, options)
        : newManifest(fleet, options.business ?? configured, some, options),
    );
  };
  const progress = startProgress(devices.length);
  // After Ctrl-C, the manifest has the devices that were read, so that the next run reads only the rest. With
  // --force, this would remove the other devices from the manifest.
  const save = () => {
    if (!force && [...found.values()].some((one) => "view" in one)) write();
  };
  const onExit = (code: number) => {
    if (code <= 128) return;
    progress.end();
    try {
      save();
    } catch (error) {
      console.error((error as Error).message);
    }
    const next = force ? `${out} is not changed` : "Run the same command again to add the rest";
    console.error(`interrupted: ${counted(devices.length - found.size, "device")} not read yet. ${next}`);
  };
  process.once("exit", onExit);
  try {
    await observe(run, devices, { onProgress: progress.step, audience: AT_COMMAND_LINE, found }).finally(progress.end);
  } catch (error) {
    save();
    throw error;
  } finally {
    process.off("exit", onExit);
  }
  const adoption = write();
  if (adoption.adopted.length === 0)
    throw new Error(`no device can be adopted, so ${out} is not written: see the reasons above`);
  return adoption;
}

/** The manifest that gets the devices, if it exists. @throws ManifestError with all its problems */
function presentIn({ output: file, force }: AdoptOptions): Present | undefined {
  if (force || !existsSync(file)) return undefined;
  const text = readManifestText(file);
  return { file, text, manifest: parseManifest(text, file) };
}

/** @throws Error if a fleet cannot have this name, or the manifest is another fleet's */
function fleetOf(out: string, given: string | undefined, there: Manifest | undefined): string {
  const fleet = given ?? there?.fleet ?? basename(out, extname(out));
  if (there && there.fleet !== fleet) {
    throw new Error(
      `${out} belongs to the fleet ${there.fleet}, not ${fleet}: leave --fleet out, or give another --output`,
    );
  }
  const { error } = fleetSchema.shape.fleet.safeParse(fleet);
  if (error)
    throw new Error(
      `the name of the fleet, ${JSON.stringify(fleet)}, ${error.issues[0]?.message}. Give a name with --fleet`,
    );
  return fleet;
}

/** Number of devices in a manifest; 0 if the file is not a manifest. */
function countIn(file: string): number {
  try {
    return readManifest(file).sites.flatMap(membersOf).length;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return 0;
  }
}

function notIn(present: Present | undefined, configured: string | undefined): (device: Listed) => boolean {
  const declared = (present?.manifest.sites ?? []).flatMap(membersOf);
  const ids = new Set(declared.map(({ businessId = configured, deviceId }) => deviceIdentity(businessId, deviceId)));
  return ({ businessId, deviceId }) => !ids.has(deviceIdentity(businessId, deviceId));
}

/**
 * Writes the manifest of the devices that can be adopted, and reports on all of them.
 * @param textOf makes the manifest
 * @throws Error if it cannot be written
 */
function writeAdopted(
  out: string,
  devices: readonly Listed[],
  found: Findings,
  textOf: (devices: readonly Adopted[]) => Addition,
): Adoption {
  const sorted = sortByKind(devices, found);
  reportSorted(sorted);
  const { text, written, misfits, missing, warnings } = textOf(sorted.adopted);
  reportFailures(misfits);
  const failed = [...sorted.failed, ...misfits];
  if (written.length === 0) return adoptionOf(undefined, [], failed);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  replaceOutput(out, text, () => true);
  const sites = new Set(written.map(({ site }) => site)).size;
  const kinds = [vehicle, inverter].map((kind) =>
    counted(written.filter((one) => one.kind === kind).length, kind.name),
  );
  const open = missing > 0 ? `; ${counted(missing, "setting")} to supply by hand: see the comments in the file` : "";
  console.error(`written to ${out}: ${[counted(sites, "site"), ...kinds].join(", ")}${open}`);
  // Without this, the reasons of some of many devices would have scrolled away.
  if (failed.length > 0) {
    console.error(
      `not adopted: ${counted(failed.length, "device")}, for the reasons above. Run the command again to retry only these`,
    );
  }
  console.error(`next: npx solar-charging fleet preview --manifest ${quoted(out)}`);
  return adoptionOf(out, written, failed);
}
