import { type DeviceRef, deviceSchema } from "./device";
import { type Failure, failureOfContent, failureOfCut, failureOfForeign, failureOfRefusal } from "./errors";
import { extractOf } from "./extract";
import type { Answer } from "./http";
import type { Identities } from "./identity";
import { parseJson } from "./json";

/** The expectations of an answer with the status 2xx. */
export interface Expectation {
  readonly device: DeviceRef;
  readonly identities: Identities;
  /** Texts that are never shown of an answer. */
  readonly secrets: ReadonlySet<string>;
}

/** The result of a read. */
export interface ReadObject {
  readonly object: Readonly<Record<string, unknown>>;
}

/** Judges the answer to a read. @param isDevice whether a device object was asked for */
export function readObjectOf(answer: Answer, isDevice: boolean, expectation: Expectation): ReadObject | Failure {
  const { device, identities, secrets } = expectation;
  if (isCut(answer.body)) return { ...failureOfCut(), status: answer.status };
  const said = parseJson(answer.body, secrets);
  if (!isObject(said)) return contentFailure("the answer is not a JSON object", answer, secrets);
  if (isDevice && showsNoDevice(said)) return contentFailure("the answer shows nothing of a device", answer, secrets);
  const foreign = foreignNameIn(said, expectation);
  if (foreign) return { ...foreign, status: answer.status };
  const other = isDevice ? identities.otherOfId(said, device) : undefined;
  if (other === undefined) return { object: said };
  return { ...failureOfForeign(`whose id answered for '${extractOf(other, secrets)}' before`), status: answer.status };
}

/**
 * Whether an object is empty or an error, and no device object. Without this, `200 {"error": …}` would count as a device
 * that reports nothing, and a delete would drop what it was before. What an inverter shows is not documented: any other
 * object may be one.
 */
function showsNoDevice(said: Readonly<Record<string, unknown>>): boolean {
  const fields = Object.keys(said);
  const isKnown = fields.some((field) => Object.hasOwn(deviceSchema.shape, field));
  return !isKnown && (fields.length === 0 || says(said.error) || says(said.errors));
}

/** Judges the answer to an update. It may be empty, but it must not be a refusal, a page or another device's. */
export function acceptanceOf(answer: Answer, expectation: Expectation): Answer | Failure {
  const { secrets } = expectation;
  // A portal has not passed the update on; a gateway may have, before it answered with a page of its own.
  if (/^\s*</.test(answer.body)) return uncertain(contentFailure("the answer is a web page", answer, secrets));
  if (isCut(answer.body)) return uncertain({ ...failureOfCut(), status: answer.status });
  const said = answer.body === "" ? undefined : parseJson(answer.body, secrets);
  if (!isObject(said)) return answer;
  const foreign = foreignNameIn(said, expectation);
  if (foreign) return uncertain({ ...foreign, status: answer.status });
  if (!says(said.error) && !says(said.errors) && said.success !== false) return answer;
  const { status } = answer;
  return uncertain({ ...failureOfRefusal(), status, extract: extractOf(answer.body, secrets) });
}

/**
 * Whether a text is the beginning of a JSON object, and not all of it. Without a length, a connection that breaks looks
 * like the end of the answer: a device would seem not to be one, and a refusal that is cut to be an acceptance.
 */
function isCut(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  const brackets = text.replace(/"(?:[^"\\]|\\.)*(?:"|$)/gs, "");
  return brackets.split("{").length > brackets.split("}").length;
}

function foreignNameIn(said: object, { device, identities, secrets }: Expectation): Failure | undefined {
  const other = identities.otherNamedIn(said, device);
  return other === undefined ? undefined : failureOfForeign(`'${extractOf(other, secrets)}'`);
}

function uncertain(failure: Failure): Failure {
  return { ...failure, isUncertain: true };
}

function contentFailure(reason: string, { status, body }: Answer, secrets: ReadonlySet<string>): Failure {
  return { ...failureOfContent(reason), status, extract: extractOf(body, secrets) };
}

function isObject(said: unknown): said is Record<string, unknown> {
  return typeof said === "object" && said !== null && !Array.isArray(said);
}

/** Whether a field of errors says something: a list or an object does if there is something in it. */
function says(errors: unknown): boolean {
  return typeof errors === "object" && errors !== null ? Object.keys(errors).length > 0 : Boolean(errors);
}
