import { type DeviceRef, deviceSchema } from "./device";
import {
  FAILURE_OF_REFUSAL,
  failureOfContent,
  failureOfCut,
  failureOfForeign,
  type ServiceFailure,
  through,
} from "./errors";
import { extractOf, holdsSecret, REDACTED } from "./extract";
import type { Answer } from "./http";
import type { Identities } from "./identity";

/**
 * The object that a read asks for. `car`: the documented object of a car. `device`: the object of any device. `any`:
 * any object that is neither empty nor an error.
 */
export type Shape = "car" | "device" | "any";

/** A car's object has at least one of these. */
const CAR_FIELDS = ["id", "dev_type", "policy", "metadata"];

const DEVICE_FIELDS = Object.keys(deviceSchema.shape);

/** The requirements for an answer with the status 2xx. */
interface Expectation {
  readonly device: DeviceRef;
  readonly identities: Identities;
  /** Texts in an answer that are never shown. */
  readonly secrets: ReadonlySet<string>;
}

/** The result of a read. */
export interface ReadObject {
  readonly object: Fields;
}

/** The requirements for the answer to a read. */
interface ReadExpectation extends Expectation {
  /** Undefined if no device object was asked for. */
  readonly shape: Shape | undefined;
  /** The wire names of an inverter's settings. An object with one of them counts as an inverter. */
  readonly inverterFields: readonly string[];
}

/** Judges the answer to a read. */
export function readObjectOf(answer: Answer, expectation: ReadExpectation): ReadObject | ServiceFailure {
  const { device, identities, secrets, shape } = expectation;
  if (isCut(answer)) return failureIn(answer, failureOfCut(answer.status));
  const content = parseJson(answer.body, secrets);
  if (!isObject(content)) return contentFailure("the answer is not a JSON object", answer, secrets);
  const strange = shape && strangenessOf(content, shape, expectation.inverterFields);
  if (strange !== undefined) return contentFailure(strange, answer, secrets);
  const foreign = foreignNameIn(content, expectation);
  if (foreign) return failureIn(answer, foreign);
  const other = shape ? identities.foreignId(content, device) : undefined;
  if (other === undefined) return { object: content };
  return failureIn(answer, failureOfForeign(extractOf(other, secrets)));
}

/**
 * The reason why an object is not the device; undefined if it may be one. Without this, `200 {"message": "Welcome"}` at
 * a wrong address would count as a device that reports nothing: an update would apply nothing without a warning, and a
 * delete would lose the baselines. The structure of an inverter is not documented, so one known field is enough.
 */
function strangenessOf(content: Fields, shape: Shape, inverterFields: readonly string[]): string | undefined {
  const has = (names: readonly string[]) =>
    names.some((name) => Object.hasOwn(content, name) && content[name] !== null);
  const isNoCar = "the answer is not a car: it has none of id, dev_type, policy and metadata";
  if (shape === "car") return has(CAR_FIELDS) ? undefined : isNoCar;
  if (has(DEVICE_FIELDS) || has(inverterFields)) return undefined;
  const isError = Object.keys(content).length === 0 || hasContent(content.error) || hasContent(content.errors);
  return shape === "device" || isError ? "the answer has no field of a device" : undefined;
}

/**
 * Checks the answer to an update. The answer may be empty, but not a refusal, a page or an answer about another device.
 */
export function acceptanceOf(answer: Answer, expectation: Expectation): Answer | ServiceFailure {
  const { secrets } = expectation;
  // A login portal has not forwarded the update. A gateway may have forwarded it before it answered with its own
  // page.
  if (/^\s*</.test(answer.body)) return contentFailure("the answer is a web page", answer, secrets);
  if (isCut(answer)) return failureIn(answer, failureOfCut(answer.status));
  const content = answer.body === "" ? undefined : parseJson(answer.body, secrets);
  if (!isObject(content)) return answer;
  const foreign = foreignNameIn(content, expectation);
  if (foreign) return failureIn(answer, foreign);
  if (!hasContent(content.error) && !hasContent(content.errors) && content.success !== false) return answer;
  return { ...failureIn(answer, FAILURE_OF_REFUSAL), extract: extractOf(answer.body, secrets) };
}

/**
 * Whether an answer is incomplete: a part of the content (206), or a JSON object without its end. If an answer has no
 * length, a broken connection looks like its end. Without this, a truncated device object would count as no device, and
 * a truncated refusal as an acceptance.
 */
function isCut({ status, body }: Answer): boolean {
  if (status === 206) return true;
  if (!/^\s*\{/.test(body)) return false;
  const brackets = body.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, "");
  return brackets.split("{").length > brackets.split("}").length;
}

function foreignNameIn(content: object, { device, identities, secrets }: Expectation): ServiceFailure | undefined {
  const other = identities.otherNamedIn(content, device);
  return other === undefined ? undefined : failureOfForeign(`'${extractOf(other, secrets)}'`);
}

function contentFailure(reason: string, answer: Answer, secrets: ReadonlySet<string>): ServiceFailure {
  return { ...failureIn(answer, failureOfContent(reason)), extract: extractOf(answer.body, secrets) };
}

function failureIn({ status, proxy }: Answer, failure: ServiceFailure): ServiceFailure {
  return { ...through(proxy, failure), status };
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(content: unknown): content is Fields {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}

/** Whether a field of errors contains an error: an empty list or object contains none. */
function hasContent(errors: unknown): boolean {
  return typeof errors === "object" && errors !== null ? Object.keys(errors).length > 0 : Boolean(errors);
}

/**
 * A text as JSON; undefined if it is not JSON. Texts and names in it that contain a secret are redacted: a server
 * that repeats its requests, such as a test server, must not bring the token into state or messages.
 */
export function parseJson(text: string, secrets: ReadonlySet<string>): unknown {
  const unescaped = text.replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return holdsSecret(unescaped, secrets) ? JSON.parse(text, without(secrets)) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function without(secrets: ReadonlySet<string>): (name: string, value: unknown) => unknown {
  const clean = (text: string) => (holdsSecret(text, secrets) ? REDACTED : text);
  return (_, value) => {
    if (typeof value === "string") return clean(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [clean(name), field]));
  };
}
