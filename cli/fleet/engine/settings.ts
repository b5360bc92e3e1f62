import { availableParallelism } from "node:os";
import { CONFIGURATION } from "../../../provider/configuration/configurationKeys";

/** The module that keeps the SDK from loading what no stack of a fleet needs. */
export const ON_DEMAND = require.resolve("./onDemand");

/**
 * The settings of an engine, unless the environment has others. It rewrites a stack's whole state at each step: compressed,
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
  const { default: usual, range } = CONFIGURATION.maxConcurrency;
  const all = Number(configured || usual);
  // What is not allowed is refused by the provider, in its own words.
  return Number.isInteger(all) && all >= range[0] && all <= range[1]
    ? String(Math.max(1, Math.floor(all / stacks)))
    : String(configured);
}

/** Resources that a stack's engine works on at once, of its own accord, for each core. */
const RESOURCES_PER_CORE = 4;

/** Resources that a stack's engine works on at once: no fewer than it may have requests in flight, which would not be. */
export function resourcesAtOnce(concurrency: string, cores = availableParallelism()): string {
  return String(Math.max(RESOURCES_PER_CORE * cores, Number(concurrency) || 0));
}
