import type { GetDeviceResult } from "../../provider/lifecycle/device/deviceView";
import { refreshed } from "../../provider/lifecycle/device/read";
import {
  acceptedOf,
  baselinesIn,
  isManaged,
  managedIn,
  oursOf,
  type Records,
  reportedOf,
  valuesBy,
} from "../../provider/lifecycle/device/record";
import { keysOf, omit, pick, type Values } from "../../provider/settings/setting";
import { asMember, kindOf, labelOf } from "../../provider/settings/site";
import { explainStatus } from "../../provider/status/explain";
import { fullNameOf } from "../fullName";
import type { Finding, Findings } from "./findings";
import type { KnownDevice } from "./known";
import type { Change, DeviceProblem, DeviceStatus, OwnStatus } from "./model";

/** The status of a device. */
export function deviceStatusOf(known: KnownDevice, stack: string, { isAsked, found, changes }: Findings): DeviceStatus {
  const { role, declared, planes, state, secret, lints } = known;
  const device = fullNameOf(known);
  const seen = seenOf(known, isAsked ? (found.get(device) ?? NO_BUSINESS) : undefined);
  const { settings: before = {} } = state ?? {};
  const isRead = seen.reported !== undefined && !role.observe;
  const now = isRead ? refreshed(before, seen.reported ?? {}, keysOf(kindOf(role))) : before;
  const accepted = role.observe ? [] : Object.keys(declared).filter((key) => acceptedOf(now[key]) !== undefined);
  const reported = seen.reported ?? (seen.problem ? {} : valuesBy(before, reportedOf));
  const shown = (values: Values) => omit(values, secret);
  return {
    device,
    label: labelOf(role),
    stack,
    observe: role.observe,
    isLeftOut: asMember(role, declared).isLeftOut,
    declared: shown(declared),
    ...(planes && !secret.includes("azimuth") && { planes }),
    reported: shown(reported),
    baseline: shown(baselinesIn(before)),
    secret,
    drift: driftOf(now, declared),
    toApply: toApplyOf({ ...known, ...(state && { state: { ...state, settings: now } }) }),
    unseen: seen.problem ? [] : accepted.filter((key) => reported[key] === undefined),
    ...(seen.ownStatus && { ownStatus: seen.ownStatus }),
    ...(seen.problem && { problem: seen.problem }),
    changes: (changes.get(device) ?? []).map((change) => withoutSecrets(change, secret)),
    lints,
  };
}

/** The finding about a device that cannot be read because its business is not known. */
const NO_BUSINESS: Finding = {
  problem: {
    code: "unread",
    finding: "its business is not known: declare businessId, or set SOLAR_CHARGING_BUSINESS_ID",
  },
};

/** The values that were read from a device, if the device is of the declared kind. */
function seenOf(
  { role, deviceId }: KnownDevice,
  finding: Finding | undefined,
): { readonly reported?: Values; readonly ownStatus?: OwnStatus; readonly problem?: DeviceProblem } {
  if (!finding) return {};
  if ("problem" in finding) return { problem: finding.problem };
  const { view } = finding;
  const kind = kindOf(role);
  if (view.devType !== undefined && !kind.accepts(view.devType)) {
    const words = `device '${deviceId}' is of type '${view.devType}', not a ${kind.name}: check deviceId`;
    return { problem: { code: "otherDevice", finding: words } };
  }
  return { reported: pick({ ...view.reported } as Values, keysOf(kind)), ownStatus: ownStatusOf(view) };
}

function ownStatusOf({ setupComplete, config, serviceStatus, chargingStatus }: GetDeviceResult): OwnStatus {
  const { optOut: optedOut, optOutUntil, chargeBy } = config ?? {};
  const { meaning, advice } = serviceStatus ? explainStatus(serviceStatus, chargingStatus) : {};
  return {
    ...(setupComplete !== undefined && { setupComplete }),
    ...(optedOut !== undefined && { optedOut }),
    ...(optOutUntil && { optedOutUntil: optOutUntil }),
    ...(config && !chargeBy && { chargeByMissing: true }),
    ...(serviceStatus && { serviceStatus }),
    ...(chargingStatus && { chargingStatus }),
    ...(meaning && { meaning }),
    ...(advice && { advice }),
  };
}

/**
 * The settings that somebody else changed: a read shows neither the applied value nor the one that the service
 * adjusted it to.
 */
function driftOf(records: Records, declared: Values): string[] {
  return managedIn(records).flatMap(([key, { status, value }]) =>
    status === "drifted" && value !== declared[key] ? [key] : [],
  );
}

/** The declared settings that the service has not accepted as they are declared. */
export function toApplyOf({ role, declared, state }: Pick<KnownDevice, "role" | "declared" | "state">): string[] {
  if (role.observe) return [];
  // If somebody else has changed our last value, it still counts as accepted: the change is drift.
  const acceptedOfUs = (key: string) => {
    const record = state?.settings[key];
    return isManaged(record) && record.status !== "uncertain" ? oursOf(record) : undefined;
  };
  return Object.keys(declared).filter((key) => acceptedOfUs(key) !== declared[key]);
}

function withoutSecrets(change: Change, secret: readonly string[]): Change {
  if (secret.length === 0) return change;
  const settings = change.settings.map((one) => (secret.includes(one.key) ? { key: one.key } : one));
  return { ...change, settings };
}
