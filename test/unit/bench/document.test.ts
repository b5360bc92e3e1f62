import { expect } from "chai";
import { withNumbers } from "../../../bench/document";

const [BEGIN, END] = ["<!-- numbers: npm run bench -->", "<!-- end of numbers -->"];

describe("withNumbers", () => {
  it("replaces exactly what is between the marks", () => {
    const text = `# Title\n\n${BEGIN}\n\nold\n\n| old |\n\n${END}\n\n## More\n`;
    expect(withNumbers(text, ["new", "| new |"])).to.equal(
      `# Title\n\n${BEGIN}\n\nnew\n\n| new |\n\n${END}\n\n## More\n`,
    );
  });

  it("gives the same text when done again", () => {
    const once = withNumbers(`a\n${BEGIN}${END}\nb\n`, ["new"]);
    expect(withNumbers(once, ["new"])).to.equal(once);
  });

  for (const text of ["no mark", BEGIN, END, `${END}\n${BEGIN}`]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => withNumbers(text, ["new"])).to.throw(`no line ${BEGIN}`);
    });
  }
});
