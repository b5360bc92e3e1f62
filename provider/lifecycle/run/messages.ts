import type { Message } from "../../messages/message";
import { type DeviceRef, nameOf } from "../../service/device";
import { extractOf } from "../../service/extract";
import { listed } from "../../settings/explain";
import { defined, type Properties } from "../../settings/objects";
import type { Problem } from "../../settings/schema";
import type { DeviceKind, Value, Values } from "../../settings/setting";
import { isInRange } from "../../settings/valueOf";
import { valueInWords } from "../../settings/valueWords";

type ShownValue = NonNullable<Message["values"]>[string];

/** The values of a message, by their names in its text. */
function shownValues(setting: string, values: Properties): Record<string, ShownValue> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { setting, words: valueInWords(setting, value) }]),
  );
}

export function noSuchDevice(ref: DeviceRef): Message {
  return {
    code: "noSuchDevice",
    finding: "the service does not know {device}",
    advice: "The provider creates no devices: check deviceId, businessId and {baseUrl}",
    device: nameOf(ref),
    keys: ["baseUrl"],
  };
}

export function otherKind(ref: DeviceRef, type: string, { resource, expects }: DeviceKind): Message {
  return {
    code: "otherKind",
    finding: `{device} is of type '${extractOf(type)}', but ${resource} is for ${expects}: nothing was sent`,
    advice: "Check deviceId",
    device: nameOf(ref),
  };
}

/** @param problems of inputs that had none at their check */
export function changedAfterCheck(problems: readonly Problem[]): Message {
  return {
    code: "changedAfterCheck",
    finding: `${problems.map(({ property, reason }) => `${property} ${reason}`).join("; ")}: nothing is sent`,
    advice: "The values were changed after the check, probably by a remediation of a policy pack: correct them there",
  };
}

/**
 * @param lost the baselines
 * @param file the file that keeps them, if any
 * @param isMoved whether other resources declare all of these settings now
 */
export function unmanaged(ref: DeviceRef, lost: Values, file?: string, { isMoved } = { isMoved: false }): Message {
  const kept = file === undefined ? "" : `. This is also in ${file}`;
  const { text, values } = inWords(lost);
  return {
    code: "unmanaged",
    finding: `${listed(Object.keys(lost))}: ${isMoved ? "declared by another resource now" : "no longer managed"}, and not restored`,
    advice: `Before the first update, ${text}${kept}`,
    device: nameOf(ref),
    values,
  };
}

export function baselineOutOfRange(ref: DeviceRef, setting: string, found: Value): Message {
  return {
    code: "baselineOutOfRange",
    finding: `the baseline of ${setting} is {found}, which is out of range: it is not restored`,
    advice: "If the value is right, set it by hand after the delete",
    device: nameOf(ref),
    setting,
    values: shownValues(setting, { found }),
  };
}

/**
 * Values with their units: `maxCapacity was 60 kWh, policy CHARGE BY`.
 * @param verb after the first setting
 * @param device its label, if the message is not about it alone
 * @param prefix makes the placeholders unique. It is not the device's name, which may contain braces
 */
function inWords(known: Values, verb = " was", device?: string, prefix = "") {
  const entries = Object.entries(known);
  return {
    text: entries.map(([key], index) => `${key}${index === 0 ? verb : ""} {${prefix}${key}}`).join(", "),
    values: Object.fromEntries(
      entries.map(([setting, value]): [string, ShownValue] => [
        `${prefix}${setting}`,
        { setting, ...defined({ device }), words: valueInWords(setting, value) },
      ]),
    ),
  };
}

/** @param before the baselines of a site's devices, by label */
export function baselinesBeforeUpdate(before: Readonly<Record<string, Values>>): Message {
  const devices = Object.entries(before).map(([label, baselines], index) => ({
    label,
    ...inWords(baselines, undefined, label, `${index}.`),
  }));
  return {
    code: "baselines",
    finding: `values before the first update: ${devices.map(({ label, text }) => `${label}: ${text}`).join("; ")}`,
    values: Object.assign({}, ...devices.map(({ values }) => values)),
  };
}

/** @param lost the settings of each device that is about to get its first update */
export function notRestorable(lost: readonly { readonly label: string; readonly keys: readonly string[] }[]): Message {
  return {
    code: "notRestorable",
    finding:
      'onDelete "restore" cannot restore these settings, because the service reports no value that can be written back: ' +
      `${lost.map(({ label, keys }) => `${label}: ${listed(keys)}`).join("; ")}`,
    advice: "If you need the present values later, note them from another source",
  };
}

/** Somebody else's value that stays. */
interface KeptValue {
  readonly setting: string;
  readonly kept: Value;
  readonly declared: Value;
}

export function keptValues(ref: DeviceRef, found: readonly KeptValue[]): Message {
  const texts = found.map(({ setting }) => `${setting} {${setting}} (declared {declared ${setting}})`);
  const values = found.map(({ setting, kept, declared }) =>
    shownValues(setting, { [setting]: kept, [`declared ${setting}`]: declared }),
  );
  return {
    code: "kept",
    finding: `onDrift keeps what somebody else set: ${listed(texts)}`,
    device: nameOf(ref),
    values: Object.assign({}, ...values),
  };
}

/** @param was the device that left */
export function sameDevice(is: DeviceRef, was: DeviceRef): Message {
  return {
    code: "sameDevice",
    finding: `{device} is the same car or inverter as '${extractOf(was.deviceId)}' was: the service shows the same phys_id`,
    advice: `Nothing is carried over. If you need a baseline of '${extractOf(was.deviceId)}', take it from the output of this run or from the ledger`,
    device: nameOf(is),
  };
}

export function declaredElsewhere(ref: DeviceRef, keys: readonly string[], by = "another resource"): Message {
  return {
    code: "declaredElsewhere",
    finding: `${listed(keys)}: declared by ${by} now, and not restored`,
    device: nameOf(ref),
  };
}

/** @param left the value in the state of a deleted resource, whose device another resource declares with another value */
export function moved(
  code: "declaredNotSent" | "keptOverwritten",
  ref: DeviceRef,
  setting: string,
  left: Value,
): Message {
  const [finding, advice] =
    code === "declaredNotSent"
      ? [
          "may still be {left}, because this run has not yet sent the value that the program declares",
          'If the rest of the run does not send it, run "{pulumi} refresh", then "{pulumi} up"',
        ]
      : [
          "{left} is overwritten, because another resource declares the setting now. Somebody else had set this value, and onDrift had kept it",
          "If {left} is right, declare it",
        ];
  const values = shownValues(setting, { left });
  return { code, finding: `${setting} ${finding}`, advice, device: nameOf(ref), setting, values };
}

export function baselinesUnknown(ref: DeviceRef, keys: readonly string[]): Message {
  return {
    code: "baselineUnknown",
    finding: `${listed(keys)}: not restored, because the service reported no earlier value`,
    advice: "If needed, set the value by hand",
    device: nameOf(ref),
  };
}

export function changedElsewhere(ref: DeviceRef, setting: string, found: Value | undefined): Message {
  const how = found === undefined ? "it is no longer reported" : "somebody else has set it to {found}";
  return {
    code: "changedElsewhere",
    finding: `${setting} is not restored: ${how}`,
    device: nameOf(ref),
    setting,
    values: shownValues(setting, { found }),
  };
}

/** @param written the values that a delete has written back */
export function restored(ref: DeviceRef, written: Values): Message {
  const { text, values } = inWords(written, "");
  return { code: "restored", finding: `written back: ${text}`, device: nameOf(ref), values };
}

export function goneBeforeDelete(ref: DeviceRef): Message {
  return {
    code: "goneBeforeDelete",
    finding: "the service no longer knows {device}: nothing is restored",
    device: nameOf(ref),
  };
}

export function leavesStack(ref: DeviceRef): Message {
  return {
    code: "leavesStack",
    finding: "the service no longer knows {device}: it is removed from the stack",
    advice: 'If the device still exists, check {baseUrl} and businessId before the next "{pulumi} up"',
    device: nameOf(ref),
    keys: ["baseUrl"],
  };
}

export function settingsLost(ref: DeviceRef, keys: readonly string[]): Message {
  return {
    code: "settingsLost",
    finding: `{device} no longer reports ${listed(keys)}`,
    advice: "Check whether the device was replaced or reset",
    device: nameOf(ref),
  };
}

/** @param keys the settings whose values are texts in place of numbers, or the reverse */
export function settingsMistyped(ref: DeviceRef, keys: readonly string[]): Message {
  return {
    code: "settingsMistyped",
    finding: `{device} now reports ${listed(keys)} in another JSON type, such as a text in place of a number`,
    advice: "The provider cannot compare such values: ask the operator of the service",
    device: nameOf(ref),
  };
}

/** @param reason the reason why a program may not declare the reported value */
export function notImported(ref: DeviceRef, setting: string, reason: string): Message {
  return {
    code: "notImported",
    finding: `${setting} is not imported, because the reported value is not valid: it ${reason}`,
    advice: 'Declare the right value: the next "{pulumi} up" sends it',
    device: nameOf(ref),
    setting,
  };
}

/** The sent value of a setting, and the one that the cached read shows. */
interface ReadBack {
  readonly setting: string;
  readonly sent: Value | undefined;
  readonly reported: Value | undefined;
}

export function pending(ref: DeviceRef, { setting, sent, reported }: ReadBack, seconds: number): Message {
  return {
    code: "pending",
    finding: `${setting} was accepted as {sent}, but the cached read still shows {reported} after ${seconds} s`,
    advice: 'Run "{pulumi} refresh" later to see the result',
    device: nameOf(ref),
    setting,
    values: shownValues(setting, { sent, reported }),
  };
}

export function adjusted(ref: DeviceRef, { setting, sent, reported }: ReadBack): Message {
  return {
    code: "adjusted",
    finding: `${setting} was accepted as {sent}, but the service keeps {reported}, so {sent} is not sent again`,
    advice: adviceForAdjusted(setting, reported),
    device: nameOf(ref),
    setting,
    values: shownValues(setting, { sent, reported }),
  };
}

/** Never the advice to declare a value that the check refuses. */
function adviceForAdjusted(setting: string, reported: Value | undefined): string {
  const isPossible = (value: Value | undefined) => value !== undefined && isInRange(setting, value);
  if (isPossible(reported)) return "If {reported} is right, declare it";
  const isThousandth = typeof reported === "number" && isPossible(reported * 1000);
  if (!isThousandth) return "{reported} is not a valid value: check it in the service's app";
  return "{reported} looks 1000 times too small: ask the operator of the service whether it reports kWh or kW";
}

/** @param why the problem of the read */
export function notReadBack(ref: DeviceRef, keys: readonly string[], { finding, advice: _, ...why }: Message): Message {
  const text = `${listed(keys)}: accepted, but not read back: ${finding}`;
  return { ...why, code: "notReadBack", finding: text, device: nameOf(ref) };
}

/** @param why the problems, each with the names of its devices */
export function notRead(why: string): Message {
  return { code: "notRead", finding: `these devices cannot be read, and keep their last known values: ${why}` };
}

export const NOT_BEGUN: Message = {
  code: "notBegun",
  finding: "not started: the run was stopped",
  advice: "Run the same command again to continue",
};

/** @param seconds the time that the resource's options give an operation */
export function overdue(seconds: number): Message {
  return {
    code: "overdue",
    finding: `stopped after ${seconds} s, the limit in customTimeouts`,
    advice: "Raise that limit, or run the same command again to continue",
  };
}

/** The message about an update that may have been applied. @param why the problem of the request */
export function uncertain(code: "uncertain" | "uncertainDelete", why: Message): Message {
  const advice =
    code === "uncertain"
      ? 'The update may have been applied; the next "{pulumi} up" sends it again'
      : 'The delete may have been applied: delete again, or run "{pulumi} refresh" before the next "{pulumi} up"';
  return { ...why, code, advice: why.advice === undefined ? advice : `${why.advice}. ${advice}` };
}

/** @param lines one for each device that changes */
export function changesOf(lines: readonly string[]): Message {
  return { code: "changes", finding: lines.join("\n") };
}

export const SITE_IMPORT: Message = {
  code: "siteImport",
  finding: "SiteSettings cannot be imported or read by its id: the service knows devices, and no sites",
  advice:
    'To manage a site, declare it; "{pulumi} up" adopts its devices, and sends only the values that differ. To read its ' +
    "devices, call getDevice for each",
};

/** If a delete fails, the engine keeps the state from before it. */
export const DELETE_BEGUN: Message = {
  code: "deleteBegun",
  finding: "before it failed, the delete may have restored other devices of the site; the state does not show this yet",
  advice: 'Delete again, or run "{pulumi} refresh" before the next "{pulumi} up"',
};

export function driftInCache(setting: string, found: unknown, inState: unknown): Message {
  return {
    code: "driftInCache",
    finding: `${setting} is {found} in the service's cache, and {inState} in state: somebody changed it, or the cache is old`,
    advice: '"{pulumi} refresh" writes {found} into state; the next "{pulumi} up" sends the declared value',
    setting,
    values: shownValues(setting, { found, inState }),
  };
}

export function differsInCache(setting: string, found: unknown, declared: unknown): Message {
  return {
    code: "differsInCache",
    finding: `${setting} is {found} in the service's cache: "{pulumi} up" sets it to {declared}`,
    setting,
    values: shownValues(setting, { found, declared }),
  };
}

/** The plane that is sent for several. */
export function foldedPlanes({ finding, advice, numbers }: Omit<Message, "code">): Message {
  return defined({ code: "foldedPlanes" as const, finding, advice, numbers, setting: "planes" });
}

export function livePreviewEnds(why: Message): Message {
  return {
    ...why,
    code: "livePreviewEnds",
    finding: `the live preview stops, and the preview continues without it: ${why.finding}`,
  };
}

/** @param missing the parts of the configuration that are not set */
export function notConnected(missing: readonly Message[]): Message {
  return {
    code: "notSet",
    finding: missing.map(({ finding }) => finding).join("; "),
    advice: "A preview works without this; reading and updating do not",
    keys: missing.flatMap(({ keys = [] }) => keys),
  };
}

export const INVERTER_FIELDS_NOT_SET: Message = {
  code: "inverterFieldsNotSet",
  finding: "the service does not document the names of an inverter's settings, so the provider's names are guesses",
  advice: "Find the names with 'solar-charging doctor --device <inverter>', then set {inverterFields?}",
  keys: ["inverterFields"],
};

/** A value that an operation would send, and that nobody has approved. */
export interface NotReviewed {
  /** The device in words; its name in its site, if it has one. */
  readonly device: string;
  readonly setting: string;
  readonly value: Value;
  /** Whether it only repairs drift. */
  readonly isRepair: boolean;
}

const REPAIR = "Somebody has changed a device: declare its value, or pass --approve-repair to 'review --approve'";
const OTHER = "Preview the change again in this stack, and have it approved";
const SECRETS = "A secret cannot be approved: run without an approved set";

/** Maximum number of values that are named (our choice). */
const MOST_VALUES = 10;

/** @param digest of the approved set */
export function notReviewed(all: readonly NotReviewed[], digest: string): Message {
  const shown = all.slice(0, MOST_VALUES);
  const more = all.length - shown.length;
  const list = shown.map(({ device, setting }, index) => `${device} ${setting} {${index}}`);
  return {
    code: "notReviewed",
    finding: `the approved set ${digest} does not contain ${listed([...list, ...(more > 0 ? [`${more} more values`] : [])])}`,
    advice: [
      "None of these values was sent",
      ...new Set(all.map(({ isRepair }) => (isRepair ? REPAIR : OTHER))),
      SECRETS,
    ].join(". "),
    values: Object.fromEntries(
      shown.map(({ device, setting, value }, index) => [
        index,
        { setting, device, words: valueInWords(setting, value) },
      ]),
    ),
  };
}

/** A hint about a site that has only vehicles. It names no site, so that a fleet shows it once. */
export const OWN_POLICIES: Message = {
  code: "ownPolicies",
  finding: "every car of the site declares its own policy, so the site sets none",
  advice: "Remove policy from the cars that are to charge by the forecast, or declare solar: false to hide this hint",
};

export const NO_INVERTER: Message = {
  code: "noInverter",
  finding: "the site declares no inverter, so its cars charge by price",
  advice: "Declare its inverters, or declare solar: false to hide this hint",
};
