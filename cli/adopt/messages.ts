import { counted } from "../counted";
import { grouped } from "../grouped";
import { quoted } from "../shell";
import type { Listed } from "./devices";
import type { Adopted } from "./look";
import type { Failed } from "./readings";

/** More devices than this at one site are slow, because they are always in one stack (our choice). */
const MANY = 500;

export function reportLargeSites(devices: readonly Listed[]): void {
  for (const [site, ofSite] of grouped(devices, (device) => device.site)) {
    if (ofSite.length <= MANY) continue;
    console.error(
      `warning: site ${site} has ${ofSite.length} devices, which will all be in one stack, and slow. List the devices in a CSV ` +
        "file with a column site",
    );
  }
}

export function reportPresent(out: string, count: number): void {
  console.error(`${counted(count, "device")} ${count === 1 ? "is" : "are"} in ${out} already, and not read`);
}

export function reportFailures(failed: readonly Failed[]): void {
  for (const { device, reason } of failed) console.error(`not adopted: ${device.place}: ${reason}`);
}

export function reportTypes(supposed: ReadonlyMap<string, number>): void {
  if (supposed.size === 0) return;
  const types = [...supposed].map(([type, count]) => `'${type}' (${count})`).join(", ");
  console.error(
    `note: devices of type ${types} count as inverters, because they are no vehicles: the service does not document ` +
      "the type of an inverter. Remove the devices that are not inverters from the manifest",
  );
}

export function reportSummary(out: string, adopted: readonly Adopted[], missing: number, failed: number): void {
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
export function reportReplaced(out: string, before: number, after: number): void {
  if (after < before)
    console.error(`warning: ${out} has ${counted(before, "device")}, and is written anew with ${after}`);
}

/** @param left how many devices were not read @param isKept whether the manifest stays as it was */
export function reportInterrupted(out: string, left: number, isKept: boolean): void {
  const next = isKept ? `${out} is not changed` : "Run the same command again to add the rest";
  console.error(`interrupted: ${counted(left, "device")} not read. ${next}`);
}
