import { Command, Option } from "commander";
import { examples, withRequired } from "../help";
import { defaultParallel } from "../stacks/settings";
import type { FleetOperation } from "../stacks/stack";
import { generateCommand } from "./generate";
import { part, percentage, rolloutWindow, shellCommand, wholeNumber } from "./options";
import { runFleet } from "./run";

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
  ["destroy", "Stop managing all devices, as onDelete says, and remove the stacks"],
];

const EXAMPLES: Readonly<Record<FleetOperation, readonly string[]>> = {
  preview: ["fleet preview --manifest fleet.yaml"],
  up: [
    "fleet up --manifest fleet.yaml --canary berlin --gate ./healthy.sh",
    "fleet up --manifest fleet.yaml --shard 2/4 --yes",
  ],
  refresh: ["fleet refresh --manifest fleet.yaml"],
  drift: ["fleet drift --manifest fleet.yaml --json > drift.json"],
  destroy: ["fleet destroy --manifest fleet.yaml --yes"],
};

/** The command `fleet`: works on the sites that a manifest declares. */
export function fleetCommand(): Command {
  const command = new Command("fleet");
  for (const [operation, description] of OPERATIONS) command.addCommand(operationCommand(operation, description));
  command.addCommand(generateCommand());
  return command.addHelpText(
    "after",
    `${EXIT_CODES}${examples(...EXAMPLES.preview, ...EXAMPLES.up, ...EXAMPLES.drift)}

The SOLAR_CHARGING_* variables configure the service. The state is where 'pulumi login' or PULUMI_BACKEND_URL says.`,
  );
}

function operationCommand(operation: FleetOperation, description: string): Command {
  const command = withRequired(
    new Command(operation).description(description),
    "-m, --manifest <file>",
    "the fleet, in YAML, JSON or CSV",
  )
    .option("--shard <i/n>", "only the i-th of n parts of the stacks, for one machine of many", part)
    .option("-p, --parallel <n>", "stacks at the same time", wholeNumber, defaultParallel())
    .option("--allow-gone", "go on even if the service no longer knows most devices: they leave the state")
    .option("--json", "print the summary as JSON on standard output")
    .addHelpText("after", `${EXIT_CODES}${examples(...EXAMPLES[operation])}`)
    .action(async (options) => {
      process.exitCode = await runFleet(operation, options);
    });
  if (operation === "up" || operation === "destroy") {
    command.option(
      "-y, --yes",
      operation === "up" ? "ask nothing between waves" : "ask nothing; needed without a terminal",
    );
  }
  if (operation === "preview") command.option("--refresh", "read all devices first, so that drift is shown too");
  if (operation === "up") {
    command
      .option("--no-refresh", "do not read the devices first: faster, and drift stays")
      .option("--canary <site>", "the site that goes first (default: the first id in alphabetical order)")
      .addOption(
        new Option(
          "--share <percent>",
          "share of the devices that goes second (default: 10%; none in a fleet with one stack)",
        ).argParser(percentage),
      )
      .addOption(
        new Option("--max-failures <percent>", "stop if more devices of a wave failed, also while it runs")
          .argParser(percentage)
          .default(0.05, "5%"),
      )
      .option(
        "--gate <command>",
        "run between waves, with the counts of the wave in SOLAR_CHARGING_WAVE_OK, _FAILED and _NOT_DONE; " +
          "if it fails, the rollout stops",
        shellCommand,
      )
      .option("--min-devices <n>", "as long as fewer devices of a wave are done, do not stop it", wholeNumber, 20)
      .addOption(
        new Option("--window <times>", 'begin sites only then: "Mon-Fri 09:00-16:00 Europe/Berlin"').argParser(
          rolloutWindow,
        ),
      )
      .option("--wait", "wait for the window instead of stopping with exit code 3")
      .option("--restart", "begin with the first wave, also after an earlier run that was stopped");
  }
  return command;
}
