import { expect } from "chai";
import { verify } from "../../../provider/settings/verification";

describe("verify", () => {
  it("says of each declared key how it was read back, and of no other", () => {
    const declared = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" };
    expect(verify(declared, { maxCapacity: 77_000, maxChargePower: 3000 })).to.deep.equal({
      maxCapacity: "verified",
      maxChargePower: "pending",
      policy: "notReported",
    });
    expect(verify({}, declared)).to.deep.equal({});
  });
});
