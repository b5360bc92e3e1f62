import { inverter } from "../../provider/settings/inverter";
import { ChargePolicy, vehicle } from "../../provider/settings/vehicle";
import { type DeviceStatus, type SiteStatus, saysNo } from "../status/model";

/** What solar-aware charging needs of the cars and of the inverters of a site, in the order of the columns. */
export const CONDITIONS = [
  ...Object.keys(vehicle.settings).map((key) => ({ key, kind: vehicle.name })),
  ...Object.keys(inverter.settings).map((key) => ({ key, kind: inverter.name })),
] as const;

/**
 * How a condition stands, the worst first: `missing`, `drift` and `toApply`, another value is reported than was applied or is
 * declared; `unread`, the device could not be read; `unseen`, accepted and not reported; `ok`; `none`, it is not asked for.
 */
export const STANDINGS = ["missing", "drift", "toApply", "unread", "unseen", "ok", "none"] as const;
export type Standing = (typeof STANDINGS)[number];

/** Whether the devices of a site themselves say that they do not charge: whatever their settings are, they then do not. */
export function itselfAt({ devices, solar }: SiteStatus): Standing {
  if (!solar) return "none";
  const read = devices.filter(({ says }) => says !== undefined);
  if (read.some(({ says = {} }) => saysNo(says).length > 0)) return "missing";
  return devices.some(({ problem }) => problem) ? "unread" : read.length > 0 ? "ok" : "none";
}

/** How a condition stands at a site: as the worst of its devices. */
export function standingAt(site: SiteStatus, { key, kind }: (typeof CONDITIONS)[number]): Standing {
  const devices = site.devices.filter(({ label }) => label.startsWith(`${kind}/`));
  if (devices.length === 0)
    return site.gaps.some(({ setting }) => setting === `${kind}s`) && site.solar ? "missing" : "none";
  const standings = devices.map((device) => standingOf(device, key, site));
  return STANDINGS.find((one) => standings.includes(one)) as Standing;
}

/** How a setting of a device stands. @param site absent outside of one: then nothing is missing */
export function standingOf(device: DeviceStatus, key: string, site?: SiteStatus): Standing {
  const { label, declared, reported, secret, drift, toApply, unseen, problem, isLeftOut } = device;
  const isNeeded = site?.solar === true && !isLeftOut;
  const value = reported[key] ?? declared[key];
  if (isNeeded && site.gaps.some((gap) => gap.device === label && gap.setting === key)) return "missing";
  if (isNeeded && value === undefined && !secret.includes(key)) return problem ? "unread" : "missing";
  if (isNeeded && key === "policy" && value !== ChargePolicy.ChargeByForecast && !secret.includes(key)) {
    return drift.includes(key) ? "drift" : "missing";
  }
  if (drift.includes(key)) return "drift";
  if (toApply.includes(key)) return "toApply";
  if (problem) return key in declared ? "unread" : "none";
  if (unseen.includes(key)) return "unseen";
  return key in declared || secret.includes(key) || isNeeded ? "ok" : "none";
}
