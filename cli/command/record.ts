import { InvalidArgumentError } from "commander";
import type { Styler } from "../terminal";

/** An option of a command. Its flag is its key: `failOn` is `--fail-on`. */
export interface CommandOption<Value> {
  readonly description: string;
  /** One letter: `m` for `-m`. */
  readonly short?: string;
  /** Its value in the help: `<file>`, or `<file...>` for several. Absent for an option without a value. */
  readonly value?: string;
  /** @param earlier the value of the same option before it, if it was given several times */
  parse?(text: string, earlier?: Value): Value;
  readonly choices?: readonly Value[];
  readonly default?: Value;
  /** The default in words, if a reader of the help would not understand the value. */
  readonly shownDefault?: string;
  /** Whether the option turns something off: `--no-refresh`. */
  readonly isNegated?: true;
  readonly isRare?: true;
  /** The keys of options that exclude this one. */
  readonly conflicts?: readonly string[];
}

type More<Value> = Partial<CommandOption<Value>>;

/** An option that always has a value. */
type Sure<Option> = Option & { readonly isSure: true };

/** An option without a value. */
export function flag(description: string, more: More<true> = {}): CommandOption<true> {
  return { description, ...more };
}

/**
 * A text that is not empty. An empty one usually comes from a variable that is not set. Without this, a filter or a set
 * would be off without a word.
 */
function notEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty: give a value, or leave the option out.");
  return text;
}

/** An option with a text. @param value `<file>` */
export function text(value: string, description: string, more: More<string> = {}): CommandOption<string> {
  return { value, description, parse: notEmpty, ...more };
}

/** An option with several texts. @param value `<file...>`; `<file>` for one that can be given several times */
export function texts(value: string, description: string): CommandOption<readonly string[]> {
  return parsed<readonly string[]>(value, description, (text, others = []) => [...others, notEmpty(text)]);
}

/** An option whose text is read. @param parse throws an `InvalidArgumentError` for a wrong text */
export function parsed<Value>(
  value: string,
  description: string,
  parse: (text: string, earlier?: Value) => Value,
  more: More<Value> = {},
): CommandOption<Value> {
  return { value, description, parse, ...more };
}

/** An option with one of some values. */
export function choice<Value extends string>(
  value: string,
  description: string,
  choices: readonly Value[],
): CommandOption<Value> {
  return { value, description, choices };
}

/** The same option with a default. @param shown the default in the help */
export function withDefault<Value>(option: CommandOption<Value>, value: Value, shown?: string) {
  const sure: Sure<CommandOption<Value>> = { ...option, default: value, isSure: true };
  return shown === undefined ? sure : { ...sure, shownDefault: shown };
}

/** The same option, which only `--help --all` shows, because few people need it. */
export function rare<Option extends object>(option: Option): Option {
  return { ...option, isRare: true };
}

export type OptionTable = Readonly<Record<string, CommandOption<unknown>>>;

type ValueOf<Option> = Option extends CommandOption<infer Value> ? Value : never;

/** The values of options, by key. */
export type OptionsOf<Table extends OptionTable> = {
  readonly [Key in keyof Table as Table[Key] extends Sure<unknown> ? Key : never]: ValueOf<Table[Key]>;
} & {
  readonly [Key in keyof Table as Table[Key] extends Sure<unknown> ? never : Key]?: ValueOf<Table[Key]>;
};

/** A call of a command. */
export interface CommandCall<Table extends OptionTable> {
  readonly args: readonly string[];
  readonly options: OptionsOf<Table>;
  /** Ends the command with an error about its arguments. */
  refuse(text: string): never;
}

/** The place where a text is shown. */
export interface Shown {
  readonly styled: Styler;
  /** Its width in characters; undefined for a file or a pipe. */
  readonly columns: number | undefined;
}

/** The text after the list of options in a command's help. */
interface CommandHelp {
  readonly notes?: string;
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** Each without the name of the program. */
  readonly examples: readonly string[];
}

/** A command: what it reads, and how it shows it. */
interface Command<Table extends OptionTable, Found> extends CommandHelp {
  /** Its arguments in the help, `<files...>`, and their description. */
  readonly args?: readonly [name: string, description: string];
  readonly options: Table;
  /** Whether `read` itself handles Ctrl-C. Otherwise, a signal ends the process immediately. */
  readonly handlesSignals?: true;
  /** Does the work of the command, and returns the result to show. */
  read(call: CommandCall<Table>): Found | Promise<Found>;
  /**
   * The forms of the output. Each is chosen by the option with its name, and `text` is the default. An object is
   * printed as JSON, and an empty text not at all.
   */
  readonly show: {
    text(found: Found, shown: Shown, options: OptionsOf<Table>): string | Promise<string>;
    json?(found: Found): object | string;
    markdown?(found: Found): string;
    prometheus?(found: Found): Promise<string>;
    html?(found: Found): Promise<string>;
  };
  /** Whether the lines of the text stay whole at a narrow terminal. */
  readonly isVerbatim?: true;
  /** The file for the output, instead of standard output. */
  file?(options: OptionsOf<Table>): string | undefined;
  /** Whether a text in that file is an earlier output, which may be replaced. */
  isOutput?(earlier: string): boolean;
  /** Remarks beside the output, for standard error. */
  remarks?(found: Found, options: OptionsOf<Table>, shown: Shown): readonly string[];
  /** The last step, after the output is printed. @returns the exit code; default: 0 */
  end?(found: Found, call: CommandCall<Table>): number | Promise<number>;
}

/** A command whose own file has checked its types. */
export type AnyCommand = Command<OptionTable, unknown>;

/** Commands below a command. */
export interface CommandGroup extends CommandHelp {
  readonly commands: readonly CommandEntry[];
}

/** A command in the list of commands. Help shows it without loading it. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  load(): Promise<AnyCommand | CommandGroup>;
}

/** Checks the types of a command. */
export function command<const Table extends OptionTable, Found>(record: Command<Table, Found>): AnyCommand {
  return record as unknown as AnyCommand;
}
