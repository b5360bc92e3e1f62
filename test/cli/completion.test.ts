import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { solarCharging } from "../support/commandLine";
import { temporaryFolder } from "../support/folder";

describe("cli: completion", () => {
  const path = temporaryFolder();
  /** The completions for the last of these words. */
  const offered = async (...words: string[]) => {
    const { stdout } = await solarCharging(["complete", "--", ...words], { cwd: path("") });
    return stdout.split("\n").flatMap((line) => (line.includes("\t") ? [line.split("\t")[0]] : []));
  };

  it("completes commands, options, manifests by files, and a canary by the sites of the manifest", async () => {
    mkdirSync(path("fleets"));
    for (const name of ["other.yml", "list.csv", "readme.md", "fleets/two.json"]) writeFileSync(path(name), "");
    const sites = ["oslo", "paris", "rome"].map((id) => `  ${id}: { vehicles: { car: { deviceId: ${id} } } }`);
    writeFileSync(path("fleet.yaml"), ["fleet: acme", "sites:", ...sites].join("\n"));
    for (const [words, expected] of [
      [["pre"], ["preview"]],
      [["up", "--can"], ["--canary"]],
      [
        ["up", "--manifest", ""],
        ["fleet.yaml", "other.yml", "fleets/"],
      ],
      [["preview", "-m", "fleets/"], ["fleets/two.json"]],
      [["preview", "-m", "none/"], []],
      [
        ["up", "-m", "fleet.yaml", "--canary", ""],
        ["oslo", "paris", "rome"],
      ],
      [["up", "--manifest=fleet.yaml", "--canary", "p"], ["paris"]],
      [["up", "--manifest", "none.yaml", "--canary", ""], []],
      [["up", "--canary", ""], []],
    ] as const) {
      expect(await offered("fleet", ...words), words.join(" ")).to.have.members(expected);
    }
  });

  for (const shell of ["bash", "zsh", "fish"]) {
    it(`has a script for ${shell}`, async () => {
      const { code, stdout } = await solarCharging(["completion", shell]);
      expect(code).to.equal(0);
      expect(stdout).to.contain("solar-charging complete --");
    });
  }
});
