import { HIDDEN_SECRET } from "../../provider/engine/answers";
import { kindOfType, type ResourceKind } from "../../provider/engine/tokens";
import { nameIn, typeIn } from "../../provider/lifecycle/run/urn";
import { textOf } from "../../provider/messages/message";
import { planesOf } from "../../provider/settings/planes";
import { plannedDevices } from "../../provider/settings/planSite";
import { type Gap, notReady } from "../../provider/settings/readiness";
import { isObject, pick } from "../../provider/settings/setting";
import { type Group, isSolarSite, labelOf, type SiteDevice } from "../../provider/settings/site";
import { byPriceOf, type SunDevice, type SunSide } from "../clearDays/sunSite";
import type { Preview, PreviewState, PreviewStep } from "../pulumiPreview";
import { changesOf } from "../stacks/summary";
import { type DeviceChange, type Review, settingOf, unique } from "./review";
import { standingWarnings } from "./standing";

type Fields = Readonly<Record<string, unknown>>;

/** Steps that repeat another step of the same resource. */
const PARTS_OF_REPLACE = ["create-replacement", "delete-replaced", "import-replacement", "discard-replaced"];

/** The result of a preview. @param name its subject; default: the stack that it names */
export function reviewOfPreview(preview: Preview, name?: string): Review {
  const { steps, diagnostics: all, changeSummary } = preview;
  // A message can show a secret value, and a review is posted to many readers.
  const secret = new Set(steps.filter(showsSecret).map(({ urn }) => urn));
  const diagnostics = all.map((one) => {
    const isHidden = secret.has(one.urn) && one.severity !== "error";
    return isHidden ? { ...one, message: HIDDEN } : one;
  });
  const subject = name ?? subjectOf(steps[0]?.urn ?? diagnostics.find(({ urn }) => urn !== "")?.urn);
  const kindOfUrn = (urn: string) => kindOfType(typeIn(urn));
  const ours = new Map<string, PreviewStep[]>();
  for (const step of steps) {
    if (PARTS_OF_REPLACE.includes(step.op) || !kindOfUrn(step.urn)) continue;
    ours.set(step.urn, [...(ours.get(step.urn) ?? []), step]);
  }
  const messages = diagnostics.map(({ urn, message, severity }) => ({ urn, severity, text: plain(message, urn) }));
  for (const { urn, severity } of messages) {
    if (severity === "error" && kindOfUrn(urn) && !ours.has(urn)) ours.set(urn, []);
  }
  const about = (severity: string, urn: string) =>
    unique(messages.filter((one) => one.severity === severity && one.urn === urn).map(({ text }) => text));
  const elsewhere = (severity: string) =>
    unique(messages.filter((one) => one.severity === severity && !ours.has(one.urn)).map(({ text }) => text));
  const sites = [...ours].map(([urn, own]) => {
    const { gaps, known, ...change } = siteChangeOf(urn, kindOfUrn(urn) as ResourceKind, own);
    // Left out, because a section of its own shows the gaps of a site.
    const repeated = change.missing.length > 0 ? textOf(notReady(change.name, gaps)) : undefined;
    const all = about("warning", urn).filter((text) => text !== repeated);
    const [standing, warnings] = [true, false].map((is) => all.filter((text) => known.has(text) === is));
    return { ...change, subject, warnings: warnings ?? [], standing: standing ?? [], errors: about("error", urn) };
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

const HIDDEN = "has a secret value, so messages about it are hidden here: see the log of the preview";

/** Whether one of the inputs is a secret. */
function showsSecret({ oldState, newState }: PreviewStep): boolean {
  return JSON.stringify([oldState?.inputs, newState?.inputs]).includes(JSON.stringify(HIDDEN_SECRET));
}

/** @param steps the steps of one resource: at most a refresh, and its other steps */
function siteChangeOf(urn: string, kind: ResourceKind, steps: readonly PreviewStep[]) {
  const refresh = steps.find(({ op }) => op === "refresh");
  const step = steps.find(({ op }) => op !== "refresh");
  const name = nameIn(urn);
  const sideOf = (state: PreviewState | null | undefined) => devicesIn(kind, name, state?.inputs ?? {});
  const reported = step?.op === "create" ? undefined : step?.oldState;
  const applied = refresh?.oldState ?? reported;
  const declared = step ? (step.op === "delete" ? undefined : step.newState) : refresh?.oldState;
  const [before, after] = [sideOf(applied), sideOf(declared)];
  const changes = deviceChanges(before, after);
  const seen = changes.filter((change) => change.kind !== "same");
  const isUnseen = seen.length === 0 && step?.op === "update" && !refresh;
  const devices = isUnseen ? unseenChanges(step.oldState?.outputs ?? {}, after) : seen;
  const { inputs = {} } = declared ?? {};
  const isSite = kind === "site";
  const drift = refresh && reported ? deviceChanges(before, sideOf(reported)).filter(isDrift) : [];
  const moving = new Set([...devices, ...drift].map(({ label }) => label));
  const readyBefore = readyOf(applied?.outputs) ?? readyOf(applied?.inputs);
  const isSolar = (isSite && isSolarSite(inputs.solar, after)) || readyBefore === true;
  const readyAfter = readyOf(inputs);
  const byPrice = (of: Fields | undefined, ready: boolean | undefined) =>
    isSite ? byPriceOf(ready, of?.solar === false ? [] : [1]) : undefined;
  return {
    name,
    isSite,
    ...(readyBefore !== undefined && isSite && { readyBefore }),
    // A site that is not solar-aware is never ready, so its readiness is not shown.
    ...(readyAfter !== undefined && isSite && (readyAfter || isSolar) && { readyAfter }),
    missing: isSolar && Array.isArray(inputs.missing) ? inputs.missing.map(String) : [],
    gaps: (Array.isArray(inputs.gaps) ? inputs.gaps : []) as readonly Gap[],
    known: standingWarnings(isSite ? undefined : groupOf(kind), applied?.inputs ?? {}, inputs),
    devices,
    unchanged: after.filter((device) => !moving.has(labelOf(device))).length,
    drift,
    sun: {
      ...(applied && {
        before: {
          ...sunSideOf(applied.inputs, before, applied.outputs),
          byPrice: byPrice(applied.inputs, readyBefore),
        },
      }),
      ...(declared && {
        after: { ...sunSideOf(inputs, after, applied?.outputs), byPrice: byPrice(inputs, readyAfter) },
      }),
    },
  };
}

/** Changes that the inputs do not show: a setting is sent again, or a secret may have changed. */
function unseenChanges(outputs: Fields, after: readonly DeviceSide[]): DeviceChange[] {
  const gaps = Array.isArray(outputs.gaps) ? outputs.gaps.filter(isObject) : [];
  const open = new Set(gaps.filter(({ reason }) => reason === "notAccepted").map(({ device }) => device));
  const isOpen = (device: DeviceSide) => open.has(labelOf(device)) || isUncertain(outputs.settings);
  const some = (kind: "resent" | "secret", devices: readonly DeviceSide[]) =>
    devices.map((device): DeviceChange => ({ label: labelOf(device), kind, settings: [] }));
  const resent = some("resent", after.filter(isOpen));
  const hasSecret = ({ values }: DeviceSide) => Object.values<unknown>(values).includes(HIDDEN_SECRET);
  return resent.length > 0 ? resent : some("secret", after.filter(hasSecret));
}

/** Whether the outcome of the last update of a device is unknown. */
function isUncertain(settings: unknown): boolean {
  return isObject(settings) && Object.values(settings).some((one) => isObject(one) && one.status === "uncertain");
}

/** Whether settings of a device have drifted, without those that a refresh does not show. */
function isDrift({ kind, settings }: DeviceChange): boolean {
  return kind === "leaves" || (kind === "changed" && settings.length > 0);
}

function groupOf(kind: Exclude<ResourceKind, "site">): Group {
  return kind === "vehicle" ? "vehicles" : "inverters";
}

/** A device on one side of a change. */
interface DeviceSide extends Omit<SiteDevice, "onDelete"> {
  /** `retain`, `restore`, `reset`, the placeholder of an unknown value, or `observe`. */
  readonly onDelete: string;
}

/** The devices in the inputs of a resource. */
function devicesIn(kind: ResourceKind, name: string, inputs: Fields): DeviceSide[] {
  if (Object.keys(inputs).length === 0) return [];
  const site =
    kind === "site" ? inputs : { ...pick<unknown>(inputs, ["latitude"]), [groupOf(kind)]: { [name]: inputs } };
  return plannedDevices(site).flatMap((device) => {
    const { observe, given } = device;
    if (!isObject(given)) return []; // The whole device is a secret.
    const { onDelete = site.onDelete ?? "retain" } = given as Fields;
    return [{ ...device, values: observe ? {} : device.values, onDelete: observe ? "observe" : String(onDelete) }];
  });
}

/** The effect of a preview on the devices of a site. A device without visible changes is `same`. */
function deviceChanges(before: readonly DeviceSide[], after: readonly DeviceSide[]): DeviceChange[] {
  const known = new Map(before.map((device) => [identityOf(device), device]));
  const stay = after.map((device) => {
    const old = known.get(identityOf(device));
    known.delete(identityOf(device));
    return changeOf(device, old);
  });
  const leave = [...known.values()].map(
    (device): DeviceChange => ({
      label: labelOf(device),
      kind: "leaves",
      settings: [],
      onDelete: device.onDelete,
    }),
  );
  return [...stay, ...leave];
}

function changeOf(device: DeviceSide, old: DeviceSide | undefined): DeviceChange {
  const label = labelOf(device);
  if (!old || old.observe !== device.observe) {
    return { label, kind: "new", settings: changesOf({ before: {}, after: device.values }).map(settingOf) };
  }
  const [before, after] = [old, device].map(({ values, onDelete }) => ({ ...values, onDelete }));
  const settings = changesOf({ before: before ?? {}, after: after ?? {} }).map(settingOf);
  const was = old.name === device.name ? undefined : labelOf(old);
  const kind = settings.length > 0 || was !== undefined ? "changed" : "same";
  return { label, kind, settings, ...(was !== undefined && { was }) };
}

/** The identity of a device, independent of its name. */
function identityOf({ group, businessId, deviceId }: DeviceSide): string {
  return JSON.stringify([group, businessId, deviceId]);
}

function sunSideOf({ latitude }: Fields = {}, devices: readonly DeviceSide[], outputs: Fields = {}): SunSide {
  const kept = isObject(outputs.devices) ? outputs.devices : {};
  return {
    latitude,
    devices: devices.map((device): SunDevice => {
      const label = labelOf(device);
      const { settings } = (kept[label] ?? {}) as { readonly settings?: unknown };
      if (device.observe && isObject(settings)) return { label, values: reportedIn(settings) };
      return { label, values: device.values, planes: planesOf({ planes: device.planes }) };
    }),
  };
}

/** The reported values of a device that is only observed. */
function reportedIn(settings: Fields): Fields {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, one]) => (isObject(one) && "reported" in one ? [[key, one.reported]] : [])),
  );
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

/** Number of listed resources that do not change. */
function sameIn(steps: readonly PreviewStep[]): number {
  const changing = new Set(steps.filter(({ op }) => op !== "same" && op !== "refresh").map(({ urn }) => urn));
  return new Set(steps.map(({ urn }) => urn).filter((urn) => !changing.has(urn))).size;
}

function subjectOf(urn = ""): string {
  const [stack, project] = urn.replace("urn:pulumi:", "").split("::");
  return project ? `${project}/${stack}` : "the program";
}

/** The first line of a message. A stack trace belongs in the log. */
function firstLines(text: string): string {
  return text.split("\n").slice(0, 2).join(" ");
}

/** A message without the engine's additions: color tags, the severity, and the resource, which is shown beside it. */
function plain(message: string, urn: string): string {
  const text = message
    .replace(/<\{%[^%]*%\}>/g, "")
    .replace(/^(error|warning): /, "")
    .trim();
  const beginning = `${typeIn(urn)} resource '${nameIn(urn)}' has a problem: `;
  return text.startsWith(beginning) ? text.slice(beginning.length) : text;
}

/** Inputs that are derived, or that mean nothing to a reader. */
const LEFT_OUT = ["__provider", "__program", "gaps"];

/** The preview's lines for each resource that changes, and all messages, for reference. */
function logOf({ steps, diagnostics }: Preview): string[] {
  const planned = steps
    .filter(({ op }) => op !== "same" && op !== "refresh")
    .flatMap(({ op, urn, oldState, newState }) => {
      const [before, after] = [flat(oldState?.inputs ?? {}), flat(newState?.inputs ?? {})];
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (key) => op !== "delete" && before.get(key) !== after.get(key),
      );
      const lines = changed.map((key) => `    ${key}: ${before.get(key) ?? "(none)"} => ${after.get(key) ?? "(none)"}`);
      return [`${op} ${typeIn(urn)} ${nameIn(urn)}`, ...lines];
    });
  const messages = diagnostics
    .filter(({ severity }) => !severity.endsWith("#err") && severity !== "debug")
    .flatMap(({ message }) => message.trimEnd().split("\n"));
  return [...planned, ...(messages.length > 0 ? ["", ...messages] : [])];
}

/** All values of an object by their paths. */
function flat(fields: Fields, path = ""): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(fields)) {
    if (path === "" && LEFT_OUT.includes(key)) continue;
    const at = path === "" ? key : `${path}.${key}`;
    if (isObject(value)) for (const [below, text] of flat(value, at)) all.set(below, text);
    else all.set(at, JSON.stringify(value));
  }
  return all;
}
