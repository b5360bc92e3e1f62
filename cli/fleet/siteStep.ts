import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { inverter } from "../../provider/settings/inverter";
import { isObject, keysOf, pick } from "../../provider/settings/setting";
import { GROUP_NAMES, labelOf } from "../../provider/settings/site";
import { vehicle } from "../../provider/settings/vehicle";
import { fullNameOf } from "../fullName";
import { causesOf } from "./causes";
import type { Outcome, Settings, SiteOutcome } from "./outcomes";

type Fields = Readonly<Record<string, unknown>>;

const SITE_TYPE = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";
const KEYS = [...keysOf(vehicle), ...keysOf(inverter)];

/** Whether a step is about a site. */
export function isSiteStep({ type }: Pick<StepEventMetadata, "type">): boolean {
  return type === SITE_TYPE;
}

/** The site that a resource's name in the engine is about. */
export function siteOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** One device of a site, in its inputs or its outputs. */
interface SiteDevice {
  readonly label: string;
  readonly device: string;
  readonly fields: Fields;
}

/** The devices in the inputs of a site, by `business/device`. */
function declaredDevices(inputs: Fields = {}): Map<string, SiteDevice> {
  const devices = GROUP_NAMES.flatMap((group) =>
    Object.entries(isObject(inputs[group]) ? inputs[group] : {}).map(([name, fields]) =>
      deviceOf(labelOf({ group, name }), fields),
    ),
  );
  return new Map(devices.map((one) => [one.device, one]));
}

/** The devices in the outputs of a site, by `business/device`: what is kept of them. */
function keptDevices(outputs: Fields = {}): Map<string, SiteDevice> {
  const devices = Object.entries(isObject(outputs.devices) ? outputs.devices : {});
  return new Map(devices.map(([label, fields]) => deviceOf(label, fields)).map((one) => [one.device, one]));
}

function deviceOf(label: string, given: unknown): SiteDevice {
  const fields = isObject(given) ? given : {};
  const { businessId, deviceId } = fields;
  return { label, device: fullNameOf({ businessId, deviceId: String(deviceId) }), fields };
}

/** What a step of the engine means for a site and its devices. */
export interface SiteStep {
  readonly site: SiteOutcome;
  readonly devices: readonly Outcome[];
}

/**
 * @param isDone whether the step is done, and not only planned: then what the service accepted is known
 * @param failure lines that say what failed; absent if nothing did
 */
export function siteStepOf(step: StepEventMetadata, isDone: boolean, failure?: readonly string[]): SiteStep {
  const [old, next] = [step.old ?? undefined, step.op === "delete" ? undefined : (step.new ?? undefined)];
  const before = keptDevices(old?.outputs);
  const declared = step.op === "refresh" ? keptDevices(next?.outputs) : declaredDevices(next?.inputs);
  const after = isDone ? keptDevices(next?.outputs) : undefined;
  const site = siteOf(step.urn);
  const devices = [...declared.values()].map((one) =>
    step.op === "refresh"
      ? refreshed(site, one, before.get(one.device))
      : applied(site, one, { before: before.get(one.device), after: after?.get(one.device), isDone, step }),
  );
  const gone = [...before.values()].filter(({ device }) => !declared.has(device));
  const removed = gone.map((one) => removedOutcome(site, one, after?.has(one.device) === true));
  // A site whose delete failed is still there, all of it.
  const left = step.op === "delete" && failure ? removed.map((one) => ({ ...one, result: "held" as const })) : removed;
  const all = failure ? withCauses([...devices, ...left], failure) : [...devices, ...left];
  const [oldSite, newSite] = [old?.outputs, isDone ? next?.outputs : next?.inputs];
  return { site: siteOutcome(site, oldSite, newSite), devices: all };
}

function siteOutcome(site: string, before: Fields | undefined, after: Fields | undefined): SiteOutcome {
  const missing = Array.isArray(after?.missing) && after.solar === true ? after.missing.map(String) : [];
  return {
    site,
    ...(typeof before?.ready === "boolean" && { readyBefore: before.ready }),
    ...(typeof after?.ready === "boolean" && { readyAfter: after.ready }),
    missing,
  };
}

interface Application {
  readonly before: SiteDevice | undefined;
  /** Absent if nothing is kept of it: nothing was accepted, or the step is only planned. */
  readonly after: SiteDevice | undefined;
  readonly isDone: boolean;
  readonly step: StepEventMetadata;
}

/** What an update, or its preview, means for a device that is declared. */
function applied(
  site: string,
  { label, device, fields }: SiteDevice,
  { before, after, isDone, step }: Application,
): Outcome {
  const declared = pick<unknown>(fields, KEYS);
  const known = { ...settingsBefore(before, after) };
  const outcome = { site, label, device, before: known };
  const isObserved = fields.observe === true;
  if (step.op === "same" || isObserved) {
    return { ...outcome, result: "unchanged", after: isObserved ? reportedOf(after ?? before) : known };
  }
  const open = isDone ? Object.keys(declared).filter((key) => !isAccepted(after, key, declared[key])) : [];
  const isHeld = open.length > 0 && open.every((key) => key === "policy") && fields.policyFromSite === true;
  const actual = isDone ? pick<unknown>(after?.fields ?? {}, KEYS) : declared;
  if (open.length > 0) return { ...outcome, result: isHeld ? "held" : "failed", after: actual };
  return { ...outcome, result: resultOf(before, known, declared, isDone), after: actual };
}

function resultOf(
  before: SiteDevice | undefined,
  known: Settings,
  declared: Settings,
  isDone: boolean,
): Outcome["result"] {
  const isNew = before === undefined || before.fields.observe === true;
  const accepted = (key: string) => (isNew ? isDone : isAccepted(before, key, known[key]));
  const isSent = Object.keys(declared).some((key) => known[key] !== declared[key] || !accepted(key));
  if (isSent) return "changed";
  if (isNew) return "adopted";
  return Object.keys(known).every((key) => key in declared) ? "unchanged" : "unmanaged";
}

/** The settings of a device before the run: of one that is new what it had, as far as that is known. */
function settingsBefore(before: SiteDevice | undefined, after: SiteDevice | undefined): Settings {
  if (before?.fields.observe === true) return {};
  if (before) return pick<unknown>(before.fields, KEYS);
  const baseline = after?.fields.baseline;
  return isObject(baseline) ? pick<unknown>(baseline, KEYS) : {};
}

function reportedOf(device: SiteDevice | undefined): Settings {
  const reported = device?.fields.reported;
  return isObject(reported) ? pick<unknown>(reported, KEYS) : {};
}

/** Whether the service is known to have accepted this value. */
function isAccepted(kept: SiteDevice | undefined, key: string, value: unknown): boolean {
  const { verification } = kept?.fields ?? {};
  return isObject(verification) && Object.hasOwn(verification, key) && kept?.fields[key] === value;
}

/** What a refresh has found. */
function refreshed(site: string, { label, device, fields }: SiteDevice, before: SiteDevice | undefined): Outcome {
  const isObserved = fields.observe === true;
  const [old, now] = isObserved
    ? [reportedOf(before), pick<unknown>(isObject(fields.reported) ? fields.reported : {}, KEYS)]
    : [pick<unknown>(before?.fields ?? {}, KEYS), pick<unknown>(fields, KEYS)];
  const isSame = isObserved || JSON.stringify(old) === JSON.stringify(now);
  return { site, label, device, before: old, after: now, result: isSame ? "unchanged" : "changed" };
}

/** A device that the site no longer declares, or no longer finds. @param isLeft whether it could not be given back */
function removedOutcome(site: string, { label, device, fields }: SiteDevice, isLeft: boolean): Outcome {
  const before = pick<unknown>(fields, KEYS);
  const onDelete = fields.observe === true ? "observe" : String(fields.onDelete ?? "retain");
  return { site, label, device, before, onDelete, result: isLeft ? "failed" : "unmanaged" };
}

/** The outcomes with the reasons of a step that failed. A device that is named in one has failed. */
function withCauses(outcomes: readonly Outcome[], failure: readonly string[]): Outcome[] {
  const { named, other } = causesOf(
    failure,
    outcomes.map(({ label }) => label),
  );
  const isUnknown = outcomes.every(({ result }) => result !== "failed") && named.size === 0;
  return outcomes.map((outcome) => {
    const cause = named.get(outcome.label);
    if (cause !== undefined) return { ...outcome, result: "failed", reason: cause };
    const isFailed = outcome.result === "failed" || isUnknown;
    return isFailed ? { ...outcome, result: "failed", ...(other !== undefined && { reason: other }) } : outcome;
  });
}
