import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { ROOT } from "../support/project";

/** Most parameters of a function: more of them need names at the call, so they become an object. */
const MOST = 4;

function longIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.parameters.length > MOST) {
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("the functions of provider/", () => {
  const files = execFileSync("git", ["ls-files", "provider"], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((file) => file.endsWith(".ts") && existsSync(join(ROOT, file)));

  it(`have at most ${MOST} parameters`, () => {
    expect(files.flatMap(longIn)).to.deep.equal([]);
  });
});
