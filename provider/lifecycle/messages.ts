import type { Message } from "../messages/message";
import { type DeviceRef, nameOf } from "../service/device";
import type { DeviceKind, Value, Values } from "../settings/setting";

/** What the operations have to say of devices and sites. */

const listed = (keys: readonly string[]) => keys.join(", ");

export function noSuchDevice(ref: DeviceRef): Message {
  return {
    code: "noSuchDevice",
    finding: "the service does not know {device}",
    advice: "Devices are not created here: check deviceId, businessId and {baseUrl}",
    device: nameOf(ref),
    keys: ["baseUrl"],
  };
}

export function otherKind(ref: DeviceRef, type: string, { resource, expects }: DeviceKind): Message {
  return {
    code: "otherKind",
    finding: `{device} is of type '${type}', but ${resource} needs ${expects}: nothing was sent`,
    advice: "Check deviceId",
    device: nameOf(ref),
  };
}

/** @param problem what the schema says of an id that cannot be sent */
export function badId(name: string, problem: string | undefined): Message {
  const finding = `${name} ${problem}`;
  if (name !== "businessId") return { code: "badId", finding };
  return { code: "badId", finding, advice: "Give it here, or set {businessId?}", keys: ["businessId"] };
}

export function wakesCar(isPreview: boolean): Message {
  const danger = "getLatestMetrics can wake the car, which drains its 12 V battery";
  if (isPreview) {
    return { code: "wakesCar", finding: `${danger}, and is not called in a preview`, advice: "Skip it there" };
  }
  return { code: "wakesCar", finding: danger, advice: "Read with getDevice, or give allowWake: true" };
}

/** @param lost what settings were before we wrote them */
export function unmanaged(ref: DeviceRef, lost: Values): Message {
  return {
    code: "unmanaged",
    finding: `${listed(Object.keys(lost))} is no longer managed, and is not written back`,
    advice: `Before it was managed: ${JSON.stringify(lost)}`,
    device: nameOf(ref),
  };
}

export function declaredElsewhere(ref: DeviceRef, keys: readonly string[], by: string): Message {
  const finding = `${listed(keys)} is not written back, as ${by} declares it now`;
  return { code: "declaredElsewhere", finding, device: nameOf(ref) };
}

export function baselineUnknown(ref: DeviceRef, setting: string): Message {
  const finding = `${setting} is not restored: the service did not report what it was before`;
  return { code: "baselineUnknown", finding, device: nameOf(ref), setting };
}

export function changedElsewhere(ref: DeviceRef, setting: string, found: Value | undefined): Message {
  const how = found === undefined ? "it is no longer reported" : `it is now ${found}, set elsewhere`;
  return { code: "changedElsewhere", finding: `${setting} is not restored: ${how}`, device: nameOf(ref), setting };
}

export function goneBeforeDelete(ref: DeviceRef): Message {
  const finding = "the service no longer knows {device}: nothing is written back";
  return { code: "goneBeforeDelete", finding, device: nameOf(ref) };
}

export function leavesStack(ref: DeviceRef): Message {
  return {
    code: "leavesStack",
    finding: "the service no longer knows {device}: it leaves the stack",
    advice: "If that is wrong, check {baseUrl} and businessId before you go on",
    device: nameOf(ref),
    keys: ["baseUrl"],
  };
}

export function settingsLost(ref: DeviceRef, keys: readonly string[]): Message {
  const finding = `{device} no longer reports ${listed(keys)}: was it replaced or set up anew?`;
  return { code: "settingsLost", finding, device: nameOf(ref) };
}

/** @param reason why a program may not declare what the device reports */
export function notImported(ref: DeviceRef, setting: string, reason: string): Message {
  const finding = `${setting} is not imported, as no program may declare what is reported: ${reason}`;
  return {
    code: "notImported",
    finding,
    advice: "Declare the right value: an update sends it",
    device: nameOf(ref),
    setting,
  };
}

/** What was sent for a setting, and what the cached read shows. */
interface ReadBack {
  readonly setting: string;
  readonly sent: Value | undefined;
  readonly reported: Value | undefined;
}

export function pending(ref: DeviceRef, { setting, sent, reported }: ReadBack, seconds: number): Message {
  return {
    code: "pending",
    finding: `${setting} was accepted as ${sent}, but the cached read still shows ${reported} after ${seconds} s`,
    advice: '"pulumi refresh" shows what became of it',
    device: nameOf(ref),
    setting,
  };
}

export function adjusted(ref: DeviceRef, { setting, sent, reported }: ReadBack): Message {
  return {
    code: "adjusted",
    finding: `${setting} was accepted as ${sent}, and the service keeps ${reported}: it is not sent again`,
    advice: "Declare that value if it is right",
    device: nameOf(ref),
    setting,
  };
}

/** @param why the problem of the read */
export function notReadBack(ref: DeviceRef, keys: readonly string[], { finding, advice: _, ...why }: Message): Message {
  const text = `${listed(keys)} was accepted, but not read back: ${finding}`;
  return { ...why, code: "notReadBack", finding: text, device: nameOf(ref) };
}

/** @param why devices could not be read, with their names */
export function notRead(why: string): Message {
  return { code: "notRead", finding: `not read, and shown as last known: ${why}` };
}

export function notBegun(): Message {
  return { code: "notBegun", finding: "not begun, as the run was stopped", advice: 'The next "pulumi up" goes on' };
}

/** What follows if nobody knows whether an update was applied. @param why the problem of the request */
export function uncertain(code: "uncertain" | "uncertainDelete", why: Message): Message {
  const advice =
    code === "uncertain"
      ? 'The update may have been applied; the next "pulumi up" sends it again'
      : 'It may have been applied: delete again, or "pulumi refresh" before the next "pulumi up"';
  return { ...why, code, advice: why.advice === undefined ? advice : `${why.advice}. ${advice}` };
}

/** @param lines one for each device that changes */
export function siteChanges(lines: readonly string[]): Message {
  return { code: "siteChanges", finding: lines.join("\n") };
}

export function siteImport(): Message {
  return {
    code: "siteImport",
    finding: "a SiteSettings has nothing to be imported",
    advice: 'Declare it, and "pulumi up" takes its devices over as they are, and sends only what differs',
  };
}

/** The engine keeps what was before a delete that fails. */
export function deleteBegun(): Message {
  return {
    code: "deleteBegun",
    finding: "the other devices may be given back already, which state does not show",
    advice: 'Delete again, or run "pulumi refresh" before the next "pulumi up"',
  };
}

export function driftInCache(setting: string, found: unknown, inState: unknown): Message {
  return {
    code: "driftInCache",
    finding: `${setting} is ${found} in the service's cache, and ${inState} in state: somebody else set it, or the cache is behind`,
    advice: '"pulumi refresh" takes it into state, and the next "pulumi up" then sets what is declared',
    setting,
  };
}

export function differsInCache(setting: string, found: unknown, declared: unknown): Message {
  const finding = `${setting} is ${found} in the service's cache: "pulumi up" sets it to ${declared}`;
  return { code: "differsInCache", finding, setting };
}

export function livePreviewEnds(why: Message): Message {
  const finding = `the live preview ends here, and the preview goes on without it: ${why.finding}`;
  return { ...why, code: "livePreviewEnds", finding };
}

/** @param missing what is not set, of the configuration */
export function notConnected(missing: readonly Message[]): Message {
  return {
    code: "notSet",
    finding: missing.map(({ finding }) => finding).join("; "),
    advice: "A preview needs no connection, but nothing can be read or changed without it",
    keys: missing.flatMap(({ keys = [] }) => keys),
  };
}

export function inverterFieldsNotSet(): Message {
  return {
    code: "inverterFieldsNotSet",
    finding:
      "the service does not document the names of an inverter's settings: 'solar-charging doctor --device <inverter>' " +
      "finds them, and says what to set",
  };
}

export function claimsUnreadable(variable: string, error: unknown): Message {
  const { code, message } = error as NodeJS.ErrnoException;
  return {
    code: "claimsUnreadable",
    finding: `${variable} cannot be read (${code ?? message}), which says what other stacks declare`,
    advice: "Run again",
  };
}
