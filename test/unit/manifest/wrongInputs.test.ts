import { expect } from "chai";
import { ManifestError } from "../../../provider/manifest/error";
import { parseManifest } from "../../../provider/manifest/manifest";
import { thrownBy } from "../../support/failure";
import { WRONG_INPUTS, wrongManifest } from "./wrongInputs";

/** The suggestion at the end of a message; null if there is none. */
function suggestionIn(message: string): string | null {
  const [note] = /; (it is not needed|\S+ is already there).*$/.exec(message) ?? [];
  return note ?? /did you mean (.+)\?$/.exec(message)?.[1] ?? null;
}

describe("what people write wrong", () => {
  it("has a hundred mistakes, each once", () => {
    expect(new Set(WRONG_INPUTS.map(String)).size)
      .to.equal(WRONG_INPUTS.length)
      .and.to.be.at.least(100);
  });

  for (const wrong of WRONG_INPUTS) {
    const [place, written, suggestion] = wrong;
    it(`${place}, "${written}", is refused at its place, and suggests ${suggestion ?? "nothing"}`, () => {
      const [text, file] = wrongManifest(wrong);
      const error = thrownBy(() => parseManifest(text, file));
      expect(error, error.stack).to.be.instanceOf(ManifestError);
      const { problems } = error as ManifestError;
      const [first] = problems;
      const line = text.split("\n").findIndex((one) => one.includes(written)) + 1;
      expect(first?.line).to.equal(line);
      expect(first?.column).to.be.greaterThan(0);
      expect(problems.map(({ message }) => suggestionIn(message)).slice(0, 1)).to.deep.equal([suggestion]);
    });
  }
});
