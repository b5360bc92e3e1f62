import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { InvalidArgumentError, program } from "commander";
import { type Engine, findOrFetchEngine } from "../scripts/engine";
import { execute, reason } from "../scripts/execute";
import { localStackEnvironment } from "../scripts/local-stack";
import { type Contestant, capacityOf, LARGEST_STACK, OPERATIONS } from "./contestant";
import { CONTESTANTS } from "./contestants";
import { withNumbers } from "./document";
import { goalsInWords, goalsTable } from "./goals";
import { measure } from "./measure";
import { serviceLine, tablesOf } from "./report";
import type { Result } from "./result";
import { Service } from "./service";
import { CHANGED, DRIFTED_CAPACITY, deviceCount } from "./workload";

const NAMES = CONTESTANTS.map(({ name }) => name);

const DOCUMENT = resolve(__dirname, "../../docs/performance.md");

/** The document has no table of fewer devices. */
const LEAST_SHOWN = 1000;

/** Numbers of solar sites that are measured if none is given. */
const SITES = [2, 200, 1000];

interface Options {
  readonly rounds: number;
  readonly largeRounds: number;
  readonly sites: readonly number[];
  readonly only?: readonly string[];
  readonly write?: true;
}

program
  .name("npm run bench --")
  .description("Measures ours beside others, alternating, in one run. Linux only; needs terraform and go on PATH.")
  .option("--sites <n,…>", "numbers of solar sites, of four vehicles and an inverter", numbers, SITES)
  .option("--rounds <n>", "how often each is measured", positive, 3)
  .option("--large-rounds <n>", `how often with more than ${LARGEST_STACK} devices`, positive, 1)
  .option("--only <name,…>", `contestants: any of ${NAMES.join(", ")}`, contestants)
  .option("--write", "put the numbers into docs/performance.md")
  .addHelpText(
    "after",
    `
Examples:
  $ npm run bench                                      everything; half an hour on 2 cores
  $ npm run bench -- --rounds 1 --sites 2              whether it works at all; a minute
  $ npm run bench -- --sites 100 --only yaml,fleet     the command line beside plain pulumi
  $ npm run bench -- --write                           writes the tables of docs/performance.md`,
  )
  .action(run)
  .parseAsync()
  .catch((error) => {
    console.error(reason(error));
    process.exitCode = 1;
  });

async function run(options: Options): Promise<void> {
  const { rounds, largeRounds, only, write } = options;
  const chosen = CONTESTANTS.filter(({ name }) => only?.includes(name) ?? true);
  const engine = await findOrFetchEngine();
  const results: Result[] = [];
  for (const sites of options.sites) {
    const devices = deviceCount(sites);
    const competing = chosen.filter(({ upTo = devices }) => devices <= upTo);
    for (let round = 0; round < (devices > LARGEST_STACK ? largeRounds : rounds); round++) {
      // Alternate the order, because a contestant that is not the first finds warm caches.
      const order = round % 2 === 0 ? competing : [...competing].reverse();
      for (const contestant of order) results.push(...(await measured(contestant, sites, engine)));
    }
  }
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`;
  const terraform = chosen.some(({ name }) => name === "terraform") ? `, Terraform ${await terraformVersion()}` : "";
  const how =
    `Medians (least–greatest) of ${rounds} rounds, or of ${largeRounds} with more than ${LARGEST_STACK} devices. ` +
    `${machine}, Node ${process.version}, Pulumi ${engine.version}${terraform}.`;
  console.log([how, goalsTable(results), ...tablesOf(results), serviceLine(results)].join("\n\n"));
  if (!write) return;
  const large = results.filter(({ devices, contestant }) => devices >= LEAST_SHOWN && contestant !== "floor");
  const parts = [how, goalsInWords(results), ...tablesOf(large), serviceLine(results)];
  writeFileSync(DOCUMENT, withNumbers(readFileSync(DOCUMENT, "utf8"), parts));
}

async function terraformVersion(): Promise<string> {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
  const { terraform_version: version } = JSON.parse(
    await execute("terraform", ["version", "-json"], { env, seconds: 60 }),
  );
  return version;
}

/** One round of one contestant, with its own service and folder. */
async function measured(contestant: Contestant, sites: number, engine: Engine): Promise<Result[]> {
  const scratch = mkdtempSync(join(tmpdir(), "solar-charging-bench-"));
  const folder = join(scratch, "work");
  mkdirSync(folder);
  const stateFolder = join(scratch, "state");
  const env = localStackEnvironment({ folder: stateFolder, engine });
  const service = await Service.start(scratch, sites);
  try {
    const { command, stateBytes } = await contestant.prepare({ folder, sites, url: service.url, env, stateFolder });
    const results: Result[] = [];
    for (const operation of OPERATIONS) {
      const todo = command(operation);
      if (!todo) continue;
      if (operation === "drift repair") await service.change(CHANGED, { max_capacity: DRIFTED_CAPACITY });
      const before = service.cpuSeconds();
      const cost = await measure(todo);
      const serviceCpuSeconds = service.cpuSeconds() - before;
      const calls = await service.takeCalls();
      console.error(`${sites} sites, ${contestant.name}, ${operation}: ${cost.seconds.toFixed(1)} s`);
      if (contestant.changesDevices && operation !== "first preview") {
        await checkChanged(service, capacityOf(operation), `${contestant.name}, ${operation}`);
      }
      results.push({
        ...cost,
        devices: deviceCount(sites),
        contestant: contestant.name,
        operation,
        calls,
        serviceCpuSeconds,
        stateBytes: operation === "first preview" ? undefined : stateBytes(),
      });
    }
    return results;
  } finally {
    await service.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws Error if the device is not as declared, because the time would then be that of something else */
async function checkChanged(service: Service, capacity: number, what: string): Promise<void> {
  const { max_capacity, policy } = await service.settingsOf(CHANGED);
  if (max_capacity === capacity && policy === "CHARGE BY FORECAST") return;
  throw new Error(`${what}: ${CHANGED} has max_capacity ${max_capacity}, not ${capacity}, or policy ${policy}`);
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("not a whole number from 1");
  return value;
}

function numbers(text: string): number[] {
  return text.split(",").map(positive);
}

function contestants(text: string): string[] {
  const names = text.split(",");
  const unknown = names.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`there is no contestant ${unknown}`);
  return names;
}
