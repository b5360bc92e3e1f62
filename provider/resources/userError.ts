import * as pulumi from "@pulumi/pulumi";

/**
 * An error whose message alone is shown. It has no stack: Pulumi prints every error in detail to its trace, for which
 * Node needs half a minute for a stack with Pulumi's files in it.
 */
export function userError(message: string): pulumi.RunError {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}

/** A user error that is shown at a resource. */
export function resourceError(message: string, resource: pulumi.Resource): pulumi.ResourceError {
  const error = Object.assign(new pulumi.ResourceError(message, resource, true), { stack: message });
  // In detail, a resource is everything that the program has made.
  return Object.defineProperty(error, "resource", { enumerable: false });
}
