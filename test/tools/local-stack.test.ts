import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { localStackEnvironment } from "../../scripts/local-stack";
import { freshFolder } from "./fakes";

describe("localStackEnvironment", () => {
  const folder = freshFolder();
  const environment = () =>
    localStackEnvironment({
      folder: join(folder(), "a b"),
      engine: { bin: "/engine" },
      base: { PULUMI_BACKEND_URL: "https://elsewhere.example", PULUMI_HOME: "/home/me/.pulumi" },
    });

  it("keeps the state in the folder, whatever backend the user has", () => {
    expect(environment().PULUMI_BACKEND_URL).to.equal(pathToFileURL(join(folder(), "a b")).href);
  });

  it("makes the folder", () => {
    environment();
    expect(statSync(join(folder(), "a b")).isDirectory()).to.equal(true);
  });

  it("sets a passphrase, so that nobody is asked for one", () => {
    expect(environment().PULUMI_CONFIG_PASSPHRASE).to.be.a("string").that.is.not.empty;
  });

  it("leaves PULUMI_HOME alone", () => {
    expect(environment().PULUMI_HOME).to.equal("/home/me/.pulumi");
  });

  it("runs the given engine", () => {
    expect(environment().PATH).to.equal("/engine");
  });
});
