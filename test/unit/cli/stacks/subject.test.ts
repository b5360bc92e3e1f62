import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { neededSubject, subjectOf } from "../../../../cli/stacks/subject";
import { temporaryFolder } from "../../../support/folder";

describe("the fleet or stack that a command is about", () => {
  const path = temporaryFolder();
  const found = (...files: string[]) => {
    mkdirSync(path("below"));
    for (const file of files) writeFileSync(path(file), "");
    return subjectOf({ cwd: path("below") });
  };
  const STACK = () => ({ folder: path("below"), stack: undefined });

  it("is the stack of the project in the folder, also beside a manifest", () => {
    expect(found("below/Pulumi.yaml", "below/fleet.yaml")).to.deep.equal(STACK());
  });

  it("is the fleet in the folder, also within a project", () => {
    expect(found("Pulumi.yaml", "below/fleet.yaml")).to.deep.equal({ manifest: path("below/fleet.yaml") });
  });

  it("is the stack of a project around the folder, as for Pulumi", () => {
    expect(found("Pulumi.yml", "fleet.yaml")).to.deep.equal(STACK());
  });

  it("is nothing without both, and the error names both", () => {
    expect(found()).to.equal(undefined);
    expect(() => neededSubject({ cwd: path("below") })).to.throw(/fleet\.yaml .*Pulumi\.yaml(?!.*measure)/);
  });

  it("is what the options name", () => {
    expect(subjectOf({ cwd: ".", manifest: "acme.yaml" })).to.deep.equal({ manifest: "acme.yaml" });
    expect(subjectOf({ cwd: path(""), stack: "dev" })).to.deep.equal({ folder: path(""), stack: "dev" });
  });
});
