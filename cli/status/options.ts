import { flag, type OptionsOf, rare, text, texts } from "../command/record";
import { measuredFile } from "../command/shared";
import { SUBJECT_OPTIONS } from "../stacks/subject";

/** The options of `status`. */
export const LOOK_OPTIONS = {
  ...SUBJECT_OPTIONS,
  offline: flag("use only the state of the last update or refresh, and make no request"),
  filter: text("<text>", "read and show only sites and devices with this text in their name or id"),
  measured: measuredFile("show its results beside declared and reported values"),
  ledger: rare(
    texts("<file...>", "ledgers with the last changes of the devices (default: SOLAR_CHARGING_LEDGER_FILE)"),
  ),
};

export type LookOptions = OptionsOf<typeof LOOK_OPTIONS>;
