import { expect } from "chai";
import fc from "fast-check";
import { plainTitle, prose } from "../../../cli/markdown";
import { shortened } from "../../../cli/words";

describe("a sentence in Markdown", () => {
  for (const [text, markdown] of [
    ["set max_charge, then read NO_PROXY.", "set `max_charge`, then read `NO_PROXY`."],
    ["did you mean max_capacity?", "did you mean `max_capacity`?"],
    ["it failed (ERR_TLS). Unset get(car_id).", "it failed (`ERR_TLS`). Unset `get(car_id)`."],
    ["find them with 'doctor --device <x>', then go on", "find them with `doctor --device <x>`, then go on"],
    ['write "77 kWh", or "no <b>"', 'write "77 kWh", or `no <b>`'],
    ["add --cwd /fleets --yes; and run", "add `--cwd /fleets --yes`; and run"],
    ["from -90° to 10 %, or 5.", "from -90° to 10 %, or 5."],
    ['there is a "; here', 'there is a `"`; here'],
  ] as const) {
    it(`has code marks around whole names and commands: ${text}`, () => {
      expect(prose(text)).to.equal(markdown);
    });
  }

  it("ends with a whole word if it is too long, outside of code", () => {
    expect(prose("word ".repeat(200))).to.match(/ word…$/);
    expect(prose("word ".repeat(200)).length).to.be.at.most(500);
  });
});

describe("a text that is too long", () => {
  it("ends with a whole word", () => {
    expect(shortened("one two three", 13)).to.equal("one two three");
    expect(shortened("one two three", 12)).to.equal("one two…");
    expect(shortened("one two three", 8)).to.equal("one two…");
    expect(shortened("one two three", 7)).to.equal("one…");
    expect(shortened("abcdefgh", 4)).to.equal("abc…");
    expect(plainTitle("Drift: home, roof", 12)).to.equal("Drift:…");
  });

  it("is never longer than allowed, and keeps characters whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const short = shortened(text, longest);
        expect(short.length).to.be.at.most(Math.max(longest, 1));
        expect(text.isWellFormed() && !short.isWellFormed()).to.equal(false);
      }),
    );
  });
});
