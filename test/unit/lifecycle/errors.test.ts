import { expect } from "chai";
import { ConfigurationError } from "../../../provider/configuration/error";
import { UncertainError } from "../../../provider/lifecycle/errors";

describe("ConfigurationError", () => {
  it("names every problem in one message", () => {
    const error = new ConfigurationError(["a is not set", "b is odd"]);
    expect(error.message).to.equal("the configuration of solar-charging is not usable: a is not set; b is odd");
    expect(error).to.be.instanceOf(Error).and.to.include({ name: "ConfigurationError" });
  });
});

describe("UncertainError", () => {
  it("keeps id and outputs, and says what happens next", () => {
    const error = new UncertainError("acme/car", { deviceId: "car" }, new Error("no answer"));
    expect(error).to.deep.include({ name: "UncertainError", id: "acme/car", outputs: { deviceId: "car" } });
    expect(error.message).to.equal('no answer. The update may have been applied; the next "pulumi up" sends it again');
  });
});
