import type { ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { failureOf as rejectionOf } from "../support/failure";
import type { Properties } from "./host";

/** The error with which the host answers an RPC. */
export async function failureOf(answer: Promise<unknown>): Promise<ServiceError> {
  return (await rejectionOf(answer)) as ServiceError;
}

export interface InitFailure {
  readonly id: string;
  readonly reasons: readonly string[];
  readonly properties: Properties;
}

/** The part of a resource that an error tells the engine to keep; undefined if the engine keeps the earlier state. */
export function initFailureOf({ metadata }: ServiceError): InitFailure | undefined {
  const [encoded] = metadata.get("grpc-status-details-bin");
  if (!(encoded instanceof Uint8Array)) return undefined;
  const [detail] = Status.deserializeBinary(encoded).getDetailsList();
  const failure = detail?.unpack(ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  if (!failure) throw new Error("the error has details of another type");
  const properties = failure.getProperties()?.toJavaScript() ?? {};
  return { id: failure.getId(), reasons: failure.getReasonsList(), properties };
}
