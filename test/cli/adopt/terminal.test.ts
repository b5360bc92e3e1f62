import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { givenCommandLine } from "../../support/commandLine";

const fleet = { businesses: { acme: { car: { type: "vehicle" } } } } as const;

describe("cli: adopt at a terminal", () => {
  const given = givenCommandLine(fleet);
  const { path } = given;
  const started = (env: NodeJS.ProcessEnv) => given.terminal(["adopt", "car", "--output", path("fleet.yaml")], env);
  const adopt = async (env: NodeJS.ProcessEnv) => {
    const terminal = started(env);
    expect(await terminal.code, terminal.text).to.equal(0);
    return terminal.text;
  };

  it("shows a bar", async () => {
    expect(await adopt({}))
      .to.match(/ 0 \w+ 1 devices/)
      .and.not.match(/read 1 /);
  });

  it("leaves a terminal that breaks lines as before when Ctrl-C ends it, with 130", async () => {
    given.simulator.fail({ kind: "stall-headers" });
    const terminal = started({});
    while (given.simulator.requests.length < 1) await setTimeout(5);
    await terminal.answer(/ 0 \w+ 1 devices/, "\x03");
    expect(await terminal.code, terminal.text).to.equal(130);
    expect(terminal.text.lastIndexOf("\x1b[?7h")).to.be.greaterThan(terminal.text.lastIndexOf("\x1b[?7l"));
  });

  for (const env of [{ CI: "true" }, { TERM: "dumb" }]) {
    it(`shows no bar with ${Object.entries(env).join().replace(",", "=")}, as the driver does`, async () => {
      expect(await adopt(env))
        .to.contain("written to")
        .and.not.contain("\x1b");
    });
  }
});
