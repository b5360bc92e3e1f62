import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";
import { DEFAULT_MAX_CONCURRENCY, MOST_CONCURRENCY } from "../../provider/configuration/configurationKeys";
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

/** The module that keeps the SDK from loading what no stack of a fleet needs. */
export const ON_DEMAND = require.resolve("./engine/onDemand");

/**
 * What an engine is given unless the environment says otherwise. It rewrites a stack's whole state at each step: compressed,
 * and with less collecting of garbage for more memory, a first update takes a sixth less time. Any engine reads both forms.
 */
export function engineSettings({
  PULUMI_DIY_BACKEND_ZSTD = "true",
  GOGC = "400",
  NODE_OPTIONS = "",
}: NodeJS.ProcessEnv) {
  // In quotes, as Node reads them: a path can have spaces.
  const preload = `--require ${JSON.stringify(ON_DEMAND)}`;
  return { PULUMI_DIY_BACKEND_ZSTD, GOGC, NODE_OPTIONS: `${NODE_OPTIONS} ${preload}`.trim() };
}

/** Requests in flight for each of so many stacks: together no more than are allowed for the fleet, and one at least. */
export function concurrencyOfStack(configured: string | undefined, stacks: number): string {
  const all = Number(configured || DEFAULT_MAX_CONCURRENCY);
  // What is not allowed is refused by the provider, in its own words.
  return Number.isInteger(all) && all >= 1 && all <= MOST_CONCURRENCY
    ? String(Math.max(1, Math.floor(all / stacks)))
    : String(configured);
}

/** Resources that a stack's engine works on at once, of its own accord, for each core. */
const RESOURCES_PER_CORE = 4;

/** Resources that a stack's engine works on at once: no fewer than it may have requests in flight, which would not be. */
export function resourcesAtOnce(concurrency: string, cores = availableParallelism()): string {
  return String(Math.max(RESOURCES_PER_CORE * cores, Number(concurrency) || 0));
}
