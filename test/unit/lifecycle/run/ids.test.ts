import { expect } from "chai";
import fc from "fast-check";
import { fromId, toId } from "../../../../provider/lifecycle/run/ids";
import { anyId } from "../../../support/arbitraries";
import { like } from "../../../support/facts";

describe("resource ids", () => {
  it("are businessId/deviceId, each part URI-encoded", () => {
    expect(toId({ businessId: "acme", deviceId: "car" })).to.equal("acme/car");
    expect(toId({ businessId: "a/b", deviceId: "ä 1" })).to.equal("a%2Fb/%C3%A4%201");
  });

  it("give the device back, for every device", () => {
    fc.assert(
      fc.property(anyId, anyId, (businessId, deviceId) => {
        expect(fromId(toId({ businessId, deviceId }))).to.deep.equal({ businessId, deviceId });
      }),
    );
  });

  it("are read strictly: what is read is written the same", () => {
    const id = fc.oneof(
      fc.string(),
      fc.tuple(fc.string(), fc.string()).map((parts) => parts.join("/")),
    );
    fc.assert(
      fc.property(id, (text) => {
        let device: ReturnType<typeof fromId>;
        try {
          device = fromId(text);
        } catch {
          return;
        }
        expect(toId(device)).to.equal(text);
      }),
    );
  });

  it("are never ids that the check refuses because a path cannot carry them", () => {
    for (const part of [".", "..", "%20car", "a%0Ab", "x".repeat(257)]) {
      for (const id of [`${part}/car`, `acme/${part}`]) {
        expect(() => fromId(id)).to.throw(`'${id}'`);
      }
    }
  });

  for (const id of ["", "/", "acme", "acme/", "/car", "a/b/c", "a%2fb/c", "a b/c", "acme/%zz", "acme/%41", "acme/%"]) {
    it(`are not '${id}'`, () => {
      expect(() => fromId(id)).to.throw(like(`'${id}' … businessId/deviceId…`));
    });
  }
});
