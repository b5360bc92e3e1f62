import { expect } from "chai";
import { causesOf } from "../../../cli/fleet/causes";

describe("cli fleet: why devices of a site failed", () => {
  const labels = ["vehicle/van", "vehicle/van 2", "vehicle/a: b", "inverter/roof"];
  const of = (...lines: string[]) => {
    const { named, other } = causesOf(lines, labels);
    return { named: Object.fromEntries(named), other };
  };

  it("is the line that begins with the device", () => {
    expect(of("vehicle/van: HTTP 422: no", "inverter/roof: HTTP 503")).to.deep.equal({
      named: { "vehicle/van": "HTTP 422: no", "inverter/roof": "HTTP 503" },
      other: undefined,
    });
  });

  it("is the same for all devices that a line names, also one whose name begins with another's", () => {
    expect(of("vehicle/van 2, vehicle/a: b, inverter/roof: HTTP 503").named).to.deep.equal({
      "vehicle/van 2": "HTTP 503",
      "vehicle/a: b": "HTTP 503",
      "inverter/roof": "HTTP 503",
    });
  });

  it("is the rest of a line that names some of its devices, for the others", () => {
    expect(of("vehicle/van and 30 more: HTTP 503")).to.deep.equal({
      named: { "vehicle/van": "HTTP 503" },
      other: "HTTP 503",
    });
  });

  it("is all that is said, for all devices, if no line names one", () => {
    expect(of("no token", "try again")).to.deep.equal({ named: {}, other: "no token; try again" });
    expect(of()).to.deep.equal({ named: {}, other: undefined });
  });
});
