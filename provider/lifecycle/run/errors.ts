import { MessageError, textOf } from "../../messages/message";
import type { Properties } from "../../settings/objects";
import type { Run } from "./run";
import type { SecretInputs } from "./secretInputs";

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

/** Longest message of an error, in characters (our choice). Our longest ones have a few hundred. */
const LONGEST_MESSAGE = 4000;

/**
 * Runs an operation so that the engine gets a valid answer: any thrown value becomes an `Error` with a message, in
 * which configuration keys have the user's names. There is no time limit for the operation: it would count the time
 * that it waits in our own queue, and report it as a failure of the service. Each request has its own limit from the
 * moment it is sent.
 */
export async function withPrintableError<T>(
  operation: string,
  currentRun: () => Pick<Run, "report">,
  secrets: SecretInputs,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error =
      thrown instanceof Error && thrown.message !== ""
        ? thrown
        : new Error(`${operation} failed: ${typeof thrown === "string" ? thrown : "no reason was given"}`);
    error.message = printable(
      error instanceof MessageError ? textOf(secrets.hidden(error.problem), currentRun().report) : error.message,
    );
    throw error;
  }
}

/**
 * A text that the engine accepts. Without this, the host's RPC would hang on a very long text or ill-formed Unicode.
 */
function printable(message: string): string {
  return message
    .slice(0, LONGEST_MESSAGE)
    .toWellFormed()
    .replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, " ");
}
