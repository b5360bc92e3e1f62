import { Command as Commander, Option } from "commander";
import { inColumns } from "../terminal";
import type { AnyCommand, CommandEntry, CommandGroup, CommandOption } from "./record";

/** A command of the command line. */
export async function commandOf(entry: CommandEntry): Promise<Commander> {
  const { name, description, load } = entry;
  const record = await load();
  const command = new Commander(name).description(description).addHelpText("after", helpOf(record));
  if ("commands" in record) return await withCommands(command, record);
  return withOptions(command, record);
}

async function withCommands(command: Commander, { commands }: CommandGroup): Promise<Commander> {
  for (const below of await Promise.all(commands.map(commandOf))) command.addCommand(below);
  return command;
}

function withOptions(command: Commander, record: AnyCommand): Commander {
  if (record.args) command.argument(...record.args);
  for (const [key, option] of Object.entries(record.options)) command.addOption(optionOf(key, option));
  return command.action(async () => {
    const { run } = await import("./run.js");
    const refuse = (text: string) => command.error(`error: ${text}`);
    process.exitCode = await run(record, { args: command.args, options: command.opts(), refuse });
  });
}

function optionOf(key: string, option: CommandOption<unknown>): Option {
  const { description, parse, choices, default: value, shownDefault, conflicts = [], isRare = false } = option;
  const made = new Option(flagsOf(key, option), description).conflicts([...conflicts]);
  made.hideHelp(isRare && !process.argv.includes(ALL));
  if (parse) made.argParser(parse);
  if (choices) made.choices(choices as readonly string[]);
  return value === undefined ? made : made.default(value, shownDefault);
}

/** With `--help`, shows rare options too. */
const ALL = "--all";

/** `-m, --manifest <file>`. */
function flagsOf(key: string, { short, value, isNegated }: CommandOption<unknown>): string {
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${short ? `-${short}, ` : ""}--${isNegated ? "no-" : ""}${name}${value ? ` ${value}` : ""}`;
}

function helpOf(record: AnyCommand | CommandGroup): string {
  const { notes, exitCodes, examples } = record;
  const rare = "options" in record ? Object.values(record.options).filter(({ isRare }) => isRare).length : 0;
  const codes = Object.entries(exitCodes ?? {}).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`);
  return [
    ...(rare > 0 && !process.argv.includes(ALL)
      ? ["", `With --help ${ALL}: ${rare} more, which few people need.`]
      : []),
    ...(notes === undefined ? [] : ["", notes]),
    ...(codes.length === 0 ? [] : ["", "Exit codes:", ...codes]),
    ...["", "Examples:", ...examples.map((line) => `  $ solar-charging ${line}`)],
  ].join("\n");
}

/** Makes every subcommand refer to its help after a usage error, and wrap its help between words. */
export function nameHelpAfterErrors(command: Commander, name = command.name()): void {
  command.configureOutput({
    writeOut: (text) => process.stdout.write(inColumns(text)),
    outputError: (text, write) => write(withOption(text, command)),
  });
  command.showHelpAfterError(`Run '${name} --help' to see its arguments and options.`);
  for (const below of command.commands) nameHelpAfterErrors(below, `${name} ${below.name()}`);
}

/**
 * Suggests the option that begins as the given one does. The parser suggests one of similar length: `--site` for `--set`.
 * For a file without its option, as in `fleet preview fleet.yaml`, names the options that take a file.
 */
function withOption(text: string, { options, args }: Commander): string {
  if (text.startsWith("error: too many arguments")) {
    const taking = options.flatMap(({ flags, long }) => (flags.includes("<file") ? ` ${long} <file>` : []));
    return `error: '${args.join(" ")}' needs an option before it:${taking.join(" or") || " see its help"}\n`;
  }
  const [, given] = /^error: unknown option '(--[\w-]+)'/.exec(text) ?? [];
  const whole = given && options.find(({ long }) => long?.startsWith(given))?.long;
  return whole ? `error: unknown option '${given}'\n(Did you mean ${whole}?)\n` : text;
}
