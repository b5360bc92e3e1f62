import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "chai";
import { buildPlugin } from "../../scripts/plugin";
import { failureOf } from "../protocol/failures";
import { manifestOf } from "../protocol/installation";
import { PluginHost } from "../protocol/pluginHost";
import { inputsOf } from "../protocol/provider";
import { temporaryFolder } from "../support/folder";
import { nativeProgram } from "../support/plugin";
import { givenProject } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } } } as const;

describe("engine: the plugin of a release", () => {
  const given = givenProject(fleet, "for all");
  const path = temporaryFolder();

  it("is installed from its archives, and applied by the engine", async function () {
    this.timeout(300_000); // It makes executables of 100 MB.
    const { executable, archives } = await buildPlugin(path("plugin"));
    const { project, simulator } = given;
    const host = await PluginHost.start({}, undefined, [executable]);
    const error = await failureOf(host.create(inputsOf("vehicle", { businessId: "acme", deviceId: "car" })));
    await host.stop();
    expect(error.details).to.contain("SOLAR_CHARGING_BASE_URL is not set");

    const { version } = manifestOf();
    for (const [index, archive] of archives.entries()) {
      const home = path(`home-${index}`);
      mkdirSync(home);
      // npm's launcher of the engine looks for it there.
      symlinkSync(join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions"), join(home, "versions"));
      project.env.PULUMI_HOME = home;
      await project.succeeds("plugin", "install", "resource", "solar-charging", `v${version}`, "--file", archive);
      await project.succeeds("stack", "select", "dev");
      const maxCapacity = 77_000 + index;
      nativeProgram(project, `new solar.VehicleSettings("car", { deviceId: "car", maxCapacity: ${maxCapacity} });`);
      expect(await project.up()).to.not.contain("$PATH");
      expect(simulator.device("acme", "car")).to.include({ max_capacity: maxCapacity });
    }
    expect(archives.map((archive) => basename(archive))).to.include(
      `pulumi-resource-solar-charging-v${version}-node.tar.gz`,
    );
  });
});
