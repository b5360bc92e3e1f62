import { join, sep } from "node:path";
import { expect } from "chai";
import { shortenTraces } from "../../../provider/resources/traces";

describe("shortenTraces, for the floor", () => {
  const trace = (passedOver?: string) => {
    const restore = shortenTraces(passedOver);
    try {
      return new Error("here").stack;
    } finally {
      restore();
    }
  };

  it("passes over the files of the folder that it is given", () => {
    expect(trace(__dirname + sep)).not.to.include("traces.test");
  });

  it("names the place in any other one", () => {
    expect(trace(join(__dirname, "elsewhere") + sep)).to.include("traces.test");
  });
});
