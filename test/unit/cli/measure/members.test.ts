import { expect } from "chai";
import { siteOf } from "../../../../cli/measure/members";

describe("the site to measure", () => {
  const refuse = (text: string): never => {
    throw new Error(text);
  };

  it("is missing if nothing is declared, so no option can name it", () => {
    expect(() => siteOf([], undefined, refuse)).to.throw(/^(?!.*--site).*no site/);
  });
});
