import { join } from "node:path";
import { expect } from "chai";
import type { RequestLogEntry } from "solar-charging-simulator";
import { CAR, carAndSite, FLEET, ROOF, VAN } from "../support/devices";
import { counted, givenProject, ROOT, takeRequests, takeUpdates } from "../support/project";
import { RunningPulumi } from "../support/running";

describe("engine: the native plugin", () => {
  let onRequest = (_: RequestLogEntry) => {};
  const given = givenProject(FLEET, "for each", (request) => onRequest(request));

  it("knows in the first preview that a site with a gap is not ready, and nothing of ready without one", async () => {
    const declare = (inverter: string) =>
      given.project.program(
        `const { ready, gaps } = new SiteSettings("home", {
           vehicles: { van: { deviceId: "van" } },
           inverters: { roof: { deviceId: "roof", peakPower: 9800, tilt: 35, cutInThreshold: 150, baseLoad: 400${inverter} } },
         });
         exports.ready = ready; exports.open = gaps.apply((all) => all.map(({ setting }) => setting).join());`,
        "native",
      );
    declare("");
    expect(await given.project.succeeds("preview"))
      .to.match(/ready *: false/)
      .and.match(/open *: "azimuth"/);
    declare(", azimuth: 180");
    expect(await given.project.succeeds("preview")).not.to.match(/ready *: (true|false)/);
  });

  it("imports a car, previews nested changes, shows drift in a live preview, repairs it in one up, and gives everything back", async () => {
    const { project, simulator } = given;
    project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
    project.program(carAndSite(60_000, 11_000, '{ import: "acme/car" }'), "native");
    expect(counted(await project.up()))
      .to.include("+ 2 created")
      .and.include("= 1 imported");
    expect(takeRequests(simulator).filter((request) => request.startsWith("PATCH car"))).to.deep.equal([]);
    project.program(carAndSite(60_000, 11_000), "native");
    expect(counted(await project.succeeds("preview"))).to.deep.equal(["3 unchanged"]);

    project.program(carAndSite(78_000, 7400), "native");
    const preview = await project.succeeds("preview", "--diff");
    expect(preview).to.contain("~ maxChargePower: 11000 => 7400").and.contain("~ maxCapacity: 60000 => 78000");
    await project.up();

    simulator.appUserSets("acme", "van", { max_charge_power: 3700 });
    takeRequests(simulator);
    expect(await project.succeeds("preview")).to.match(/warning: .*maxChargePower.* 3\.7 kW .* 7\.4 kW /);
    const drifted = await project.succeeds("preview", "--diff", "--refresh");
    expect(drifted).to.contain("~ maxChargePower: 3700 => 7400");
    await project.up("--refresh");
    expect(simulator.device("acme", "van")).to.include({ max_charge_power: 7400 });
    expect(takeUpdates(simulator)).to.deep.equal(['PATCH van {"max_charge_power":7400}']);

    await project.destroy();
    expect(simulator.device("acme", "car")).to.deep.equal(CAR);
    expect(simulator.device("acme", "van")).to.deep.equal(VAN);
    expect(simulator.device("acme", "roof")).to.deep.equal(ROOF);
    expect(simulator.latestReads).to.equal(0);
  });

  it("imports the devices named on the command line, so that the next preview is empty", async () => {
    const { project, simulator } = given;
    project.program("", "native");
    await project.up();
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
    project.program(
      `new VehicleSettings("car", { deviceId: "car", maxCapacity: 60000, maxChargePower: 7400, policy: "CHARGE BY" });`,
      "native",
    );
    expect(counted(await project.succeeds("preview"))).to.deep.equal(["2 unchanged"]);
    expect(takeRequests(simulator)).to.deep.equal(["GET car"]);
  });

  it("warns of a car of its own on CHARGE BY FORECAST, which nothing checks, and not of one beside an inverter", async () => {
    const { project } = given;
    const car = `new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000, maxChargePower: 11000, policy: "CHARGE BY FORECAST" });`;
    const warning = /warning: .*forecast-without-inverter/;
    project.program(car, "native");
    expect(await project.succeeds("preview")).to.match(warning);
    const van = '{ deviceId: "van", maxCapacity: 70000, maxChargePower: 7200, policy: "CHARGE BY FORECAST" }';
    const site = `{ vehicles: { van: ${van} }, inverters: { roof: { deviceId: "roof", peakPower: 9000 } } }`;
    project.program(`new SiteSettings("home", ${site});`, "native");
    expect(await project.succeeds("preview")).to.not.match(warning);
  });

  it("ends soon after Ctrl-C while the service is stalled, keeps what may have been applied, and continues from there", async () => {
    const { project, simulator } = given;
    project.env.SOLAR_CHARGING_REQUEST_TIMEOUT_SECONDS = "600";
    project.program(
      `new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });`,
      "native",
    );
    simulator.fail({ method: "PATCH", kind: "stall-headers" });
    const stalled = new Promise<void>((resolve) => {
      onRequest = ({ method }) => void (method === "PATCH" && resolve());
    });
    const running = new RunningPulumi(project, "up", "--yes", "--skip-preview");
    await stalled;
    running.signal("SIGINT");
    expect((await running.output).code).to.not.equal(0);
    expect(project.resource("car").outputs.settings).to.deep.include({
      maxCapacity: { status: "uncertain", sent: [77_000], reported: 60_000, baseline: 60_000 },
    });
    await project.up();
    expect(simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
    expect(project.resource("car").outputs.settings).to.deep.include({
      maxCapacity: { baseline: 60_000 },
    });
  });

  it("encrypts a secret setting wherever it stands in state", async () => {
    const { project } = given;
    project.program(
      `const pulumi = require("@pulumi/pulumi");
       new SiteSettings("home", { vehicles: { van: { deviceId: "van", maxCapacity: pulumi.secret(76543), maxChargePower: 11000 } } });`,
      "native",
    );
    const shown = await project.up();
    const files = [shown, project.stateText(), await project.refresh("--diff")];
    for (const text of files) expect(text).to.not.contain("76543");
    expect(project.stateText()).to.contain("11000");
  });
});

describe("engine: the schema of the package", () => {
  const given = givenProject(FLEET, "for all");

  it("passes Pulumi's own check without a warning", async () => {
    const text = await given.project.succeeds("schema", "check", join(ROOT, "schema", "package.schema.json"));
    expect(text).to.not.match(/warning|error/i);
  });
});
