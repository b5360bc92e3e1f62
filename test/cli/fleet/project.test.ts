import { lstatSync, mkdirSync, realpathSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { writeProject } from "../../../cli/fleet/engine/project";
import { temporaryFolder } from "../../support/folder";
import { ROOT } from "../../support/project";

describe("cli fleet: the project", () => {
  const path = temporaryFolder();
  const OURS = "acme/node_modules/pulumi-solar-charging";

  it("leaves what is as it should be, as another run may be using it", () => {
    writeProject(path("acme"), "acme");
    const names = ["Pulumi.yaml", "package.json", "index.js", "node_modules/pulumi-solar-charging"];
    const files = () => names.map((name) => lstatSync(path(`acme/${name}`)).ino);
    const before = files();
    writeProject(path("acme"), "acme");
    expect(files()).to.deep.equal(before);
  });

  it("mends what is not: a file that was cut off, and a package of another installation", () => {
    writeProject(path("acme"), "acme");
    writeFileSync(path("acme/Pulumi.yaml"), "");
    unlinkSync(path(OURS));
    mkdirSync(path("other"));
    symlinkSync(path("other"), path(OURS));
    writeProject(path("acme"), "acme");
    expect(statSync(path("acme/Pulumi.yaml")).size).to.be.greaterThan(0);
    expect(realpathSync(path(OURS))).to.equal(realpathSync(ROOT));
    unlinkSync(path(OURS));
    mkdirSync(path(`${OURS}/dist`), { recursive: true });
    writeProject(path("acme"), "acme");
    expect(realpathSync(path(OURS))).to.equal(realpathSync(ROOT));
  });
});
