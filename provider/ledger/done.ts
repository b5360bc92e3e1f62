import type { Message } from "../messages/message";

/** An operation on a resource. `diff`: the effect that an update would have. */
type DoneOperation = "check" | "diff" | "create" | "update" | "read" | "delete";

/** Outputs, or checked inputs, with the text `[secret]` in place of each secret value. */
type Shown = Readonly<Record<string, unknown>>;

/**
 * An operation on a site, with the states of the site before and after it. The provider writes it to the file of the run
 * (`lifecycle/withDone.ts`). The command that started the run compares the states (`cli/stacks/outcome.ts`), and is of the
 * same version.
 */
export interface Done {
  /** The resource; undefined if it is not known. */
  readonly urn: string | undefined;
  readonly operation: DoneOperation;
  /** The outputs before the operation. Absent if the site is new. */
  readonly before?: Shown | undefined;
  /**
   * The outputs after the operation, or those from before if it changed nothing. Absent if the site does not exist. A
   * diff never has them, because it changes nothing.
   */
  readonly after?: Shown | undefined;
  /** The checked inputs of an update; for a diff, with all that its plan adds. A diff without a change writes no line. */
  readonly planned?: Shown | undefined;
  /** By device, as `business/device`, the settings that were sent. For a diff, those that the update would send. */
  readonly sent: Readonly<Record<string, readonly string[]>>;
  /** By device, their problems. */
  readonly problems: Readonly<Record<string, Message>>;
  /** The problem of the site as a whole. */
  readonly problem?: Message | undefined;
}
