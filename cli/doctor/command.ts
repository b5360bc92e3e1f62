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
      "read this device, given as its id or as business/device, and compare its object with the documented shape",
    )
    .option("--business <id>", "the business of the device (default: SOLAR_CHARGING_BUSINESS_ID)")
    .option(
      "--identity-patch <key>",
      "send the present value of this setting again, to test if the service accepts its name",
    )
    .option("-y, --yes", "send it without asking")
    .option("--fingerprint", "print the shape of the object, without values, as JSON; the checks go to standard error")
    .option("--compare <file>", "compare the shape with an earlier fingerprint")
    .option("--json", "print everything as JSON")
    .addHelpText(
      "after",
      `
✓ is right, ✗ is wrong, – was not checked or is not a fault.

Exit codes:
  0    nothing is wrong
  1    something is wrong (✗), or the command is wrong
  2    the shape differs from the fingerprint of --compare
  130  interrupted
${EXAMPLES}`,
    )
    .action(async (options) => {
      exitOnSignals();
      const { doctor } = await import("./doctor.js");
      process.exitCode = await doctor(options);
    });
}
