import { MessageError, problemOf } from "../messages/message";
import { uncertain } from "./messages";
import type { State } from "./state";

/**
 * An update was sent and it is not known whether the service applied it. What is known, the baseline above all, is
 * kept in `state`, so that the next run can go on from there.
 */
export class UncertainError extends MessageError {
  override readonly name = "UncertainError";

  constructor(
    readonly state: State,
    override readonly cause: Error,
    code: "uncertain" | "uncertainDelete" = "uncertain",
  ) {
    super(uncertain(code, problemOf(cause)));
  }
}

/**
 * A resource was created or updated in part. Without it, an update that fails at the third of five devices would lose
 * the baselines of the first two: the engine keeps nothing of an operation that fails.
 */
export class PartialError extends Error {
  override readonly name = "PartialError";

  constructor(
    /** What is known of the resource now. */
    readonly outputs: Readonly<Record<string, unknown>>,
    /** Why it is not as declared. */
    readonly reasons: readonly string[],
  ) {
    super(reasons.join("\n"));
  }
}
