import type { Properties } from "./state";

/**
 * An update was sent and it is not known whether the service applied it. What is known, the baseline above all, is
 * kept in `outputs`, so that the next run can go on from there.
 */
export class UncertainError extends Error {
  override readonly name = "UncertainError";

  constructor(
    readonly id: string,
    readonly outputs: Properties,
    cause: Error,
  ) {
    super(`${cause.message}. The update may have been applied; the next "pulumi up" sends it again`);
  }
}
