import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import type { Problem } from "../../../provider/ledger/runFile";
import type { KeptDevice } from "../../../provider/lifecycle/siteModel";
import { fromSiteInputs, fromSiteOutputs } from "../../../provider/lifecycle/siteState";
import { acceptedValues } from "../../../provider/lifecycle/state";
import { nameIn } from "../../../provider/lifecycle/urn";
import { isObject, omit } from "../../../provider/settings/setting";
import { labelOf, type SiteDevice } from "../../../provider/settings/site";
import { fullNameOf } from "../../fullName";
import { problemOfEngine } from "../engine/texts";
import type { Outcome, Settings, SiteOutcome } from "./outcome";

type Fields = Readonly<Record<string, unknown>>;

const SITE_TYPE = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";

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
  /** By label, what the provider reports of devices. */
  readonly devices: ReadonlyMap<string, Problem>;
  /** What the engine says of the site; of use if the provider reports no device. */
  readonly text?: string;
}

/**
 * @param isDone whether the step is done, and not only planned: then what the service accepted is known
 * @param failure absent if nothing failed
 */
export function siteStepOf(step: StepEventMetadata, isDone: boolean, failure?: Failure): SiteStep {
  const site = nameIn(step.urn);
  const next = step.op === "delete" ? undefined : (step.new ?? undefined);
  const before = keptDevices(step.old?.outputs);
  const after = isDone || step.op === "refresh" ? keptDevices(next?.outputs) : new Map<string, KeptDevice>();
  const declared = step.op === "refresh" ? [] : declaredDevices(next?.inputs);
  const devices = [
    ...declared.map((device) => {
      const of = { before: before.get(nameOf(device)), after: after.get(nameOf(device)) };
      return { ...identity(site, device), ...(step.op === "same" ? unchanged(of) : applied(device, of, isDone)) };
    }),
    ...(step.op === "refresh" ? [...after] : []).map(([name, { role, state }]) => {
      const of = { before: before.get(name), after: after.get(name) };
      return { ...identity(site, { ...role, ...state }), ...refreshed(of) };
    }),
  ];
  const isThere = new Set(devices.map(({ device }) => device));
  const gone = [...before].filter(([name]) => !isThere.has(name));
  const removed = gone.map(([name, kept]) => {
    // A site whose delete failed is still there, all of it.
    const isLeft = after.has(name) ? "failed" : step.op === "delete" && failure ? "held" : undefined;
    return { ...identity(site, { ...kept.role, ...kept.state }), ...withdrawn(kept, isLeft) };
  });
  const all = failure ? withReasons([...devices, ...removed], failure) : [...devices, ...removed];
  return { site: siteOutcome(site, step.old?.outputs, isDone ? next?.outputs : next?.inputs), devices: all };
}

/** The devices in a site's outputs, by `business/device`. */
function keptDevices(given: Fields = {}): Map<string, KeptDevice> {
  const outputs = omit(given, ["__provider"]);
  if (!isObject(outputs.devices)) return new Map(); // Nothing was accepted.
  return new Map(fromSiteOutputs(outputs).devices.map((kept) => [nameOf(kept.state), kept]));
}

function declaredDevices(inputs: Fields = {}): readonly SiteDevice[] {
  return fromSiteInputs(inputs).devices;
}

function nameOf({ businessId, deviceId }: { readonly businessId: string; readonly deviceId: string }): string {
  return fullNameOf({ businessId, deviceId });
}

function identity(site: string, device: Pick<SiteDevice, "group" | "name" | "businessId" | "deviceId">) {
  return { device: nameOf(device), site, label: labelOf(device) };
}

type Rest = Omit<Outcome, "device" | "site" | "label">;

/** The state of a device before and after a step. After: absent also if the step is only planned. */
interface Kept {
  readonly before: KeptDevice | undefined;
  readonly after: KeptDevice | undefined;
}

function unchanged({ before }: Kept): Rest {
  const settings = settingsOf(before);
  return { result: "unchanged", before: settings, after: settings };
}

/** The effect of an update, or of its preview, on a declared device. */
function applied(device: SiteDevice, { before, after }: Kept, isDone: boolean): Rest {
  if (device.observe) return { result: "unchanged", before: settingsOf(before), after: settingsOf(after ?? before) };
  const isNew = before === undefined || before.role.observe;
  const known: Settings = isNew ? (after?.state.baseline ?? {}) : before.state.values;
  const sure: Settings = isNew ? known : acceptedValues(before.state);
  const change = resultOf(known, sure, device.values);
  const result = isNew && change === "unchanged" ? "adopted" : change;
  if (!isDone) return { result, before: known, after: device.values };
  const accepted = after ? acceptedValues(after.state) : {};
  const open = Object.keys(device.values).filter((key) => accepted[key] !== device.values[key]);
  const isHeld = open.length > 0 && device.policyFromSite && open.every((key) => key === "policy");
  return {
    result: isHeld ? "held" : open.length > 0 ? "failed" : result,
    before: known,
    after: after?.state.values ?? {},
  };
}

/** @param sure the values that the device is known to have */
function resultOf(known: Settings, sure: Settings, declared: Settings): Outcome["result"] {
  if (Object.keys(declared).some((key) => sure[key] !== declared[key])) return "changed";
  return Object.keys(known).every((key) => key in declared) ? "unchanged" : "unmanaged";
}

/** The settings that count: those that are managed, or reported of a device that is only observed. */
function settingsOf(kept: KeptDevice | undefined): Settings {
  return (kept?.role.observe ? kept.state.reported : kept?.state.values) ?? {};
}

/** The findings of a refresh. */
function refreshed({ before, after }: Kept): Rest {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const isSame = after?.role.observe === true || JSON.stringify(old) === JSON.stringify(now);
  return { before: old, after: now, result: isSame ? "unchanged" : "changed" };
}

/** A device that the site no longer declares, or no longer finds. @param isLeft if it could not be given back */
function withdrawn({ role, state }: KeptDevice, isLeft: "failed" | "held" | undefined): Rest {
  const before = settingsOf({ role, state });
  const onDelete = role.observe ? "observe" : (state.onDelete ?? "retain");
  return { before, onDelete, result: isLeft ?? "unmanaged", ...(isLeft && { after: before }) };
}

function siteOutcome(site: string, before: Fields | undefined, after: Fields | undefined): SiteOutcome {
  const missing = Array.isArray(after?.missing) && after.solar === true ? after.missing.map(String) : [];
  const latitude = after?.latitude ?? before?.latitude;
  return {
    site,
    ...(typeof before?.ready === "boolean" && { readyBefore: before.ready }),
    ...(typeof after?.ready === "boolean" && { readyAfter: after.ready }),
    missing,
    ...(typeof latitude === "number" && { latitude }),
  };
}

/** The outcomes with the reasons of a step that failed. */
function withReasons(outcomes: readonly Outcome[], { devices, text }: Failure): Outcome[] {
  const isUnknown = devices.size === 0 && outcomes.every(({ result }) => result !== "failed");
  return outcomes.map((outcome) => {
    const problem = devices.get(outcome.label);
    if (problem?.code === "notBegun") return { ...outcome, result: "held" };
    if (!problem && !isUnknown && outcome.result !== "failed") return outcome;
    if (!problem) return { ...outcome, result: "failed", ...(text && { problem: problemOfEngine(text) }) };
    const { severity: _, operation: __, site: ___, ...message } = problem;
    return { ...outcome, result: "failed", problem: message };
  });
}
