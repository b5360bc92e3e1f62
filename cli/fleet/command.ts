import { Command, Option } from "commander";
import { examples, withRequired } from "../help";
import { generateCommand } from "./generate/command";
import { defaultParallel, part, percentage, shellCommand, wholeNumber } from "./options";
import { runFleet } from "./run";
import type { FleetOperation } from "./stack";

const EXIT_CODES = `
Exit codes:
  0    nothing to do, or everything applied
  1    something failed or was not done, a stack could not be run, or the command is wrong
  2    preview or drift found changes
  3    stopped between waves: too many devices failed, or the gate or a person said no
  130  interrupted; updates in progress are saved
`;

const OPERATIONS: readonly [FleetOperation, string][] = [
  ["preview", "Show what up would change; sends nothing"],
  ["up", "Read the devices and apply the manifest: one site, then a share of the stacks, then the rest"],
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

/** The command that works on a fleet as its manifest declares it. */
export function fleetCommand(): Command {
  const command = new Command("fleet").description("Preview, roll out and check a fleet from its manifest");
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
        new Option("--share <percent>", "share of the stacks that goes second")
          .argParser(percentage)
          .default(0.1, "10%"),
      )
      .addOption(
        new Option("--max-failures <percent>", "stop after a wave if more of its devices failed")
          .argParser(percentage)
          .default(0.05, "5%"),
      )
      .option(
        "--gate <command>",
        "run between waves, with the counts of the wave in SOLAR_CHARGING_WAVE_OK, _FAILED and _NOT_DONE; " +
          "if it fails, the rollout stops",
        shellCommand,
      )
      .option("--restart", "begin with the first wave, also after an earlier run that was stopped");
  }
  return command;
}
