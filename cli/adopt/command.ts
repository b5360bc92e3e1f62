import { Command } from "commander";
import { examples } from "../help";
import { exitOnSignals } from "../signals";

const EXAMPLES = examples(
  "adopt car-1 car-2 roof-1 --site berlin",
  "adopt --devices devices.csv --out acme.yaml",
  "adopt --devices - < ids.txt",
  "adopt --devices devices.csv --import-file import.json",
  "adopt --import-file import.json --preview preview.json --ledger ledger.jsonl",
);

/** `solar-charging adopt`. */
export function adoptCommand(): Command {
  return new Command("adopt")
    .argument("[id...]", "ids of the devices to adopt")
    .option("--devices <file>", "a list of devices: one id a line, or CSV; - for standard input")
    .option("--column <name>", "read the list as CSV, with the ids in this column (default for .csv files: deviceId)")
    .option("--business <id>", "business id of the devices (default: the manifest's, else SOLAR_CHARGING_BUSINESS_ID)")
    .option("--site <id>", "site for devices without a site in the list", "main")
    .option("--out <file>", "the manifest to write or to extend, in YAML", "fleet.yaml")
    .option("--fleet <name>", "name of the fleet (default: the manifest's file name without its ending)")
    .option("--force", "overwrite the file if it exists")
    .option("--import-file <file>", "write a file for 'pulumi import --file' instead of a manifest")
    .option(
      "--preview <file>",
      "with --import-file: import the resources that this output of 'pulumi preview --json' creates",
    )
    .option(
      "--ledger <file>",
      "with --import-file: take baselines from a ledger, or from the baselines.jsonl of a fleet",
    )
    .option("--state <file>", "with --preview: take baselines from this output of 'pulumi stack export'")
    .addHelpText(
      "after",
      `
A CSV list can also have the columns site, businessId and kind (vehicle or inverter), and columns of settings, such as maxCapacity. The
manifest then declares these values instead of the reported ones.
If the manifest exists, new devices are added to it, and its lines do not change.
After Ctrl-C, the manifest has the devices read so far: run the command again to add the rest. With --force, an interrupted run writes nothing.

Exit codes:
  0    all devices are in the manifest
  1    some are missing, and the command names them; or nothing was written
  130  interrupted
${EXAMPLES}`,
    )
    .action(async (ids, options) => {
      exitOnSignals();
      if (options.importFile !== undefined) {
        const { writeImportFile } = await import("./importFile.js");
        process.exitCode = await writeImportFile(ids, options);
        return;
      }
      const { adopt } = await import("./adopt.js");
      process.exitCode = await adopt(ids, options);
    });
}
