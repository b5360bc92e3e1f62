import { Command } from "commander";
import { nameHelpAfterErrors } from "./help";
import { version } from "./package";

/** The commands, each with its description and its folder. */
const COMMANDS: readonly (readonly [name: string, description: string, load: () => Promise<Command>])[] = [
  [
    "fleet",
    "Preview, roll out and check a fleet from its manifest",
    async () => (await import("./fleet/command.js")).fleetCommand(),
  ],
  [
    "review",
    "Explain a preview: the verdict first, then each site that changes, with its gaps and its solar energy",
    async () => (await import("./review/command.js")).reviewCommand(),
  ],
  [
    "sun",
    "Estimate the solar energy for a site's cars on clear days, before and after a change; sends nothing",
    async () => (await import("./sun/command.js")).sunCommand(),
  ],
  [
    "measure",
    "Compare declared cars, roofs and base loads with charging sessions, production and meters; sends nothing, and needs no token",
    async () => (await import("./measure/command.js")).measureCommand(),
  ],
  [
    "status",
    "Show which sites are ready, as declared and as reported now, and what the others lack; reads each device once from the service's cache, and wakes no car",
    async () => (await import("./status/command.js")).statusCommand(),
  ],
  [
    "report",
    "Write the status into one HTML file, with drift, the last rollout, and the history and sun of each device; the file needs no server, and makes no request",
    async () => (await import("./report/command.js")).reportCommand(),
  ],
  [
    "adopt",
    "Read devices from the service's cache, and write their values into a manifest; changes no device",
    async () => (await import("./adopt/command.js")).adoptCommand(),
  ],
  [
    "ledger",
    "Show who set what, and when, from a ledger: in the last run, or for one device",
    async () => (await import("./ledger/command.js")).ledgerCommand(),
  ],
  [
    "doctor",
    "Check the configuration in the environment and, with --device, the service; reads the device once from its cache, and wakes no car",
    async () => (await import("./doctor/command.js")).doctorCommand(),
  ],
];

/** Commands about the command line itself. */
const ABOUT_ALL = ["complete", "completion", "help"];

/**
 * The command line. It loads only the requested command; the others have names and descriptions. Without this, help
 * would load all modules, and take five times as long as Node takes to start.
 * @param asked the first word behind `solar-charging`
 */
async function programFor(asked = ""): Promise<Command> {
  const isAboutAll = ABOUT_ALL.includes(asked);
  const program = new Command("solar-charging")
    .description("Declare, check and roll out the settings of vehicles and solar inverters, a whole fleet at a time")
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .version(version);
  for (const [name, description, load] of COMMANDS) {
    const command = isAboutAll || asked === name ? await load() : new Command(name);
    program.addCommand(command.description(description));
  }
  if (isAboutAll) await (await import("./completion.js")).addCompletion(program);
  else program.command("completion");
  const completion = program.commands.find((command) => command.name() === "completion");
  completion?.description("Print a script that completes commands and options in a shell");
  nameHelpAfterErrors(program);
  return program;
}

/** Runs the command of this process. Rejects with an error for `showFailure`. */
export async function runCommand(): Promise<void> {
  const program = await programFor(process.argv[2]);
  await program.parseAsync();
}

/** Shows the error of a command, and sets exit code 1. */
export async function showFailure(error: Error): Promise<void> {
  const { textOfError } = await import("./environment.js");
  console.error(textOfError(error));
  process.exitCode = 1;
}
