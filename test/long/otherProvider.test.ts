import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { isOnPath } from "../support/onPath";
import { givenProject, ROOT, takeRequests } from "../support/project";

const CAR = { max_capacity: 60_000, max_charge_power: 3_700, policy: "CHARGE BY" };
const fleet = {
  businesses: { acme: { "van-1": { type: "vehicle", settings: CAR }, "roof-1": { type: "inverter" } } },
} as const;

/** Whether the engine has the plugin of the provider `command`, which it would download otherwise. */
function hasCommand(): boolean {
  const plugins = join(process.env.PULUMI_HOME ?? join(homedir(), ".pulumi"), "plugins");
  const installed = existsSync(plugins) ? readdirSync(plugins) : [];
  return isOnPath("pulumi-resource-command") || installed.some((name) => name.startsWith("resource-command-"));
}

describe("engine: examples/operations, beside the provider command", () => {
  const given = givenProject(fleet, "for all");
  before(function () {
    if (hasCommand()) return;
    console.log("examples/operations is not run: first, pulumi plugin install resource command");
    this.skip();
  });

  it("takes a power from a command, and tells the readiness of the site after each update that changes it", async () => {
    const { project, simulator } = given;
    cpSync(join(ROOT, "examples", "operations"), project.folder, { recursive: true });
    await project.succeeds("stack", "init", "dev"); // The example's Pulumi.yaml names another project.
    await project.succeeds("config", "set", "inventory", "cat wall-box.txt");
    project.write("wall-box.txt", "11 kW\n");
    const file = join(project.folder, "operations.jsonl");
    const told = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);

    expect(await project.succeeds("preview")).to.match(/ready\s*: true/);
    expect([...takeRequests(simulator), ...told()], "the preview").to.deep.equal([]);
    await project.up();
    expect(simulator.device("acme", "van-1")).to.include({ max_charge_power: 11_000, policy: "CHARGE BY FORECAST" });
    expect(told()).to.deep.equal(['{"site":"berlin","ready":true,"missing":[]}']);

    // A change of a value that leaves the site ready, so that the command has nothing new to tell.
    project.write("wall-box.txt", "7.4 kW\n");
    const preview = await project.succeeds("preview");
    expect(preview).to.contain("maxChargePower 11 kW → 7.4 kW").and.not.contain("tell-operations");
    takeRequests(simulator);
    await project.up();
    expect(takeRequests(simulator)).to.deep.equal(['PATCH van-1 {"max_charge_power":7400}', "GET van-1"]);
    expect(told()).to.have.lengthOf(1);

    // A value that the service refuses: nothing depends on an update that has failed.
    project.write("wall-box.txt", "22 kW\n");
    simulator.fail({ method: "PATCH", status: 422, times: 1 });
    await project.fails("up", "--yes", "--skip-preview");
    expect(told()).to.have.lengthOf(1);

    const program = readFileSync(join(project.folder, "index.ts"), "utf8");
    project.write("index.ts", program.replace(/baseLoad: .*\n/, ""));
    await project.up();
    expect(told().slice(1)).to.deep.equal([
      '{"site":"berlin","ready":false,"missing":["inverter/roof: baseLoad is not declared"]}',
    ]);

    await project.destroy();
    expect(simulator.device("acme", "van-1")).to.deep.equal(CAR);
  });
});
