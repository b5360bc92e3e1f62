import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { checkSync } from "recheck";
import ts from "typescript";
import { ROOT } from "../support/project";

/** These files make expressions at run time, from escaped texts of limited length. */
const MADE = ["provider/service/extract.ts", "provider/settings/azimuth.ts"];

const NO_CLOCK = { timeout: null, attackTimeout: null, incubationTimeout: null };

/** The regular expressions in the sources by their text, each with its files. */
function regexesOf(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.set(node.text, [...(found.get(node.text) ?? []), file]);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest));
  }
  return found;
}

const FILES = ["provider", "cli", "measure"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
);

// Without this, a text of 200 KB in place of a number took 100 seconds, in which nothing else was answered.
describe("regular expressions over input", () => {
  before(() => {
    process.env.RECHECK_SYNC_BACKEND = "pure";
  });

  for (const [regex, files] of regexesOf(FILES)) {
    it(`${regex} takes time in proportion to its input (${files.join(", ")})`, () => {
      // With its default limits, the checker tries bounded repetitions by chance, and takes a match that is slow on a
      // busy machine for a vulnerable expression. These limits count steps only.
      const limits = { ...NO_CLOCK, randomSeed: 0, maxRepeatCount: 1000, maxPatternSize: 5000 };
      const end = regex.lastIndexOf("/");
      const found = checkSync(regex.slice(1, end), regex.slice(end + 1), limits);
      expect(found.status).to.equal("safe");
    });
  }

  it("is made at run time only from escaped texts of bounded length", () => {
    const makes = (file: string) => /new RegExp\b|\bRegExp\(/.test(readFileSync(join(ROOT, file), "utf8"));
    expect(FILES.filter(makes)).to.deep.equal(MADE);
  });
});
