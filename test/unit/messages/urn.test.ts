import { expect } from "chai";
import fc from "fast-check";
import { partsOf } from "../../../provider/messages/names";

const TYPE = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";

describe("the engine's name of a resource", () => {
  it("has the type without those of its parents, and the name, whatever that is", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("", "my:own:Component$", "a:b:C$d:e:F$"), (name, parents) => {
        const { type, name: found } = partsOf(`urn:pulumi:dev::home::${parents}${TYPE}::${name}`);
        expect([type, found]).to.deep.equal([TYPE, name]);
      }),
    );
    expect(partsOf(`urn:pulumi:dev::home::${TYPE}::a::b`).name).to.equal("a::b");
  });

  it("has the stack, whatever its project is", () => {
    const stacks = ["dev::home", "dev::other", "prod::home"].map((stack) =>
      partsOf(`urn:pulumi:${stack}::${TYPE}::a\nb`),
    );
    expect(stacks.map(({ stack }) => stack)).to.deep.equal(["dev", "dev", "prod"]);
  });

  it("has none of them if it is not known", () => {
    const none = { stack: undefined, project: undefined, type: "", name: "" };
    expect([partsOf(""), partsOf(undefined)]).to.deep.equal([none, none]);
  });
});
