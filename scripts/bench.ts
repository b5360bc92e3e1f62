import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { InvalidArgumentError, program } from "commander";
import { type Contestant, OPERATIONS, type Operation } from "../bench/contestant";
import { measure } from "../bench/measure";
import { plotOf } from "../bench/plot";
import { floor, ours, waitingFloor } from "../bench/pulumi";
import { type Result, sizesOf, tableOf } from "../bench/report";
import { script } from "../bench/script";
import { Service } from "../bench/service";
import { terraform } from "../bench/terraform";
import { type Engine, findOrFetchEngine } from "./engine";
import { reason } from "./execute";

const ROOT = resolve(__dirname, "../..");
const CONTESTANTS = [ours, floor, waitingFloor, script, terraform];
const [BEGIN, END] = ["<!-- numbers: npm run bench -->", "<!-- end of numbers -->"];

program
  .name("npm run bench --")
  .description("Measures ours beside others, alternating, in one run. Linux only.")
  .option("--rounds <n>", "how often each is measured", positive, 3)
  .option("--sizes <n,…>", "numbers of vehicles", (text: string) => text.split(",").map(positive), [100, 500])
  .option("--only <name,…>", "contestants beside ours", (text: string) => text.split(","))
  .option("--write", "put the numbers and plots into docs/")
  .action(run)
  .parseAsync()
  .catch((error) => {
    console.error(reason(error));
    process.exitCode = 1;
  });

async function run(options: { rounds: number; sizes: number[]; only?: string[]; write?: true }): Promise<void> {
  const contestants = CONTESTANTS.filter((one) => one === ours || (options.only?.includes(one.name) ?? true));
  const engine = await findOrFetchEngine();
  const results: Result[] = [];
  for (const vehicles of options.sizes) {
    for (let round = 0; round < options.rounds; round++) {
      for (const contestant of contestants) results.push(...(await measured(contestant, vehicles, engine)));
    }
  }
  console.log(tableOf(results));
  if (options.write) await write(results, options.rounds);
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
      const todo = command(operation as Operation);
      if (!todo) continue;
      const cost = await measure(todo.command, todo.args, todo);
      const isStored = operation !== "first preview";
      const result = { ...cost, calls: await service.takeCalls(), stateBytes: isStored ? stateBytes() : undefined };
      console.error(`${vehicles} ${contestant.name} ${operation}: ${cost.seconds.toFixed(1)} s`);
      results.push({ contestant: contestant.name, vehicles, operation, ...result });
    }
    return results;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(results: readonly Result[], rounds: number): Promise<void> {
  const file = join(ROOT, "docs", "performance.md");
  const text = readFileSync(file, "utf8");
  const plots = sizesOf(results).map((vehicles) => ({ vehicles, name: `performance-${vehicles}.svg` }));
  for (const { vehicles, name } of plots) writeFileSync(join(ROOT, "docs", name), await plotOf(results, vehicles));
  const images = plots.map(({ vehicles, name }) => `![Time by operation, ${vehicles} vehicles](${name})`);
  const numbers = [BEGIN, `Medians of ${rounds} rounds.`, tableOf(results), ...images, END].join("\n\n");
  writeFileSync(file, text.slice(0, text.indexOf(BEGIN)) + numbers + text.slice(text.indexOf(END) + END.length));
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("not a whole number from 1");
  return value;
}
