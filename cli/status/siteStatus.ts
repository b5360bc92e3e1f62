import { toSiteOutputs } from "../../provider/lifecycle/siteState";
import { type Gap, gapsOf, gapsOfDevice, type ReadinessMember } from "../../provider/settings/readiness";
import { pick, type Values } from "../../provider/settings/setting";
import { asMember, labelOf } from "../../provider/settings/site";
import { ChargePolicy } from "../../provider/settings/vehicle";
import { deviceStatusOf, type Findings, toApplyOf } from "./deviceStatus";
import type { KnownDevice, KnownSite } from "./known";
import { type DeviceStatus, type Observed, type Reason, type SiteStatus, saysNo } from "./model";

/** How a site stands. */
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
 * What keeps a site from being ready by what is declared and accepted: what the provider itself finds in its state, and what
 * was declared since then and is not applied yet.
 */
function declaredGaps({ site, solar, devices }: KnownSite): readonly Gap[] {
  const kept = devices.flatMap(({ role, state }) => (state ? [{ role, state }] : []));
  return toSiteOutputs({ site, solar, devices: kept, openGaps: devices.flatMap(openGaps) }).gaps as Gap[];
}

/** What is declared of a device and not accepted; of one that no update has applied, all that it lacks. */
function openGaps({ role, declared, state }: KnownDevice): Gap[] {
  const device = labelOf(role);
  const gaps: Gap[] = state
    ? toApplyOf({ role, declared, state }).map((setting) => ({ device, setting, reason: "notAccepted" }))
    : gapsOfDevice(asMember(role, declared), {});
  return gaps.filter(({ setting }) => setting !== "policy");
}

/** Whether a site is ready by what its devices report now. */
function observedOf({ solar, devices }: KnownSite, statuses: readonly DeviceStatus[]): Observed {
  const members = devices.map(({ role, declared }) => asMember(role, declared));
  const ofDevices = new Map(statuses.map((status) => [status.label, status]));
  const counted = ({ label }: ReadinessMember) => countedNow(ofDevices.get(label) as DeviceStatus);
  const said = members
    .filter(({ isLeftOut }) => !isLeftOut)
    .flatMap(({ label }) => saidOf(ofDevices.get(label) as DeviceStatus));
  const isSaid = (gap: Gap) => said.some(({ device, setting }) => device === gap.device && setting === gap.setting);
  const gaps = gapsOf(members, solar, counted)
    .filter((gap) => !isSaid(gap))
    .map(({ device, setting, reason: code }): Reason => ({ device, setting, code }));
  const reasons = [...withoutConsequences(gaps), ...said];
  const against = reasons.filter(({ code }) => !NOT_KNOWN.includes(code));
  if (against.length > 0) return { verdict: "notReady", reasons: against };
  return { verdict: reasons.length > 0 ? "unknown" : "ready", reasons };
}

/** A policy that waits for something else that is missing is no reason of its own. */
function withoutConsequences(gaps: readonly Reason[]): readonly Reason[] {
  const causes = gaps.filter(({ setting }) => setting !== "policy");
  return causes.length > 0 ? causes : gaps;
}

/** Reasons that speak against nothing. */
const NOT_KNOWN: readonly string[] = ["unread", "unseen"];

/** The values of a device that count now. One that was accepted and is not reported is supposed to be there. */
function countedNow({ declared, reported, unseen, secret, problem }: DeviceStatus): Values | undefined {
  if (problem) return undefined; // It is a reason of its own.
  const hidden = Object.fromEntries(secret.map((key) => [key, SECRET_VALUES[key] ?? 0]));
  return { ...hidden, ...pick(declared, unseen), ...reported };
}

/** A secret setting counts as declared. Whether it is as declared is in the drift. */
const SECRET_VALUES: Readonly<Record<string, string>> = { policy: ChargePolicy.ChargeByForecast };

/** What is to be said of a device beside its gaps. */
function saidOf(status: DeviceStatus): Reason[] {
  const { label: device, problem, drift, toApply, unseen, says = {}, reported, declared } = status;
  if (problem) return [{ device, code: problem.code }];
  const ahead = toApply.filter((key) => reported[key] !== undefined && reported[key] !== declared[key]);
  const of = (code: Reason["code"], settings: readonly string[]) =>
    settings.map((setting): Reason => ({ device, setting, code }));
  return [
    ...saysNo(says).map((code): Reason => ({ device, code })),
    ...of("drift", drift),
    ...of("toApply", ahead),
    ...of("unseen", unseen),
  ];
}
