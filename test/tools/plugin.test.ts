import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { manifestOf } from "../protocol/installation";
import { PluginHost } from "../protocol/pluginHost";
import { inputsOf } from "../protocol/provider";
import { temporaryFolder } from "../support/folder";
import { blocksOf } from "../support/markdown";
import { PLUGIN_FOLDER } from "../support/project";

const PLUGIN = join(PLUGIN_FOLDER, "pulumi-resource-solar-charging");
/** The lines of Pulumi.yaml with which the engine finds the plugin. */
const [KEY = ""] = blocksOf("docs/languages.md").flatMap(({ language, text }) => (language === "yaml" ? [text] : []));
const CAR = inputsOf("vehicle", { businessId: "acme", deviceId: "car", maxCapacity: 1 });

describe("docs/installation-configuration.md", () => {
  it("has the lines of Pulumi.yaml that docs/languages.md has", () => {
    expect(blocksOf("docs/installation-configuration.md").map(({ text }) => text)).to.include(KEY);
  });
});

describe("the plugin of the npm package", () => {
  const folder = temporaryFolder();

  it("is a file that runs with Node alone, and a launcher for Windows", () => {
    expect(readdirSync(PLUGIN_FOLDER)).to.have.members([
      "pulumi-resource-solar-charging",
      "pulumi-resource-solar-charging.cmd",
    ]);
  });

  it("answers --version and --help instead of serving", () => {
    const answer = (flag: string) => execFileSync(PLUGIN, [flag], { cwd: folder("."), encoding: "utf8" });
    expect(answer("--version").trim()).to.equal(manifestOf().version);
    expect(answer("--help"))
      .to.match(/^Usage: /)
      .and.contain(KEY);
  });

  it("takes the last argument for the engine's address, because flags before it have values", async () => {
    const host = await PluginHost.start({}, undefined, [PLUGIN, "-v=9", "-tracing", "http://127.0.0.1:1"]);
    try {
      await host.check(CAR);
      expect(host.engine.messages).to.not.deep.equal([]);
    } finally {
      await host.stop();
    }
  });
});
