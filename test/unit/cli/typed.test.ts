import { expect } from "chai";
import { type Command, InvalidArgumentError } from "commander";
import { commandOf } from "../../../cli/command/commander";
import type { AnyCommand, CommandEntry, CommandOption } from "../../../cli/command/record";
import { COMMANDS } from "../../../cli/program/program";
import { CONFIGURATION_KEYS } from "../../../provider/configuration/configurationKeys";
import { variableOf } from "../../../provider/messages/names";
import { textsIn } from "../../support/sources";

/** Each command with its options, but without its work. */
async function commandsWithoutWork(): Promise<Map<string, Command>> {
  const all = await Promise.all(COMMANDS.map(commandOf));
  const silence = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
    if (command.commands.length === 0) command.action(() => {});
    command.commands.forEach(silence);
  };
  all.forEach(silence);
  return new Map(all.map((command) => [command.name(), command]));
}

/** The records of all commands, by their full names. */
async function recordsIn(entries: readonly CommandEntry[], before = ""): Promise<[name: string, AnyCommand][]> {
  const all = entries.map(async ({ name, load }): Promise<[string, AnyCommand][]> => {
    const loaded = await load();
    return "commands" in loaded ? await recordsIn(loaded.commands, `${name} `) : [[`${before}${name}`, loaded]];
  });
  return (await Promise.all(all)).flat();
}

/** The options of all commands. */
async function allOptions(): Promise<readonly { command: string; flag: string; option: CommandOption<unknown> }[]> {
  const records = await recordsIn(COMMANDS);
  return records.flatMap(([command, { options }]) =>
    Object.entries(options).map(([key, option]) => {
      const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return { command, flag: `--${option.isNegated ? "no-" : ""}${name}`, option };
    }),
  );
}

/** The words with which an option refuses a value; undefined if it accepts it. */
function refusalBy({ parse, choices }: CommandOption<unknown>, value: string): string | undefined {
  if (choices) return choices.includes(value) ? undefined : choices.join();
  try {
    parse?.(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return error.message;
  }
}

/** The values that a text names as examples: `such as 90m, 12h or "Mon-Fri 09:00-16:00 Europe/Berlin"`. */
function examplesIn(text: string): string[] {
  const [, list = ""] = /such as ((?:(?:"[^"]*"|[\w:=%/.+-]*\w%?)(?:, | or |$|(?=[ .)])))+)/.exec(text) ?? [];
  return (list.match(/"[^"]*"|[^\s,"]*[\w%]/g) ?? []).map((one) => one.replace(/"/g, "")).filter((one) => one !== "or");
}

/** Options of Pulumi that messages name. */
const OF_PULUMI = [
  "--run-program",
  "--secret",
  "--continue-on-error",
  "--yes",
  "--skip-preview",
  "--cwd",
  "--local",
  "--refresh",
  "--show-sames",
  "--replace",
];

/** The words of a command line, as a shell splits them, up to a pipe or another file. */
function wordsOf(line: string): string[] {
  const [own = ""] = line.split(/ (?:\||>|< )/);
  return (own.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) => word.replace(/["']/g, ""));
}

/** A command of ours in a text: after the name of the program, or alone in quotes. */
const TOLD = new RegExp(
  [
    /(?:npx )?solar-charging ([a-z]+(?: (?:--?[a-z][\w-]*|<[^>]+>|…+|[\w./=-]*\w))*)/,
    /(?<=^|[ (:])['"`]((?:fleet|review|sun|measure|status|adopt|ledger|doctor) [^'"`]*)['"`]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** What texts name, and tell nobody to type. */
const NAMED = [
  "fleet", // The writer of a file.
  ...["measure --write", "review --approve"], // The writers of files, by their option.
];

describe("a command that a text tells to type", () => {
  const texts = textsIn("cli", "provider", "measure", "policy", "native-package");
  let commands: Map<string, Command>;
  let records: [string, AnyCommand][];
  before(async () => {
    commands = await commandsWithoutWork();
    records = await recordsIn(COMMANDS);
  });

  /** The reason why a command line is refused; undefined if it is accepted. */
  function refusal(line: string): string | undefined {
    const [name = "", ...words] = wordsOf(line.replace("./healthy.sh", "true").replace("fleet …", "fleet up"));
    const command = commands.get(name);
    if (!command) return `${line}: there is no such command`;
    try {
      command.parse(words, { from: "user" });
      return undefined;
    } catch (error) {
      return `${line}: ${(error as Error).message}`;
    }
  }

  it("is accepted, wherever the source has it", () => {
    const told = texts.flatMap(({ text }) => [...text.matchAll(TOLD)].map(([, one, other]) => one ?? other ?? ""));
    const found = [...new Set(told)].filter((line) => commands.has(line.split(" ")[0] ?? "") && !NAMED.includes(line));
    expect(found).to.include.members(["fleet destroy", "doctor --device <inverter>"]);
    expect(found.flatMap((line) => refusal(line) ?? [])).to.deep.equal([]);
  });

  it("is accepted, as an example of a help", () => {
    const examples = records.flatMap(([, { examples }]) => examples);
    expect(examples.flatMap((line) => refusal(line) ?? [])).to.deep.equal([]);
  });

  it("has only options that there are", async () => {
    const flags = new Set([...(await allOptions()).map(({ flag }) => flag), "--help", "--all", ...OF_PULUMI]);
    // A text that is one option is an argument of a program that we start.
    const messages = texts.filter(({ text, file }) => /\s/.test(text) && !file.endsWith("plugin/main.ts"));
    const named = messages.flatMap(({ text }) => [...text.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([one]) => one));
    expect(named.filter((one) => !flags.has(one))).to.deep.equal([]);
  });

  it("has only variables that there are", () => {
    const named = texts.flatMap(({ text }) =>
      // A text that is one name is a variable that we set for the engine's providers.
      [...text.matchAll(/SOLAR_CHARGING_[A-Z_]*[A-Z]/g)].flatMap(([one]) => (one === text ? [] : [one])),
    );
    const ofGate = ["OK", "FAILED", "NOT_DONE"].map((counted) => `SOLAR_CHARGING_WAVE_${counted}`);
    const known = [...CONFIGURATION_KEYS.map(variableOf), ...ofGate];
    expect([...new Set(named)].filter((one) => !known.includes(one))).to.deep.equal([]);
  });
});

describe("an option", () => {
  it("is refused if it is empty, as a variable is that is not set, but for one that then accepts nothing", async () => {
    const open = (await allOptions()).filter(
      ({ option }) => option.value !== undefined && refusalBy(option, "") === undefined,
    );
    expect(open.map(({ command, flag }) => `${command} ${flag}`)).to.deep.equal(["review --accepted-by"]);
  });

  it("accepts the values that its help and its refusal name", async () => {
    const examples = (await allOptions()).flatMap(({ flag, option }) =>
      [option.description, refusalBy(option, "?") ?? ""]
        .flatMap(examplesIn)
        .map((value) => ({ flag, value, refusal: refusalBy(option, value) })),
    );
    expect(examples.map(({ value }) => value)).to.include.members(["2/4", "10%", "7d", "Europe/Berlin"]);
    expect(examples.filter(({ refusal }) => refusal !== undefined)).to.deep.equal([]);
  });
});
