import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { type Simulator, startSimulator } from "solar-charging-simulator";
import { Project, takeRequests, takeUpdates } from "../support/project";
import { RunningPulumi } from "../support/running";
import type { Backend, Traffic } from "./child";

/** The cost of one story of a stack. */
export interface Cost {
  /** Duration of the first `up`, in seconds. */
  readonly upSeconds: number;
  /** The requests of the first `up` to the server, if the server shows them. */
  readonly traffic: Traffic | undefined;
  /** The stack's state after it, in bytes. */
  readonly stateBytes: number;
}

/**
 * The story of a stack of this many vehicles with its state in the backend: a first `up`, a second one with nothing to
 * do, a refresh, two runs at once, a killed run and its recovery, a destroy.
 * @throws Error if a step does not end as it should
 */
export async function live(backend: Backend, vehicles: number): Promise<Cost> {
  const ids = Array.from({ length: vehicles }, (_, index) => `car-${index}`);
  const simulator = await startSimulator({
    fleet: { businesses: { acme: Object.fromEntries(ids.map((id) => [id, { type: "vehicle" }])) } },
  });
  const project = await Project.create(simulator);
  try {
    Object.assign(project.env, backend.env);
    await project.succeeds("stack", "init", "dev");
    project.program(program(ids));
    const cost = await firstUp(backend, project, simulator, vehicles);
    await quietRuns(project, simulator, ids);
    await twoAtOnce(backend, project, simulator, ids);
    const destroyed = await project.destroy();
    expect(destroyed).to.contain(`- ${vehicles + 1} deleted`);
    expect(await project.succeeds("stack", "export")).not.to.contain("VehicleSettings");
    await project.succeeds("stack", "rm", "--yes");
    return cost;
  } finally {
    project.remove();
    await simulator.close();
  }
}

function program(ids: readonly string[]): string {
  return `for (const deviceId of ${JSON.stringify(ids)}) new VehicleSettings(deviceId, { deviceId, maxCapacity: 77000 });`;
}

async function firstUp(backend: Backend, project: Project, simulator: Simulator, vehicles: number): Promise<Cost> {
  takeRequests(simulator);
  backend.traffic?.();
  const start = performance.now();
  const text = await project.up();
  const upSeconds = (performance.now() - start) / 1_000;
  const traffic = backend.traffic?.();
  expect(text).to.contain(`+ ${vehicles + 1} created`);
  expect(takeUpdates(simulator)).to.have.lengthOf(vehicles);
  const state = await project.succeeds("stack", "export");
  expect(state).not.to.contain(simulator.token);
  return { upSeconds, traffic, stateBytes: Buffer.byteLength(state) };
}

/** Runs with nothing to send: `up`, and a refresh before and after somebody else has changed a device. */
async function quietRuns(project: Project, simulator: Simulator, ids: readonly string[]): Promise<void> {
  await project.up("--expect-no-changes");
  expect(takeRequests(simulator)).to.deep.equal([]);
  await project.refresh("--expect-no-changes");
  expect(takeRequests(simulator)).to.have.members(ids.map((id) => `GET ${id}`));
  simulator.appUserSets("acme", "car-0", { max_capacity: 50_000 });
  expect(await project.refresh()).to.contain("~ 1 updated");
  takeRequests(simulator);
  await project.up();
  expect(takeRequests(simulator)).to.include('PATCH car-0 {"max_capacity":77000}').and.have.lengthOf(2);
}

/** A run that waits in its program locks the stack. If it is killed, the lock remains until `pulumi cancel`. */
async function twoAtOnce(
  backend: Backend,
  project: Project,
  simulator: Simulator,
  ids: readonly string[],
): Promise<void> {
  const reached = join(project.folder, "reached");
  project.program(`require("node:fs").writeFileSync("reached", ""); setInterval(() => {}, 1000);`);
  const first = new RunningPulumi(project, "up", "--yes", "--skip-preview");
  while (!existsSync(reached)) await setTimeout(10);
  const refused = await project.fails("up", "--yes", "--skip-preview");
  first.signal("SIGKILL");
  await first.output;
  const left = await project.fails("up", "--yes", "--skip-preview");
  for (const text of [refused, left]) {
    expect(text).to.contain("the stack is currently locked by 1 lock(s)").and.contain("pulumi cancel");
    if (backend.password) expect(text).not.to.contain(backend.password);
  }
  await project.succeeds("cancel", "--yes");
  project.program(program(ids));
  await project.up("--expect-no-changes");
  expect(takeRequests(simulator)).to.deep.equal([]);
}
