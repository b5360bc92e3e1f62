import { expect } from "chai";
import { ConfigurationError } from "../../../provider/configuration/error";
import { PartialError, UncertainError } from "../../../provider/lifecycle/errors";
import { fromOutputs } from "../../../provider/lifecycle/state";
import { vehicle } from "../../../provider/settings/vehicle";
import { CAR, said } from "../../support/fakes";

describe("ConfigurationError", () => {
  it("names every problem in one message", () => {
    const error = new ConfigurationError([said("a is not set"), said("b is odd")]);
    expect(error.message).to.equal("the configuration of solar-charging is not usable: a is not set; b is odd");
    expect(error).to.be.instanceOf(Error).and.to.include({ name: "ConfigurationError" });
  });
});

describe("UncertainError", () => {
  it("keeps the state, and says what happens next", () => {
    const state = fromOutputs(vehicle, CAR);
    const error = new UncertainError(state, new Error("no answer"));
    expect(error).to.deep.include({ name: "UncertainError", state });
    expect(error.message).to.equal('no answer. The update may have been applied; the next "pulumi up" sends it again');
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
