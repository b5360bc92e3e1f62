import { expect } from "chai";
import { temporaryFolder } from "../../support/folder";
import { givenCommandLine } from "../commandLine";

const fleet = { businesses: { acme: { car: { type: "vehicle" } } } } as const;

describe("cli: adopt at a terminal", () => {
  const given = givenCommandLine(fleet);
  const path = temporaryFolder();
  const adopt = async (env: NodeJS.ProcessEnv) => {
    const terminal = given.terminal(["adopt", "car", "--out", path("fleet.yaml")], env);
    expect(await terminal.code, terminal.text).to.equal(0);
    return terminal.text;
  };

  it("shows a bar", async () => {
    expect(await adopt({}))
      .to.contain("0 of 1 devices")
      .and.not.contain("read 1 of 1");
  });

  for (const env of [{ CI: "true" }, { TERM: "dumb" }]) {
    it(`shows lines with ${Object.entries(env).join().replace(",", "=")}, as the driver does`, async () => {
      expect(await adopt(env))
        .to.contain("read 1 of 1 devices")
        .and.not.contain("\x1b");
    });
  }
});
