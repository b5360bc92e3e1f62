import { expect } from "chai";
import { ROWS } from "../protocol/faults/rows";
import { type Line, runMatrix } from "../protocol/faults/run";

describe("A fault between provider and service", () => {
  let lines: readonly Line[];
  before(async () => {
    lines = await runMatrix();
  });

  it("is reported without the credentials that the service echoes, and there are echoes", () => {
    const cleaned = lines.filter(({ says }) => says.includes("[redacted]"));
    expect(cleaned.length).to.be.greaterThan(100);
    expect(lines.flatMap(({ found }) => found)).to.deep.equal([]);
  });

  for (const { fault, expected } of ROWS) {
    for (const [met, expectations] of Object.entries(expected)) {
      for (const operation of Object.keys(expectations)) {
        it(`does no harm: ${fault}, met by ${met}, ${operation}`, () => {
          const line = lines.find((each) => each.fault === fault && each.met === met && each.operation === operation);
          expect(line?.problems).to.deep.equal([]);
        });
      }
    }
  }
});
