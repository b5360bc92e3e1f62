import { inverter } from "../../provider/settings/inverter";
import { ChargePolicy, vehicle } from "../../provider/settings/vehicle";
import { type DeviceView, obstaclesIn, type SiteView } from "../view/model";
import { isExpectedReady } from "./model";

/** The conditions of solar-aware charging at a site, in the order of the columns. */
export const CONDITIONS = [
  ...Object.keys(vehicle.settings).map((key) => ({ key, kind: vehicle.name })),
  ...Object.keys(inverter.settings).map((key) => ({ key, kind: inverter.name })),
] as const;

/**
 * The state of a condition, the worst first. `missing`: a gap. `inactive`: a device reports that it does not charge.
 * `drift`: the reported value differs from the applied one. `kept`: it differs, and the program keeps it. `toApply`: it
 * differs from the declared one. `unread`: the device could not be read. `unseen`: accepted, but not reported. `ok`.
 * `none`: not required.
 */
const CONDITION_STATES = ["missing", "inactive", "drift", "toApply", "unread", "kept", "unseen", "ok", "none"] as const;
export type ConditionState = (typeof CONDITION_STATES)[number];

/**
 * The state of a site according to the devices' own status. A device that reports that it does not charge counts,
 * whatever its settings are.
 */
export function ownConditionAt(site: SiteView): ConditionState {
  const { devices } = site;
  if (!isExpectedReady(site)) return "none";
  const read = devices.filter(({ ownStatus }) => ownStatus !== undefined);
  if (read.some(({ ownStatus = {} }) => obstaclesIn(ownStatus).length > 0)) return "inactive";
  return devices.some(({ problem }) => problem) ? "unread" : read.length > 0 ? "ok" : "none";
}

/** The state of a condition at a site: the worst of its devices. */
export function conditionAt(site: SiteView, { key, kind }: (typeof CONDITIONS)[number]): ConditionState {
  const devices = site.devices.filter(({ label }) => label.startsWith(`${kind}/`));
  if (devices.length === 0)
    return site.gaps.some(({ setting }) => setting === `${kind}s`) && isExpectedReady(site) ? "missing" : "none";
  const states = devices.map((device) => conditionOf(device, key, site));
  return CONDITION_STATES.find((one) => states.includes(one)) as ConditionState;
}

/** The state of a setting of a device. @param site absent for a device without a site, which has no gaps */
export function conditionOf(device: DeviceView, key: string, site?: SiteView): ConditionState {
  const { label, declared, reported, secret, drift, kept, toApply, unseen, problem, isLeftOut } = device;
  const isNeeded = site !== undefined && isExpectedReady(site) && !isLeftOut;
  const value = reported[key] ?? declared[key];
  // A kept policy can leave the site not ready. As "missing", it would look as if nobody had set one.
  if (kept.includes(key)) return "kept";
  // Without this, a declared value that no update has sent would look as if nobody had declared it.
  if (toApply.includes(key) && !drift.includes(key)) return "toApply";
  if (isNeeded && site.gaps.some((gap) => gap.device === label && gap.setting === key)) return "missing";
  if (isNeeded && value === undefined && !secret.includes(key)) return problem ? "unread" : "missing";
  if (isNeeded && key === "policy" && value !== ChargePolicy.ChargeByForecast && !secret.includes(key)) {
    return drift.includes(key) ? "drift" : "missing";
  }
  if (drift.includes(key)) return "drift";
  if (problem) return key in declared ? "unread" : "none";
  if (unseen.includes(key)) return "unseen";
  return key in declared || secret.includes(key) || isNeeded ? "ok" : "none";
}
