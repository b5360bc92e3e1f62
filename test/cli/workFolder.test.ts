import { spawn } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { replaceFile } from "../../cli/workFolder";
import { temporaryFolder } from "../support/folder";
import { outputOf, ROOT } from "../support/project";

/** Writes a file of one letter 200 times. */
const WRITER = `const { replaceFile } = require(${JSON.stringify(join(ROOT, "dist", "cli", "workFolder.js"))});
const [file, letter] = process.argv.slice(1);
for (let count = 0; count < 200; count++) replaceFile(file, letter.repeat(100_000));`;

describe("cli: a file that is replaced", () => {
  const path = temporaryFolder();
  const mode = () => statSync(path("file")).mode & 0o7777;

  it("keeps its mode, whatever the umask, and a link to it stays", () => {
    for (const kept of [0o664, 0o600]) {
      writeFileSync(path("file"), "before");
      chmodSync(path("file"), kept);
      replaceFile(path("file"), "after");
      expect(mode()).to.equal(kept);
    }
    symlinkSync("file", path("link"));
    replaceFile(path("link"), "by its link");
    expect(lstatSync(path("link")).isSymbolicLink()).to.equal(true);
    expect(readFileSync(path("file"), "utf8")).to.equal("by its link");
  });

  it("has the umask's mode where there was none", () => {
    replaceFile(path("file"), "");
    expect(mode()).to.equal(0o666 & ~process.umask());
  });

  it("stays, with nothing beside it, where it cannot be replaced", () => {
    mkdirSync(path("file"));
    expect(() => replaceFile(path("file"), "")).to.throw("EISDIR");
    expect(readdirSync(path(""))).to.deep.equal(["file"]);
  });

  it("is whole when two processes write it at a time", async () => {
    const writers = ["a", "b"].map((letter) => outputOf(spawn(process.execPath, ["-e", WRITER, path("file"), letter])));
    for (const { code, text } of await Promise.all(writers)) expect(code, text).to.equal(0);
    expect(readFileSync(path("file"), "utf8")).to.match(/^(a{100000}|b{100000})$/);
    expect(readdirSync(path(""))).to.deep.equal(["file"]);
  });
});
