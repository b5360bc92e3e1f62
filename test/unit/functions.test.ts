import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { ROOT } from "../support/project";

/** Most parameters of a function: more of them need names at the call, so they become an object. */
const MOST = 4;

const FOLDERS = ["provider", "cli", "measure", "simulator", "scripts", "bench"];

function placesOf(file: string, text: string, isBad: (node: ts.SignatureDeclaration) => boolean): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && isBad(node)) {
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function hasTooMany({ parameters }: ts.SignatureDeclaration): boolean {
  return parameters.length > MOST;
}

/** Whether a boolean stands beside other parameters: `read(device, true)` does not say what is true. */
function hasPositionalBoolean({ parameters }: ts.SignatureDeclaration): boolean {
  return parameters.length > 1 && parameters.some(isBoolean);
}

function isBoolean({ type, initializer }: ts.ParameterDeclaration): boolean {
  return /^(boolean|true|false)\b/.test(type?.getText() ?? "") || /^(true|false)$/.test(initializer?.getText() ?? "");
}

describe("the functions of this repository", () => {
  const files = execFileSync("git", ["ls-files", ...FOLDERS], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)));
  const placesIn = (isBad: typeof hasTooMany) =>
    files.flatMap((file) => placesOf(file, readFileSync(join(ROOT, file), "utf8"), isBad));

  it(`have at most ${MOST} parameters`, () => {
    expect(placesIn(hasTooMany)).to.deep.equal([]);
    expect(placesOf("a.ts", "(a, b, c, d, e) => a;", hasTooMany)).to.deep.equal(["a.ts:1"]);
  });

  it("take a boolean only as a named property, or alone", () => {
    expect(placesIn(hasPositionalBoolean)).to.deep.equal([]);
    const text =
      "(is: boolean) => is;\n(a, is: boolean) => a;\n(a, is = true) => a;\n(a, is: boolean | undefined) => a;";
    expect(placesOf("a.ts", text, hasPositionalBoolean)).to.deep.equal(["a.ts:2", "a.ts:3", "a.ts:4"]);
  });

  // Without this, a process of the plugin that serves one command after another would keep variables of an earlier run.
  it("leave the environment of their process as it is", () => {
    const isChange = (text: string) =>
      /(\bassign\(|\bdelete )process\.env\b|\bprocess\.env(\.\w+|\[[^\]]+\])? =(?!=)/.test(text);
    const ofUsers = files.filter((file) => /^(provider|cli|measure)\//.test(file));
    expect(ofUsers.filter((file) => isChange(readFileSync(join(ROOT, file), "utf8")))).to.deep.equal([]);
    const changes = [
      "Object.assign(process.env, run)",
      "delete process.env.A",
      'process.env["A"] = ""',
      "process.env = {}",
    ];
    for (const text of changes) expect(isChange(text), text).to.equal(true);
  });
});
