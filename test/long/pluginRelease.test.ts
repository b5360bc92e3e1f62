import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { expect } from "chai";
import { buildPlugin } from "../../scripts/plugin";
import { smoke } from "../../scripts/smoke";
import { failureOf } from "../protocol/failures";
import { manifestOf } from "../protocol/installation";
import { PluginHost } from "../protocol/pluginHost";
import { inputsOf } from "../protocol/provider";
import { temporaryFolder } from "../support/folder";
import { givenProject, programText } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } } } as const;

describe("engine: the plugin of a release", () => {
  const given = givenProject(fleet, "for all");
  const path = temporaryFolder();

  it("is installed from its archives, and applied by the engine", async () => {
    const { executable, archives } = await buildPlugin(path("plugin"));
    const { project, simulator } = given;
    const host = await PluginHost.start({}, undefined, [executable]);
    const error = await failureOf(host.create(inputsOf("vehicle", { businessId: "acme", deviceId: "car" })));
    await host.stop();
    expect(error.details).to.contain("SOLAR_CHARGING_BASE_URL ");

    const { version } = manifestOf();
    expect(await smoke(path("plugin"), version)).to.have.members(archives.map((archive) => basename(archive)));
    for (const [index, archive] of archives.entries()) {
      const home = path(`home-${index}`);
      mkdirSync(home);
      // npm's launcher looks for the engine in this folder.
      symlinkSync(join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions"), join(home, "versions"));
      project.env.PULUMI_HOME = home;
      // Removes npm's folder of commands, which contains the plugin of this build.
      project.env.PATH = project.env.PATH?.split(delimiter)
        .filter((folder) => !folder.endsWith(join("node_modules", ".bin")))
        .join(delimiter);
      await project.succeeds("plugin", "install", "resource", "solar-charging", `v${version}`, "--file", archive);
      await project.succeeds("stack", "select", "dev");
      const maxCapacity = 77_000 + index;
      const program = `new VehicleSettings("car", { deviceId: "car", maxCapacity: ${maxCapacity} });`;
      project.write("index.js", programText(program, "native"));
      expect(await project.up()).to.not.contain("$PATH");
      expect(simulator.device("acme", "car")).to.include({ max_capacity: maxCapacity });
    }
    expect(archives.map((archive) => basename(archive))).to.include(
      `pulumi-resource-solar-charging-v${version}-node.tar.gz`,
    );
  });
});
