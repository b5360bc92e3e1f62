import { expect } from "chai";
import fc from "fast-check";
import { nameIn, typeIn } from "../../../../provider/lifecycle/run/urn";

const TYPE = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";

describe("the engine's name of a resource", () => {
  it("has the type without those of its parents, and the name, whatever that is", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("", "my:own:Component$", "a:b:C$d:e:F$"), (name, parents) => {
        const urn = `urn:pulumi:dev::home::${parents}${TYPE}::${name}`;
        expect([typeIn(urn), nameIn(urn)]).to.deep.equal([TYPE, name]);
      }),
    );
  });

  it("has neither if it is not known", () => {
    expect([typeIn(""), nameIn(""), nameIn(undefined)]).to.deep.equal(["", "", ""]);
  });
});
