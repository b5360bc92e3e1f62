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
    .description("Check, review and roll out the settings of vehicles and solar inverters")
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

/** The command that another program or an earlier version calls by this word. */
const MEANT = new Map(
  Object.entries({
    ...{ preview: "fleet preview", plan: "fleet preview", diff: "fleet preview" },
    ...{ validate: "fleet preview", lint: "fleet preview" },
    ...{ up: "fleet up", apply: "fleet up", deploy: "fleet up" },
    ...{ drift: "fleet drift", refresh: "fleet refresh", destroy: "fleet destroy", delete: "fleet destroy" },
    ...{ init: "adopt", import: "adopt", check: "doctor", roof: "measure --production <file>" },
    ...{ html: "status --html", report: "status --html" },
  }),
);

/** The command that is meant by the first words of a command line; undefined if it is there, or nobody knows. */
function meantBy([first = "", second = ""]: readonly string[]): string | undefined {
  if (first !== "fleet") return MEANT.get(first);
  if (COMMANDS.some(({ name }) => name === second)) return second;
  const meant = MEANT.get(second);
  return meant === `fleet ${second}` ? undefined : meant;
}

/** Runs the command of this process. Rejects with an error for `showFailure`. */
export async function runCommand(): Promise<void> {
  const [node = "", main = "", ...words] = process.argv;
  const [first = "", second] = words;
  const meant = meantBy(words);
  if (meant !== undefined) {
    const given = first === "fleet" ? `fleet ${second}` : first;
    throw new Error(`there is no command '${given}': run 'solar-charging ${meant}'`);
  }
  const program = await programFor(first);
  await program.parseAsync([node, main, ...words]);
}

/** Shows the error of a command, and sets exit code 1. */
export async function showFailure(error: Error): Promise<void> {
  const { textOfError } = await import("../environment.js");
  console.error(textOfError(error));
  process.exitCode = 1;
}
