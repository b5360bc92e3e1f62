import { Metadata, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { jsonClean } from "../engine/answers";
import type { Properties } from "../lifecycle/device/state";

/** The form in which gRPC calls a handler. */
export type Unary<Q, R> = (call: ServerUnaryCall<Q, R>, answer: sendUnaryData<R>) => void;

/**
 * Answers an RPC with the result of a handler, or with its error.
 * @param handle gets the request, and the address of the connection that it came over
 */
export function unary<Q, R>(handle: (request: Q, connection: string) => R | Promise<R>): Unary<Q, R> {
  return async (call, answer) => {
    try {
      if (call.request instanceof Undecoded) throw call.request.error;
      answer(null, await handle(call.request, call.getPeer()));
    } catch (error) {
      const metadata = error instanceof InitFailure ? error.metadata() : new Metadata();
      answer({ code: status.UNKNOWN, details: (error as Error).message, metadata });
    }
  };
}

/** A resource that was created or updated in part: the engine keeps the outputs of this error. */
export class InitFailure extends Error {
  constructor(
    private readonly kept: {
      readonly id: string;
      readonly inputs: Properties;
      readonly properties: Properties;
      readonly reasons: readonly string[];
      readonly refreshBeforeUpdate: boolean;
    },
  ) {
    super(kept.reasons.join("\n"));
  }

  metadata(): Metadata {
    const { id, inputs, properties, reasons, refreshBeforeUpdate } = this.kept;
    const failure = new ErrorResourceInitFailed()
      .setId(id)
      .setProperties(toStruct(properties))
      .setInputs(toStruct(inputs))
      .setReasonsList([...reasons])
      .setRefreshBeforeUpdate(refreshBeforeUpdate);
    const detail = new Any();
    detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = new Status().setCode(status.UNKNOWN).setMessage(this.message);
    details.addDetails(detail);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
    return metadata;
  }
}

export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(jsonClean(properties) as Record<string, JavaScriptValue>);
}

/** The properties in a message. @throws Error if they are nested too deeply, or have too long a text */
export function fromStruct(struct: Struct | undefined): Properties {
  const properties = notTooDeep(() => struct?.toJavaScript() ?? {});
  refuseLarge(properties, 0);
  return properties;
}

/** Largest request, in bytes (our choice). gRPC's default of 4 MB is too small for a site of a few hundred devices. */
export const LIMITS = { "grpc.max_receive_message_length": 64 * 1024 * 1024, "grpc.max_send_message_length": -1 };

/**
 * Longest text in a request, in characters (our choice). Every check refuses one of more than a few hundred, and its
 * answer would repeat it.
 */
const LONGEST = 100_000;

/** Deepest nesting of values (our choice; a site needs six). */
const DEEPEST = 50;

/** The encoded key `__proto__` of a map: its field, its length, its text. */
const PROTO = Buffer.from("\n\t__proto__");

/** A request that cannot be decoded. gRPC itself would answer without the cause. */
export class Undecoded {
  constructor(readonly error: Error) {}
}

/** The RPCs of a provider. They refuse requests that protobuf cannot represent. */
export const SERVICE = Object.fromEntries(
  Object.entries(ResourceProviderService).map(([name, method]) => [
    name,
    { ...method, requestDeserialize: (bytes: Buffer) => decoded(bytes, method.requestDeserialize) },
  ]),
) as typeof ResourceProviderService;

function decoded<Q>(bytes: Buffer, decode: (bytes: Buffer) => Q): Q | Undecoded {
  // Protobuf's maps are objects, which lose this key. Without this, a device of this name would silently be left out
  // of its site.
  if (bytes.includes(PROTO)) return new Undecoded(new Error("the name __proto__ is not possible: choose another name"));
  try {
    return notTooDeep(() => decode(bytes));
  } catch (error) {
    return new Undecoded(error as Error);
  }
}

/** @throws Error instead of a stack overflow */
function notTooDeep<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

/** Looks at each value once. @throws Error if one is nested too deeply, or is too long a text */
function refuseLarge(value: unknown, depth: number): void {
  if (depth > DEEPEST) throw tooDeep();
  if (typeof value === "string" && value.length > LONGEST) {
    throw new Error(`a text of ${value.length} characters is too long: at most ${LONGEST} are possible`);
  }
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) refuseLarge(item, depth + 1);
}

function tooDeep(): Error {
  return new Error(`the inputs are nested more than ${DEEPEST} levels deep: flatten them`);
}
