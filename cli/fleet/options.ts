import { InvalidArgumentError } from "commander";
import { percentageIn } from "../../provider/manifest/rollout";
import type { Part } from "../stacks/plan";
import { RolloutWindow } from "./window";

/** A share given as `10%`, as a number from 0 to 1. */
export function percentage(text: string): number {
  const share = percentageIn(text);
  if (share === undefined) throw new InvalidArgumentError("Give a percentage from 0% to 100%, such as 10%.");
  return share;
}

/** A window such as `Mon-Fri 09:00-16:00 Europe/Berlin`. */
export function rolloutWindow(text: string): RolloutWindow {
  try {
    return RolloutWindow.of(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
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

/** A command for the shell. An empty one usually comes from a variable that is not set. */
export function shellCommand(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError("Give a command, or leave the option out.");
  return text;
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Give a whole number of at least 1.");
  return Number(text);
}
