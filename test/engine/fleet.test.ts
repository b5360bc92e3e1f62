import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { Summary } from "../../cli/fleet/summary";
import { type Simulator, startSimulator } from "../../simulator";
import { outputOf, ROOT } from "../support/project";

const cars = ["car-a", "car-b", "car-c", "car-d"];

/** Four sites with a car each, in two stacks: `oslo`, the first by the alphabet, with `vienna`. */
function manifest(capacity: string, sites: readonly string[] = ["oslo", "paris", "rome", "vienna"]): string {
  return [
    "fleet: acme",
    "shards: 2",
    `defaults: { vehicle: { maxCapacity: ${capacity}, maxChargePower: 11 kW, ignoreLints: [ignored-metadata] } }`,
    "sites:",
    ...sites.map((id, index) => `  - { id: ${id}, vehicles: [{ deviceId: ${cars[index]} }] }`),
  ].join("\n");
}

describe("engine: the driver of a fleet", () => {
  let folder: string;
  let simulator: Simulator;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-driver-"));
    mkdirSync(join(folder, "state"));
    const settings = { max_capacity: 60_000, max_charge_power: 7_400 };
    const acme = Object.fromEntries(cars.map((id) => [id, { type: "vehicle", settings }] as const));
    simulator = await startSimulator({ fleet: { businesses: { acme } } });
    env = {
      ...process.env,
      NO_COLOR: "1",
      PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      SOLAR_CHARGING_BASE_URL: simulator.url,
      SOLAR_CHARGING_BUSINESS_ID: "acme",
      SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
    };
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await simulator.close();
  });

  async function fleet(operation: string, ...args: string[]): Promise<{ code: number | null; text: string }> {
    const cli = join(ROOT, "dist", "cli", "main.js");
    const all = [cli, "fleet", operation, "--manifest", "fleet.yaml", "--parallel", "2", ...args];
    return await outputOf(spawn(process.execPath, all, { cwd: folder, env }));
  }
  async function summary(operation: string, ...args: string[]): Promise<Summary & { code: number | null }> {
    const { code, text } = await fleet(operation, "--json", ...args);
    const start = text.indexOf("{\n");
    if (start < 0) throw new Error(text);
    return { ...JSON.parse(text.slice(start, text.lastIndexOf("}") + 1)), code };
  }
  const write = (text: string) => writeFileSync(join(folder, "fleet.yaml"), text);
  const capacities = () => cars.map((id) => simulator.device("acme", id).max_capacity);

  // One fleet has one life: each step needs the one before, so that they are one test.
  it("previews, rolls out in waves, stops at a failing canary, goes on, shows drift, lets go, and begins anew", async () => {
    write(manifest("77 kWh"));
    const preview = await summary("preview");
    expect(preview, JSON.stringify(preview)).to.include({ code: 2, changed: 4, failed: 0 });
    expect(simulator.requests).to.have.length(0);

    simulator.fail({ method: "PATCH", deviceId: "car-a", status: 422, body: "no" });
    const failing = await summary("up", "--yes");
    expect(failing, JSON.stringify(failing)).to.include({ code: 3, failed: 1, changed: 0 });
    expect(failing.stopped).to.equal("wave canary: 1 of 1 devices failed, and the canary may have none");
    expect(capacities()).to.deep.equal([60_000, 60_000, 60_000, 60_000]);

    const refused = await summary("up", "--gate", "test $SOLAR_CHARGING_WAVE != canary");
    expect(refused, JSON.stringify(refused)).to.include({ code: 3, stopped: "not released after wave canary" });
    expect(capacities()).to.deep.equal([77_000, 60_000, 60_000, 60_000]);

    const resumed = await summary("up", "--yes");
    expect(resumed, JSON.stringify(resumed)).to.include({ code: 0, failed: 0, changed: 3 });
    expect(resumed.calls).to.deep.equal({ get: 6, patch: 3, latest: 0 });
    expect(capacities()).to.deep.equal([77_000, 77_000, 77_000, 77_000]);

    simulator.appUserSets("acme", "car-c", { max_capacity: 70_000 });
    const drift = await summary("drift");
    expect(drift, JSON.stringify(drift)).to.include({ code: 2, changed: 1 });
    expect(drift.devices[0]).to.deep.equal({
      device: "acme/car-c",
      result: "changed",
      changes: [{ key: "maxCapacity", from: 77_000, to: 70_000 }],
    });

    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
    expect(texts.filter((text) => text.includes("car-a"))).to.have.length.greaterThan(1); // Manifest and state.
    expect(texts.filter((text) => text.includes(simulator.token))).to.deep.equal([]);

    const nothing = await summary("up", "--yes");
    expect(nothing, JSON.stringify(nothing)).to.include({ code: 0, changed: 0, unchanged: 4 });
    expect(nothing.calls).to.deep.equal({ get: 0, patch: 0, latest: 0 });

    expect(await fleet("destroy")).to.include({ code: 1, text: "destroy needs --yes where nobody can be asked\n" });
    const destroyed = await summary("destroy", "--yes");
    expect(destroyed, JSON.stringify(destroyed)).to.include({ code: 0, changed: 4 });

    const anew = await summary("up", "--yes");
    expect(anew, JSON.stringify(anew)).to.include({ code: 0, failed: 0 });
    expect(simulator.latestReads).to.equal(0);
  });
});
