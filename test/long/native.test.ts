import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { wakesCar } from "../../provider/engine/messages";
import { textOf } from "../../provider/messages/message";
import { CAR, carAndSite, FLEET, VAN } from "../support/devices";
import { counted, givenProject, takeRequests } from "../support/project";
import { servedByTwoProviders } from "../support/twoProviders";

describe("engine: the native plugin", () => {
  let onRequest = () => {};
  const given = givenProject(FLEET, "for each", () => onRequest());
  beforeEach(() => {
    onRequest = () => {};
  });

  it("has all providers of a program take turns, so that a minute has no more requests than it may", async () => {
    const { project, simulator } = given;
    project.env.SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE = "6000";
    const home = project.path("home");
    // A home of its own: other tests that run now have such files too.
    mkdirSync(home);
    symlinkSync(join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions"), join(home, "versions"));
    project.env.PULUMI_HOME = home;
    let turns: string[] = [];
    onRequest = () => {
      const folder = join(home, `solar-charging-${process.getuid?.()}`);
      const [file = ""] = readdirSync(folder).filter((name) => name.includes("-pace-"));
      turns = readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean);
    };
    project.program(
      ["acme", "north"]
        .map(
          (businessId) => `new VehicleSettings("${businessId}", {
            deviceId: "car", maxCapacity: 77000, policy: "CHARGE BY",
          }, { provider: new Provider("for-${businessId}", { businessId: "${businessId}" }) });`,
        )
        .join("\n"),
      "native",
    );
    await project.up();
    expect(simulator.requests).to.have.length(6);
    // Checks that the processes share one file. The times of the requests depend on the machine.
    expect(turns).to.have.length(6);
    expect(new Set(turns.map((line) => JSON.parse(line).pid)).size).to.equal(2);
  });

  it("moves a stack to the plugin and back without a change and without a request, and restores the baselines", async () => {
    const { project, simulator } = given;
    project.program(carAndSite(77_000, 11_000));
    await project.up();
    const outputs = () => [project.resource("car"), project.resource("home")].map((resource) => resource.outputs);
    const before = outputs();
    for (const front of ["native", "dynamic"] as const) {
      takeRequests(simulator);
      project.program(carAndSite(77_000, 11_000), front);
      expect(counted(await project.succeeds("preview"))).to.deep.equal(["3 unchanged"]);
      expect(counted(await project.up())).to.deep.equal(["3 unchanged"]);
      expect(takeRequests(simulator)).to.deep.equal([]);
      expect(outputs()).to.deep.equal(before);
      expect(counted(await project.refresh())).to.deep.equal(["3 unchanged"]);
    }
    await project.destroy();
    expect(simulator.device("acme", "car")).to.deep.equal(CAR);
    expect(simulator.device("acme", "van")).to.deep.equal(VAN);
  });

  it("serves two explicit providers, each with its own business and token, and keeps no token in clear", async () => {
    const { project, simulator } = given;
    const token = simulator.token;
    project.env.SOLAR_CHARGING_ACCESS_TOKEN = "of-the-environment";
    const state = await servedByTwoProviders(
      given,
      `new Provider(businessId, { businessId, accessToken: "${token}" })`,
    );
    expect(state).to.not.contain(token);
  });

  it("checks resources of a provider with an argument from an output in the update, before it sends anything for them", async () => {
    const { project, simulator } = given;
    project.program(
      `const van = new VehicleSettings("van", { deviceId: "van", maxChargePower: 7400 });
       const later = new Provider("later", { businessId: van.settings.apply(() => "acme") });
       new VehicleSettings("car", { deviceId: "car", maxCapacity: 999_000_000 }, { provider: later });`,
      "native",
    );
    // The engine does not start such a provider in a preview, so it cannot even warn.
    expect(counted(await project.succeeds("preview"))).to.deep.equal(["+ 4 to create"]);
    expect(await project.fails("up", "--yes", "--skip-preview")).to.contain("property maxCapacity");
    expect(takeRequests(simulator).filter((request) => request.endsWith(" car"))).to.deep.equal([]);
  });

  it("prints a program for the imported devices, which changes nothing", async function () {
    const { project, simulator } = given;
    project.program("", "native");
    await project.up();
    const imported = {
      resources: [
        { type: "solar-charging:index:VehicleSettings", name: "car", id: "acme/car" },
        { type: "solar-charging:index:InverterSettings", name: "roof", id: "acme/roof" },
      ],
    };
    project.write("import.json", JSON.stringify(imported));
    const options = ["--yes", "--skip-preview", "--protect=false", "--out", "imported.ts"];
    const { code, text } = await project.pulumi(["import", "--file", "import.json", ...options]);
    // Some language hosts cannot print programs. They fail after the import.
    if (text.includes("not implemented")) this.skip();
    expect(code, text).to.equal(0);
    const program = readFileSync(project.path("imported.ts"), "utf8");
    expect(program).to.contain('from "pulumi-solar-charging-native"').and.contain("maxCapacity: 60000");
    project.write("package.json", JSON.stringify({ name: "test", main: "imported.ts" }));
    expect(counted(await project.succeeds("preview"))).to.deep.equal(["3 unchanged"]);
    expect(takeRequests(simulator).sort()).to.deep.equal(["GET car", "GET roof"]);
  });

  it("reads a device as the provider of the call is configured, and wakes no car in a preview", async () => {
    const { project, simulator } = given;
    project.program(
      `const north = new Provider("north", { businessId: "north" });
       exports.own = getDevice({ deviceId: "car" }).then(({ businessId }) => businessId);
       exports.north = getDeviceOutput({ deviceId: "car" }, { provider: north }).businessId;
       exports.capacity = getDeviceOutput({ deviceId: "car" }, { parent: undefined }).reported.maxCapacity;`,
      "native",
    );
    await project.up();
    const outputs = project.outputs();
    expect(outputs).to.deep.equal({ own: "acme", north: "north", capacity: 60_000 });

    project.program(
      'exports.metrics = getLatestMetrics({ deviceId: "car", allowWake: true }).then((all) => typeof all);',
      "native",
    );
    expect(await project.fails("preview")).to.contain(textOf(wakesCar(true)));
    expect(simulator.latestReads).to.equal(0);
    await project.up();
    expect(simulator.latestReads).to.equal(1);
  });
});
