import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { RequestLogEntry } from "solar-charging-simulator";
import { nativeProgram, withPlugin } from "../support/plugin";
import { givenProject, type Project, ROOT, takeRequests } from "../support/project";
import { RunningPulumi } from "../support/running";

const CAR = { max_capacity: 60_000, max_charge_power: 7200, policy: "CHARGE BY" };
const VAN = { max_capacity: 61_000, max_charge_power: 7300, policy: "CHARGE BY" };
const ROOF = { peak_power: 1, azimuth: 2, tilt: 3, cut_in_threshold: 0, base_load: 5 };

const fleet = () =>
  ({
    businesses: {
      acme: {
        car: { type: "vehicle", settings: { ...CAR } },
        van: { type: "vehicle", settings: { ...VAN } },
        roof: { type: "inverter", settings: { ...ROOF } },
      },
      north: { car: { type: "vehicle", settings: { ...CAR } } },
    },
  }) as const;

/** A car and a site. */
const program = (maxCapacity: number, maxChargePower: number, opts = "{}") => `
  new solar.VehicleSettings("car", {
    deviceId: "car", maxCapacity: ${maxCapacity}, maxChargePower: 7200, policy: "CHARGE BY", onDelete: "restore",
  }, ${opts});
  const home = new solar.SiteSettings("home", {
    onDelete: "restore",
    vehicles: { van: { deviceId: "van", maxCapacity: 70000, maxChargePower: ${maxChargePower} } },
    inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 } },
  });
  exports.ready = home.ready;`;

/** What the summary of a run counts, such as \`2 unchanged\`. */
const counted = (text: string) => /Resources:\n((?: {4}.*\n?)+)/.exec(text)?.[1]?.trim().split(/\n\s*/) ?? [];

describe("engine: the native plugin", () => {
  let onRequest = (_: RequestLogEntry) => {};
  const given = givenProject(fleet(), "for each", (request) => onRequest(request));
  beforeEach(() => withPlugin(given.project));

  it("imports a car, previews nested changes, repairs drift in one up, and gives everything back", async () => {
    const { project, simulator } = given;
    project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
    nativeProgram(project, program(60_000, 11_000, '{ import: "acme/car" }'));
    expect(counted(await project.up()))
      .to.include("+ 2 created")
      .and.include("= 1 imported");
    expect(takeRequests(simulator).filter((request) => request.startsWith("PATCH car"))).to.deep.equal([]);
    nativeProgram(project, program(60_000, 11_000));
    expect(counted(await project.succeeds("preview"))).to.deep.equal(["3 unchanged"]);

    nativeProgram(project, program(78_000, 7400));
    const preview = await project.succeeds("preview", "--diff");
    expect(preview).to.contain("~ maxChargePower: 11000 => 7400").and.contain("~ maxCapacity: 60000 => 78000");
    await project.up();

    simulator.appUserSets("acme", "van", { max_charge_power: 3700 });
    takeRequests(simulator);
    const drifted = await project.succeeds("preview", "--diff");
    expect(drifted).to.contain("~ maxChargePower: 3700 => 7400");
    await project.up();
    expect(simulator.device("acme", "van")).to.include({ max_charge_power: 7400 });
    expect(takeRequests(simulator).filter((request) => request.startsWith("PATCH"))).to.deep.equal([
      'PATCH van {"max_charge_power":7400}',
    ]);

    await project.destroy();
    expect(simulator.device("acme", "car")).to.deep.equal(CAR);
    expect(simulator.device("acme", "van")).to.deep.equal(VAN);
    expect(simulator.device("acme", "roof")).to.deep.equal(ROOF);
    expect(simulator.latestReads).to.equal(0);
  });

  it("imports what is named on the command line, so that the next preview is empty", async () => {
    const { project, simulator } = given;
    nativeProgram(project, "");
    await project.succeeds("up", "--yes", "--skip-preview");
    const token = "solar-charging:index:VehicleSettings";
    await project.succeeds(
      "import",
      token,
      "car",
      "acme/car",
      "--yes",
      "--skip-preview",
      "--generate-code=false",
      "--protect=false",
    );
    nativeProgram(
      project,
      `new solar.VehicleSettings("car", { deviceId: "car", maxCapacity: 60000, maxChargePower: 7200, policy: "CHARGE BY" });`,
    );
    expect(counted(await project.succeeds("preview"))).to.deep.equal(["2 unchanged"]);
    expect(takeRequests(simulator)).to.deep.equal(["GET car"]);
  });

  it("prints a program for what is imported, which changes nothing", async function () {
    const { project, simulator } = given;
    nativeProgram(project, "");
    await project.succeeds("up", "--yes", "--skip-preview");
    const import_ = {
      resources: [
        { type: "solar-charging:index:VehicleSettings", name: "car", id: "acme/car" },
        { type: "solar-charging:index:InverterSettings", name: "roof", id: "acme/roof" },
      ],
    };
    project.write("import.json", JSON.stringify(import_));
    const options = ["--yes", "--skip-preview", "--protect=false", "--out", "imported.ts"];
    const { code, text } = await project.pulumi(["import", "--file", "import.json", ...options]);
    // Language hosts that cannot print programs are about: they have imported by then.
    if (text.includes("not implemented")) this.skip();
    expect(code, text).to.equal(0);
    const program = readFileSync(join(project.folder, "imported.ts"), "utf8");
    expect(program).to.contain('from "pulumi-solar-charging/native"').and.contain("maxCapacity: 60000");
    project.write("package.json", JSON.stringify({ name: "test", main: "imported.ts" }));
    expect(counted(await project.succeeds("preview"))).to.deep.equal(["3 unchanged"]);
    expect(takeRequests(simulator).sort()).to.deep.equal(["GET car", "GET roof"]);
  });

  it("reads a device as the provider of the call is configured, and wakes no car in a preview", async () => {
    const { project, simulator } = given;
    nativeProgram(
      project,
      `const north = new solar.Provider("north", { businessId: "north" });
       exports.own = solar.getDevice({ deviceId: "car" }).then(({ businessId }) => businessId);
       exports.north = solar.getDeviceOutput({ deviceId: "car" }, { provider: north }).businessId;
       exports.capacity = solar.getDeviceOutput({ deviceId: "car" }, { parent: undefined }).reported.maxCapacity;`,
    );
    await project.up();
    const outputs = JSON.parse(await project.succeeds("stack", "output", "--json"));
    expect(outputs).to.deep.equal({ own: "acme", north: "north", capacity: 60_000 });

    nativeProgram(
      project,
      'exports.metrics = solar.getLatestMetrics({ deviceId: "car", allowWake: true }).then((all) => typeof all);',
    );
    expect(await project.fails("preview")).to.contain("is not called in a preview");
    expect(simulator.latestReads).to.equal(0);
    await project.up();
    expect(simulator.latestReads).to.equal(1);
  });

  it("warns at the end of a run of a car on CHARGE BY FORECAST without an inverter, and not of one with an inverter", async () => {
    const { project } = given;
    const car = `new solar.VehicleSettings("car", { deviceId: "car", maxCapacity: 77000, maxChargePower: 11000, policy: "CHARGE BY FORECAST" });`;
    const warning = /warning: VehicleSettings 'car': policy CHARGE BY FORECAST needs the values of an inverter/;
    nativeProgram(project, car);
    expect(await project.succeeds("preview")).to.match(warning);
    nativeProgram(project, `${car} new solar.InverterSettings("roof", { deviceId: "roof", tilt: 35 });`);
    expect(await project.succeeds("preview")).to.not.match(warning);
  });

  const fronts = { "to the plugin": ["dynamic", "native"], "to the dynamic resources": ["native", "dynamic"] } as const;
  for (const [way, [from, to]] of Object.entries(fronts)) {
    it(`moves a stack ${way} without a change and without a request, and gives back what was before`, async () => {
      const { project, simulator } = given;
      writeProgram(project, from);
      await project.up();
      const before = [project.resource("car"), project.resource("home")].map(({ outputs }) => outputs);
      takeRequests(simulator);
      writeProgram(project, to);
      expect(counted(await project.succeeds("preview"))).to.deep.equal(["3 unchanged"]);
      expect(counted(await project.up())).to.deep.equal(["3 unchanged"]);
      expect(takeRequests(simulator)).to.deep.equal([]);
      const after = [project.resource("car"), project.resource("home")].map(({ outputs }) => outputs);
      expect(after).to.deep.equal(before);
      expect(counted(await project.refresh())).to.deep.equal(["3 unchanged"]);
      await project.destroy();
      expect(simulator.device("acme", "car")).to.deep.equal(CAR);
      expect(simulator.device("acme", "van")).to.deep.equal(VAN);
    });
  }

  it("serves two explicit providers, each with its own business and token, and keeps no token in clear", async () => {
    const { project, simulator } = given;
    const token = simulator.token;
    project.env.SOLAR_CHARGING_ACCESS_TOKEN = "of-the-environment";
    nativeProgram(
      project,
      `for (const businessId of ["acme", "north"]) {
         const provider = new solar.Provider(businessId, { businessId, accessToken: "${token}" });
         new solar.VehicleSettings("car-of-" + businessId, { deviceId: "car", maxCapacity: 77000, onDelete: "restore" }, { provider });
       }`,
    );
    await project.up();
    for (const business of ["acme", "north"])
      expect(simulator.device(business, "car")).to.include({ max_capacity: 77_000 });
    expect(project.stateText()).to.not.contain(token);
    await project.destroy();
    for (const business of ["acme", "north"]) expect(simulator.device(business, "car")).to.deep.equal(CAR);
  });

  it("ends soon after Ctrl-C while the service is stalled, keeps what may have been applied, and goes on from there", async () => {
    const { project, simulator } = given;
    project.env.SOLAR_CHARGING_REQUEST_TIMEOUT_SECONDS = "600";
    nativeProgram(
      project,
      `new solar.VehicleSettings("car", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });`,
    );
    simulator.fail({ method: "PATCH", kind: "stall-headers" });
    const stalled = new Promise<void>((resolve) => {
      onRequest = ({ method }) => void (method === "PATCH" && resolve());
    });
    const running = new RunningPulumi(project, "up", "--yes", "--skip-preview");
    await stalled;
    running.signal("SIGINT");
    expect((await running.output).code).to.not.equal(0);
    expect(project.resource("car").outputs).to.deep.include({
      attempted: { maxCapacity: [77_000] },
      baseline: { maxCapacity: 60_000 },
    });
    await project.up();
    expect(simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
    expect(project.resource("car").outputs).to.not.have.property("attempted");
  });

  it("encrypts a secret setting wherever it stands in state", async () => {
    const { project } = given;
    nativeProgram(
      project,
      `const pulumi = require("@pulumi/pulumi");
       new solar.SiteSettings("home", { vehicles: { van: { deviceId: "van", maxCapacity: pulumi.secret(76543), maxChargePower: 11000 } } });`,
    );
    const shown = await project.up();
    const files = [shown, project.stateText(), await project.succeeds("refresh", "--yes", "--skip-preview", "--diff")];
    for (const text of files) expect(text).to.not.contain("76543");
    expect(project.stateText()).to.contain("11000");
  });
});

describe("engine: the schema of the package", () => {
  const given = givenProject(fleet(), "for all");

  it("passes Pulumi's own check without a warning", async () => {
    const text = await given.project.succeeds("schema", "check", join(ROOT, "schema", "package.schema.json"));
    expect(text).to.not.match(/warning|error/i);
  });
});

function writeProgram(project: Project, front: "dynamic" | "native"): void {
  const entry = front === "native" ? "pulumi-solar-charging/native" : "pulumi-solar-charging";
  project.write("index.js", `const solar = require("${entry}");\n${program(77_000, 11_000)}\n`);
}
