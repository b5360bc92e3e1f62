import { expect } from "chai";
import fc from "fast-check";
import { readJson } from "../../../provider/manifest/json";
import { parseManifest } from "../../../provider/manifest/manifest";
import type { ManifestError } from "../../../provider/manifest/report";
import { readYaml } from "../../../provider/manifest/yaml";

function refusalOf(text: string): ManifestError {
  try {
    parseManifest(text, "fleet.json");
  } catch (error) {
    return error as ManifestError;
  }
  return expect.fail("the manifest is read");
}

/** The places at which a manifest has problems. */
function placesOf(text: string): (number | undefined)[][] {
  return refusalOf(text).problems.map(({ line, column }) => [line, column]);
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

  for (const [where, text, line, column] of [
    ["in a line of its own", '{\n  // all\n  "fleet": "a",\n  "sites": {}\n}', 2, 3],
    ["behind a value", '{\n  "fleet": "a", // all\n  "sites": {}\n}', 2, 17],
    ["behind a value without a comma", '{\r\n  "fleet": "a",\r\n  "sites": {} // none\r\n}', 3, 15],
    ["before all", '// all\n{ "fleet": "a", "sites": {} }', 1, 1],
    ["after all", '{ "fleet": "a", "sites": {} }\n// end', 2, 1],
    ["between signs", '{ "fleet": "a //", /* all */"sites": {} }', 1, 20],
    ["behind a colon", '{ "fleet":/* all */"a", "sites": {} }', 1, 11],
    ["over two lines", '{ "fleet": "a", /* a\n b */ "sites": {} }', 1, 17],
    ["in a list, of which YAML would make a label", '{ "sites": { "a": { "labels": [ "x", // one\n "y" ] } } }', 1, 38],
    ["after a backslash in a text", '{ "fleet": "a\\"", // all\n "sites": {} }', 1, 19],
  ] as const) {
    it(`has no comments: ${where}`, () => {
      const { problems } = refusalOf(text);
      expect(problems).to.have.lengthOf(1);
      expect(problems[0]).to.deep.include({ line, column });
      expect(problems[0]?.message).to.match(/^\/[/*] begins a comment.*JSON.*remove it.*YAML.*#/);
    });
  }

  it("is read as YAML if its comments are YAML's, or its texts only look like comments", () => {
    const text = `{ "fleet": "a", # see //\n "sites": { a: { title: "a // b /* c", labels: ['// x', http://y/*, it's] } } }`;
    expect(parseManifest(text, "fleet.json").sites).to.deep.equal([
      { id: "a", title: "a // b /* c", labels: ["// x", "http://y/*", "it's"] },
    ]);
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
