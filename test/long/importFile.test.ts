import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { CAR, FLEET, ROOF, VAN } from "../support/devices";
import { blocksOf } from "../support/markdown";
import { EACH_DOOR, givenProject, takeRequests } from "../support/project";

const PROGRAM = `
  new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh", onDelete: "restore" });
  new SiteSettings("home", {
    onDelete: "restore",
    vehicles: { van: { deviceId: "van", maxCapacity: 70000, maxChargePower: 11000 } },
    inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 } },
  });`;

/** The commands of docs/adopting.md that contain this text. */
function commands(text: string): string {
  return blocksOf("docs/adopting.md").find((block) => block.text.includes(text))?.text ?? `no block with ${text}`;
}

describe("engine: an import file with baselines", () => {
  const given = givenProject(FLEET, "for each");

  async function isImported(script: string): Promise<void> {
    const { project, simulator } = given;
    takeRequests(simulator);
    const text = await project.shell(script);
    expect(takeRequests(simulator).sort()).to.deep.equal(["GET car", "GET roof", "GET van"]);
    expect(text).to.contain("2 imported").and.not.contain("almost certainly");
    expect(await project.succeeds("preview")).to.contain("3 unchanged");
    await project.up();
    expect(takeRequests(simulator)).to.deep.equal([]);
    await project.destroy();
    expect(simulator.device("acme", "car")).to.deep.equal(CAR);
    expect(simulator.device("acme", "van")).to.deep.equal(VAN);
    expect(simulator.device("acme", "roof")).to.deep.equal(ROOF);
  }

  for (const door of EACH_DOOR) {
    it(`brings back a state that was lost, from the ledger (${door})`, async () => {
      const { project } = given;
      project.env.SOLAR_CHARGING_LEDGER_FILE = join(project.folder, "ledger.jsonl");
      project.program(PROGRAM, door);
      await project.up();
      rmSync(join(project.folder, "state", ".pulumi"), { recursive: true });
      await project.succeeds("stack", "init", "dev");
      delete project.env.SOLAR_CHARGING_LEDGER_FILE;
      await isImported(commands("--ledger ledger.jsonl --import-file"));
    });
  }

  for (const [from, to] of [EACH_DOOR, [...EACH_DOOR].reverse()] as const) {
    it(`moves resources with their baselines, to another stack and from the ${from} to the ${to} ones`, async () => {
      const { project } = given;
      await project.succeeds("stack", "init", "production");
      project.program(PROGRAM, from);
      await project.up("--stack", "production");
      project.program(PROGRAM, to);
      await isImported(commands("--state state.json"));
    });
  }
});
