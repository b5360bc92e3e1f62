import { command, flag, type OptionsOf, rare, text, withDefault } from "../command/record";
import { JSON_FORM, USUAL_MANIFEST } from "../command/shared";
import type { Adoption } from "./read";

const ADOPT_OPTIONS = {
  devices: text("<file>", "a list of devices: one id a line, or CSV; - for standard input"),
  column: text("<name>", "read the list as CSV, with the ids in this column (default for .csv files: deviceId)"),
  business: text("<id>", "business id of the devices (default: the manifest's, then SOLAR_CHARGING_BUSINESS_ID)"),
  site: text("<id>", "site for devices without a site in the list (default: main)"),
  output: withDefault(text("<file>", "the manifest to write or to extend, in YAML", { short: "o" }), USUAL_MANIFEST),
  fleet: text("<name>", "name of the fleet (default: the manifest's file name without its ending)"),
  solar: flag("make the sites with inverters solar: 'fleet up' then sets the policy of their cars"),
  force: flag("overwrite the file if it exists"),
  importFile: text("<file>", "write a file for 'pulumi import --file' instead of a manifest"),
  preview: rare(
    text("<file>", "with --import-file: import the resources that this output of 'pulumi preview --json' creates"),
  ),
  ledger: rare(
    text("<file>", "with --import-file: take baselines from a ledger, or from the baselines.jsonl of a fleet"),
  ),
  state: rare(text("<file>", "with --preview: take baselines from this output of 'pulumi stack export'")),
  json: JSON_FORM,
};

export type AdoptOptions = OptionsOf<typeof ADOPT_OPTIONS>;

/** `solar-charging adopt`. */
export const adopt = command({
  args: ["[id...]", "ids of the devices to adopt"],
  options: ADOPT_OPTIONS,
  notes: `A CSV list can also have these columns: site, businessId, kind (vehicle or inverter), onDelete; latitude, labels and solar of the site; and
settings, such as maxCapacity or maxCapacity (kWh). The manifest then declares these values instead of the reported ones.
If the manifest exists, new devices are added to it, and its lines do not change.
After Ctrl-C, the manifest has the devices read so far: run the command again to add the rest. With --force, an interrupted run writes nothing.`,
  exitCodes: {
    0: "all devices are in the manifest",
    1: "some are missing, and the command names them; or nothing was written",
    130: "interrupted",
  },
  examples: [
    "adopt car-1 car-2 roof-1 --site berlin",
    "adopt --devices devices.csv --solar --output acme.yaml",
    "adopt --devices - < ids.txt",
    "adopt --devices devices.csv --import-file import.json",
    "adopt --import-file import.json --preview preview.json --ledger ledger.jsonl",
  ],
  read: async ({ args, options }): Promise<Adoption> => {
    const { importFile } = options;
    if (importFile === undefined) return await (await import("./adopt.js")).adopted(args, options);
    return await (await import("./importFile.js")).imported(args, { ...options, importFile });
  },
  // The steps of an adoption are on standard error, as they happen.
  show: { text: () => "", json: (adoption) => adoption },
  end: ({ failed }) => (failed.length > 0 ? 1 : 0),
});
