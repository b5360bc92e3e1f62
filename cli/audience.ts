import type { Audience } from "../provider/messages/message";
import { IN_ENVIRONMENT } from "../provider/messages/names";

/** The audience at the command line. It has no stack, so messages name configuration by environment variable. */
export const AT_COMMAND_LINE: Audience = { names: IN_ENVIRONMENT };

/** The audience of lines that begin with the name of the device. */
export const BESIDE_DEVICE: Audience = { ...AT_COMMAND_LINE, isBesideDevice: true };
