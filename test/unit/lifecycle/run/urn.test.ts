import { expect } from "chai";
import fc from "fast-check";
import { placeIn } from "../../../../provider/ledger/origin";
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
    expect(nameIn(`urn:pulumi:dev::home::${TYPE}::a::b`)).to.equal("a::b");
  });

  it("has the stack, whatever its project is", () => {
    const stacks = ["dev::home", "dev::other", "prod::home"].map((stack) =>
      placeIn(`urn:pulumi:${stack}::${TYPE}::a\nb`),
    );
    expect(stacks.map(({ stack }) => stack)).to.deep.equal(["dev", "dev", "prod"]);
  });

  it("has neither if it is not known", () => {
    expect([typeIn(""), nameIn(""), nameIn(undefined)]).to.deep.equal(["", "", ""]);
  });
});
