import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/folder";
import { outputOf, ROOT } from "../support/project";

const MAIN = join(ROOT, "dist", "cli", "main.js");

describe("cli: completion", () => {
  const path = temporaryFolder();
  const run = async (...args: string[]) => await outputOf(spawn(process.execPath, [MAIN, ...args], { cwd: path("") }));
  /** What is offered for the last of these words. */
  const offered = async (...words: string[]) =>
    (await run("complete", "--", ...words)).text
      .split("\n")
      .filter((line) => line.includes("\t"))
      .map((line) => line.split("\t")[0]);

  it("completes commands and their options", async () => {
    expect((await run("complete", "--", "fleet", "pre")).text).to.match(/^preview\t/m);
    expect((await run("complete", "--", "fleet", "up", "--can")).text).to.match(/^--canary\t/m);
  });

  it("reads no file for a canary where no manifest is named", async () => {
    writeFileSync(path("fleet.yaml"), "fleet: acme\nsites: { oslo: {} }");
    // The first word of a command line is not one of the user's: it is Node's own file.
    writeFileSync(path("first.js"), 'process.argv[0] = "fleet.yaml";');
    const options = { cwd: path(""), env: { ...process.env, NODE_OPTIONS: `--require ${path("first.js")}` } };
    const words = [MAIN, "complete", "--", "fleet", "up", "--canary", ""];
    const { text } = await outputOf(spawn(process.execPath, words, options));
    expect(text).not.to.contain("oslo");
  });

  it("completes manifests by files, and a canary by the sites of the manifest", async () => {
    mkdirSync(path("fleets"));
    for (const name of ["fleet.yaml", "other.csv", "readme.md", "fleets/two.json"]) writeFileSync(path(name), "");
    const sites = ["oslo", "paris", "rome"].map((id) => `  ${id}: { vehicles: { car: { deviceId: ${id} } } }`);
    writeFileSync(path("fleet.yaml"), ["fleet: acme", "sites:", ...sites].join("\n"));
    expect(await offered("fleet", "up", "--manifest", "")).to.have.members(["fleet.yaml", "other.csv", "fleets/"]);
    expect(await offered("fleet", "preview", "-m", "fleets/")).to.deep.equal(["fleets/two.json"]);
    expect(await offered("fleet", "preview", "-m", "none/")).to.deep.equal([]);
    expect(await offered("fleet", "up", "-m", "fleet.yaml", "--canary", "")).to.deep.equal(["oslo", "paris", "rome"]);
    expect(await offered("fleet", "up", "--manifest=fleet.yaml", "--canary", "p")).to.deep.equal(["paris"]);
    expect(await offered("fleet", "up", "--manifest", "none.yaml", "--canary", "")).to.deep.equal([]);
  });

  for (const shell of ["bash", "zsh", "fish"]) {
    it(`has a script for ${shell}`, async () => {
      const { code, text } = await run("completion", shell);
      expect(code).to.equal(0);
      expect(text).to.contain("solar-charging complete --");
    });
  }
});
