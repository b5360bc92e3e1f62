import { Command } from "commander";
import { commandOf, nameHelpAfterErrors } from "../command/commander";
import type { CommandEntry } from "../command/record";
import { version } from "../package";

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

/** The command that another program calls by this word. */
const MEANT = new Map(
  Object.entries({
    ...{ preview: "fleet preview", plan: "fleet preview", diff: "fleet preview" },
    ...{ validate: "fleet preview", lint: "fleet preview" },
    ...{ up: "fleet up", apply: "fleet up", deploy: "fleet up" },
    ...{ drift: "fleet drift", refresh: "fleet refresh", destroy: "fleet destroy", delete: "fleet destroy" },
    ...{ init: "adopt", import: "adopt", check: "doctor" },
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

/** The commands. Each is loaded only if it runs, or for `help`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "fleet",
    description: "Preview, roll out and check a fleet from its manifest",
    load: async () => (await import("../fleet/command.js")).fleet,
  },
  {
    name: "review",
    description:
      "Explain a preview: the verdict first, then each site that changes, with its gaps and its solar energy",
    load: async () => (await import("../review/command.js")).review,
  },
  {
    name: "sun",
    description: "Estimate the solar energy for a site's cars on clear days, before and after a change; sends nothing",
    load: async () => (await import("../sun/command.js")).sun,
  },
  {
    name: "measure",
    description:
      "Compare declared cars, roofs and base loads with charging sessions, production and meters; sends nothing, and needs no token",
    load: async () => (await import("../measure/command.js")).measure,
  },
  {
    name: "status",
    description:
      "Show which sites are ready, and what the others lack; reads each device once from the service's cache, and wakes no car",
    load: async () => (await import("../status/command.js")).status,
  },
  {
    name: "adopt",
    description: "Read devices from the service's cache, and write their values into a manifest; changes no device",
    load: async () => (await import("../adopt/command.js")).adopt,
  },
  {
    name: "ledger",
    description: "Show who set what, and when, from a ledger: in the last run, or for one device",
    load: async () => (await import("../ledger/command.js")).ledger,
  },
  {
    name: "doctor",
    description:
      "Check the configuration; with --device, also read that device once from the service's cache; wakes no car",
    load: async () => (await import("../doctor/command.js")).doctor,
  },
];
