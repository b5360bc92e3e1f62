import { nameIn, typeIn } from "../../provider/lifecycle/urn";
import { textOf } from "../../provider/messages/message";
import { type Gap, notReady } from "../../provider/settings/readiness";
import { isObject } from "../../provider/settings/setting";
import { GROUP_NAMES, labelOf } from "../../provider/settings/site";
import type { SunDevice, SunSide } from "../sun/sunSite";
import { logOf } from "./log";
import type { Preview, PreviewStep, State } from "./pulumiPreview";
import type { DeviceChange, Review } from "./review";
import { unique } from "./review";
import { type DeviceSide, deviceChanges, hasSecret, SECRET, settingsOf } from "./sides";

type Fields = Readonly<Record<string, unknown>>;

/** Our resources, of the package for Node and of the plugin. */
const OURS = /^(?:pulumi-nodejs:dynamic\/solar-charging|solar-charging:index):(Site|Vehicle|Inverter)Settings$/;

/** Steps that say again what another step of the same resource says. */
const PARTS_OF_REPLACE = ["create-replacement", "delete-replaced", "import-replacement", "discard-replaced"];

/** The result of a preview. @param name its subject; default: the stack that it names */
export function reviewOfPreview(preview: Preview, name?: string): Review {
  const { steps, diagnostics: all, changeSummary } = preview;
  // A message can have a secret value in clear, and a review is posted where many read it.
  const secret = new Set(steps.filter(showsSecret).map(({ urn }) => urn));
  const diagnostics = all.map((one) => {
    const isHidden = secret.has(one.urn) && one.severity !== "error";
    return isHidden ? { ...one, message: HIDDEN } : one;
  });
  const subject = name ?? subjectOf(steps[0]?.urn ?? diagnostics.find(({ urn }) => urn !== "")?.urn);
  const kindOfUrn = (urn: string) => OURS.exec(typeIn(urn))?.[1];
  const ours = new Map<string, PreviewStep[]>();
  for (const step of steps) {
    if (PARTS_OF_REPLACE.includes(step.op) || !kindOfUrn(step.urn)) continue;
    ours.set(step.urn, [...(ours.get(step.urn) ?? []), step]);
  }
  const told = diagnostics.map(({ urn, message, severity }) => ({ urn, severity, text: plain(message, urn) }));
  for (const { urn, severity } of told) {
    if (severity === "error" && kindOfUrn(urn) && !ours.has(urn)) ours.set(urn, []);
  }
  const about = (severity: string, urn: string) =>
    unique(told.filter((one) => one.severity === severity && one.urn === urn).map(({ text }) => text));
  const elsewhere = (severity: string) =>
    unique(told.filter((one) => one.severity === severity && !ours.has(one.urn)).map(({ text }) => text));
  const sites = [...ours].map(([urn, own]) => {
    const { gaps, ...change } = siteChangeOf(urn, kindOfUrn(urn) as Kind, own);
    // What a site lacks is shown as such.
    const repeated = change.missing.length > 0 ? textOf(notReady(change.name, gaps)) : undefined;
    const warnings = about("warning", urn).filter((text) => text !== repeated);
    return { ...change, subject, warnings, errors: about("error", urn) };
  });
  const others = countsOf(steps.filter(({ urn }) => !kindOfUrn(urn) && typeIn(urn) !== "pulumi:pulumi:Stack"));
  const unseen = (changeSummary.same ?? 0) - sameIn(steps);
  const isCompared = steps.some(({ op }) => op === "refresh");
  const isChange = sites.some(({ devices }) => devices.length > 0) || Object.keys(others).length > 0;
  return {
    subjects: [subject],
    operation: isCompared && !isChange ? "drift" : "change",
    sites,
    others: unseen > 0 ? { ...others, same: unseen } : others,
    errors: elsewhere("error")
      .filter((text) => text !== "preview failed")
      .map(firstLines),
    warnings: elsewhere("warning"),
    ...(sites.some(({ drift }) => drift.length > 0) && { repair: "pulumi up --refresh" }),
    log: logOf({ ...preview, diagnostics }),
  };
}

const HIDDEN = "has a secret value, and messages about it are not repeated here: see the log of the preview";

/** Whether one of the inputs is a secret. */
function showsSecret({ oldState, newState }: PreviewStep): boolean {
  return JSON.stringify([oldState?.inputs, newState?.inputs]).includes(JSON.stringify(SECRET));
}

type Kind = "Site" | "Vehicle" | "Inverter";

/** @param steps of one resource: at most a refresh, and what comes after it */
function siteChangeOf(urn: string, kind: Kind, steps: readonly PreviewStep[]) {
  const refresh = steps.find(({ op }) => op === "refresh");
  const step = steps.find(({ op }) => op !== "refresh");
  const name = nameIn(urn);
  const sideOf = (state: State | null | undefined) => devicesIn(kind, name, state?.inputs ?? {});
  const reported = step?.op === "create" ? undefined : step?.oldState;
  const applied = refresh?.oldState ?? reported;
  const declared = step ? (step.op === "delete" ? undefined : step.newState) : refresh?.oldState;
  const [before, after] = [sideOf(applied), sideOf(declared)];
  const changes = deviceChanges(before, after);
  const seen = changes.filter((change) => change.kind !== "same");
  const isUnseen = seen.length === 0 && step?.op === "update" && !refresh;
  const devices = isUnseen ? unseenChanges(step.oldState?.outputs ?? {}, after) : seen;
  const { inputs = {} } = declared ?? {};
  const drift = refresh && reported ? deviceChanges(before, sideOf(reported)).filter(isDrift) : [];
  const moving = new Set([...devices, ...drift].map(({ label }) => label));
  const readyBefore = readyOf(applied?.outputs) ?? readyOf(applied?.inputs);
  const isSolar = inputs.solar === true || readyBefore === true;
  const readyAfter = readyOf(inputs);
  const isSite = kind === "Site";
  return {
    name,
    isSite,
    ...(readyBefore !== undefined && isSite && { readyBefore }),
    // A site that is not to be solar-aware, and never was, is not ready; nobody needs to hear it.
    ...(readyAfter !== undefined && isSite && (readyAfter || isSolar) && { readyAfter }),
    missing: isSolar && Array.isArray(inputs.missing) ? inputs.missing.map(String) : [],
    gaps: (Array.isArray(inputs.gaps) ? inputs.gaps : []) as readonly Gap[],
    devices,
    unchanged: after.filter((device) => !moving.has(labelOf(device))).length,
    drift,
    sun: {
      ...(applied && { before: sunSideOf(applied.inputs, before, applied.outputs) }),
      ...(declared && { after: sunSideOf(inputs, after, applied?.outputs) }),
    },
  };
}

/** What an update does of which the inputs show nothing: it sends again, or a secret may be another one. */
function unseenChanges(outputs: Fields, after: readonly DeviceSide[]): DeviceChange[] {
  const gaps = Array.isArray(outputs.gaps) ? outputs.gaps.filter(isObject) : [];
  const open = new Set(gaps.filter(({ reason }) => reason === "notAccepted").map(({ device }) => device));
  const isOpen = (device: DeviceSide) => open.has(labelOf(device)) || isObject(outputs.attempted);
  const some = (kind: "resent" | "secret", devices: readonly DeviceSide[]) =>
    devices.map((device): DeviceChange => ({ label: labelOf(device), kind, settings: [] }));
  const resent = some("resent", after.filter(isOpen));
  return resent.length > 0 ? resent : some("secret", after.filter(hasSecret));
}

/** Devices whose settings are others; what a refresh does not show is left out. */
function isDrift({ kind, settings }: DeviceChange): boolean {
  return kind === "leaves" || (kind === "changed" && settings.length > 0);
}

/** The devices in the inputs of a resource. */
function devicesIn(kind: Kind, name: string, inputs: Fields): DeviceSide[] {
  if (Object.keys(inputs).length === 0) return [];
  if (kind !== "Site") return [{ group: kind === "Vehicle" ? "vehicles" : "inverters", name, inputs }];
  return GROUP_NAMES.flatMap((group) => {
    const devices = isObject(inputs[group]) ? inputs[group] : {};
    return Object.entries(devices).flatMap(([name, device]) =>
      isObject(device) ? [{ group, name, inputs: device }] : [],
    );
  });
}

function sunSideOf({ latitude }: Fields = {}, devices: readonly DeviceSide[], outputs: Fields = {}): SunSide {
  const kept = isObject(outputs.devices) ? outputs.devices : {};
  return {
    latitude,
    devices: devices.map((device): SunDevice => {
      const label = labelOf(device);
      const { reported } = (kept[label] ?? {}) as { readonly reported?: unknown };
      const values = device.inputs.observe === true && isObject(reported) ? reported : settingsOf(device);
      return { label, values };
    }),
  };
}

function readyOf(fields: Fields | undefined): boolean | undefined {
  return typeof fields?.ready === "boolean" ? fields.ready : undefined;
}

function countsOf(steps: readonly PreviewStep[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { op } of steps) {
    if (op === "same" || op === "refresh" || PARTS_OF_REPLACE.includes(op)) continue;
    counts[op] = (counts[op] ?? 0) + 1;
  }
  return counts;
}

/** How many resources of those that are shown stay as they are. */
function sameIn(steps: readonly PreviewStep[]): number {
  const changing = new Set(steps.filter(({ op }) => op !== "same" && op !== "refresh").map(({ urn }) => urn));
  return new Set(steps.map(({ urn }) => urn).filter((urn) => !changing.has(urn))).size;
}

function subjectOf(urn = ""): string {
  const [stack, project] = urn.replace("urn:pulumi:", "").split("::");
  return project ? `${project}/${stack}` : "the program";
}

/** The first line of a message: a trace of calls is for the log. */
function firstLines(text: string): string {
  return text.split("\n").slice(0, 2).join(" ");
}

/**
 * A message without what the engine puts around it: colour tags, the severity, and the resource, which is shown beside
 * it.
 */
function plain(message: string, urn: string): string {
  const text = message
    .replace(/<\{%.*?%\}>/g, "")
    .replace(/^(error|warning): /, "")
    .trim();
  const beginning = `${typeIn(urn)} resource '${nameIn(urn)}' has a problem: `;
  return text.startsWith(beginning) ? text.slice(beginning.length) : text;
}
