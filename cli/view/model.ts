import type { MeasuredDevice } from "../../measure/results/model";
import type { Panels } from "../../measure/sky/plane";
import type { Records } from "../../provider/lifecycle/device/record";
import type { Message } from "../../provider/messages/message";
import type { DriftAnswers } from "../../provider/settings/declaration";
import type { Group } from "../../provider/settings/groups";
import type { Gap, GapReason } from "../../provider/settings/readiness";
import type { Value, Values } from "../../provider/settings/setting";
import { reportedByCar } from "../../provider/settings/vehicle";

/**
 * A site at one time, from any source: a manifest, the state of a stack, a preview, a run, or cached reads. A view has
 * all data that is needed to show it.
 */
export interface SiteView {
  /** The name of its resource. */
  readonly name: string;
  /** Its name for people, if the manifest gives one. */
  readonly title?: string;
  readonly stack: string;
  /** False for a device outside of any site, which is then the only device here. */
  readonly isSite: boolean;
  /** Whether it is made ready for solar-aware charging: not with `solar: false` or without inverters. */
  readonly solar: boolean;
  /** In degrees. */
  readonly latitude?: number;
  /** Whether all needed settings are declared and accepted. Absent if only the next update knows. */
  readonly ready?: boolean;
  readonly gaps: readonly Gap[];
  /** For a solar site, its readiness now, if the service was asked. */
  readonly observed?: Observed;
  /** `new`: no `up` has applied it yet. `leaving`: the manifest no longer declares it. */
  readonly change?: "new" | "leaving";
  /** Lint warnings of the whole site. */
  readonly warnings: readonly Message[];
  /** Inverters first. */
  readonly devices: readonly DeviceView[];
  /** The devices in state that the manifest no longer declares. Absent without a manifest, and if the site leaves. */
  readonly leaving?: readonly Pick<DeviceView, "device" | "label" | "onDelete">[];
}

/** A device at one time. */
export interface DeviceView {
  /** `business/device`. */
  readonly device: string;
  /** Absent if neither the declaration nor the configuration names it. */
  readonly businessId?: string;
  readonly deviceId: string;
  /** The fingerprint of the car or inverter behind it, if a read has shown it to the provider. */
  readonly physicalDevice?: string;
  /**
   * Its name in its site, `vehicle/<name>` or `inverter/<name>`. Outside of a site, `<name>` is that of its resource.
   */
  readonly label: string;
  readonly group: Group;
  /** Whether it is read and never written. */
  readonly observe: boolean;
  /** Whether its policy comes from its site. */
  readonly policyFromSite: boolean;
  /** Whether it declares its own policy, so that its site's readiness ignores it. */
  readonly isLeftOut: boolean;
  /** Its effect on the device when it is no longer declared: `retain`, `restore` or `reset`. */
  readonly onDelete?: string;
  /** The values that a delete would write back, if it leaves with `restore`. */
  readonly restores?: Values;
  /** The answer to somebody else's later values, if it is not `repair` for all settings. */
  readonly onDrift?: DriftAnswers;
  /** The values that the program or the manifest declares, and the policy of its site. */
  readonly declared: Values;
  /** The planes of an inverter, if its peak power, azimuth and tilt come from them. */
  readonly planes?: readonly Panels[];
  /** One record a setting, with its baseline. Absent if no update has applied the device. */
  readonly settings?: Records;
  /** The values that the service reports now; without a read, the last ones in state. */
  readonly reported: Values;
  /** Settings whose values the program declares as secrets. `withoutSecrets` removes their values. */
  readonly secret: readonly string[];
  /** Settings that somebody changed since they were applied. */
  readonly drift: readonly string[];
  /** Settings that somebody changed since they were applied, and that stay so with `onDrift: keep`. */
  readonly kept: readonly string[];
  /** Declared settings that the service has not accepted as declared. */
  readonly toApply: readonly string[];
  /** Settings that the service accepted and does not report. */
  readonly unseen: readonly string[];
  /** The device's own status. Absent if it was not read. */
  readonly ownStatus?: OwnStatus;
  /** The reason why there is nothing to compare with. */
  readonly problem?: DeviceProblem;
  /** The device's last updates in the ledger, newest first. */
  readonly updates: readonly Update[];
  /** Its measured values, from 'solar-charging measure'. */
  readonly measured?: MeasuredDevice;
  /** Lint warnings of its values. */
  readonly warnings: readonly Message[];
}

/**
 * The readiness of a site according to the values that the service reports now. `unknown`: some values are not
 * reported, and no reported one contradicts it.
 */
export type Verdict = "ready" | "notReady" | "unknown";

export interface Observed {
  readonly verdict: Verdict;
  /** The reasons why it is not ready, or why its readiness is unknown. */
  readonly reasons: readonly Reason[];
}

/**
 * The reason why a site is not known to be ready now: a gap of the provider, or one of these. `drift`: the service
 * reports another value than was applied. `toApply`: it reports another value than is declared, and no `up` has
 * applied it yet. `setupIncomplete`, `optedOut`, `inactive`: the device itself reports it. `gone`: the service no
 * longer knows the device. `unread`: the device could not be read. `unseen`: the service accepted the setting and
 * does not report it. These two leave readiness unknown. `kept`: the program keeps somebody else's value; only of devices.
 */
type ReasonCode = GapReason | ObstacleCode | "drift" | "kept" | "toApply" | "gone" | "unread" | "unseen";
type ObstacleCode = "setupIncomplete" | "optedOut" | "inactive";

export interface Reason {
  /** `vehicle/<name>` or `inverter/<name>`; `site` for the site as a whole. */
  readonly device: string;
  readonly code: ReasonCode;
  readonly setting?: string;
}

export interface DeviceProblem {
  readonly code: "unread" | "gone" | "otherDevice";
  readonly finding: string;
}

/** The own status of a device, beside its settings. */
export interface OwnStatus {
  readonly setupComplete?: boolean;
  readonly optedOut?: boolean;
  readonly optedOutUntil?: string;
  /** The device shows its config without a charge-by time: the likeliest reason for an incomplete setup. */
  readonly chargeByMissing?: true;
  readonly serviceStatus?: string;
  readonly chargingStatus?: string;
  /** The meaning of the status, as far as the service documents it. */
  readonly meaning?: string;
  readonly advice?: string;
}

/** One update of a device, from the ledger. */
export interface Update {
  readonly time: string;
  readonly by: string;
  readonly operation: string;
  readonly outcome: string;
  readonly run: string;
  readonly settings: readonly { readonly key: string; readonly from?: Value; readonly to?: Value }[];
}

/** A site before a change and after it. `compare` makes it. */
export interface SiteChange {
  readonly name: string;
  readonly stack: string;
  readonly isSite: boolean;
  /** Its earlier id, if it is renamed. */
  readonly was?: string;
  /** Absent if the site is new. */
  readonly before?: SiteView;
  /** Absent if the site is removed. */
  readonly after?: SiteView;
  /** The devices that change. */
  readonly devices: readonly DeviceChange[];
}

/**
 * The change of a device. `changed`: an update sets, or somebody has set, other values. `new`: newly managed.
 * `leaves`: no longer managed. `secret`: a secret value may have changed. `failed`: an update was not accepted. `held`: it
 * waits for another device.
 */
type DeviceChangeKind = "changed" | "new" | "leaves" | "secret" | "failed" | "held" | "left";

export interface DeviceChange {
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly kind: DeviceChangeKind;
  /** If it leaves with `restore`, its settings with their earlier values; `to` is absent if that one is not known. */
  readonly settings: readonly SettingChange[];
  /** Its earlier name in its site, if it was renamed. */
  readonly was?: string;
  /**
   * If it leaves, its `onDelete`; `observe` of a device that was only read; `same` if `restore` changes no value. `moves` if
   * another resource declares it, so that nothing is written back, or did before.
   */
  readonly onDelete?: string;
  /** The reason why it failed, or stays as it is. */
  readonly reason?: string;
  /** The settings that an update of a fleet sent, or will send. */
  readonly sent?: readonly string[];
}

/** The change of a setting. A secret one has no values. */
export interface SettingChange {
  /** The key, such as `azimuth`; also `onDelete` and `onDrift`. */
  readonly setting: string;
  /** Absent if it was not managed, and the device's value is not known. */
  readonly from?: unknown;
  /** Absent: the setting is no longer managed. */
  readonly to?: unknown;
  readonly secret?: true;
}

/** The reasons in a device's own status why it does not charge by the sun, whatever its settings are. */
export function obstaclesIn({ setupComplete, optedOut, serviceStatus }: OwnStatus): ObstacleCode[] {
  const isOptedOut = optedOut || serviceStatus === "inactive_opted_out";
  return [
    ...(setupComplete === false ? (["setupIncomplete"] as const) : []),
    ...(isOptedOut ? (["optedOut"] as const) : []),
    ...(serviceStatus === "inactive_setup_incomplete" ? (["inactive"] as const) : []),
  ];
}

/** The reasons of a device: its problem, or its own status and then these settings, by code. */
export function reasonsIn(
  { label: device, problem, ownStatus = {} }: DeviceView,
  settings: { readonly [Code in ReasonCode]?: readonly string[] },
): Reason[] {
  if (problem) return [{ device, code: problem.code }];
  const codes = Object.keys(settings) as ReasonCode[];
  return [
    ...obstaclesIn(ownStatus).map((code) => ({ device, code })),
    ...codes.flatMap((code) => (settings[code] ?? []).map((setting) => ({ device, setting, code }))),
  ];
}

/** A gap of a site as a reason why it is not ready. */
export function asReason({ device, setting, reason: code }: Gap): Reason {
  return { device, setting, code };
}

/** Whether a setting needs no declaration, because the car reports it. */
export function isReportedByCar({ observe, declared, reported, secret }: DeviceView, key: string): boolean {
  const isDeclared = declared[key] !== undefined || secret.includes(key);
  return !observe && !isDeclared && key in reportedByCar(reported);
}
