import { MessageError } from "../../messages/message";
import type { Properties } from "../../settings/objects";

/**
 * An error for a resource that was created or updated in part. Without it, an update that fails at the third of five
 * devices would lose the baselines of the first two, because the engine keeps nothing of a failed operation.
 */
export class PartialError extends Error {
  override readonly name = "PartialError";

  constructor(
    /** The outputs of the resource, as far as they are known. */
    readonly outputs: Properties,
    /** The reasons why it is not as declared. */
    readonly reasons: readonly string[],
  ) {
    super(reasons.join("\n"));
  }
}

/** An update with a value that nobody has approved. Nothing of it was sent. */
export class NotReviewedError extends MessageError {
  override readonly name = "NotReviewedError";
  /** As in the errors of the service: the ledger records no update that did not reach it. */
  readonly maybeApplied = false;
  readonly status = undefined;
}
