import { existsSync } from "node:fs";
import { inEnvironment } from "../environment";
import { grouped } from "../grouped";
import { quoted } from "../shell";
import type { Taken } from "./journal";
import type { Adopted } from "./nodes";
import type { Failed } from "./readings";
import type { Wanted } from "./wanted";

/** From how many devices on a site is a lot for one stack, which it always is in (our choice). */
const MANY = 500;

export function tellOfSites(wanted: readonly Wanted[]): void {
  for (const [site, devices] of grouped(wanted, (device) => device.site)) {
    if (devices.length <= MANY) continue;
    console.error(
      `warning: site ${site} has ${devices.length} devices, which will all be in one stack, and slow. List the devices in a CSV ` +
        "file with a column site",
    );
  }
}

export function tellOfPresent(out: string, count: number): void {
  console.error(`${counted(count, "device")} ${count === 1 ? "is" : "are"} in ${out} already, and not read`);
}

/** @param file where it is kept */
export function tellOfTaken(file: string, taken: Taken | undefined): void {
  if (!taken) return;
  const { count, since } = taken;
  const time = new Date(since).toTimeString().slice(0, "HH:MM".length);
  console.error(
    `${counted(count, "device")} ${count === 1 ? "is" : "are"} not read again, but taken from the run of ${time}, which was cut ` +
      `short. Where a device has changed since: remove ${file}, and run this again`,
  );
}

export function tellOfFailures(failed: readonly Failed[]): void {
  for (const { device, reason } of failed) console.error(`not adopted: ${device.place}: ${inEnvironment(reason)}`);
}

export function tellOfTypes(supposed: ReadonlyMap<string, number>): void {
  if (supposed.size === 0) return;
  const types = [...supposed].map(([type, count]) => `'${type}' (${count})`).join(", ");
  console.error(
    `note: devices of type ${types} are taken for inverters, because they are no vehicles: the service does not document ` +
      "what type an inverter is of. Take out of the manifest what is none",
  );
}

export function tellSummary(out: string, adopted: readonly Adopted[], missing: number, failed: number): void {
  const count = (name: string) => adopted.filter(({ kind }) => kind.name === name).length;
  const sites = new Set(adopted.map(({ device }) => device.site)).size;
  console.error(
    `written to ${out}: ${counted(sites, "site")}, ${counted(count("vehicle"), "vehicle")}, ${counted(count("inverter"), "inverter")}; ` +
      `${counted(missing, "setting")} to supply by hand, each named in a comment`,
  );
  if (failed > 0) {
    console.error(`${counted(failed, "device")} not adopted, see above. Run it again to try only these again`);
  }
  console.error(`next: npx solar-charging fleet preview --manifest ${quoted(out)}`);
}

/** @param before how many devices the manifest has that is written anew @param after how many it will have at most */
export function tellOfReplaced(out: string, before: number, after: number): void {
  if (after < before)
    console.error(`warning: ${out} has ${counted(before, "device")}, and is written anew with ${after}`);
}

/** Says it where a signal ends this process before what it has read is written. @param kept the file that has it */
export function tellOfInterruption(kept: string): void {
  process.once("exit", (code) => {
    if (code > 128 && existsSync(kept))
      console.error("interrupted: what was read is kept, and the same command within an hour reads only the rest");
  });
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
