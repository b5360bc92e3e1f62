import { spawnSync } from "node:child_process";
import { InvalidArgumentError } from "commander";
import { percentageIn } from "../../provider/manifest/rollout";
import { type CommandOption, flag, type OptionsOf, parsed, rare, text, texts, withDefault } from "../command/record";
import { JSON_FORM } from "../command/shared";
import type { Part } from "../stacks/plan";
import { defaultParallel } from "../stacks/settings";
import { MANIFEST } from "../stacks/subject";

/** A share given as `10%`, as a number from 0 to 1. */
export function percentage(text: string): number {
  const share = percentageIn(text);
  if (share === undefined) throw new InvalidArgumentError("Give a percentage from 0% to 100%, such as 10%.");
  return share;
}

/** One machine's part of the shards, given as `2/4`. */
export function part(text: string): Part {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const parsed = { index: Number(index), count: Number(count) };
  if (index === undefined || parsed.index < 1 || parsed.index > parsed.count) {
    throw new InvalidArgumentError("Give the part and the number of parts, such as 2/4 for the second of four.");
  }
  return parsed;
}

/**
 * A command for the shell. An empty one usually comes from a variable that is not set. One that is not there would be
 * found only after the first wave.
 */
function shellCommand(text: string): string {
  const [program = ""] = text.trim().split(/\s/);
  if (program === "") throw new InvalidArgumentError("Give a command, or leave the option out.");
  // Only the name of a program is looked up, not syntax such as `A=1 ./gate`. Windows has no `command -v`.
  const isName = /^[\w./-]+$/.test(program) && process.platform !== "win32";
  if (isName && spawnSync(`command -v ${program}`, { shell: true }).status !== 0) {
    throw new InvalidArgumentError(`There is no command ${program} that can be run.`);
  }
  return text;
}

/** Highest number of stacks that run at the same time (our choice). */
const MOST_PARALLEL = 9999;

/** The reader of a whole number from 1. */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > most) throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
    return number;
  };
}

const SHARED = {
  manifest: MANIFEST,
  shard: parsed("<i/n>", "share the stacks among machines: run only part i of n, such as 2/4", part),
  parallel: rare(
    withDefault(
      parsed("<n>", "number of stacks that run at the same time", wholeNumber(MOST_PARALLEL), { short: "p" }),
      defaultParallel(),
    ),
  ),
  engineLog: rare(flag("keep the engine's own log, encrypted, in the folder logs of PULUMI_HOME (default: ~/.pulumi)")),
  json: JSON_FORM,
};

const READ_FIRST: CommandOption<boolean> = flag("read all devices first, to show drift too");
const PREVIEW = {
  refresh: READ_FIRST,
  destroy: flag("show what destroy would do, for its approval", { conflicts: ["refresh"] }),
};
const READ_NOT: CommandOption<boolean> = flag("do not read the devices first: faster, but does not correct drift", {
  isNegated: true,
});

const UP = {
  yes: flag("do not ask before a wave", { short: "y" }),
  refresh: READ_NOT,
  canary: text("<site>", "id of the site in the first wave (default: the first by name that changed)"),
  share: rare(parsed("<percent>", "share of the devices in the second wave (default: 10%)", percentage)),
  maxFailures: withDefault(
    parsed("<percent>", "stop if more of a wave's devices fail; during a wave, only after 20 are done", percentage),
    0.05,
    "5%",
  ),
  gate: parsed(
    "<command>",
    "command to run between waves; if it fails, the rollout stops. It gets the number of devices of the wave in " +
      "SOLAR_CHARGING_WAVE_OK, SOLAR_CHARGING_WAVE_FAILED and SOLAR_CHARGING_WAVE_NOT_DONE",
    shellCommand,
  ),
  restart: flag("start again with the first wave, instead of continuing a run that was stopped"),
};

const DRIFT = {
  accept: flag("write the reported values into the manifest, and show the difference; sends nothing"),
  site: texts("<id>", "accept only the drift of this site; can be repeated"),
  setting: texts("<key>", "accept only the drift of this setting, such as maxCapacity; can be repeated"),
};

/** The options of each operation. */
export const FLEET_OPTIONS = {
  preview: { ...SHARED, ...PREVIEW },
  up: { ...SHARED, ...UP },
  refresh: SHARED,
  drift: { ...SHARED, ...DRIFT },
  destroy: { ...SHARED, yes: flag("do not ask; required without a terminal", { short: "y" }) },
};

/** The options of any operation. */
export type FleetOptions = OptionsOf<typeof SHARED> &
  Partial<OptionsOf<typeof UP> & OptionsOf<typeof DRIFT> & Pick<OptionsOf<typeof PREVIEW>, "destroy">>;
