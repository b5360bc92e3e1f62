import { deviceKey, membersOf, type Site } from "./model";
import type { Report } from "./report";
import type { Path } from "./source";

/** Refuses devices that are declared twice. One that is only observed may be declared elsewhere. */
export function reportDuplicates(sites: readonly Site[], report: Report): void {
  const places = new Map<string, Path>();
  for (const site of sites) {
    for (const { group, name, businessId, deviceId, observe } of membersOf(site)) {
      if (observe || typeof deviceId !== "string") continue;
      const key = deviceKey(businessId, deviceId);
      const path = ["sites", site.id, group, name];
      const first = places.get(key);
      if (first) report.add(path, `the device is declared already, ${report.placeOf(first)}: declare it once`, "key");
      else places.set(key, path);
    }
  }
}
