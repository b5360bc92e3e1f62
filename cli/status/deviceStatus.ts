import type { GetDeviceResult } from "../../provider/lifecycle/deviceView";
import { refreshed } from "../../provider/lifecycle/read";
import { acceptedValues, type State } from "../../provider/lifecycle/state";
import { keysOf, omit, pick, type Values } from "../../provider/settings/setting";
import { asMember, kindOf, labelOf } from "../../provider/settings/site";
import { explainStatus } from "../../provider/status/explain";
import { fullNameOf } from "../fullName";
import type { KnownDevice } from "./known";
import type { Change, DeviceProblem, DeviceStatus, Says } from "./model";

/** The result of a device's cached read. */
export type Finding = { readonly view: GetDeviceResult } | { readonly problem: DeviceProblem };

/** The facts about devices beside their declarations, by `business/device`. */
export interface Findings {
  /** Whether the service was asked. */
  readonly isAsked: boolean;
  readonly found: ReadonlyMap<string, Finding>;
  /** The last changes in the ledger, newest first. */
  readonly changes: ReadonlyMap<string, readonly Change[]>;
}

/** How a device stands. */
export function deviceStatusOf(known: KnownDevice, stack: string, { isAsked, found, changes }: Findings): DeviceStatus {
  const { role, declared, state, secret, lints } = known;
  const device = fullNameOf(known);
  const seen = seenOf(known, isAsked ? (found.get(device) ?? NO_BUSINESS) : undefined);
  const now = state && seen.reported && !role.observe ? refreshed(state, seen.reported) : state;
  const accepted = role.observe ? [] : Object.keys(declared).filter((key) => now && key in now.verification);
  const reported = seen.reported ?? (seen.problem ? {} : (state?.reported ?? {}));
  const shown = (values: Values) => omit(values, secret);
  return {
    device,
    label: labelOf(role),
    stack,
    observe: role.observe,
    isLeftOut: asMember(role, declared).isLeftOut,
    declared: shown(declared),
    reported: shown(reported),
    baseline: shown(state?.baseline ?? {}),
    secret,
    drift: now ? driftOf(now, declared) : [],
    toApply: toApplyOf({ ...known, ...(now && { state: now }) }),
    unseen: seen.problem ? [] : accepted.filter((key) => reported[key] === undefined),
    ...(seen.says && { says: seen.says }),
    ...(seen.problem && { problem: seen.problem }),
    changes: (changes.get(device) ?? []).map((change) => withoutSecrets(change, secret)),
    lints,
  };
}

/** Of a device that cannot be asked for. */
const NO_BUSINESS: Finding = {
  problem: {
    code: "unread",
    finding: "its business is not known: declare businessId, or set SOLAR_CHARGING_BUSINESS_ID",
  },
};

/** The values that were read of a device, if it is of its kind. */
function seenOf(
  { role, deviceId }: KnownDevice,
  finding: Finding | undefined,
): { readonly reported?: Values; readonly says?: Says; readonly problem?: DeviceProblem } {
  if (!finding) return {};
  if ("problem" in finding) return { problem: finding.problem };
  const { view } = finding;
  const kind = kindOf(role);
  if (view.devType !== undefined && !kind.accepts(view.devType)) {
    const words = `device '${deviceId}' is of type '${view.devType}', and no ${kind.name}: check deviceId`;
    return { problem: { code: "otherDevice", finding: words } };
  }
  return { reported: pick({ ...view.reported } as Values, keysOf(kind)), says: saysOf(view) };
}

function saysOf({ setupComplete, config = {}, serviceStatus, chargingStatus }: GetDeviceResult): Says {
  const { optOut: optedOut, optOutUntil } = config;
  const { meaning, advice } = serviceStatus ? explainStatus(serviceStatus, chargingStatus) : {};
  return {
    ...(setupComplete !== undefined && { setupComplete }),
    ...(optedOut !== undefined && { optedOut }),
    ...(optOutUntil && { optedOutUntil: optOutUntil }),
    ...(serviceStatus && { serviceStatus }),
    ...(chargingStatus && { chargingStatus }),
    ...(meaning && { meaning }),
    ...(advice && { advice }),
  };
}

/** The settings that somebody else changed: a read shows neither what was applied nor what the service made of it. */
function driftOf({ values, written, attempted }: State, declared: Values): string[] {
  return Object.keys(values).filter(
    (key) => key in written && !(key in attempted) && values[key] !== written[key] && values[key] !== declared[key],
  );
}

/** The declared settings that the service has not accepted as they are declared. */
export function toApplyOf({ role, declared, state }: Pick<KnownDevice, "role" | "declared" | "state">): string[] {
  if (role.observe) return [];
  // What we wrote last, if somebody else has changed it since: that is drift, and was accepted.
  const accepted = state ? { ...acceptedValues(state), ...pick(state.written, Object.keys(state.verification)) } : {};
  return Object.keys(declared).filter((key) => accepted[key] !== declared[key]);
}

function withoutSecrets(change: Change, secret: readonly string[]): Change {
  if (secret.length === 0) return change;
  const settings = change.settings.map((one) => (secret.includes(one.key) ? { key: one.key } : one));
  return { ...change, settings };
}
