import type { Message } from "../../messages/message";
import type { Values } from "../../settings/setting";
import type { SecretInputs } from "./secretInputs";

/** The result of a live preview for one device: the values that the service shows, or else the problem of the device. */
export interface LiveDevice {
  readonly values?: Values;
  readonly problem?: Message;
}

/**
 * The facts about a resource besides its inputs. The dynamic resources and the native plugin obtain them differently.
 */
export interface Context {
  /** The name of the resource in its program. */
  readonly name: string;
  /** The engine's name of the resource; undefined if it is not known. */
  readonly urn: string | undefined;
  readonly isPreview: boolean;
  /** Time limit of the operation, in seconds, from the resource's options. Undefined: only requests have a limit. */
  readonly timeoutSeconds?: number;
  /** The inputs that are secrets. */
  readonly secrets: SecretInputs;
  /** The results of a live preview: by label for the devices of a site, by kind for a device's own resource. */
  readonly live: Readonly<Record<string, LiveDevice | undefined>>;
}
