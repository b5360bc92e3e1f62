import { spawn } from "node:child_process";
import { renameSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type RequestLogEntry, type Simulator, startSimulator } from "../../simulator";
import { blocksOf } from "./markdown";
import { outputOf, Project, type ResourceState } from "./project";
import { RunningPulumi } from "./running";

/** By vehicle, a capacity in Wh. */
export type Capacities = Readonly<Record<string, number>>;

/** What the vehicles' capacities are before anything is declared: each another. */
export const UNTOUCHED: Capacities = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`car-${index}`, 60_000 + index]),
);
const IDS = Object.keys(UNTOUCHED);

/** The same capacity for every vehicle. */
export function all(capacity: number): Capacities {
  return Object.fromEntries(IDS.map((id) => [id, capacity]));
}

/** How long the service takes for an answer, in seconds: several requests are under way at any moment. */
const LATENCY = 0.05;

/** What the state holds of the vehicles. */
export interface SiteState {
  readonly declared: Capacities;
  readonly baselines: Capacities;
  /** The vehicles that the engine was at work on when it ended, by what it did. */
  readonly pending: Readonly<Record<string, string>>;
}

/** Forty vehicles behind a slow service, and the project that declares them. */
export class CrashSite {
  project!: Project;
  #simulator!: Simulator;
  #onRequest: (entry: RequestLogEntry) => void = () => {};

  static async create(): Promise<CrashSite> {
    const site = new CrashSite();
    await site.#startService(UNTOUCHED, 0);
    site.project = await Project.create(site.#simulator);
    renameSync(site.#stateFolder, `${site.#stateFolder}.real`);
    site.#pointState(`${site.#stateFolder}.real`);
    return site;
  }

  /** Ends the service: what it has not answered has no effect. Gives a function that starts it again. */
  async stopService(): Promise<() => Promise<void>> {
    const { capacities } = this;
    const { port } = new URL(this.#simulator.url);
    await this.#simulator.close();
    return () => this.#startService(capacities, Number(port));
  }

  async #startService(capacities: Capacities, port: number): Promise<void> {
    const vehicles = IDS.map((id) => [id, { type: "vehicle", settings: { max_capacity: capacities[id] } }] as const);
    this.#simulator = await startSimulator({
      fleet: { businesses: { acme: Object.fromEntries(vehicles) } },
      behaviour: { latencySeconds: LATENCY },
      port,
      onRequest: (entry) => this.#onRequest(entry),
    });
  }

  /** How many requests the service has answered. */
  get requests(): number {
    return this.#simulator.requests.length;
  }

  /** The capacities that the vehicles have. */
  get capacities(): Capacities {
    return Object.fromEntries(IDS.map((id) => [id, Number(this.#simulator.device("acme", id).max_capacity)]));
  }

  get state(): SiteState {
    const { resources = [], pending_operations = [] } = JSON.parse(this.project.stateText()).checkpoint.latest ?? {};
    const vehicles = (resources as ResourceState[]).filter(({ type }) => type.endsWith(":VehicleSettings"));
    return {
      declared: Object.fromEntries(vehicles.map(({ outputs }) => [outputs.deviceId, outputs.maxCapacity])),
      baselines: Object.fromEntries(
        vehicles.map(({ outputs }) => [outputs.deviceId, (outputs.baseline as { maxCapacity: number }).maxCapacity]),
      ),
      pending: Object.fromEntries(
        (pending_operations as { resource: ResourceState; type: string }[]).map(({ resource, type }) => [
          resource.inputs.deviceId,
          type,
        ]),
      ),
    };
  }

  /** Declares this capacity for every vehicle. */
  declare(capacity: number): void {
    this.project.program(`
      for (const deviceId of ${JSON.stringify(IDS)}) {
        const ignoreLints = ["ignored-metadata"];
        new VehicleSettings(deviceId, { deviceId, maxCapacity: ${capacity}, onDelete: "restore", ignoreLints });
      }
    `);
  }

  startUp(...args: string[]): RunningPulumi {
    return new RunningPulumi(this.project, "up", "--yes", "--skip-preview", ...args);
  }

  /** Resolves when the service has applied so many updates from now on, and has not yet answered the last of them. */
  patched(count: number): Promise<void> {
    let left = count;
    return new Promise((resolve) => {
      this.#onRequest = ({ method }) => {
        if (method !== "PATCH") return;
        left -= 1;
        if (left === 0) resolve();
      };
    });
  }

  /** Resolves when the service is through with everything that was under way: each request takes it as long. */
  async quiet(): Promise<void> {
    await fetch(this.#simulator.url);
  }

  /** Makes every attempt to write the state fail, for root too. Gives a function that ends this. */
  preventWriting(): () => void {
    this.#pointState("/dev/null");
    return () => this.#pointState(`${this.#stateFolder}.real`);
  }

  /** Does what a kill does that hits the engine while it writes the attributes of the state. */
  emptyAttributes(): void {
    truncateSync(join(this.#stateFolder, "dev.json.attrs"));
  }

  get #stateFolder(): string {
    return join(this.project.folder, "state", ".pulumi", "stacks", "test");
  }

  /** Has the state lie there, from one moment to the next: the engine may be about to write it. */
  #pointState(target: string): void {
    const link = `${this.#stateFolder}.link`;
    symlinkSync(target, link);
    renameSync(link, this.#stateFolder);
  }

  /** Runs the commands of this section of docs/recovery.md. */
  async recover(section: string): Promise<string> {
    const commands = blocksOf("docs/recovery.md").filter((block) => block.section === section);
    const script = commands.map(({ text }) => text).join("\n");
    const { folder, env } = this.project;
    const { code, text } = await outputOf(spawn("bash", ["-e", "-c", script], { cwd: folder, env }));
    if (code !== 0) throw new Error(`after "${section}", recovery ended with ${code}:\n${text}`);
    return text;
  }

  async close(): Promise<void> {
    this.project?.remove();
    await this.#simulator.close();
  }
}
