import { existsSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { givenCommandLine } from "../../support/commandLine";
import { expectFacts } from "../../support/facts";
import { takeRequests } from "../../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle", settings: { max_capacity: 60_000 } } } } } as const;
const IDENTITY_PATCH = ["doctor", "--device", "car", "--identity-patch", "maxCapacity"];
const QUESTION = /\w\?/;

describe("cli: doctor at a terminal", () => {
  const given = givenCommandLine(fleet);
  const { path } = given;

  it("sends after a yes, and nothing after a no", async () => {
    const yes = given.terminal(IDENTITY_PATCH);
    await yes.answer(QUESTION, "y\r");
    expect(await yes.code, yes.text).to.equal(0);
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car", 'PATCH car {"max_capacity":60000}', "GET car"]);
    const no = given.terminal(IDENTITY_PATCH);
    await no.answer(QUESTION, "n\r");
    expect(await no.code, no.text).to.equal(0);
    expect(no.text).to.contain("– identity PATCH: ");
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
  });

  it("ends with 130 at Ctrl-C instead of an answer, with nothing sent", async () => {
    const terminal = given.terminal(IDENTITY_PATCH);
    await terminal.answer(QUESTION, "\x03");
    expect(await terminal.code, terminal.text).to.equal(130);
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
  });

  it("asks nobody in a pipeline that has a terminal", async () => {
    const terminal = given.terminal(IDENTITY_PATCH, { CI: "true" });
    expect(await terminal.code).to.equal(1);
    expectFacts(terminal.text, ["--identity-patch ", " --yes"]);
    expect(given.simulator.requests).to.deep.equal([]);
  });

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    it(`tells the ledger what it has sent when ${signal} ends it before the read-back, and ends with ${code}`, async () => {
      const file = path("ledger.jsonl");
      const terminal = given.terminal(IDENTITY_PATCH, { SOLAR_CHARGING_LEDGER_FILE: file });
      await terminal.shown(QUESTION);
      given.simulator.fail({ method: "GET", kind: "stall-headers" });
      await terminal.answer(QUESTION, "y\r");
      while (given.simulator.requests.length < 3) await setTimeout(5);
      terminal.kill(signal);
      expect(await terminal.code, terminal.text).to.equal(code);
      const [line, ...others] = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
      expect(others).to.deep.equal([]);
      expect(JSON.parse(line ?? "{}")).to.deep.include({ operation: "identity", deviceId: "car", outcome: "accepted" });
    });
  }
});
