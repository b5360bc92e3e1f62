import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { homeWithoutLog } from "../../../../cli/stacks/environment";
import { temporaryFolder } from "../../../support/folder";

describe("homeWithoutLog", () => {
  const path = temporaryFolder();
  const made = (env: NodeJS.ProcessEnv = {}) => homeWithoutLog(path("home"), { PULUMI_HOME: path("mine"), ...env });
  beforeEach(() => mkdirSync(join(path("mine"), "logs"), { recursive: true }));

  it("has what the user's home has", () => {
    writeFileSync(path("mine/config.json"), "settings");
    mkdirSync(path("mine/plugins"));
    writeFileSync(path("mine/plugins/one"), "plugin");
    expect(made()).to.deep.equal({ PULUMI_HOME: path("home"), PULUMI_CREDENTIALS_PATH: path("mine") });
    expect(readFileSync(path("home/config.json"), "utf8")).to.equal("settings");
    expect(readFileSync(path("home/plugins/one"), "utf8")).to.equal("plugin");
  });

  it("has no folder for logs, and no log makes it", () => {
    made();
    expect(statSync(path("home/logs")).isDirectory()).to.equal(false);
    expect(() => mkdirSync(path("home/logs"), { recursive: true })).to.throw();
  });

  it("passes on to the user's home what a run adds", () => {
    made();
    for (const name of ["plugins", "policies", "schemas", "templates", "workspaces"]) {
      writeFileSync(path(`home/${name}/new`), name);
      expect(readFileSync(path(`mine/${name}/new`), "utf8")).to.equal(name);
    }
  });

  it("keeps a folder for logins that the user has chosen", () => {
    expect(made({ PULUMI_CREDENTIALS_PATH: "/logins" })).to.include({ PULUMI_CREDENTIALS_PATH: "/logins" });
  });

  it("is the user's home if another one cannot be made", () => {
    writeFileSync(path("file"), "");
    expect(homeWithoutLog(path("file"), { PULUMI_HOME: path("mine") })).to.deep.equal({});
    expect(homeWithoutLog(path("home"), { PULUMI_HOME: path("file") })).to.deep.equal({});
  });
});
