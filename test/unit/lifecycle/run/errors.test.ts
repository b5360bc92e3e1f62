import { expect } from "chai";
import { ConfigurationError } from "../../../../provider/configuration/error";
import { UncertainError } from "../../../../provider/lifecycle/device/call";
import { PartialError, withPrintableError } from "../../../../provider/lifecycle/run/errors";
import { SecretInputs } from "../../../../provider/lifecycle/run/secretInputs";
import { expectFacts } from "../../../support/facts";
import { failureOf } from "../../../support/failure";
import { CAR, runOf, said } from "../../../support/fakes";

describe("ConfigurationError", () => {
  it("names every problem in one message", () => {
    const error = new ConfigurationError([said("a is not set"), said("b is odd")]);
    expectFacts(error.message, ["solar-charging", "a is not set; b is odd"]);
    expect(error).to.be.instanceOf(Error).and.to.include({ name: "ConfigurationError" });
  });
});

describe("UncertainError", () => {
  it("keeps the state, and names the next step", () => {
    const state = { ...CAR, settings: {} };
    const error = new UncertainError(state, new Error("no answer"));
    expect(error).to.deep.include({ name: "UncertainError", state });
    expect(error).to.have.nested.property("problem.code", "uncertain");
    expect(error.message).to.match(/^no answer\. /);
  });
});

describe("PartialError", () => {
  it("keeps the outputs and each reason, and shows all reasons", () => {
    const error = new PartialError({ deviceId: "car" }, ["a is refused", "b is gone"]);
    expect(error).to.deep.include({
      name: "PartialError",
      outputs: { deviceId: "car" },
      reasons: ["a is refused", "b is gone"],
    });
    expect(error.message).to.equal("a is refused\nb is gone");
  });
});

const currentRun = () => runOf({});

describe("withPrintableError", () => {
  it("gives what the handler gives, whether it waits or not", async () => {
    expect(await withPrintableError("read", currentRun, new SecretInputs(), () => 5)).to.equal(5);
    expect(await withPrintableError("read", currentRun, new SecretInputs(), async () => 6)).to.equal(6);
  });

  it("lets an Error through as it is", async () => {
    class OwnError extends Error {}
    const error = new OwnError("no device");
    expect(
      await failureOf(withPrintableError("read", currentRun, new SecretInputs(), () => Promise.reject(error))),
    ).to.equal(error);
    expect(
      await failureOf(
        withPrintableError("read", currentRun, new SecretInputs(), () => {
          throw error;
        }),
      ),
    ).to.equal(error);
  });

  for (const value of ["no device", undefined, null, { message: "x" }, 5, new Error("")]) {
    it(`makes an Error with a message of ${value instanceof Error ? "one without" : JSON.stringify(value)}`, async () => {
      const asynchronous = await failureOf(
        withPrintableError("read", currentRun, new SecretInputs(), () => Promise.reject(value)),
      );
      const synchronous = await failureOf(
        withPrintableError("read", currentRun, new SecretInputs(), () => {
          throw value;
        }),
      );
      for (const error of [asynchronous, synchronous]) {
        expect(error).to.be.instanceOf(Error);
        expectFacts(error.message, ["read", typeof value === "string" ? value : ""]);
      }
    });
  }

  const unprintable: [string, string, string][] = [
    [
      "control characters other than line breaks, which would rule the user's terminal",
      "type '\u001b[2J\n\u202e\u009b'",
      "type ' [2J\n  '",
    ],
    ["a lone surrogate, which the host could not send", "type '\ud800'", "type '\ufffd'"],
    ["100,000 characters, which the host could not send", "x".repeat(100_000), "x".repeat(4000)],
    ["a pair of surrogates at its end", `${"x".repeat(3999)}🚗`, `${"x".repeat(3999)}\ufffd`],
  ];
  for (const [what, given, shown] of unprintable) {
    it(`cleans a message with ${what}`, async () => {
      const error = new Error(given);
      expect(
        await failureOf(withPrintableError("read", currentRun, new SecretInputs(), () => Promise.reject(error))),
      ).to.equal(error);
      expect(error.message).to.equal(shown);
    });
  }
});
