import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { InvalidArgumentError, program } from "commander";
import { type Contestant, LARGEST_STACK, OPERATIONS } from "../bench/contestant";
import { CONTESTANTS, ours } from "../bench/contestants";
import { withNumbers } from "../bench/document";
import { goalsTable } from "../bench/goals";
import { measure } from "../bench/measure";
import { plotOf, plotOverSizes } from "../bench/plot";
import { serviceLine, tableOf } from "../bench/report";
import { type Result, sizesOf } from "../bench/result";
import { Service } from "../bench/service";
import { type Engine, findOrFetchEngine } from "./engine";
import { reason } from "./execute";

const DOCS = resolve(__dirname, "../../docs");

interface Options {
  readonly rounds: number;
  readonly shardedRounds: number;
  readonly sizes: readonly number[];
  readonly only?: readonly string[];
  readonly write?: true;
}

program
  .name("npm run bench --")
  .description("Measures ours beside others, alternating, in one run. Linux only; needs terraform and go on PATH.")
  .option("--rounds <n>", "how often each is measured in one stack", positive, 3)
  .option("--sharded-rounds <n>", `how often with more than ${LARGEST_STACK} vehicles, which are sharded`, positive, 1)
  .option("--sizes <n,…>", "numbers of vehicles", (text: string) => text.split(",").map(positive), [100, 500, 5000])
  .option("--only <name,…>", `contestants beside ours: any of ${others().join(", ")}`, contestants)
  .option("--write", "put the numbers and plots into docs/")
  .addHelpText(
    "after",
    `
Examples:
  $ npm run bench                                                 everything; half an hour on 2 cores
  $ npm run bench -- --rounds 1 --sizes 20                        whether it works at all; two minutes
  $ npm run bench -- --sizes 500 --only floor                     what is ours of the time
  $ npm run bench -- --sizes 5000 --sharded-rounds 3 --only floor
  $ npm run bench -- --write                                      docs/performance.md and its plots anew`,
  )
  .action(run)
  .parseAsync()
  .catch((error) => {
    console.error(reason(error));
    process.exitCode = 1;
  });

async function run({ rounds, shardedRounds, sizes, only, write }: Options): Promise<void> {
  const chosen = CONTESTANTS.filter((one) => one === ours || (only?.includes(one.name) ?? true));
  const engine = await findOrFetchEngine();
  const results: Result[] = [];
  for (const vehicles of sizes) {
    const competing = chosen.filter(({ upTo = vehicles }) => vehicles <= upTo);
    const count = vehicles > LARGEST_STACK ? shardedRounds : rounds;
    for (let round = 0; round < count; round++) {
      // Nobody is always first: who comes after another finds warm caches.
      const order = round % 2 === 0 ? competing : [...competing].reverse();
      for (const contestant of order) results.push(...(await measured(contestant, vehicles, engine)));
    }
  }
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`;
  const medians = sizes.map((size) => `${size > LARGEST_STACK ? shardedRounds : rounds} at ${size}`).join(", ");
  const parts = [
    `Medians (least–greatest) of rounds: ${medians}. ${machine}, Node ${process.version}, Pulumi ${engine.version}.`,
    goalsTable(results),
    tableOf(results),
    serviceLine(results),
  ];
  console.log(parts.join("\n\n"));
  if (write) await writeNumbers(results, parts);
}

/** One round of one contestant, with a service and a folder of its own. */
async function measured(contestant: Contestant, vehicles: number, engine: Engine): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "solar-charging-bench-"));
  const work = join(folder, "work");
  mkdirSync(work);
  const service = await Service.start(folder, vehicles);
  try {
    const { command, stateBytes } = await contestant.prepare({ folder: work, vehicles, url: service.url, engine });
    const results: Result[] = [];
    for (const operation of OPERATIONS) {
      const todo = command(operation);
      if (!todo) continue;
      const before = service.cpuSeconds();
      const cost = await measure(todo);
      const serviceCpuSeconds = service.cpuSeconds() - before;
      const calls = await service.takeCalls();
      console.error(`${vehicles} ${contestant.name} ${operation}: ${cost.seconds.toFixed(1)} s`);
      results.push({
        ...cost,
        contestant: contestant.name,
        vehicles,
        operation,
        calls,
        serviceCpuSeconds,
        stateBytes: operation === "first preview" ? undefined : stateBytes(),
      });
    }
    return results;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeNumbers(results: readonly Result[], parts: readonly string[]): Promise<void> {
  const images: string[] = [];
  const plot = (name: string, title: string, svg: string) => {
    writeFileSync(join(DOCS, name), svg);
    images.push(`![${title}](${name})`);
  };
  plot("performance-per-vehicle.svg", "Time per vehicle by size", await plotOverSizes(results));
  for (const vehicles of sizesOf(results)) {
    plot(`performance-${vehicles}.svg`, `Time by operation, ${vehicles} vehicles`, await plotOf(results, vehicles));
  }
  const file = join(DOCS, "performance.md");
  writeFileSync(file, withNumbers(readFileSync(file, "utf8"), [...parts, ...images]));
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("not a whole number from 1");
  return value;
}

function others(): string[] {
  return CONTESTANTS.map(({ name }) => name).filter((name) => name !== ours.name);
}

function contestants(text: string): string[] {
  const names = text.split(",");
  const unknown = names.find((name) => !others().includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`there is no contestant ${unknown}`);
  return names;
}
