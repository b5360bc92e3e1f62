import type { MessageCode } from "./codes";
import { IN_STACK, type Names } from "./names";

/** A value of a setting in a message. It is kept apart from the text, so that it can be hidden. */
interface ShownValue {
  readonly setting: string;
  /** The name of the device in its site, such as `vehicle/car`, if the message is about another device. */
  readonly device?: string;
  /** The value with its unit: `77 kWh`. */
  readonly words: string;
}

/** A problem as data. It becomes text when it is shown to a particular reader. */
export interface Message {
  readonly code: MessageCode;
  /**
   * The problem, or a useful fact. Placeholders in it and in the advice: `{device}` stands for the device, `{baseUrl}`
   * for the configuration key, `{baseUrl?}` for all places where the key can be set, `{pulumi}` for the reader's command,
   * and `{sent}` for the value of that name.
   */
  readonly finding: string;
  /** The next step for the user. */
  readonly advice?: string;
  /** `device 'car-1' of business 'acme'`, or the name in its site: `vehicle/car`. */
  readonly device?: string;
  /** The setting that the message is about: `maxCapacity`. */
  readonly setting?: string;
  /** The values of settings in finding and advice, by placeholder: `sent` for `{sent}`. */
  readonly values?: Readonly<Record<string, ShownValue>>;
  /** The numbers in the message. */
  readonly numbers?: Readonly<Record<string, number>>;
  /** The configuration keys that finding and advice name. */
  readonly keys?: readonly string[];
  /** Words of the service or of a command. They can differ between devices. */
  readonly extract?: string;
}

/** Replaces a value that no message may show. The engine prints the same text in place of a secret. */
export const SECRET = "[secret]";

/** A warning or a note of a run, for the command that started it. */
export interface RunMessage extends Message {
  readonly severity: "warning" | "info";
  /** The resource. Absent if the message is about none. */
  readonly urn?: string;
}

/** The form in which a message is shown. */
export interface Audience {
  readonly names?: Names;
  /** Whether the device is shown beside the message. */
  readonly isBesideDevice?: boolean;
}

/**
 * The finding and the advice as texts. The finding names the device, unless the device is shown beside it. No advice:
 * there is nothing to do.
 */
export function wordsOf(message: Message, { names = IN_STACK, isBesideDevice = false }: Audience = {}) {
  const { finding, advice, device, extract } = message;
  const filled = (text: string) => fill(message, text, names, isBesideDevice ? undefined : device);
  const whole = extract ? `${filled(finding)}, ${JSON.stringify(extract)}` : filled(finding);
  const isNamed = isBesideDevice || device === undefined || finding.includes(DEVICE);
  return { finding: isNamed ? whole : `${device}: ${whole}`, advice: advice && filled(advice) };
}

/** The whole message as one text. */
export function textOf(message: Message, audience: Audience = {}): string {
  const { finding, advice } = wordsOf(message, audience);
  return advice ? `${finding}${/[.?!]$/.test(finding) ? " " : ". "}${advice}` : finding;
}

/** Maximum number of different extracts that are shown for one message. */
const MOST_EXTRACTS = 3;

/**
 * The message without the device, so that equal messages of many devices count as one.
 * @param extracts the different words of the service
 */
export function inGeneral({ device: _, extract: __, ...message }: Message, extracts: Iterable<string> = []): Message {
  const all = [...new Set(extracts)].filter(Boolean);
  const more = all.length > MOST_EXTRACTS ? [`${all.length - MOST_EXTRACTS} more`] : [];
  const extract = [...all.slice(0, MOST_EXTRACTS), ...more].join(" | ");
  return { ...message, ...(extract && { extract }) };
}

/** Placeholder of the device in a text. */
const DEVICE = "{device}";

function fill({ keys = [], values = {} }: Message, text: string, names: Names, device = "the device"): string {
  const named = keys.reduce(
    (some, key) => some.replaceAll(`{${key}}`, () => names.of(key)).replaceAll(`{${key}?}`, () => names.allOf(key)),
    text.replaceAll(DEVICE, () => device).replaceAll("{pulumi}", names.command),
  );
  // In one pass: without this, the words of one value could contain the name of another one.
  return named.replace(/\{([^{}]*)\}/g, (whole, name) => values[name]?.words ?? whole);
}

/**
 * An error with its message as data. Its text is for the user of a stack; code with another reader renders `problem`.
 */
export class MessageError extends Error {
  override readonly name: string = "MessageError";

  constructor(readonly problem: Message) {
    super(textOf(problem));
  }
}

/** The advice for a mistake in the code of the provider. */
const REPORT = "This is a mistake of the provider: please report it with the log";

/** The problem of an error. An error that is not ours becomes a message with its text. */
export function problemOf(error: unknown): Message {
  if (error instanceof MessageError) return error.problem;
  const finding = error instanceof Error ? error.message : String(error);
  const isMistake = [TypeError, RangeError, ReferenceError].some((one) => error instanceof one);
  return { code: "internal", finding, ...(isMistake && { advice: REPORT }) };
}

/** Whether an error says that the configuration is unusable: then every operation fails in the same way. */
export function isNotUsable(error: unknown): error is MessageError {
  return error instanceof MessageError && error.problem.code === "notUsable";
}
