import { expect } from "chai";
import { concurrencyOfStack, defaultParallel, resourcesAtOnce } from "../../../cli/stacks/settings";

describe("cli fleet: stacks at the same time", () => {
  it("are one a core, no more than fit into memory, and one at least", () => {
    expect(defaultParallel(8, 100e9)).to.equal(8);
    expect(defaultParallel(8, 2e9)).to.equal(2);
    expect(defaultParallel(8, 1e6)).to.equal(1);
  });

  it("share the requests that may be in flight", () => {
    expect(concurrencyOfStack(undefined, 1)).to.equal("16");
    expect(concurrencyOfStack("", 3)).to.equal("5");
    expect(concurrencyOfStack("64", 4)).to.equal("16");
    expect(concurrencyOfStack("2", 4)).to.equal("1");
  });

  it("have engines that keep as many requests in flight as they may, and do no less than of their own accord", () => {
    expect(resourcesAtOnce("64", 2)).to.equal("64");
    expect(resourcesAtOnce("5", 2)).to.equal("8");
  });
});
