import { Command } from "commander";
import { examples } from "../help";
import { exitOnSignals } from "../signals";

const EXAMPLES = examples(
  "doctor",
  "doctor --device car-1",
  "doctor --device roof-1 --identity-patch peakPower",
  "doctor --device car-1 --fingerprint > vehicle.json",
  "doctor --device car-1 --compare vehicle.json",
);

/** `solar-charging doctor`. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .option(
      "--device <id>",
      "read this device, named by its id or as business/device, and compare the answer with the documented fields",
    )
    .option("--business <id>", "business id of the device (default: SOLAR_CHARGING_BUSINESS_ID)")
    .option(
      "--identity-patch <key>",
      "send the present value of this setting again, to see whether the service accepts its field name",
    )
    .option("-y, --yes", "send it without asking")
    .option(
      "--fingerprint",
      "print the fields of the answer and their types, without values, as JSON; the checks go to standard error",
    )
    .option("--compare <file>", "compare the fields with a file that --fingerprint wrote earlier")
    .option("--json", "print everything as JSON")
    .addHelpText(
      "after",
      `
✓ right, ✗ wrong, – not checked, or not a fault

Exit codes:
  0    nothing is wrong
  1    something is wrong (✗), or the command is wrong
  2    the fields differ from the file of --compare
  130  interrupted
${EXAMPLES}`,
    )
    .action(async (options) => {
      exitOnSignals();
      const { doctor } = await import("./doctor.js");
      process.exitCode = await doctor(options);
    });
}
