import { ServiceError } from "../service/errors";
import type { State } from "./state";

const MAY_BE_APPLIED = 'The update may have been applied; the next "pulumi up" sends it again';

/**
 * An update was sent and it is not known whether the service applied it. What is known, the baseline above all, is
 * kept in `state`, so that the next run can go on from there.
 */
export class UncertainError extends Error {
  override readonly name = "UncertainError";

  constructor(
    readonly state: State,
    override readonly cause: Error,
    /** What follows. */
    readonly advice = MAY_BE_APPLIED,
  ) {
    super(`${cause.message}. ${advice}`);
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

/** What an error says, without the device that it is about: the same for all devices that meet the same. */
export interface Cause {
  /** Without what the service says about one of them. */
  readonly general: string;
  readonly whole: string;
}

export function causeOf(error: Error): Cause {
  if (error instanceof UncertainError) {
    const { general, whole } = causeOf(error.cause);
    return { general: `${general}. ${error.advice}`, whole: `${whole}. ${error.advice}` };
  }
  if (!(error instanceof ServiceError)) return { general: error.message, whole: error.message };
  return { general: `${error.reason}. ${error.advice}`, whole: error.withoutDevice };
}
