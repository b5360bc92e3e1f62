import { type ChildProcess, spawn } from "node:child_process";
import { type Simulator, type SimulatorOptions, startSimulator } from "solar-charging-simulator";
import type { DeviceChange } from "../../cli/view/model";
import { besideCounts } from "./outcomes";
import { outputIn } from "./output";
import { EngineFolder, MAIN, outputOf, type Printed } from "./project";

/**
 * A manifest in a temporary folder, with the state of its stacks beside it, and `solar-charging fleet` on the real
 * engine.
 */
export class FleetProject extends EngineFolder {
  private constructor(
    readonly simulator: Simulator,
    private readonly cars: readonly string[],
  ) {
    super(simulator);
    // Tests read the files of state, so they are not compressed.
    this.env.PULUMI_DIY_BACKEND_ZSTD = "false";
  }

  /** A service that has these cars, with 60 kWh each. */
  static async create(cars: readonly string[], options: Omit<SimulatorOptions, "fleet"> = {}): Promise<FleetProject> {
    const settings = { max_capacity: 60_000, max_charge_power: 7_400 };
    const acme = Object.fromEntries(cars.map((id) => [id, { type: "vehicle", settings }] as const));
    return new FleetProject(await startSimulator({ ...options, fleet: { businesses: { acme } } }), cars);
  }

  declare(manifest: string): void {
    this.write("fleet.yaml", manifest);
  }

  /** Starts the driver, in a process group of its own as from a terminal. */
  start(operation: string, ...args: string[]): ChildProcess {
    const all = [MAIN, "fleet", operation, "--manifest", "fleet.yaml", "--parallel", "2", ...args];
    return spawn(process.execPath, all, { cwd: this.folder, env: this.env, detached: true });
  }

  async run(operation: string, ...args: string[]): Promise<Printed> {
    return await outputOf(this.start(operation, ...args));
  }

  /** Runs the driver to its end. @returns its review beside its counts, with its whole output as `text` */
  async summary(operation: string, ...args: string[]): Promise<Summary> {
    return summaryIn(await this.run(operation, "--json", ...args));
  }

  /** The capacities that the cars have, in Wh. */
  capacities(): unknown[] {
    return this.cars.map((id) => this.simulator.device("acme", id).max_capacity);
  }

  async close(): Promise<void> {
    this.remove();
    await this.simulator.close();
  }
}

export type Summary = ReturnType<typeof summaryIn>;

/** The review that a run with --json has printed, beside its counts. */
export function summaryIn(printed: Printed) {
  if (!printed.stdout.startsWith("{")) throw new Error(printed.text);
  const review = outputIn("fleet", printed.stdout);
  return besideCounts({ ...review, ...printed }, review.counts);
}

/** The change, or the drift, of a device. */
export function changeIn({ sites }: Pick<Summary, "sites">, site: string, label: string): DeviceChange | undefined {
  const one = sites.find(({ name }) => name === site);
  return [...(one?.devices ?? []), ...(one?.drift ?? [])].find((change) => change.label === label);
}
