import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { nativeType, withoutFront } from "../../provider/engine/tokens";
import { acceptedOf, baselinesIn, reportedOf, valuesBy } from "../../provider/lifecycle/device/record";
import { valuesOf } from "../../provider/lifecycle/device/state";
import { nameIn } from "../../provider/lifecycle/run/urn";
import { knowledgeOf } from "../../provider/lifecycle/site/diff";
import { fromSiteOutputs, type KeptDevice } from "../../provider/lifecycle/site/state";
import type { Message } from "../../provider/messages/message";
import { labelOf, placeOf } from "../../provider/settings/groups";
import { planesOf } from "../../provider/settings/planes";
import { declaredSite, plannedDevices, planSite } from "../../provider/settings/planSite";
import { type Gap, readinessOf } from "../../provider/settings/readiness";
import { isObject, pick, type Values } from "../../provider/settings/setting";
import { isSolarSite, type SiteDevice } from "../../provider/settings/site";
import { fullNameOf } from "../fullName";
import type { Outcome, Settings, SiteOutcome } from "./outcome";

type Fields = Readonly<Record<string, unknown>>;

/** The type of a site in the stacks of a fleet. */
export const SITE_TYPE = nativeType("SiteSettings");

/** Whether a step is about a site. */
export function isSiteStep({ type }: Pick<StepEventMetadata, "type">): boolean {
  return type === SITE_TYPE;
}

/** The effect of an engine's step on a site and its devices. */
export interface SiteStep {
  readonly site: SiteOutcome;
  readonly devices: readonly Outcome[];
}

/** The failures in a step of a site. */
export interface Failure {
  /** By label, the devices that the provider reports. */
  readonly devices: ReadonlyMap<string, Message>;
  /** The problem of the site as a whole; used if the provider reports no device. */
  readonly problem?: Message;
}

/**
 * @param isDone whether the step is done, and not only planned: then the accepted values are known
 * @param failure absent if nothing failed
 * @param sent the devices, as `business/device`, to which the run has sent something
 */
export function siteStepOf(
  step: StepEventMetadata,
  isDone: boolean,
  failure?: Failure,
  sent: ReadonlySet<string> = new Set(),
): SiteStep {
  const site = nameIn(step.urn);
  const next = step.op === "delete" ? undefined : (step.new ?? undefined);
  const before = keptDevices(step.old?.outputs);
  const after = afterOf(step, isDone, before);
  // A check assumes that a car reports what it does not declare. Only the update knows which cars got a policy.
  const policies = isDone && !failure && next?.outputs ? { policies: next.outputs.policies } : {};
  const inputs = isDone ? next?.inputs : withKnown(next?.inputs, before);
  const declared = step.op === "refresh" ? [] : plannedDevices({ ...inputs, ...policies });
  const devices = [
    ...declared.map((device) => {
      const name = nameOf(device);
      const of = { before: before.get(name), after: after.get(name) };
      const done = isDone ? { isSent: sent.has(name) } : undefined;
      const outcome = step.op === "same" ? unchanged(of) : applied(device, of, done);
      return { ...identity(site, device), ...outcome, ...planesIn(of.before, device) };
    }),
    ...(step.op === "refresh" ? [...after] : []).map(([name, { role, state }]) => {
      const of = { before: before.get(name), after: after.get(name) };
      return { ...identity(site, { ...role, ...state }), ...refreshed(of) };
    }),
  ];
  const isThere = new Set(devices.map(({ device }) => device));
  const gone = [...before].filter(([name]) => !isThere.has(name));
  const removed = gone.map(([name, kept]) => {
    // After a failed delete, the whole site still exists.
    const isLeft = after.has(name) ? "failed" : step.op === "delete" && failure ? "held" : undefined;
    return { ...identity(site, { ...kept.role, ...kept.state }), ...withdrawn(kept, isLeft) };
  });
  const all = failure ? withReasons([...devices, ...removed], failure) : [...devices, ...removed];
  return { site: siteOutcome(site, step.old?.outputs, isDone ? next?.outputs : inputs), devices: all };
}

/** The devices after a step; none if it is only planned. */
function afterOf(
  { op, new: next }: StepEventMetadata,
  isDone: boolean,
  before: ReadonlyMap<string, KeptDevice>,
): ReadonlyMap<string, KeptDevice> {
  if (op === "same" && isDone) return before;
  return op !== "delete" && (isDone || op === "refresh") ? keptDevices(next?.outputs) : new Map();
}

/**
 * The inputs with the cars' known values from state. A check assumes that a car reports its undeclared values.
 * Without this, each preview of a site would promise a policy and a readiness that the update does not give.
 */
function withKnown(inputs: Fields = {}, before: ReadonlyMap<string, KeptDevice>): Fields {
  const plan = planSite(
    declaredSite(inputs),
    knowledgeOf((device) => before.get(nameOf(device))),
  );
  const given = isObject(inputs.policies) ? pick(inputs.policies as Values, Object.keys(plan.policies)) : {};
  const isRead = inputs.ready === undefined && !plan.isUnseen;
  return { ...inputs, policies: given, ...(isRead && readinessOf(plan.gaps)) };
}

/** The devices in a site's outputs, by `business/device`. */
function keptDevices(given: Fields = {}): Map<string, KeptDevice> {
  const outputs = withoutFront(given);
  if (!isObject(outputs.devices)) return new Map(); // Without readable outputs, nothing was accepted.
  return new Map(fromSiteOutputs(outputs).devices.map((kept) => [nameOf(kept.state), kept]));
}

function planesIn(before: KeptDevice | undefined, { planes }: SiteDevice): Pick<Outcome, "planes"> {
  const old = before?.state.planes;
  const isSome = old !== undefined || planes !== undefined;
  return isSome ? { planes: { before: old, after: planesOf({ planes }) } } : {};
}

function nameOf({ businessId, deviceId }: { readonly businessId: string; readonly deviceId: string }): string {
  return fullNameOf({ businessId, deviceId });
}

function identity(site: string, device: Pick<SiteDevice, "group" | "name" | "businessId" | "deviceId">) {
  return { device: nameOf(device), site, label: labelOf(device) };
}

type Rest = Omit<Outcome, "device" | "site" | "label">;

/** The state of a device before and after a step. `after` is also absent if the step is only planned. */
interface Kept {
  readonly before: KeptDevice | undefined;
  readonly after: KeptDevice | undefined;
}

function unchanged({ before }: Kept): Rest {
  const settings = settingsOf(before);
  return { result: "unchanged", before: settings, after: settings };
}

/** The effect of an update, or of its preview, on a declared device. @param done absent if it is only planned */
function applied(device: SiteDevice, { before, after }: Kept, done?: { readonly isSent: boolean }): Rest {
  if (device.observe) return { result: "unchanged", before: settingsOf(before), after: settingsOf(after ?? before) };
  const isNew = before === undefined || before.role.observe;
  const now = after ? valuesOf(after.state) : {};
  // A baseline can be older than this run. Without this, a device that a destroy left unchanged would count as
  // changed.
  const had: Settings = done?.isSent === false ? now : baselinesIn(after?.state.settings ?? {});
  const known: Settings = isNew ? had : valuesOf(before.state);
  const sure: Settings = isNew ? known : valuesBy(before.state.settings, acceptedOf);
  const change = resultOf(known, sure, device.values);
  const isAsDeclared = done ? !done.isSent && (isNew || change === "changed") : isNew && change === "unchanged";
  const result = isAsDeclared ? "adopted" : done?.isSent ? "changed" : change;
  if (!done) return { result, before: known, after: device.values };
  const accepted = valuesBy(after?.state.settings ?? {}, acceptedOf);
  const open = Object.keys(device.values).filter((key) => accepted[key] !== device.values[key]);
  const isHeld = open.length > 0 && device.policyFromSite && open.every((key) => key === "policy");
  return {
    result: isHeld ? "held" : open.length > 0 ? "failed" : result,
    before: known,
    after: now,
  };
}

/** @param sure the values that the device is known to have */
function resultOf(known: Settings, sure: Settings, declared: Settings): Outcome["result"] {
  if (Object.keys(declared).some((key) => sure[key] !== declared[key])) return "changed";
  return Object.keys(known).every((key) => key in declared) ? "unchanged" : "unmanaged";
}

/** The settings that count: the managed ones, or the reported ones of a device that is only observed. */
function settingsOf(kept: Pick<KeptDevice, "role" | "state"> | undefined): Settings {
  if (!kept) return {};
  return kept.role.observe ? valuesBy(kept.state.settings, reportedOf) : valuesOf(kept.state);
}

/** The findings of a refresh. */
function refreshed({ before, after }: Kept): Rest {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const isSame = after?.role.observe === true || JSON.stringify(old) === JSON.stringify(now);
  return { before: old, after: now, result: isSame ? "unchanged" : "changed" };
}

/**
 * The outcome of a device that the site no longer declares, or that no longer exists. @param isLeft set if the device
 * could not be restored
 */
function withdrawn({ role, state }: KeptDevice, isLeft: "failed" | "held" | undefined): Rest {
  const before = settingsOf({ role, state });
  const onDelete = role.observe ? "observe" : (state.onDelete ?? "retain");
  return { before, onDelete, result: isLeft ?? "unmanaged", ...(isLeft && { after: before }) };
}

function siteOutcome(site: string, before: Fields | undefined, after: Fields | undefined): SiteOutcome {
  const gaps = Array.isArray(after?.gaps) && isSolarIn(after) ? (after.gaps as Gap[]) : [];
  const latitude = after?.latitude ?? before?.latitude;
  return {
    site,
    ...(typeof before?.ready === "boolean" && { readyBefore: before.ready }),
    ...(typeof after?.ready === "boolean" && { readyAfter: after.ready }),
    gaps,
    ...(typeof latitude === "number" && { latitude }),
  };
}

/** Whether a site with these inputs or outputs is made ready for solar-aware charging. */
function isSolarIn({ solar, inverters, devices }: Fields): boolean {
  const declared = Object.keys(isObject(inverters) ? inverters : {});
  const kept = Object.keys(isObject(devices) ? devices : {});
  const members = [
    ...declared.map((name) => ({ group: "inverters", name }) as const),
    ...kept.flatMap((label) => placeOf(label) ?? []),
  ];
  return isSolarSite(solar, members);
}

/** The outcomes with the reasons of a failed step. */
function withReasons(outcomes: readonly Outcome[], { devices, problem: ofSite }: Failure): Outcome[] {
  const isUnknown = devices.size === 0 && outcomes.every(({ result }) => result !== "failed");
  return outcomes.map((outcome) => {
    const problem = devices.get(outcome.label);
    if (problem?.code === "notBegun") return { ...outcome, result: "held" };
    if (!problem && !isUnknown && outcome.result !== "failed") return outcome;
    if (!problem) return { ...outcome, result: "failed", ...(ofSite && { problem: ofSite }) };
    return { ...outcome, result: "failed", problem };
  });
}
