import type { DeviceOutcome, Result, SiteOutcome } from "../../ledger/outcome";
import type { MessageCode } from "../../messages/codes";
import type { Message } from "../../messages/message";
import { type DeviceRef, deviceName } from "../../service/device";
import { kindOf, labelOf } from "../../settings/groups";
import { planesOf } from "../../settings/planes";
import { plannedDevices } from "../../settings/planSite";
import { type Gap, readinessOf } from "../../settings/readiness";
import { omit, type Value, type Values } from "../../settings/setting";
import type { SiteDevice } from "../../settings/site";
import { releaseValues } from "../device/delete";
import { acceptedOf, baselinesIn, reportedOf, valuesBy } from "../device/record";
import { type Properties, stateUnder, valuesOf } from "../device/state";
import type { Plan } from "./plan";
import { gapsInState, isSolarState, type KeptDevice, type Role, type SiteState } from "./state";

/** The facts that an operation notes for its outcome. */
export interface Trace {
  /** By device, the settings that were sent. */
  readonly sent: Map<string, string[]>;
  /** By label, the problems of devices. */
  readonly problems: Map<string, Message>;
}

export function newTrace(): Trace {
  return { sent: new Map(), problems: new Map() };
}

/** The failure of an operation. */
export interface Failure extends Pick<Trace, "problems"> {
  /** The problem of the resource as a whole, if it is not that of its devices. */
  readonly whole?: Message | undefined;
}

/** The outcomes of a site and its devices. */
export interface Outcomes {
  readonly site: SiteOutcome;
  readonly devices: readonly DeviceOutcome[];
}

/**
 * The effect of an update on a site.
 * @param options isSame: whether the update changes nothing
 */
export function plannedSite(
  site: string,
  { before, declared, devices, isSolar, gaps, ready }: Plan,
  { isSame }: { readonly isSame: boolean },
): Outcomes {
  const after = isSame && before ? readinessIn(before) : { ready, gaps: isSolar ? gaps : [] };
  return {
    site: siteOutcome(site, before, { ...after, latitude: declared.options.latitude }),
    devices: planned(
      before?.devices ?? [],
      devices.map(({ device }) => device),
    ),
  };
}

/** The end of an operation. */
interface End {
  readonly trace: Pick<Trace, "sent">;
  readonly failure?: Failure | undefined;
}

/**
 * The outcome of a create or an update.
 * @param before undefined for a new site. @param after undefined if the state is that from before
 */
export function appliedSite(
  site: string,
  { before, after }: { readonly before?: SiteState | undefined; readonly after: SiteState | undefined },
  news: Properties,
  { trace, failure }: End,
): Outcomes {
  // The policies in `news` are from the check, which assumes that a car reports its undeclared values. The state after
  // the update has the cars that really got one.
  const given = after?.devices.filter(({ role }) => role.policyFromSite) ?? [];
  const policies = Object.fromEntries(given.map(({ role, state }) => [role.name, valuesOf(state).policy]));
  const declared = plannedDevices(failure ? news : { ...news, policies });
  const known = after ?? before;
  return {
    site: siteOutcome(site, before, known && { ...readinessIn(known), latitude: news.latitude }),
    devices: applied({ before: before?.devices ?? [], after: known?.devices ?? [] }, declared, trace, failure),
  };
}

/** The findings of a refresh. @param after undefined if no device could be read */
export function refreshedSite(site: string, before: SiteState, after: SiteState = before, failure?: Failure): Outcomes {
  return {
    site: siteOutcome(site, before, { ...readinessIn(after), latitude: after.options.latitude }),
    devices: refreshed(before.devices, after.devices, failure),
  };
}

/** The outcome of a delete, or of its preview. */
export function removedSite(site: string, before: SiteState, trace?: Pick<Trace, "sent">, failure?: Failure): Outcomes {
  return { site: siteOutcome(site, before), devices: removed(before.devices, trace, failure) };
}

/** The effect of an update on devices. */
export function planned(kept: readonly KeptDevice[], declared: readonly SiteDevice[]): DeviceOutcome[] {
  const before = byName(kept);
  return [
    ...declared.map((device) => {
      const old = under(before.get(deviceName(device)), device);
      return { ...identity(device, device), ...plannedDevice(device, old), ...planesIn(old, device) };
    }),
    ...notIn(declared, before).map((one) => leaving(one)),
  ];
}

/** The outcome of a create or an update for devices. */
export function applied(
  kept: { readonly before: readonly KeptDevice[]; readonly after: readonly KeptDevice[] },
  declared: readonly SiteDevice[],
  { sent }: Pick<Trace, "sent">,
  failure?: Failure,
): DeviceOutcome[] {
  const [before, after] = [byName(kept.before), byName(kept.after)];
  const outcomes = [
    ...declared.map((device) => {
      const name = deviceName(device);
      const old = under(before.get(name), device);
      const outcome = appliedDevice(device, { before: old, after: after.get(name) }, { isSent: sent.has(name) });
      return { ...identity(device, device), ...outcome, ...planesIn(old, device) };
    }),
    ...notIn(declared, before).map((one) => leaving(one, after.has(deviceName(one.state)) ? "failed" : undefined)),
  ];
  return withSent(withProblems(outcomes, failure), sent);
}

/** The findings of a refresh of devices. */
export function refreshed(kept: readonly KeptDevice[], now: readonly KeptDevice[], failure?: Failure): DeviceOutcome[] {
  const [before, after] = [byName(kept), byName(now)];
  const found = now.map((one) => {
    const [old, values] = [settingsOf(before.get(deviceName(one.state))), settingsOf(one)];
    const isSame = one.role.observe || JSON.stringify(old) === JSON.stringify(values);
    return {
      ...identity(one.role, one.state),
      ...{ before: old, after: values, result: isSame ? ("unchanged" as const) : ("changed" as const) },
    };
  });
  const gone = kept.filter(({ state }) => !after.has(deviceName(state))).map((one) => leaving(one));
  return withProblems([...found, ...gone], failure);
}

/** The outcome of a delete for devices. After a failed one, the whole resource still exists. */
export function removed(
  kept: readonly KeptDevice[],
  { sent } = newTrace() as Pick<Trace, "sent">,
  failure?: Failure,
): DeviceOutcome[] {
  const outcomes = kept.map((one) => leaving(one, failure && "held"));
  return withSent(withProblems(outcomes, failure), sent);
}

/**
 * The outcomes without the values of secret settings.
 * @param secretsOf returns the secret inputs of a device
 */
export function withoutSecrets(
  outcomes: readonly DeviceOutcome[],
  secretsOf: (device: DeviceOutcome) => ReadonlySet<string>,
): DeviceOutcome[] {
  return outcomes.map((outcome) => {
    const secret = [...secretsOf(outcome)];
    if (secret.length === 0) return outcome;
    const { before, after, planes, ...rest } = outcome;
    return {
      ...rest,
      before: omit<Value>(before, secret),
      ...(after && { after: omit<Value>(after, secret) }),
      ...(planes && !secret.includes("azimuth") && { planes }),
      secret,
    };
  });
}

type Rest = Omit<DeviceOutcome, "device" | "site" | "label">;

/** The state of a device before and after an operation. */
interface Sides {
  readonly before: KeptDevice | undefined;
  readonly after: KeptDevice | undefined;
}

function plannedDevice(device: SiteDevice, before: KeptDevice | undefined): Rest {
  if (device.observe) return observedDevice(before, before);
  const { isNew, known, sure } = knownOf(before, {});
  const held = device.isPolicyHeld ? ["policy"] : [];
  const change = resultOf(omit<Value>(known, held), sure, omit<Value>(device.values, held));
  return { result: isNew && change === "unchanged" ? "adopted" : change, before: known, after: device.values };
}

function appliedDevice(device: SiteDevice, { before, after }: Sides, { isSent }: { readonly isSent: boolean }): Rest {
  if (device.observe) return observedDevice(before, after ?? before);
  const now = after ? valuesOf(after.state) : {};
  // A baseline can be older than this run. Without this, a device that a destroy left unchanged would count as
  // changed.
  const { isNew, known, sure } = knownOf(before, isSent ? baselinesIn(after?.state.settings ?? {}) : now);
  const change = resultOf(known, sure, device.values);
  const isAsDeclared = !isSent && (isNew || change === "changed");
  const accepted = valuesBy(after?.state.settings ?? {}, acceptedOf);
  const open = Object.keys(device.values).filter((key) => accepted[key] !== device.values[key]);
  const isHeld = open.length > 0 && device.policyFromSite && open.every((key) => key === "policy");
  const result = isAsDeclared ? "adopted" : isSent ? "changed" : change;
  return { result: isHeld ? "held" : open.length > 0 ? "failed" : result, before: known, after: now };
}

/** An observed device has no changes, but one that was managed until now has no managed settings any more. */
function observedDevice(before: KeptDevice | undefined, after: KeptDevice | undefined): Rest {
  if (before?.role.observe === false) return { result: "unmanaged", before: valuesOf(before.state), after: {} };
  return { result: "unchanged", before: settingsOf(before), after: settingsOf(after) };
}

/**
 * The values of a device before an update: those in state, and the part of them that the device is known to have.
 * @param had the values of a new device
 */
function knownOf(before: KeptDevice | undefined, had: Values) {
  if (!before || before.role.observe) return { isNew: true, known: had, sure: had };
  return { isNew: false, known: valuesOf(before.state), sure: valuesBy(before.state.settings, acceptedOf) };
}

/** @param sure the values that the device is known to have */
function resultOf(known: Values, sure: Values, declared: Values): Result {
  if (Object.keys(declared).some((key) => sure[key] !== declared[key])) return "changed";
  return Object.keys(known).every((key) => key in declared) ? "unchanged" : "unmanaged";
}

/** The settings that count: the managed ones, or the reported ones of a device that is only observed. */
function settingsOf(kept: KeptDevice | undefined): Values {
  if (!kept) return {};
  return kept.role.observe ? valuesBy(kept.state.settings, reportedOf) : valuesOf(kept.state);
}

/**
 * The outcome of a device that is no longer declared, or that no longer exists. @param isLeft set if the device is
 * still managed
 */
function leaving(one: KeptDevice, isLeft?: "failed" | "held"): DeviceOutcome {
  const { role, state } = one;
  const before = settingsOf(one);
  const onDelete = role.observe ? "observe" : (state.onDelete ?? "retain");
  return {
    ...identity(role, state),
    ...{ before, onDelete, result: isLeft ?? "unmanaged", ...(isLeft && { after: before }) },
    ...(onDelete === "restore" && { restores: Object.keys(releaseValues(kindOf(role), state)) }),
  };
}

function notIn(declared: readonly SiteDevice[], before: ReadonlyMap<string, KeptDevice>): KeptDevice[] {
  const names = new Set(declared.map(deviceName));
  return [...before].flatMap(([name, kept]) => (names.has(name) ? [] : [kept]));
}

function byName(kept: readonly KeptDevice[]): Map<string, KeptDevice> {
  return new Map(kept.map((one) => [deviceName(one.state), one]));
}

/** A device before an update, as the program's `onDrift` sees it. */
function under(kept: KeptDevice | undefined, device: SiteDevice): KeptDevice | undefined {
  return kept && { ...kept, state: stateUnder(kept.state, device) };
}

function identity({ observe, policyFromSite, ...place }: Role, ref: DeviceRef) {
  return {
    device: deviceName(ref),
    label: labelOf(place),
    ...(observe && { observe }),
    ...(policyFromSite && { policyFromSite }),
  };
}

function planesIn(before: KeptDevice | undefined, { planes }: SiteDevice): Pick<DeviceOutcome, "planes"> {
  const old = before?.state.planes;
  return old || planes ? { planes: { before: old, after: planesOf({ planes }) } } : {};
}

function withSent(outcomes: readonly DeviceOutcome[], sent: Trace["sent"]): DeviceOutcome[] {
  return outcomes.map((outcome) => {
    const keys = sent.get(outcome.device);
    return keys ? { ...outcome, sent: keys } : outcome;
  });
}

/** Problems of devices after the user has stopped the run. They do not count as failures. */
const STOPPED: ReadonlySet<MessageCode> = new Set<MessageCode>(["notBegun", "runStopped"]);

/** The outcomes of an operation, which may have failed. */
function withProblems(outcomes: DeviceOutcome[], failure: Failure | undefined): DeviceOutcome[] {
  if (!failure) return outcomes;
  const { problems, whole } = failure;
  const isWhole = whole !== undefined || (problems.size === 0 && outcomes.every(({ result }) => result !== "failed"));
  return outcomes.map((outcome): DeviceOutcome => {
    const problem = problems.get(outcome.label);
    if (!problem && !isWhole && outcome.result !== "failed") return outcome;
    const reason = problem ?? whole;
    if (reason && STOPPED.has(reason.code)) return { ...outcome, result: "held" };
    // Without this, drift at one site would stop the rollout of a reviewed change at all others.
    const result = reason?.code === "notReviewed" ? "held" : "failed";
    return { ...outcome, result, ...(reason && { problem: reason }) };
  });
}

/** The readiness of a site in state. */
function readinessIn(state: SiteState): { readonly ready: boolean; readonly gaps: readonly Gap[] } {
  const gaps = gapsInState(state);
  return { ready: readinessOf(gaps).ready, gaps: isSolarState(state) ? gaps : [] };
}

function siteOutcome(
  site: string,
  before: SiteState | undefined,
  after?: { readonly ready?: unknown; readonly gaps: readonly Gap[]; readonly latitude?: unknown },
): SiteOutcome {
  const latitude = after?.latitude ?? before?.options.latitude;
  return {
    site,
    ...(before && { readyBefore: readinessIn(before).ready }),
    ...(typeof after?.ready === "boolean" && { readyAfter: after.ready }),
    gaps: after?.gaps ?? [],
    ...(typeof latitude === "number" && { latitude }),
  };
}
