import { expect } from "chai";
import fc from "fast-check";
import { linesIn, type Row, rowsOf } from "../../../measure/files/rows";

/** The rows of a text that comes in pieces of some bytes. */
function rowsIn(text: string, size = Number.POSITIVE_INFINITY): Row[] {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / Math.min(size, bytes.length || 1));
  return [
    ...rowsOf(
      Array.from({ length: count }, (_, i) => bytes.subarray(i * size || 0, (i + 1) * size)),
      ";",
    ),
  ];
}

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

  it("are the same without quotes as with them", () => {
    fc.assert(
      fc.property(both, ([plain, quoted]) => {
        expect(rowsIn(plain)).to.deep.equal(rowsIn(quoted));
      }),
    );
  });

  it("are the same in pieces of any size", () => {
    fc.assert(
      fc.property(both, fc.integer({ min: 1, max: 9 }), ([, text], size) => {
        expect(rowsIn(text, size)).to.deep.equal(rowsIn(text));
      }),
    );
  });

  it("may have delimiters, quotes and several lines in quotes, and know their last line", () => {
    expect(rowsIn('a;"b;""c"";d";e;\n"x\ny\nz";\n')).to.deep.equal([
      { cells: ["a", 'b;"c";d', "e", ""], number: 1 },
      { cells: ["x\ny\nz", ""], number: 4 },
    ]);
  });

  it("are not split if they are not needed, and lines of an open cell are", () => {
    const text = Buffer.from('a;1\nb;"x\na;2"\na;3\nb;4\n');
    expect([...rowsOf([text], ";", (line) => !line.startsWith("a"))]).to.deep.equal([
      { cells: ["b", "x\na;2"], number: 3 },
      { cells: ["b", "4"], number: 5 },
    ]);
  });

  it("are all read if each begins with a wrong quote", () => {
    const rows = Array.from({ length: 25 }, (_, i) => ({ cells: [String(i), "b"], number: i + 1 }));
    expect(rowsIn(rows.map(({ cells }) => `"${cells.join(";")}`).join("\n"))).to.deep.equal(rows);
  });

  it("have no quotes if these do not close soon, or do not begin a cell", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `${i};b`);
    const all = rowsIn([`a;19" wheels`, 'a;"b', ...lines].join("\n"));
    expect(all).to.have.length(32);
    expect(all.slice(0, 3)).to.deep.equal([
      { cells: ["a", '19" wheels'], number: 1 },
      { cells: ["a", "b"], number: 2 },
      { cells: ["0", "b"], number: 3 },
    ]);
  });

  it("are read as Latin-1 if they are not UTF-8", () => {
    expect(linesIn([Buffer.from("Mühle;ß", "latin1")]).next().value).to.deep.equal(["Mühle;ß", 1]);
  });
});
