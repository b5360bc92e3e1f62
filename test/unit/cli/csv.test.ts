import { expect } from "chai";
import fc from "fast-check";
import { lineNumbersOf, recordsOf } from "../../../cli/csv";

describe("the rows of a table", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "1", " ", ".", "ü"), maxLength: 3 });
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  const end = fc.constantFrom("\n", "\r\n", "\r");
  /** The table twice: without quotes, and with them around its first cell. */
  const both = fc.tuple(rows, end, fc.constantFrom("", "\ufeff")).map(([some, newline, mark]) => {
    const [first = [], ...rest] = some;
    const textOf = (all: string[][]) => mark + all.map((row) => row.join(";")).join(newline);
    return [textOf([["x", ...first], ...rest]), textOf([['"x"', ...first], ...rest])] as const;
  });

  it("are the same without quotes as with them, and so are their lines", () => {
    fc.assert(
      fc.property(both, ([plain, quoted]) => {
        expect(recordsOf(plain, ";")).to.deep.equal(recordsOf(quoted, ";"));
        expect(recordsOf(plain, ";", 2)).to.deep.equal(recordsOf(quoted, ";", 2));
        expect(lineNumbersOf(plain, ";")).to.deep.equal(lineNumbersOf(quoted, ";"));
      }),
    );
  });

  it("are read without quotes if these are wrong anywhere", () => {
    expect(recordsOf('a;"b\nc;d', ";")).to.deep.equal([
      ["a", "b"],
      ["c", "d"],
    ]);
  });
});
