import { Command, Option } from "commander";
import { examples, MANIFEST, withRequired } from "../help";
import { defaultParallel } from "../stacks/settings";
import type { FleetOperation } from "../stacks/stack";
import { part, percentage, rolloutWindow, shellCommand, wholeNumber } from "./options";
import { runFleet } from "./run";
import { programCommand, stacksCommand } from "./stacks";

const EXIT_CODES = `
Exit codes:
  0    nothing to do, or everything applied
  1    something failed or was not done, a stack could not be run, or the command is wrong
  2    preview or drift found changes
  3    stopped: too many devices failed, the gate failed, a person declined, or the window is closed
  130  interrupted; updates in progress are saved
`;

const OPERATIONS: readonly [FleetOperation, string][] = [
  ["preview", "Show what up would change; sends nothing"],
  ["up", "Read the devices and apply the manifest: one site, then a share of the devices, then the rest"],
  ["refresh", "Read all devices and record their values in state"],
  ["drift", "Read all devices and show differences from the applied values; changes nothing"],
  ["destroy", "Stop managing all devices, in the way of each onDelete, and remove the stacks"],
];

const EXAMPLES: Readonly<Record<FleetOperation, readonly string[]>> = {
  preview: ["fleet preview --manifest fleet.yaml"],
  up: [
    "fleet up --manifest fleet.yaml --canary berlin --gate ./healthy.sh",
    "fleet up --manifest fleet.yaml --shard 2/4 --yes",
  ],
  refresh: ["fleet refresh --manifest fleet.yaml"],
  drift: [
    "fleet drift --manifest fleet.yaml --json > drift.json",
    "fleet drift --manifest fleet.yaml --accept --site berlin --setting maxCapacity",
  ],
  destroy: ["fleet destroy --manifest fleet.yaml --yes"],
};

/** The command `fleet`: works on the sites that a manifest declares. */
export function fleetCommand(): Command {
  const command = new Command("fleet");
  for (const [operation, description] of OPERATIONS) command.addCommand(operationCommand(operation, description));
  command.addCommand(stacksCommand());
  command.addCommand(programCommand());
  return command.addHelpText(
    "after",
    `${EXIT_CODES}${examples(...EXAMPLES.preview, ...EXAMPLES.up, ...EXAMPLES.drift)}

The SOLAR_CHARGING_* variables configure the service. The state is stored in the backend of 'pulumi login' or PULUMI_BACKEND_URL.`,
  );
}

/** Collects the values of an option that can be given several times. */
function repeated(value: string, others: readonly string[] = []): string[] {
  return [...others, value];
}

function operationCommand(operation: FleetOperation, description: string): Command {
  const command = withRequired(new Command(operation).description(description), ...MANIFEST)
    .option("--shard <i/n>", "run only part i of n of the stacks, to share the work among machines, such as 2/4", part)
    .option("-p, --parallel <n>", "number of stacks that run at the same time", wholeNumber, defaultParallel())
    .option("--allow-gone", "continue even if the service no longer knows most devices, and remove them from the state")
    .option("--engine-log", "keep the engine's own log, encrypted, in the folder logs of its home")
    .option("--json", "print the summary as JSON on standard output")
    .addHelpText("after", `${EXIT_CODES}${examples(...EXAMPLES[operation])}`)
    .action(async (options) => {
      process.exitCode = await runFleet(operation, options);
    });
  if (operation === "up" || operation === "destroy") {
    command.option(
      "-y, --yes",
      operation === "up" ? "do not ask between waves" : "do not ask; required without a terminal",
    );
  }
  if (operation === "drift") {
    command
      .option("--accept", "write the reported values into the manifest, and show the difference; sends nothing")
      .option("--site <id>", "accept only the drift of this site; can be repeated", repeated)
      .option(
        "--setting <key>",
        "accept only the drift of this setting, such as maxCapacity; can be repeated",
        repeated,
      );
  }
  if (operation === "preview") command.option("--refresh", "read all devices first, to show drift too");
  if (operation === "up") {
    command
      .option("--no-refresh", "do not read the devices first: faster, but does not correct drift")
      .option(
        "--canary <site>",
        "id of the site in the first wave (default: the first in alphabetical order that changed)",
      )
      .addOption(
        new Option("--share <percent>", "share of the devices in the second wave (default: 10%)").argParser(percentage),
      )
      .addOption(
        new Option(
          "--max-failures <percent>",
          "stop if more than this share of the devices of a wave failed, also while the wave runs",
        )
          .argParser(percentage)
          .default(0.05, "5%"),
      )
      .option(
        "--gate <command>",
        "command to run between waves; if it fails, the rollout stops. It gets the number of devices of the wave in " +
          "SOLAR_CHARGING_WAVE_OK, SOLAR_CHARGING_WAVE_FAILED and SOLAR_CHARGING_WAVE_NOT_DONE",
        shellCommand,
      )
      .option(
        "--min-devices <n>",
        "stop a running wave for failures only after this many of its devices are done",
        wholeNumber,
        20,
      )
      .addOption(
        new Option(
          "--window <times>",
          'start sites only in these times, such as "Mon-Fri 09:00-16:00 Europe/Berlin"',
        ).argParser(rolloutWindow),
      )
      .option("--wait", "wait for the window instead of stopping with exit code 3")
      .option("--restart", "start again with the first wave, instead of continuing a run that was stopped");
  }
  return command;
}
