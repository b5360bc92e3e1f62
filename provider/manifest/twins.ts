import { deviceKey, type Site } from "./model";
import type { Report } from "./report";
import type { Path } from "./source";

/** Refuses sites with one id, devices that are there twice, and resources that would have one name. */
export function refuseTwins(sites: readonly Site[], report: Report): void {
  const ids = new Map<string, Path>();
  const devices = new Map<string, Path>();
  const names = new Map<string, Path>();
  for (const [index, site] of sites.entries()) {
    const path = ["sites", index];
    const lists = [
      ["vehicles", site.vehicles],
      ["inverters", site.inverters],
    ] as const;
    claim(ids, site.id, [...path, "id"], (place) => `there is a site of this id already, ${place}`, report);
    for (const [list, members] of lists) {
      for (const [nth, member] of members.entries()) {
        const at = [...path, list, nth];
        if (typeof member.deviceId !== "string") continue;
        const device = deviceKey(member.businessId, member.deviceId);
        const isNew = claim(devices, device, at, (place) => `the device is declared already, ${place}`, report);
        if (!isNew || typeof site.id !== "string") continue;
        const reason = (place: string) => `the site has a device of this name already, ${place}: give it another name`;
        claim(names, JSON.stringify([site.id, list, member.name]), at, reason, report);
      }
    }
  }
}

function claim(
  owners: Map<string, Path>,
  key: string | undefined,
  path: Path,
  reason: (place: string) => string,
  report: Report,
): boolean {
  if (typeof key !== "string") return true;
  const owner = owners.get(key);
  if (owner) report.add(path, reason(report.placeOf(owner)));
  else owners.set(key, path);
  return owner === undefined;
}
