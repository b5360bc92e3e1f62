import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { CLAIMS_FILE, Claims, writeClaims } from "../../../provider/handlers/claims";
import { CAR, ROOF } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

describe("Claims", () => {
  const path = temporaryFolder();

  it("has what was added, by device and key", () => {
    const claims = new Claims();
    claims.add(CAR, ["policy"]);
    claims.add(CAR, new Set(["maxCapacity"]));
    claims.add(ROOF, ["tilt"]);
    expect(["policy", "maxCapacity", "tilt"].map((key) => claims.has(CAR, key))).to.deep.equal([true, true, false]);
    expect(["policy", "tilt"].map((key) => claims.has(ROOF, key))).to.deep.equal([false, true]);
    expect(claims.has({ ...CAR, businessId: "other" }, "policy")).to.equal(false);
  });

  it("knows the resource that declares a key, where that is told, and some resource of the program", () => {
    const claims = new Claims();
    claims.add(ROOF, ["tilt"]);
    expect(claims.anyUrn).to.equal(undefined);
    claims.add(CAR, ["policy"], "urn:policy");
    claims.add(CAR, ["maxCapacity"], "urn:car");
    const urns = ["policy", "maxCapacity", "tilt"].map((key) => claims.urnOf(CAR, key));
    expect([...urns, claims.urnOf(ROOF, "tilt")]).to.deep.equal(["urn:policy", "urn:car", undefined, undefined]);
    expect(claims.anyUrn).to.equal("urn:policy");
  });

  it("does not confuse ids that look alike when joined", () => {
    const claims = new Claims();
    claims.add({ businessId: "a/b", deviceId: "c" }, ["policy"]);
    expect(claims.has({ businessId: "a", deviceId: "b/c" }, "policy")).to.equal(false);
  });

  it("has what another stack of the fleet declares, as the file says, and knows no resource of it", () => {
    const file = path("claims.json");
    const odd = { businessId: "a/b", deviceId: "__proto__" };
    writeClaims(file, [
      [CAR, ["maxCapacity"]],
      [odd, ["policy"]],
      [CAR, ["policy"]],
    ]);
    const claims = new Claims({ [CLAIMS_FILE]: file });
    claims.add(CAR, ["maxChargePower"], "urn:car");
    const keys = ["maxCapacity", "policy", "maxChargePower", "tilt", "constructor"];
    expect(keys.filter((key) => claims.has(CAR, key))).to.deep.equal(["maxCapacity", "policy", "maxChargePower"]);
    expect(keys.filter((key) => claims.has(odd, key))).to.deep.equal(["policy"]);
    expect(keys.filter((key) => claims.has(ROOF, key))).to.deep.equal([]);
    expect(claims.urnOf(CAR, "policy")).to.equal(undefined);
  });

  for (const [what, text] of Object.entries({ "is not there": undefined, "is cut": '{"acme/car":["pol' })) {
    it(`lets nothing be restored where the file ${what}, as another stack may have set it`, () => {
      const file = path(`${what}.json`);
      if (text) writeFileSync(file, text);
      const claims = new Claims({ [CLAIMS_FILE]: file });
      expect(() => claims.has(CAR, "policy")).to.throw(`${CLAIMS_FILE} cannot be read`);
    });
  }
});
