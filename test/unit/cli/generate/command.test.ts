import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { generateCommand } from "../../../../cli/fleet/generate/command";
import type { Manifest } from "../../../../provider/manifest/model";
import { temporaryFolder } from "../../../support/folder";
import { fleetOf } from "./fleets";

describe("generate: the command", () => {
  const file = temporaryFolder();

  const run = (manifest: () => Manifest, ...args: string[]) =>
    generateCommand(manifest, "1.2.3")
      .exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut: () => {} })
      .parseAsync(["--manifest", "fleet.yaml", "--out", file("."), ...args], { from: "user" });
  const refusal = async (...args: string[]) => {
    const error = await run(() => fleetOf(100, 4), ...args).catch((reason: Error) => reason);
    return error instanceof Error ? error.message : "none";
  };

  it("writes the files where the platform looks for them", async () => {
    await run(() => fleetOf(100, 4), "github", "--jobs", "3");
    expect(readFileSync(file(".github/workflows/fleet-acme.yml"), "utf8")).to.contain("part: [1, 2, 3]");
    await run(() => fleetOf(100, 4), "operator", "--repository", "https://github.com/acme/fleet");
    for (const name of ["stacks.yaml", "Pulumi.yaml", "package.json", "index.js"]) {
      expect(existsSync(file(`operator/${name}`)), name).to.equal(true);
    }
  });

  it("makes no more jobs than there are stacks", async () => {
    await run(() => fleetOf(100, 2), "gitlab");
    expect(readFileSync(file("ci/fleet-acme.gitlab-ci.yml"), "utf8")).to.contain('PARTS: "2"');
  });

  it("writes nothing for a manifest that is refused", async () => {
    const refused = () => {
      throw new Error("fleet.yaml:3:5: unknown key");
    };
    const error = await run(refused, "github").catch((reason: Error) => reason.message);
    expect(error).to.equal("fleet.yaml:3:5: unknown key");
    expect(existsSync(file(".github"))).to.equal(false);
  });

  it("prints a single file as it is, and heads several with their paths", async () => {
    const printed = async (...args: string[]) => {
      let text = "";
      const writeOut = (piece: string) => {
        text += piece;
      };
      const command = generateCommand(() => fleetOf(100, 4), "1.2.3").configureOutput({ writeOut });
      await command.parseAsync(["--manifest", "fleet.yaml", ...args], { from: "user" });
      return text;
    };
    expect(await printed("gitlab")).to.match(/^# ci\/fleet-acme.gitlab-ci.yml: /);
    expect((await printed("operator", "--repository", "r")).match(/^# --- .*/gm)).to.have.lengthOf(4);
  });

  it("refuses a fleet without sites", async () => {
    const error = await run(() => fleetOf(0, 4), "github").catch((reason: Error) => reason.message);
    expect(error).to.equal("fleet.yaml has no site: there is nothing to run");
  });

  it("says what is wrong with its arguments", async () => {
    expect(await refusal("jenkins")).to.contain("Allowed choices are github, gitlab, operator.");
    expect(await refusal("github", "--jobs", "none")).to.contain("Give a whole number from 1 to 200.");
    expect(await refusal("github", "--jobs", "5")).to.equal(
      "--jobs 5 is more than the fleet has stacks, 4: some jobs would have nothing to do",
    );
    expect(await refusal("operator")).to.contain("the operator needs --repository");
  });
});
