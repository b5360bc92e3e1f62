import type { Properties } from "../settings/objects";
import type { Checked } from "./device/check";
import type { Difference } from "./run/changes";
import type { Context } from "./run/context";

/** A resource in the form of the engine. */
export interface Read {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** The operations of a resource, independent of the engine. Each one settles, and rejects only with `Error`s. */
export interface Operations {
  /** The id of a resource with these checked inputs. */
  id(context: Context, inputs: Properties): string;
  check(context: Context, olds: Properties, news: Properties): Promise<Checked>;
  /**
   * Checked inputs as `diff`, `create` and `update` need them: a policy pack can change inputs after the check.
   * @throws MessageError for inputs that the check would refuse
   */
  parse(context: Context, inputs: Properties): Promise<Properties>;
  /**
   * Compares the declaration with the state. In a preview it also shows one line for each device that changes,
   * because the engine shows at most the names of changed inputs.
   * @param olds the outputs; undefined for a new resource
   */
  diff(context: Context, olds: Properties | undefined, news: Properties): Promise<Difference>;
  /** @throws PartialError if the resource was created in part */
  create(context: Context, inputs: Properties): Promise<{ readonly id: string; readonly outputs: Properties }>;
  /** @throws PartialError if the resource was updated in part */
  update(context: Context, olds: Properties, news: Properties): Promise<Properties>;
  /** Imports an existing device into the stack, unchanged. @throws Error if the service does not know it */
  import(context: Context, id: string): Promise<Read>;
  /** Undefined when the service no longer knows the device. */
  read(context: Context, id: string, outputs: Properties): Promise<Read | undefined>;
  delete(context: Context, outputs: Properties): Promise<void>;
}
