import { grouped } from "../../measure/sky/numbers";
import { kindOfType, type ResourceKind } from "../../provider/engine/tokens";
import type { Records } from "../../provider/lifecycle/device/record";
import { SECRET, textOf } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import type { Properties } from "../../provider/settings/objects";
import { isObject } from "../../provider/settings/objects";
import { notReady } from "../../provider/settings/readiness";
import type { Value, Values } from "../../provider/settings/setting";
import { asReported, compare } from "../view/compare";
import type { DeviceChange, DeviceView, SiteView } from "../view/model";
import { siteInPreview } from "../view/preview";
import type { Preview } from "../view/pulumiPreview";
import { lintsAfter } from "./change";
import { distinct, type Review, type SiteReview } from "./review";

type PreviewStep = Preview["steps"][number];

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
  const subject = name ?? subjectOf([...steps, ...diagnostics].find(({ urn }) => urn !== "")?.urn);
  const kindOfUrn = (urn: string) => kindOfType(partsOf(urn).type);
  const ours = grouped(
    steps.filter(({ op, urn }) => !PARTS_OF_REPLACE.includes(op) && kindOfUrn(urn)),
    ({ urn }) => urn,
  );
  const messages = diagnostics.map(({ urn, message, severity }) => ({ urn, severity, text: plain(message, urn) }));
  for (const { urn, severity } of messages) {
    if (severity === "error" && kindOfUrn(urn) && !ours.has(urn)) ours.set(urn, []);
  }
  const texts = (severity: string, isMeant: (urn: string) => boolean) =>
    distinct(messages.filter((one) => one.severity === severity && isMeant(one.urn)).map(({ text }) => text));
  const isElsewhere = (urn: string) => !ours.has(urn);
  const found = [...ours].map(([urn, own]) => ({
    urn,
    sides: sidesOf(urn, kindOfUrn(urn) as ResourceKind, own, subject),
  }));
  const declared = new Set(
    found.flatMap(
      ({ sides: own }) => own.declared?.devices.flatMap(({ observe, device }) => (observe ? [] : device)) ?? [],
    ),
  );
  const sides = found.map(({ urn, sides: own }) => ({ urn, sides: withMoves(own, declared) }));
  const others = countsOf(steps.filter(({ urn }) => !kindOfUrn(urn) && partsOf(urn).type !== "pulumi:pulumi:Stack"));
  const unseen = (changeSummary.same ?? 0) - sameIn(steps);
  const isCompared = steps.some(({ op }) => op === "refresh");
  const isChange = sides.some((one) => one.sides.devices.length > 0) || Object.keys(others).length > 0;
  const isDrifted = sides.some((one) => one.sides.drift.length > 0);
  const operation = (isCompared || isDrifted) && !isChange ? "drift" : "preview";
  const isEnd = ({ op, urn }: PreviewStep) => op === "delete" && partsOf(urn).type === "pulumi:pulumi:Stack";
  const sites = sides.map(({ urn, sides: own }) => {
    const textsOf = (severity: string) => texts(severity, (one) => one === urn);
    return reviewOfSite(own, { warnings: textsOf("warning"), errors: textsOf("error") }, operation);
  });
  const command = `${steps.some(isEnd) ? "destroy" : "up"}${isCompared ? " --refresh" : ""}`;
  return {
    subjects: [subject],
    operation,
    sites,
    others: unseen > 0 ? { ...others, same: unseen } : others,
    errors: texts("error", isElsewhere)
      .filter((text) => text !== "preview failed")
      // A stack trace belongs in the log.
      .map((text) => ({ text: text.split("\n").slice(0, 2).join(" ") })),
    warnings: texts("warning", isElsewhere).map((text) => ({ text })),
    // Without the option, a site that is refused could stop the others.
    next: [`pulumi ${command} --yes --skip-preview --continue-on-error`],
    ...(isDrifted && { repair: "pulumi up --refresh" }),
    log: logOf({ ...preview, diagnostics }),
  };
}

const HIDDEN = "messages about the resource with a secret value are hidden here: see the log of the preview";

/** Whether one of the inputs is a secret. */
function showsSecret({ oldState, newState }: PreviewStep): boolean {
  return JSON.stringify([oldState?.inputs, newState?.inputs]).includes(JSON.stringify(SECRET));
}

/** The views of one resource, and its changes. */
interface Sides {
  /** The state of the last update. */
  readonly applied: SiteView | undefined;
  /** The view with the values that the service reports. Without `--refresh`, those of the last refresh or update. */
  readonly reported: SiteView | undefined;
  readonly declared: SiteView | undefined;
  readonly empty: SiteView;
  readonly devices: readonly DeviceChange[];
  readonly drift: readonly DeviceChange[];
}

/** @param steps the steps of one resource: at most a refresh, and its other steps */
function sidesOf(urn: string, kind: ResourceKind, steps: readonly PreviewStep[], stack: string): Sides {
  const refresh = steps.find(({ op }) => op === "refresh");
  const step = steps.find(({ op }) => op !== "refresh");
  const resource = { kind, name: partsOf(urn).name, stack };
  const current = step?.op === "create" ? undefined : step?.oldState;
  const old = refresh?.oldState ?? current;
  const next = step ? (step.op === "delete" ? undefined : step.newState) : refresh?.oldState;
  const viewOf = (state: PreviewStep["newState"]) => (state ? siteInPreview(resource, state, old?.outputs) : undefined);
  const [known, declared] = [viewOf(old), viewOf(next && { ...next, outputs: {} })];
  const applied = known && beforeDrift(known, old?.outputs, declared);
  const kept = (current ?? old)?.outputs;
  const accepted = applied && acceptedIn(applied, kept);
  const now = viewOf(current) ?? known;
  const reported = now && (step?.op === "same" ? now : withHiddenDrift(now, kept));
  const empty = siteInPreview(resource, {});
  const seen = compare(accepted, declared ?? empty).devices;
  const drift = applied && reported ? compare(applied, reported).devices.filter(isDrift) : [];
  const isUnseen = seen.length + drift.length === 0 && step?.op === "update" && !refresh;
  const devices = isUnseen ? maybeChanged(declared?.devices ?? []) : seen;
  return { applied, reported, declared, empty, devices, drift };
}

/** The change of a resource whose leaving devices may be declared by another one. A delete then restores nothing. */
function withMoves(sides: Sides, declared: ReadonlySet<string>): Sides {
  const labels = new Set(sides.applied?.devices.flatMap(({ device, label }) => (declared.has(device) ? label : [])));
  const devices = sides.devices.map((change) =>
    change.kind === "leaves" && labels.has(change.label) ? { ...change, settings: [], onDelete: "moves" } : change,
  );
  return { ...sides, devices };
}

/**
 * A site with the applied values in place of drift that an earlier refresh has written into state. Drift that the
 * program declares, or ignores, stays: no update repairs it.
 */
function beforeDrift(site: SiteView, outputs: Properties | undefined, declared: SiteView | undefined): SiteView {
  return inState(site, outputs, ({ label, key, value, record }) => {
    const next = declared?.devices.find((one) => one.label === label)?.declared;
    return record?.status === "drifted" && next?.[key] !== value ? record.ours : value;
  });
}

/**
 * A site with the drift of its secret settings. Only the statuses in state show it, and they also name the drift that the
 * program has accepted, which no step repairs.
 */
function withHiddenDrift(site: SiteView, outputs?: Properties): SiteView {
  const devices = site.devices.map((device) => {
    const { settings } = Object(outputsOf(device, outputs));
    return { ...device, drift: device.secret.filter((key) => settings?.[key]?.status === "drifted") };
  });
  return { ...site, devices };
}

/** A site with the values that the service has accepted. An update sends all others. */
function acceptedIn(site: SiteView, outputs: Properties | undefined): SiteView {
  return inState(site, outputs, ({ value, record, flat }) => {
    if (record?.status === "uncertain") return record.ours;
    const isShown = record?.status === "drifted" || flat === SECRET;
    return record && (isShown ? value : (flat ?? value));
  });
}

/** The outputs of a device in those of its site, or of its own resource. */
function outputsOf({ label }: DeviceView, { devices: all, ...lone }: Properties = {}) {
  return isObject(all) ? all[label] : lone;
}

/** A declared value, with its record and its output. */
interface Kept {
  readonly label: string;
  readonly key: string;
  readonly value: Value;
  readonly record: Records[string] | undefined;
  readonly flat: Value | undefined;
}

/**
 * A site with the devices in these outputs, and with other values. A car that the service refused is not in them: it is
 * no drift, and an update sends all its values.
 */
function inState(
  site: SiteView,
  outputs: Properties | undefined,
  accepted: (kept: Kept) => Value | undefined,
): SiteView {
  const devices = site.devices.flatMap((device): DeviceView[] => {
    const { label } = device;
    const kept = outputsOf(device, outputs);
    if (!isObject(kept)) return [];
    const { settings, ...flat } = kept as { readonly settings?: Records } & Values;
    // All records of a resource can be secret.
    if (!isObject(settings)) return [device];
    const declared = Object.entries(device.declared).flatMap(([key, value]) => {
      const own = accepted({ label, key, value, record: settings[key], flat: flat[key] });
      return own === undefined ? [] : [[key, own]];
    });
    return [{ ...device, declared: Object.fromEntries(declared) }];
  });
  return { ...site, devices };
}

function reviewOfSite(
  { applied, reported, declared, empty, devices, drift }: Sides,
  messages: Readonly<Record<"warnings" | "errors", readonly string[]>>,
  operation: Review["operation"],
): SiteReview {
  const now = applied && reported && operation === "drift" ? asReported(applied, reported) : declared;
  const change = { ...compare(applied, now ?? (applied ? undefined : empty)), devices };
  const moving = new Set([...devices, ...drift].map(({ label }) => label));
  // Left out, because a section of its own shows the gaps of a site.
  const repeated = textOf(notReady(change.name, declared?.gaps ?? []));
  const lints = lintsAfter(change);
  const all = messages.warnings
    .filter((text) => text !== repeated)
    .map((text) => lints.get(text) ?? { isOld: false, remark: { text } });
  const remarks = (isOld: boolean) => all.flatMap((one) => (one.isOld === isOld ? one.remark : []));
  return {
    ...change,
    unchanged: (declared ?? empty).devices.filter(({ label }) => !moving.has(label)).length,
    drift,
    warnings: remarks(false),
    standing: remarks(true),
    errors: messages.errors,
  };
}

/** A change that the inputs do not show: a secret may have changed. */
function maybeChanged(devices: readonly DeviceView[]): DeviceChange[] {
  return devices.flatMap(({ label, secret }) => (secret.length > 0 ? [{ label, kind: "secret", settings: [] }] : []));
}

/** Whether settings of a device have drifted, without those that a refresh does not show. */
function isDrift({ kind, settings }: DeviceChange): boolean {
  return kind === "leaves" || (kind === "changed" && settings.length > 0);
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

function subjectOf(urn?: string): string {
  const { project, stack } = partsOf(urn);
  return project ? `${project}/${stack}` : "the program";
}

/** A message without the engine's additions: color tags, the severity, and the resource, which is shown beside it. */
function plain(message: string, urn: string): string {
  const text = message
    .replace(/<\{%[^%]*%\}>/g, "")
    .replace(/^(error|warning): /, "")
    .trim();
  const beginning = `${partsOf(urn).type} resource '${partsOf(urn).name}' has a problem: `;
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
      return [`${op} ${partsOf(urn).type} ${partsOf(urn).name}`, ...lines];
    });
  const messages = diagnostics
    .filter(({ severity }) => !severity.endsWith("#err") && severity !== "debug")
    .flatMap(({ message }) => message.trimEnd().split("\n"));
  return [...planned, ...(messages.length > 0 ? ["", ...messages] : [])];
}

/** The values of an object by their paths, without those in LEFT_OUT. */
function flat(fields: Properties, path = ""): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(fields)) {
    if (path === "" && LEFT_OUT.includes(key)) continue;
    const at = path === "" ? key : `${path}.${key}`;
    if (isObject(value)) for (const [below, text] of flat(value, at)) all.set(below, text);
    else all.set(at, JSON.stringify(value));
  }
  return all;
}
