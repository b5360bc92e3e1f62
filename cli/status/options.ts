import { flag, type OptionsOf, text, texts, withDefault } from "../command/record";
import { ANY_MANIFEST, measuredFile } from "../command/shared";

/** The options of `status` and `report`, which select a fleet or a stack. */
export const LOOK_OPTIONS = {
  manifest: {
    ...ANY_MANIFEST,
    description: "show this fleet, in YAML or JSON (default: show a stack)",
    conflicts: ["stack"],
  },
  stack: text("<name>", "show this stack of the Pulumi project (default: the selected one)", { short: "s" }),
  cwd: withDefault(text("<folder>", "the folder of the Pulumi project", { short: "C" }), "."),
  offline: flag("use only the state of the last update or refresh, and make no request"),
  filter: text("<text>", "read and show only sites and devices with this text in their name or id"),
  measured: measuredFile("show its results beside declared and reported values"),
  ledger: texts("<file...>", "ledgers with the last changes of the devices (default: SOLAR_CHARGING_LEDGER_FILE)"),
};

export type LookOptions = OptionsOf<typeof LOOK_OPTIONS>;
