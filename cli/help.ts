import { type Command, Option } from "commander";
import { inColumns } from "./terminal";

/** The option of all commands that read a manifest: flags and description. */
export const MANIFEST = ["-m, --manifest <file>", "the fleet, in YAML or JSON"] as const;

/** The examples at the end of a command's help. @param lines each without the name of the program */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ solar-charging ${line}`).join("\n")}`;
}

/** Makes every subcommand refer to its help after a usage error, and wrap its help between words. */
export function nameHelpAfterErrors(command: Command, name = command.name()): void {
  command.configureOutput({ writeOut: (text) => process.stdout.write(inColumns(text)) });
  command.showHelpAfterError(`Run '${name} --help' to see its arguments and options.`);
  for (const below of command.commands) nameHelpAfterErrors(below, `${name} ${below.name()}`);
}

/** Adds a required option. It is checked after the others, so that `--manifst` is reported as a misspelling. */
export function withRequired(command: Command, flags: string, description: string): Command {
  const option = new Option(flags, `${description} (required)`);
  return command.addOption(option).hook("preAction", () => {
    if (command.opts()[option.attributeName()] === undefined) {
      command.error(`error: required option '${option.flags}' not specified`);
    }
  });
}
