import { expect } from "chai";
import { VehicleSettings } from "../../provider";
import { mockedEngine } from "./mocks";

describe("Stack traces, while a resource is made", () => {
  mockedEngine();

  it("are as they were for an error of the program, and after it", () => {
    const { prepareStackTrace, stackTraceLimit } = Error;
    const wrong = () => {
      throw new Error("no");
    };
    const make = () => new VehicleSettings("it", { deviceId: "car" }, { transformations: [wrong] });
    expect(make)
      .to.throw("no")
      .with.property("stack")
      .that.matches(/at wrong \(.*traces\.test\.ts:\d+:\d+\)/)
      .and.matches(/at new VehicleSettings /);
    expect(Error.prepareStackTrace).to.equal(prepareStackTrace);
    expect(Error.stackTraceLimit).to.equal(stackTraceLimit);
  });

  it("have frames for one trace only, because Pulumi takes four of each property", () => {
    const limits: number[] = [];
    const value = {};
    Object.defineProperty(value, "toString", { value: () => limits.push(Error.stackTraceLimit) });
    new VehicleSettings("it", { deviceId: "car", ignoreLints: value as never });
    expect(limits).to.deep.equal([0]);
  });
});
