import { expect } from "chai";
import fc from "fast-check";
import type { ManifestError } from "../../../provider/manifest/error";
import { readJson } from "../../../provider/manifest/json";
import { parseManifest } from "../../../provider/manifest/manifest";
import { readYaml } from "../../../provider/manifest/yaml";

/** The places at which a manifest has problems. */
function placesOf(text: string): (number | undefined)[][] {
  try {
    parseManifest(text, "fleet.json");
    return [];
  } catch (error) {
    return (error as ManifestError).problems.map(({ line, column }) => [line, column]);
  }
}

describe("a manifest in JSON", () => {
  it("has the values that the parser of YAML reads in it", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("<<", "__proto__", '"', "\\", '\\"', ":", '":', "a"),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        anyText,
        fc.integer(),
        fc.constantFrom(true, false, null, 0.5, 1e21),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(anyText, tie("tree"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 2), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const source = readJson(text);
        if (source) expect(source.tree).to.deep.equal(readYaml(text).tree);
        else expect(text).to.contain('"<<"');
      }),
      { numRuns: 1000 },
    );
  });

  it("is left to the parser of YAML if a key appears twice, or the text is not JSON", () => {
    for (const text of ['{"a":1,"a":2}', '{"a":{"b":"\\"c\\":"},"a" : 2}', '{"\\u0061":1,"a":2}', "{a: 1}", '{"a":1,}'])
      expect(readJson(text), text).to.equal(undefined);
    expect(readJson(`${"[".repeat(1000)}${"]".repeat(1000)}`)).to.equal(undefined);
  });

  it("has its problems at the same places as in YAML", () => {
    const text = `{
  "fleet": "f",
  "sites": { "home": { "latitude": 91, "vehicles": { "car": { "deviceId": "car", "maxCapacity": "many" } } } }
}`;
    expect(placesOf(text)).to.deep.equal(
      placesOf(`# JSON has no comments\n${text}`).map(([line = 0, column]) => [line - 1, column]),
    );
    expect(placesOf(text)).to.have.lengthOf(2);
  });
});
