import { Metadata, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { jsonClean } from "../engine/answers";
import type { Properties } from "../lifecycle/state";
import { hide, hidingSecrets } from "./secrets";

/** An RPC as gRPC calls it. */
export type Unary<Q, R> = (call: ServerUnaryCall<Q, R>, answer: sendUnaryData<R>) => void;

/** Answers an RPC with what a handler gives, or with its error. */
export function unary<Q, R>(handle: (request: Q) => R | Promise<R>): Unary<Q, R> {
  return ({ request }, answer) => {
    hidingSecrets(async () => {
      try {
        answer(null, await handle(request));
      } catch (error) {
        const metadata = error instanceof InitFailure ? error.metadata() : new Metadata();
        answer({ code: status.UNKNOWN, details: hide((error as Error).message), metadata });
      }
    });
  };
}

/** A resource that was made or changed in part: the engine keeps what is in it. */
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
      .setReasonsList(reasons.map(hide))
      .setRefreshBeforeUpdate(refreshBeforeUpdate);
    const detail = new Any();
    detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = new Status().setCode(status.UNKNOWN).setMessage(hide(this.message));
    details.addDetails(detail);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
    return metadata;
  }
}

export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(jsonClean(properties) as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
