import { spawn } from "node:child_process";
import { renameSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type RequestLogEntry, type Simulator, startSimulator } from "solar-charging-simulator";
import { freePort } from "../support/freePort";
import { blocksOf } from "../support/markdown";
import { outputOf, Project, type ResourceState } from "../support/project";
import { RunningPulumi } from "../support/running";

/** The settings of each device. */
export type Settings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The devices of each site by the name of its resource: four cars and a roof. */
export const SITES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Array.from({ length: 8 }, (_, site) => [
    `site-${site}`,
    [0, 1, 2, 3].map((car) => `car-${site}-${car}`).concat(`roof-${site}`),
  ]),
);
const IDS = Object.values(SITES).flat();
const isCar = (id: string) => id.startsWith("car");

/**
 * The settings of the devices before anything is declared. No two devices are alike, and each setting differs from its
 * declaration.
 */
export const UNTOUCHED: Settings = Object.fromEntries(
  IDS.map((id, index) => [
    id,
    isCar(id)
      ? { maxCapacity: 60_000 + index, maxChargePower: 7_400, policy: "CHARGE BY" }
      : { peakPower: 5_000, azimuth: 90, tilt: 10, cutInThreshold: 20, baseLoad: 100 + index },
  ]),
);

/** The declared settings of all devices, with this capacity for every car. */
export function all(maxCapacity: number): Settings {
  const car = { maxCapacity, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
  const roof = { peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
  return Object.fromEntries(IDS.map((id) => [id, isCar(id) ? car : roof]));
}

/** Latency of the service, in seconds. At any moment, several requests are in flight. */
const LATENCY = 0.05;

/** The state of the sites. */
export interface SiteState {
  readonly declared: Settings;
  readonly baselines: Settings;
  /** The engine's pending operation for each site when it ended. */
  readonly pending: Readonly<Record<string, string>>;
}

/** Forty devices of eight sites at a slow service, and the project that declares them. */
export class CrashSite {
  project!: Project;
  #simulator!: Simulator;
  #onRequest: (entry: RequestLogEntry) => void = () => {};

  private constructor(readonly hasLedger: boolean) {}

  static async create(hasLedger: boolean): Promise<CrashSite> {
    const site = new CrashSite(hasLedger);
    // Without a port of its own, another server could get it while the service is away.
    await site.#startService(UNTOUCHED, await freePort());
    site.project = await Project.create(site.#simulator);
    const ledger = hasLedger ? { SOLAR_CHARGING_LEDGER_FILE: join(site.project.folder, "ledger.jsonl") } : {};
    Object.assign(site.project.env, { SOLAR_CHARGING_INVERTER_FIELDS: "{}", ...ledger });
    renameSync(site.#stateFolder, `${site.#stateFolder}.real`);
    site.#pointState(`${site.#stateFolder}.real`);
    return site;
  }

  /** Stops the service. Requests without an answer have no effect. @returns a function that starts it again */
  async stopService(): Promise<() => Promise<void>> {
    const { settings } = this;
    const { port } = new URL(this.#simulator.url);
    await this.#simulator.close();
    return () => this.#startService(settings, Number(port));
  }

  async #startService(settings: Settings, port: number): Promise<void> {
    const devices = IDS.map((id) => [id, { type: isCar(id) ? "vehicle" : "inverter", settings: toWire(settings[id]) }]);
    this.#simulator = await startSimulator({
      fleet: { businesses: { acme: Object.fromEntries(devices) } },
      behaviour: { latencySeconds: LATENCY },
      port,
      onRequest: (entry) => this.#onRequest(entry),
    });
  }

  /** Number of requests that the service has answered. */
  get requests(): number {
    return this.#simulator.requests.length;
  }

  /** The settings of all devices. */
  get settings(): Settings {
    return Object.fromEntries(
      IDS.map((id) => [id, pick(fromWire(this.#simulator.device("acme", id)), Object.keys(UNTOUCHED[id] ?? {}))]),
    );
  }

  get state(): SiteState {
    const { resources = [], pending_operations = [] } = JSON.parse(this.project.stateText()).checkpoint.latest ?? {};
    const sites = (resources as ResourceState[]).filter(({ type }) => type.endsWith(":SiteSettings"));
    // The policy of a car comes from its site.
    const devices = sites.flatMap(({ outputs }) =>
      Object.values(outputs.devices as Settings).map((device): Settings[string] => {
        const policy = ((outputs.policies ?? {}) as Settings[string])[String(device.deviceId)];
        return { ...device, ...(policy !== undefined && { policy }) };
      }),
    );
    const byDevice = (of: (device: Settings[string]) => unknown) =>
      Object.fromEntries(devices.map((device) => [device.deviceId, of(device)])) as Settings;
    return {
      declared: byDevice((device) => pick(device, Object.keys(UNTOUCHED[String(device.deviceId)] ?? {}))),
      baselines: byDevice(({ settings }) => baselinesOf(settings as Settings)),
      pending: Object.fromEntries(
        (pending_operations as { resource: ResourceState; type: string }[]).map(({ resource, type }) => [
          resource.urn.split("::").at(-1),
          type,
        ]),
      ),
    };
  }

  /** Declares this capacity for every car, and the other settings that a solar site needs. */
  declare(capacity: number): void {
    const devices = all(capacity);
    const withId = (id: string) => {
      const { policy: _, ...settings } = devices[id] ?? {};
      return [id, { deviceId: id, ...settings }];
    };
    const sites = Object.entries(SITES).map(([name, ids]) => {
      const vehicles = Object.fromEntries(ids.filter(isCar).map(withId));
      const inverters = Object.fromEntries(ids.filter((id) => !isCar(id)).map(withId));
      return [name, { vehicles, inverters, onDelete: "restore" }];
    });
    this.project.program(`
      for (const [name, args] of ${JSON.stringify(sites)}) new SiteSettings(name, args);
    `);
  }

  startUp(...args: string[]): RunningPulumi {
    return new RunningPulumi(this.project, "up", "--yes", "--skip-preview", ...args);
  }

  /**
   * Resolves when the service has applied this many more updates, and has not yet answered the last one.
   * @param latencySeconds time that the service takes for each later request
   */
  patched(count: number, latencySeconds = LATENCY): Promise<void> {
    let left = count;
    return new Promise((resolve) => {
      this.#onRequest = ({ method }) => {
        if (method !== "PATCH") return;
        left -= 1;
        if (left !== 0) return;
        this.answerIn(latencySeconds);
        resolve();
      };
    });
  }

  /** Sets the time that the service takes for each later request, in seconds. */
  answerIn(latencySeconds = LATENCY): void {
    this.#simulator.behave({ latencySeconds });
  }

  /** Resolves at the service's next request, because only processes start before it. */
  begun(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRequest = () => resolve();
    });
  }

  /** Resolves when the service has finished all requests in flight: this request takes as long as each of them. */
  async quiet(): Promise<void> {
    await fetch(this.#simulator.url);
  }

  /** Makes every write of the state fail, even for root. @returns a function that ends this */
  preventWriting(): () => void {
    this.#pointState("/dev/null");
    return () => this.#pointState(`${this.#stateFolder}.real`);
  }

  /** Leaves the attributes of the state empty, like a kill while the engine writes them. */
  emptyAttributes(): void {
    truncateSync(join(this.#stateFolder, "dev.json.attrs"));
  }

  get #stateFolder(): string {
    return join(this.project.folder, "state", ".pulumi", "stacks", "test");
  }

  /** Points the state's path to this file in one step, because the engine may be about to write it. */
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

function baselinesOf(settings: Settings): Readonly<Record<string, unknown>> {
  const known = Object.entries(settings).filter(([, record]) => "baseline" in record);
  return Object.fromEntries(known.map(([key, { baseline }]) => [key, baseline]));
}

/** The properties with these keys. */
export function pick<T>(from: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}

function fromWire(settings: Settings[string]): Settings[string] {
  const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [camelCase(name), value]));
}

function toWire(settings: Settings[string] = {}): Settings[string] {
  const snakeCase = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [snakeCase(key), value]));
}
