import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { FleetProject, type Summary } from "../support/fleetProject";
import { signalIfAlive } from "../support/processes";
import { outputOf } from "../support/project";

/** Two stacks of two sites, with two cars each. */
const SITES = ["oslo", "paris", "rome", "vienna"];
const CARS = SITES.flatMap((site) => [`${site}-1`, `${site}-2`]);

/** The capacity of each car before anything is declared, in Wh, and the declared ones, which alternate. */
const BEFORE = 60_000;
const CAPACITIES = [77_000, 79_000];

/** The parts of the fleet that killed runs have, by turns that depend on the moment. The complete run has none. */
const PARTS = [[], ["--shard", "1/2"], ["--shard", "2/2"]];

/** Killed runs between two complete ones. */
const KILLS_IN_A_ROW = 3;

const HOST = "pulumi-language-yaml";

/** The result of many kills. */
export interface FleetKills {
  readonly kills: number;
  /** Number of checked baselines in state. */
  readonly baselines: number;
}

/**
 * Kills rollouts of a fleet, or of a part of it, at random moments: in turn, the driver alone, or the driver with its
 * engines. After every three of them, one rollout completes. Each device is then as declared, and the state has the values from before the
 * first update. A destroy restores them.
 * @param moments the moment of each kill, in thousandths of a whole rollout
 * @throws AssertionError
 */
export async function killFleets(kills: number, moments: readonly number[]): Promise<FleetKills> {
  const left = [...moments];
  const totals = { kills: 0, baselines: 0 };
  while (totals.kills < kills) {
    const fleet = await KilledFleet.create();
    try {
      for (let index = 0; index < KILLS_IN_A_ROW && totals.kills < kills; ) {
        const moment = left.pop();
        if (moment === undefined) throw new Error("too many rollouts were through before their moment");
        if (!(await fleet.kill(index, moment))) continue;
        totals.kills += 1;
        index += 1;
      }
      totals.baselines += await fleet.recover();
    } finally {
      await fleet.project.close();
    }
    console.log(`${totals.kills} kills of a fleet, ${totals.baselines} baselines as they were`);
  }
  return totals;
}

class KilledFleet {
  /** Duration of a whole rollout from its first request, in ms. The first kill uses this estimate. */
  static #duration = 6_000;
  #onRequest = () => {};

  private constructor(readonly project: FleetProject) {}

  static async create(): Promise<KilledFleet> {
    const project = await FleetProject.create(CARS, {
      behaviour: { latencySeconds: 0.05 },
      onRequest: () => fleet.#onRequest(),
    });
    const fleet = new KilledFleet(project);
    return fleet;
  }

  #declare(capacity: number): void {
    const settings = `maxCapacity: ${capacity}, onDelete: restore, ignoreLints: [ignored-metadata]`;
    const sites = SITES.map((site) => {
      const cars = [1, 2].map((number) => `car-${number}: { deviceId: ${site}-${number}, ${settings} }`);
      return `  ${site}: { vehicles: { ${cars.join(", ")} } }`;
    });
    this.project.declare(["fleet: acme", "shards: 2", "sites:", ...sites].join("\n"));
  }

  /** @returns whether the rollout was running at its moment */
  async kill(index: number, moment: number): Promise<boolean> {
    this.#declare(CAPACITIES[index % CAPACITIES.length] as number);
    const begun = new Promise<void>((resolve) => {
      this.#onRequest = resolve;
    });
    const part = PARTS[moment % PARTS.length] as string[];
    const up = this.project.start("up", "--yes", "--share", "100%", ...part);
    const end = outputOf(up);
    const after = (moment * KilledFleet.#duration) / 1_000;
    await Promise.race([begun.then(() => setTimeout(after)), end]);
    signalIfAlive(-(up.pid as number), "SIGKILL");
    // An engine that lost its driver ends when it next reports something.
    if (index % 2 === 0) for (const pid of this.#processes()) signalIfAlive(pid, "SIGKILL");
    const { code } = await end;
    while (this.#processes().length > this.#processes(HOST).length) await setTimeout(20);
    // The YAML host does not notice that its engine was killed.
    for (const pid of this.#processes(HOST)) signalIfAlive(pid, "SIGKILL");
    this.#free();
    return code === null;
  }

  /** Rolls out, and destroys. @returns the number of checked baselines */
  async recover(): Promise<number> {
    const [capacity] = CAPACITIES as [number];
    this.#declare(capacity);
    let begun = 0;
    this.#onRequest = () => {
      begun ||= Date.now();
    };
    const up = await this.project.summary("up", "--yes", "--share", "100%");
    KilledFleet.#duration = Date.now() - begun;
    this.#expectWhole(up);
    expect(this.project.capacities(), up.text).to.deep.equal(CARS.map(() => capacity));
    const baselines = this.#baselines();
    expect(baselines, up.text).to.deep.equal(CARS.map(() => BEFORE));
    const destroyed = await this.project.summary("destroy", "--yes");
    this.#expectWhole(destroyed);
    expect(this.project.capacities(), destroyed.text).to.deep.equal(CARS.map(() => BEFORE));
    return baselines.length;
  }

  #expectWhole(run: Summary): void {
    expect(run, run.text).to.include({ code: 0, failed: 0, held: 0 });
  }

  #state(...path: string[]): string {
    return join(this.project.folder, "state", ".pulumi", ...path);
  }

  /** The engines, their hosts and their plugins, or those with this name. Linux only. */
  #processes(name = ""): number[] {
    const isOurs = (pid: string) => {
      try {
        const isHere = readlinkSync(`/proc/${pid}/cwd`).startsWith(this.project.folder);
        return isHere && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(name);
      } catch {
        return false; // The process has ended.
      }
    };
    return readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid) && isOurs(pid))
      .map(Number);
  }

  /** Removes the locks, as `pulumi cancel` does. */
  #free(): void {
    const folder = this.#state("locks");
    if (!existsSync(folder)) return;
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const name of files) if (name.endsWith(".json")) rmSync(join(folder, name));
  }

  #baselines(): unknown[] {
    const folder = this.#state("stacks", "acme");
    const states = readdirSync(folder).filter((name) => name.endsWith(".json"));
    const resources = states.flatMap((name) => {
      const { latest } = JSON.parse(readFileSync(join(folder, name), "utf8")).checkpoint;
      return latest?.resources ?? [];
    });
    const devices = resources.flatMap(({ outputs }) => Object.values<Kept>(outputs?.devices ?? {}));
    return devices.map(({ settings }) => settings.maxCapacity.baseline);
  }
}

/** The state of a car. */
interface Kept {
  readonly settings: { readonly maxCapacity: { readonly baseline?: number } };
}
