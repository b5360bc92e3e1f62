import { expect } from "chai";
import { ConfigurationError } from "../../../../provider/configuration/error";
import { UncertainError } from "../../../../provider/lifecycle/device/call";
import { PartialError } from "../../../../provider/lifecycle/run/errors";
import { expectFacts } from "../../../support/facts";
import { CAR, said } from "../../../support/fakes";

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
