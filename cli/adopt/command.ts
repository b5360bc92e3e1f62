import { Command } from "commander";
import { examples } from "../help";
import { exitOnSignals } from "../signals";

const EXAMPLES = examples(
  "adopt car-1 car-2 roof-1 --site berlin",
  "adopt --devices devices.csv --out acme.yaml",
  "adopt --devices - < ids.txt",
  "adopt --devices devices.csv --import-file import.json",
);

/** `solar-charging adopt`. */
export function adoptCommand(): Command {
  return new Command("adopt")
    .description("Read devices from the service's cache, and write their values into a manifest; changes no device")
    .argument("[id...]", "ids of devices")
    .option("--devices <file>", "a list of devices: one id on each line, or CSV; - is standard input")
    .option("--column <name>", "the list is CSV with the ids in this column (a file that ends in .csv: deviceId)")
    .option("--business <id>", "the business of the devices (default: the manifest's, else SOLAR_CHARGING_BUSINESS_ID)")
    .option("--site <id>", "the site of devices whose site is not listed", "main")
    .option("--out <file>", "the manifest to write, or to add to, in YAML", "fleet.yaml")
    .option("--fleet <name>", "name of the fleet (default: the name of the manifest without its ending)")
    .option("--force", "write the file anew, if it is there")
    .option("--import-file <file>", "write a file for 'pulumi import --file' instead of a manifest")
    .addHelpText(
      "after",
      `
The columns site, businessId and kind (vehicle or inverter) of a CSV list are used if the list has them.
Devices that a present manifest does not have are added to it; every line of it stays as it is.
If the command is interrupted, the manifest has the devices that were read, and the same command adds the rest. With --force,
nothing is written then.

Exit codes:
  0    all devices are in the manifest
  1    some are not, and are named, or nothing was written
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
