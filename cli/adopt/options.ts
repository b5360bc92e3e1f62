import { flag, type OptionsOf, text, withDefault } from "../command/record";
import { JSON_FORM, measuredFile } from "../command/shared";

export const ADOPT_OPTIONS = {
  devices: text("<file>", "a list of devices: one id a line, or CSV; - for standard input"),
  column: text("<name>", "read the list as CSV, with the ids in this column (default for .csv files: deviceId)"),
  business: text("<id>", "business id of the devices (default: the manifest's, then SOLAR_CHARGING_BUSINESS_ID)"),
  site: withDefault(text("<id>", "site for devices without a site in the list"), "main"),
  out: withDefault(text("<file>", "the manifest to write or to extend, in YAML"), "fleet.yaml"),
  fleet: text("<name>", "name of the fleet (default: the manifest's file name without its ending)"),
  force: flag("overwrite the file if it exists"),
  importFile: text("<file>", "write a file for 'pulumi import --file' instead of a manifest"),
  preview: text(
    "<file>",
    "with --import-file: import the resources that this output of 'pulumi preview --json' creates",
  ),
  ledger: text("<file>", "with --import-file: take baselines from a ledger, or from the baselines.jsonl of a fleet"),
  state: text("<file>", "with --preview: take baselines from this output of 'pulumi stack export'"),
  measured: measuredFile("write its results beside the values, as comments"),
  json: JSON_FORM,
};

export type AdoptOptions = OptionsOf<typeof ADOPT_OPTIONS>;
