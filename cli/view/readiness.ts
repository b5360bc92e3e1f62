import { gapsInState } from "../../provider/lifecycle/site/state";
import { shortName } from "../../provider/settings/groups";
import { omit, pick } from "../../provider/settings/objects";
import { type Gap, gapsOf, gapsOfDevice } from "../../provider/settings/readiness";
import type { Values } from "../../provider/settings/setting";
import { asMember } from "../../provider/settings/site";
import { ChargePolicy, RECOMMENDED } from "../../provider/settings/vehicle";
import {
  asReason,
  type DeviceView,
  isReportedByCar,
  type Observed,
  type Reason,
  reasonsIn,
  type SiteView,
} from "./model";

type Devices = Pick<SiteView, "solar" | "devices">;

/**
 * The gaps of a site according to its declared and accepted values: the provider's gaps in state, and declared
 * settings that are not applied yet.
 * @param openGaps the gaps in state of settings that the service has not accepted
 */
export function gapsOfView({ solar, devices }: Devices, openGaps: readonly Gap[] = []): Gap[] {
  const kept = devices.flatMap((device) => {
    const { deviceId, settings } = device;
    if (!settings) return [];
    const hidden = Object.entries(hiddenValues(device)).map(([key, value]) => [key, { status: "verified", value }]);
    const records = { ...Object.fromEntries(hidden), ...settings };
    return [{ ...roleOf(device), given: {}, businessId: "", deviceId, settings: records }];
  });
  // Those in state also have secret settings, new devices without state, and values that a refresh has replaced.
  const all = [...devices.flatMap(openGapsOf), ...openGaps];
  const open = [...new Map(all.map((gap) => [`${gap.device} ${gap.setting}`, gap])).values()];
  return gapsInState({ options: { solar }, devices: kept, openGaps: open });
}

function roleOf({ label, group, observe, policyFromSite }: DeviceView) {
  return { group, name: shortName(label), observe, policyFromSite };
}

/**
 * The declared settings that are not accepted. For a device that was never updated, all missing settings; before its
 * first read, only a car's policy is certainly missing.
 */
function openGapsOf(device: DeviceView): Gap[] {
  const { label, settings, toApply } = device;
  const gaps: Gap[] = settings
    ? toApply.map((setting) => ({ device: label, setting, reason: "notAccepted" }))
    : gapsOfDevice(asMember(roleOf(device), { ...device.declared, ...hiddenValues(device) }), {}).filter(
        ({ reason }) => reason !== "assumed",
      );
  const own = gaps.filter(({ setting }) => setting !== "policy");
  return own.length > 0 || settings ? own : gaps;
}

/** The readiness of a site according to the values that its devices report now. */
export function observedOf({ solar, devices }: Devices): Observed {
  const members = devices.map((device) => asMember({ ...device, ...roleOf(device) }, device.declared));
  const problems = devices.filter(({ isLeftOut }) => !isLeftOut).flatMap(problemsOf);
  const isNamed = (gap: Gap) =>
    problems.some(({ device, setting }) => device === gap.device && setting === gap.setting);
  const gaps = gapsOf({ members, isSolar: solar }, ({ device }) => countedNow(device))
    .filter((gap) => !isNamed(gap))
    .map(asReason);
  return observedFor([...withoutConsequences(gaps), ...problems]);
}

/**
 * The readiness of a site whose gaps are known, according to the reported values that differ from the applied ones now.
 */
export function observedSince({ gaps, devices }: Pick<SiteView, "gaps" | "devices">): Observed {
  const problems = devices.filter(({ isLeftOut }) => !isLeftOut).flatMap(problemsOf);
  return observedFor([...gaps.map(asReason), ...problems]);
}

function observedFor(reasons: readonly Reason[]): Observed {
  const against = reasons.filter(({ code }) => !NOT_KNOWN.includes(code));
  if (against.length > 0) return { verdict: "notReady", reasons: against };
  return { verdict: reasons.length > 0 ? "unknown" : "ready", reasons };
}

/** The reasons without policies that only wait for another gap. */
function withoutConsequences(gaps: readonly Reason[]): readonly Reason[] {
  const causes = gaps.filter(({ setting }) => setting !== "policy");
  return causes.length > 0 ? causes : gaps;
}

/** Reasons that do not count against readiness. Alone, they leave it unknown. */
const NOT_KNOWN: readonly string[] = ["unread", "unseen"];

/** The values of a device that count now. An accepted setting that is not reported counts as present. */
function countedNow(device: DeviceView): Values | undefined {
  const { declared, reported, observe, unseen, problem } = device;
  if (problem) return undefined; // Drift of a secret setting is a reason of its own.
  const assumed = observe ? [] : RECOMMENDED.filter((key) => !(key in declared) && !isReportedByCar(device, key));
  return { ...omit(reported, assumed), ...pick(declared, unseen), ...hiddenValues(device) };
}

/**
 * Values for secret settings, which count as declared and accepted; drift shows whether they changed. Without them, a
 * car's secret capacity would be a gap, and another car's kept policy would seem to wait for it.
 */
function hiddenValues({ secret }: Pick<DeviceView, "secret">): Values {
  return Object.fromEntries(secret.map((key) => [key, key === "policy" ? ChargePolicy.ChargeByForecast : 0]));
}

/** The problems of a device besides its gaps. */
function problemsOf(view: DeviceView): Reason[] {
  const { drift, toApply, unseen, reported, declared } = view;
  const ahead = toApply.filter((key) => reported[key] !== undefined && reported[key] !== declared[key]);
  return reasonsIn(view, { drift, toApply: ahead, unseen });
}
