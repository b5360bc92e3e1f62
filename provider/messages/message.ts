import type { MessageCode } from "./codes";
import { IN_STACK, type Names } from "./names";

/** Something that a user has to know, until it is shown: then whoever shows it finds the words for its reader. */
export interface Message {
  readonly code: MessageCode;
  /**
   * What is wrong, odd, or worth knowing. In it and in the advice, `{device}` stands for the device, `{baseUrl}` for the
   * configuration key, and `{baseUrl?}` for all places where that can be set.
   */
  readonly finding: string;
  /** What to do next. */
  readonly advice?: string;
  /** `device 'car-1' of business 'acme'`, or the name in its site: `vehicle/car`. */
  readonly device?: string;
  /** The setting that it is about: `maxCapacity`. */
  readonly setting?: string;
  /** The configuration keys that finding and advice name. */
  readonly keys?: readonly string[];
  /** What the service, or a command, says of it in words of its own: it can differ from device to device. */
  readonly extract?: string;
}

/** How a message is shown. */
export interface Audience {
  readonly names?: Names;
  /** Whether the device is shown beside the message. */
  readonly isBesideDevice?: boolean;
}

/** What is wrong, without what to do. It names the device, unless that is shown beside it. */
export function findingOf(message: Message, { names = IN_STACK, isBesideDevice = false }: Audience = {}): string {
  const { finding, device, extract } = message;
  const filled = fill(message, finding, names, isBesideDevice ? undefined : device);
  const whole = extract ? `${filled}, ${JSON.stringify(extract)}` : filled;
  return isBesideDevice || device === undefined || finding.includes(DEVICE) ? whole : `${device}: ${whole}`;
}

/** What to do next; undefined if there is nothing to do. */
export function adviceOf(message: Message, { names = IN_STACK, isBesideDevice = false }: Audience = {}) {
  const { advice, device } = message;
  return advice === undefined ? undefined : fill(message, advice, names, isBesideDevice ? undefined : device);
}

/** The whole message as one text. */
export function textOf(message: Message, audience: Audience = {}): string {
  return [findingOf(message, audience), adviceOf(message, audience)].filter(Boolean).join(". ");
}

/** What the same is said of for many devices: without the device, and without words that can differ between them. */
export function inGeneral({ device: _, extract: __, ...message }: Message): Message {
  return message;
}

/** Stands for the device in a text. */
const DEVICE = "{device}";

function fill({ keys = [] }: Message, text: string, names: Names, device = "the device"): string {
  const named = keys.reduce(
    (some, key) => some.replaceAll(`{${key}}`, () => names.of(key)).replaceAll(`{${key}?}`, () => names.allOf(key)),
    text,
  );
  return named.replaceAll(DEVICE, () => device);
}

/** An error that is data. Its message is that for a stack; whoever knows its reader better shows `problem`. */
export class MessageError extends Error {
  override readonly name: string = "MessageError";

  constructor(readonly problem: Message) {
    super(textOf(problem));
  }
}

/** The problem of an error, as far as it is one of ours. */
export function problemOf(error: unknown): Message {
  if (error instanceof MessageError) return error.problem;
  return { code: "internal", finding: error instanceof Error ? error.message : String(error) };
}
