import type { Audience } from "../provider/messages/message";
import { IN_ENVIRONMENT } from "../provider/messages/names";

/** The audience at the command line. It has no stack, so messages name configuration by environment variable. */
export const AT_COMMAND_LINE: Audience = { names: IN_ENVIRONMENT };
