import { availableParallelism } from "node:os";
import { NUMBERS } from "../../provider/configuration/configurationKeys";

/**
 * The settings of an engine, unless the environment overrides them. The engine rewrites the whole state at each step.
 * With compression and less garbage collection, which costs memory, a first update takes a sixth less time. Any
 * engine reads compressed state. Without parallel diffs, the engine waits for each diff before it checks the next site,
 * and a preview takes a sixth more time.
 */
export function engineSettings({
  PULUMI_DIY_BACKEND_ZSTD = "true",
  PULUMI_PARALLEL_DIFF = "true",
  GOGC = "400",
}: NodeJS.ProcessEnv) {
  return { PULUMI_DIY_BACKEND_ZSTD, PULUMI_PARALLEL_DIFF, GOGC };
}

/** Requests in flight for each stack: together at most the fleet's limit, and at least one per stack. */
export function concurrencyOfStack(configured: string | undefined, stacks: number): string {
  const all = Number(configured || NUMBERS.maxConcurrency.default);
  return String(Math.max(1, Math.floor(all / stacks)));
}

/** Resources per core that a stack's engine works on in parallel by default. */
const RESOURCES_PER_CORE = 4;

/**
 * Resources that a stack's engine works on in parallel. With fewer of them than allowed requests, the limit of requests
 * would not be used.
 */
export function resourcesAtOnce(concurrency: string, cores = availableParallelism()): string {
  return String(Math.max(RESOURCES_PER_CORE * cores, Number(concurrency)));
}

/** Memory for one stack's engine, program and provider, in bytes, measured with 1,000 devices (docs/performance.md). */
const MEMORY_OF_STACK = 900_000_000;

/**
 * Number of stacks that run in parallel: one per core, because an update keeps a core busy, and no more than fit into
 * free memory.
 */
export function defaultParallel(cores = availableParallelism(), free = process.availableMemory()): number {
  return Math.max(1, Math.min(cores, Math.floor(free / MEMORY_OF_STACK)));
}
