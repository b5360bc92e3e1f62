import { Metadata, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Properties } from "../settings/objects";
import { toStruct } from "./struct";

/** The form in which gRPC calls a handler. */
type Unary<Q, R> = (call: ServerUnaryCall<Q, R>, answer: sendUnaryData<R>) => void;

/**
 * Answers an RPC with the result of a handler, or with its error.
 * @param handle the handler: gets the request, and the address of its connection
 */
export function unary<Q, R>(handle: (request: Q, connection: string) => R | Promise<R>): Unary<Q, R> {
  return async (call, answer) => {
    try {
      answer(null, await handle(call.request, call.getPeer()));
    } catch (error) {
      const metadata = error instanceof InitFailure ? error.metadata() : new Metadata();
      answer({ code: status.UNKNOWN, details: (error as Error).message, metadata });
    }
  };
}

/** The error of a resource that was created or updated in part. The engine keeps the outputs in it. */
export class InitFailure extends Error {
  constructor(
    private readonly kept: {
      readonly id: string;
      readonly inputs: Properties;
      readonly properties: Properties;
      readonly reasons: readonly string[];
    },
  ) {
    super(kept.reasons.join("\n"));
  }

  metadata(): Metadata {
    const { id, inputs, properties, reasons } = this.kept;
    const failure = new ErrorResourceInitFailed()
      .setId(id)
      .setProperties(toStruct(properties))
      .setInputs(toStruct(inputs))
      .setReasonsList([...reasons]);
    const detail = new Any();
    detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = new Status().setCode(status.UNKNOWN).setMessage(this.message);
    details.addDetails(detail);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
    return metadata;
  }
}

/** Largest request, in bytes (our choice). gRPC's default of 4 MB is too small for a site of a few hundred devices. */
export const LIMITS = { "grpc.max_receive_message_length": 64 * 1024 * 1024, "grpc.max_send_message_length": -1 };
