import { existsSync } from "node:fs";
import { expect } from "chai";
import { expectFacts } from "../../support/facts";
import { givenFakeEngine } from "./fakeEngine";

describe("cli fleet with variables that cannot be used", () => {
  const given = givenFakeEngine();

  it("names a wrong value before it runs an engine, also in a preview, and a misspelled name", async () => {
    const refused = await given.run({ SOLAR_CHARGING_MAX_CONCURRENCY: "viele" }, "preview");
    expect(refused.code).to.equal(1);
    expectFacts(refused.text, ["SOLAR_CHARGING_MAX_CONCURRENCY"]);
    expect(given.log()).to.deep.equal([]);
    const { code, text } = await given.run({ SOLAR_CHARGING_MAX_CONCURENCY: "3" }, "preview");
    expect(code).to.equal(0);
    expectFacts(text, ["SOLAR_CHARGING_MAX_CONCURENCY", "SOLAR_CHARGING_MAX_CONCURRENCY"]);
  });
});

describe("cli fleet without a token", () => {
  const given = givenFakeEngine();
  const NO_TOKEN = { SOLAR_CHARGING_ACCESS_TOKEN: "" };

  for (const args of [["up"], ["up", "--no-refresh"], ["refresh"], ["drift"], ["preview", "--refresh"]]) {
    it(`names the variable in ${args.join(" ")}, and runs no engine`, async () => {
      const { code, text } = await given.run(NO_TOKEN, ...args);
      expect(code).to.equal(1);
      expectFacts(text, ["SOLAR_CHARGING_ACCESS_TOKEN"]);
      expect(given.log()).to.deep.equal([]);
      expect(existsSync(given.path(".solar-charging"))).to.equal(false);
    });
  }

  for (const args of [["preview"], ["destroy", "--yes"]]) {
    it(`runs ${args.join(" ")}, which reads no device`, async () => {
      expect((await given.run(NO_TOKEN, ...args)).code).to.equal(0);
    });
  }
});
