import { gapsInState } from "../../provider/lifecycle/site/state";
import { type Gap, gapsOf, gapsOfDevice, type ReadinessMember } from "../../provider/settings/readiness";
import { omit, pick, type Values } from "../../provider/settings/setting";
import { asMember, labelOf } from "../../provider/settings/site";
import { ChargePolicy, RECOMMENDED } from "../../provider/settings/vehicle";
import { deviceStatusOf, toApplyOf } from "./deviceStatus";
import type { Findings } from "./findings";
import type { KnownDevice, KnownSite } from "./known";
import { asReason, type DeviceStatus, type Observed, obstaclesIn, type Reason, type SiteStatus } from "./model";
import { isReportedByCar } from "./words";

/** The status of a site. */
export function siteStatusOf(known: KnownSite, findings: Findings): SiteStatus {
  const { site, stack, solar, latitude, change, lints } = known;
  const gaps = declaredGaps(known);
  const devices = known.devices.map((device) => deviceStatusOf(device, stack, findings));
  return {
    site,
    stack,
    solar,
    ...(latitude !== undefined && { latitude }),
    ready: gaps.length === 0,
    gaps,
    ...(solar && findings.isAsked && { observed: observedOf(known, devices) }),
    ...(change && { change }),
    lints,
    devices,
  };
}

/**
 * The gaps of a site according to its declared and accepted values: the provider's gaps in state, and declared
 * settings that are not applied yet.
 */
function declaredGaps({ solar, devices, state }: KnownSite): readonly Gap[] {
  const kept = devices.flatMap(({ role, state }) => (state ? [{ role, given: {}, state }] : []));
  const secret = new Map(devices.map((device) => [labelOf(device.role), device.secret]));
  const isSecret = ({ device, setting }: Gap) => secret.get(device)?.includes(setting) === true;
  // The value of a secret setting is not readable here. The gaps in state show whether it was accepted.
  const open = [...devices.flatMap(openGaps), ...(state?.openGaps ?? []).filter(isSecret)];
  const gaps = gapsInState({ options: { solar }, devices: kept, openGaps: open });
  return gaps.filter((gap) => gap.reason !== "notDeclared" || !isSecret(gap));
}

/**
 * The declared settings that are not accepted. For a device that was never updated, all missing settings; before its
 * first read, only a car's policy is certainly missing.
 */
function openGaps({ role, declared, state }: KnownDevice): Gap[] {
  const device = labelOf(role);
  const gaps: Gap[] = state
    ? toApplyOf({ role, declared, state }).map((setting) => ({ device, setting, reason: "notAccepted" }))
    : gapsOfDevice(asMember(role, declared), {}).filter(({ reason }) => reason !== "assumed");
  const own = gaps.filter(({ setting }) => setting !== "policy");
  return own.length > 0 || state ? own : gaps;
}

/** The readiness of a site according to the values that its devices report now. */
function observedOf({ solar, devices }: KnownSite, statuses: readonly DeviceStatus[]): Observed {
  const members = devices.map(({ role, declared }) => asMember(role, declared));
  const ofDevices = new Map(statuses.map((status) => [status.label, status]));
  const counted = ({ label }: ReadinessMember) => countedNow(ofDevices.get(label) as DeviceStatus);
  const problems = members
    .filter(({ isLeftOut }) => !isLeftOut)
    .flatMap(({ label }) => problemsOf(ofDevices.get(label) as DeviceStatus));
  const isNamed = (gap: Gap) =>
    problems.some(({ device, setting }) => device === gap.device && setting === gap.setting);
  const gaps = gapsOf(members, solar, counted)
    .filter((gap) => !isNamed(gap))
    .map(asReason);
  const reasons = [...withoutConsequences(gaps), ...problems];
  const against = reasons.filter(({ code }) => !NOT_KNOWN.includes(code));
  if (against.length > 0) return { verdict: "notReady", reasons: against };
  return { verdict: reasons.length > 0 ? "unknown" : "ready", reasons };
}

/** The reasons without policies that only wait for another gap. */
function withoutConsequences(gaps: readonly Reason[]): readonly Reason[] {
  const causes = gaps.filter(({ setting }) => setting !== "policy");
  return causes.length > 0 ? causes : gaps;
}

/** Reasons that only leave readiness unknown. */
const NOT_KNOWN: readonly string[] = ["unread", "unseen"];

/** The values of a device that count now. An accepted setting that is not reported counts as present. */
function countedNow(status: DeviceStatus): Values | undefined {
  const { declared, reported, observe, unseen, secret, problem } = status;
  if (problem) return undefined; // Drift of a secret setting is a reason of its own.
  const hidden = Object.fromEntries(secret.map((key) => [key, SECRET_VALUES[key] ?? 0]));
  const assumed = observe ? [] : RECOMMENDED.filter((key) => !(key in declared) && !isReportedByCar(status, key));
  return { ...hidden, ...pick(declared, unseen), ...omit(reported, assumed) };
}

/** Values for secret settings, which count as declared. Drift shows whether they changed. */
const SECRET_VALUES: Readonly<Record<string, string>> = { policy: ChargePolicy.ChargeByForecast };

/** The problems of a device besides its gaps. */
function problemsOf(status: DeviceStatus): Reason[] {
  const { label: device, problem, drift, toApply, unseen, ownStatus = {}, reported, declared } = status;
  if (problem) return [{ device, code: problem.code }];
  const ahead = toApply.filter((key) => reported[key] !== undefined && reported[key] !== declared[key]);
  const of = (code: Reason["code"], settings: readonly string[]) =>
    settings.map((setting): Reason => ({ device, setting, code }));
  return [
    ...obstaclesIn(ownStatus).map((code): Reason => ({ device, code })),
    ...of("drift", drift),
    ...of("toApply", ahead),
    ...of("unseen", unseen),
  ];
}
