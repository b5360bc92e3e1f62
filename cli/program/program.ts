import { Command } from "commander";
import { commandOf, nameHelpAfterErrors } from "../command/commander";
import { version } from "../package";
import { COMMANDS } from "./commands";

/**
 * The command line. It loads only the requested command; the others have names and descriptions. Without this, help
 * would load all modules, and take five times as long as Node takes to start.
 * @param asked the first word after `solar-charging`
 */
async function programFor(asked = ""): Promise<Command> {
  const program = new Command("solar-charging")
    .description("Declare, check and roll out the settings of vehicles and solar inverters, a whole fleet at a time")
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .version(version);
  for (const entry of COMMANDS) {
    const { name, description } = entry;
    const isLoaded = [name, "help"].includes(asked);
    program.addCommand(isLoaded ? await commandOf(entry) : new Command(name).description(description));
  }
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
  const { textOfError } = await import("../environment.js");
  console.error(textOfError(error));
  process.exitCode = 1;
}
