import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { FleetProject, summaryIn } from "../support/fleetProject";
import { childrenOf, signalIfAlive } from "../support/processes";
import { outputOf } from "../support/project";

type BaselineOf = { readonly settings?: { readonly maxCapacity?: { readonly baseline?: number } } };

/** The sites of the two stacks. The alphabetically first one is the canary. */
const FIRST = ["oslo", "vienna"];
const SECOND = ["paris", "rome"];
/** As many devices as the engine updates at the same time, so that the second half of a stack has to wait. */
const carsOf = (site: string) => [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `${site}-${number}`);
const CARS = [...FIRST, ...SECOND].flatMap(carsOf);

function manifest(capacity: string, sites: readonly string[]): string {
  const vehicles = (site: string) => carsOf(site).map((deviceId) => `${deviceId}: { deviceId: ${deviceId} }`);
  return [
    "fleet: acme",
    "shards: 2",
    `defaults: { vehicle: { maxCapacity: ${capacity}, maxChargePower: 11 kW, ignoreLints: [ignored-metadata] } }`,
    "sites:",
    ...sites.map((id) => `  ${id}: { vehicles: { ${vehicles(id).join(", ")} } }`),
  ].join("\n");
}

describe("engine: a run of a fleet that is cut short", () => {
  let project: FleetProject;
  let onPatch = () => {};
  const LATENCY = 0.05;

  before(async () => {
    project = await FleetProject.create(CARS, {
      behaviour: { latencySeconds: LATENCY },
      onRequest: ({ method }) => method === "PATCH" && onPatch(),
    });
    project.env.SOLAR_CHARGING_MAX_CONCURRENCY = "4";
  });
  after(() => project.close());

  /**
   * Resolves when the service has applied this many more updates, and has not yet answered the last one.
   * @param latencySeconds time that the service takes for each later request
   */
  function patched(count: number, latencySeconds = LATENCY): Promise<void> {
    let left = count;
    return new Promise((resolve) => {
      onPatch = () => {
        left -= 1;
        if (left !== 0) return;
        project.simulator.behave({ latencySeconds });
        resolve();
      };
    });
  }
  const state = (...path: string[]) => join(project.folder, "state", ".pulumi", ...path);
  const stacks = () => readdirSync(state("stacks", "acme")).filter((name) => name.endsWith(".json"));
  const locks = () =>
    readdirSync(state("locks"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .map((name) => state("locks", name));
  function pending(): unknown[] {
    const texts = stacks().map((name) => readFileSync(state("stacks", "acme", name), "utf8"));
    return texts.flatMap((text) => JSON.parse(text).checkpoint.latest?.pending_operations ?? []);
  }
  /** The capacities in state from before the first update. */
  function baselines(): unknown[] {
    const texts = stacks().map((name) => readFileSync(state("stacks", "acme", name), "utf8"));
    const resources = texts.flatMap((text) => JSON.parse(text).checkpoint.latest?.resources ?? []);
    const devices = resources.flatMap(({ outputs }) => Object.values<BaselineOf>(outputs?.devices ?? {}));
    return devices.map(({ settings }) => settings?.maxCapacity?.baseline);
  }
  const journal = () => join(project.folder, ".solar-charging", "acme", "baselines.jsonl");
  const record = () => JSON.parse(readFileSync(join(project.folder, ".solar-charging", "acme", "record.json"), "utf8"));
  const all = (capacity: number) => CARS.map(() => capacity);

  // One test, because each step needs the one before.
  it("continues after another run's lock, a Ctrl-C to its group, and a kill -9; then empties and fills a stack", async () => {
    project.declare(manifest("77 kWh", [...FIRST, ...SECOND]));
    const lock = state("locks", "organization", "acme", "shard-2-of-2", "4fbc.json");
    mkdirSync(dirname(lock), { recursive: true });
    const holder = { pid: process.pid, username: "somebody", hostname: hostname(), timestamp: "2026-01-02T03:04:05Z" };
    writeFileSync(lock, JSON.stringify(holder));
    const held = await project.summary("up", "--yes", "--share", "100%", "--canary", "oslo");
    expect(held, held.text).to.include({ code: 1, failed: 0, held: 32 });
    expect(held.errors.filter(({ code }) => code !== "stopped")).to.deep.equal([
      {
        code: "stackHeld",
        text: `shard-2-of-2: locked by a run of somebody@${hostname()}, process ${process.pid}, since 2026-01-02T03:04:05Z. Wait for that run`,
      },
    ]);
    rmSync(lock);

    const interrupted = project.start("up", "--yes", "--share", "100%", "--json");
    const end = outputOf(interrupted);
    // Without slower answers, a busy machine could finish the rest before the engines get the signal. 0.3 s is well
    // within the time that the provider leaves for requests in flight.
    await patched(10, 0.3);
    process.kill(-(interrupted.pid as number), "SIGINT");
    const saved = summaryIn(await end);
    project.simulator.behave({ latencySeconds: LATENCY });
    expect(saved, saved.text).to.include({ code: 130, interrupted: true });
    expect(saved.added + saved.failed + saved.held).to.equal(32);
    expect(saved.added).to.equal(project.capacities().filter((capacity) => capacity === 77_000).length);
    expect(saved.added).to.be.lessThan(32);
    expect([...locks(), ...pending()]).to.deep.equal([]);

    const killed = project.start("up", "--yes", "--share", "100%");
    const killedEnd = outputOf(killed);
    await patched(1);
    // Without this, the driver could start another engine after the list was made.
    process.kill(-(killed.pid as number), "SIGSTOP");
    const engines = childrenOf(killed.pid as number);
    process.kill(-(killed.pid as number), "SIGKILL");
    await killedEnd;
    // An engine without its driver ends when it next reports something. Until then, it may still lock its stack.
    for (const pid of engines) while (signalIfAlive(pid, 0)) await setTimeout(10);
    const left = locks();
    expect(left).to.have.length.greaterThan(0);

    // The backend confirms nothing of the killed run, so the rollout begins with its canary, whose stack is locked.
    for (let count = 0; count < left.length; count++) {
      const locked = await project.summary("up", "--yes", "--share", "100%");
      expect(locked, locked.text).to.include({ code: 1, failed: 0 });
      expect(existsSync(journal())).to.equal(true);
      for (const { text } of locked.errors) {
        const [, command = ""] = /ended without unlocking it\. Now unlock it with: (.*)$/.exec(text) ?? [];
        execFileSync("bash", ["-c", command], { env: project.env, stdio: "pipe" });
      }
      if (locks().length === 0) break;
    }
    const waiting = pending();
    const whole = await project.summary("up", "--yes", "--share", "100%");
    expect(whole, whole.text).to.include({ code: 0, failed: 0, held: 0 });
    // The engine advises a refresh, which would lose earlier values.
    const advised = whole.warnings.filter(({ text }) => text.includes("pending operations"));
    expect(advised).to.have.length(waiting.length > 0 ? 1 : 0);
    for (const { text } of advised) expect(text).to.contain("'fleet up'").and.not.contain("repair your stack");
    expect(project.capacities()).to.deep.equal(all(77_000));
    expect(baselines()).to.deep.equal(all(60_000));
    expect(existsSync(journal())).to.equal(false);
    expect(record().rollout).to.equal(undefined);

    project.simulator.appUserSets("acme", "oslo-1", { max_capacity: 70_000 });
    const refreshed = await project.summary("refresh");
    expect(refreshed, refreshed.text).to.include({ code: 0, drifted: 1, unchanged: 31 });
    expect(pending()).to.deep.equal([]);

    project.declare(manifest("77 kWh", FIRST));
    const preview = await project.summary("preview");
    expect(preview, preview.text).to.include({ code: 2, changed: 1, leaving: 16, unchanged: 15 });
    const emptied = await project.summary("up", "--yes");
    expect(emptied, emptied.text).to.include({ code: 0, changed: 1, leaving: 16, unchanged: 15 });
    expect(stacks()).to.have.length(1);
    expect(project.capacities()).to.deep.equal(all(77_000));

    // No state has the baselines of the emptied stack, so the journal keeps them until their devices are managed again.
    const later = await project.summary("up", "--yes");
    expect(later, later.text).to.include({ code: 0, changed: 0 });
    expect(later.text).not.to.contain("baselines");
    project.declare(manifest("77 kWh", [...FIRST, ...SECOND]));
    const again = await project.summary("up", "--yes");
    expect(again, again.text).to.include({ code: 0, failed: 0 });
    expect(again.text).to.contain("paris-1: maxCapacity was 60 kWh");
    expect(baselines()).to.deep.equal(all(60_000));
    expect(existsSync(journal())).to.equal(false);
    expect(project.simulator.latestReads).to.equal(0);
  });
});
