import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";
import type { Part } from "./rollout/plan";

/** A share given as `10%`, as a number from 0 to 1. */
export function percentage(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (digits === undefined || Number(digits) > 100) {
    throw new InvalidArgumentError("Give a percentage from 0% to 100%, such as 10%.");
  }
  return Number(digits) / 100;
}

/** Part of the shards for one machine of many, given as `2/4`. */
export function part(text: string): Part {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const parsed = { index: Number(index), count: Number(count) };
  if (index === undefined || parsed.index < 1 || parsed.index > parsed.count) {
    throw new InvalidArgumentError("Give which part of how many, such as 2/4, the second of four.");
  }
  return parsed;
}

/** A command for the shell. One that is empty is a variable that is not set. */
export function shellCommand(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError("Give a command, or leave it out.");
  return text;
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 1.");
  return Number(text);
}

/** Memory for one stack's engine, program and provider, in bytes: what 1,000 devices take, measured (docs/performance.md). */
const MEMORY_OF_STACK = 900_000_000;

/** How many stacks run at the same time: one a core, as an update keeps a core busy, and what fits into free memory. */
export function defaultParallel(cores = availableParallelism(), free = process.availableMemory()): number {
  return Math.max(1, Math.min(cores, Math.floor(free / MEMORY_OF_STACK)));
}
