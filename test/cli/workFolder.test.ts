import { execFileSync, spawn } from "node:child_process";
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
import { dirname, join } from "node:path";
import { expect } from "chai";
import { notWritten, replaceFile } from "../../cli/files";
import { makeWorkFolder } from "../../cli/stacks/workFolder";
import { temporaryFolder } from "../support/folder";
import { outputOf, ROOT } from "../support/project";

/** Writes a file of one letter 200 times. */
const WRITER = `const { replaceFile } = require(${JSON.stringify(join(ROOT, "dist", "cli", "files.js"))});
const [file, letter] = process.argv.slice(1);
for (let count = 0; count < 200; count++) replaceFile(file, letter.repeat(100_000));`;

/** The error of a call. */
function caught(call: () => void): Error {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

describe("cli: the work folder", () => {
  const path = temporaryFolder();
  const work = (name = "") => path(`.solar-charging/${name}`);
  const make = () => makeWorkFolder(path(".solar-charging"));

  it("blames the file system, not a missing folder, if Node's recursive mkdir fails as on a read-only one", () => {
    const error = Object.assign(new Error("ENOENT"), { code: "ENOENT", syscall: "mkdir" });
    expect(notWritten(error)).to.contain("read-only").and.not.to.contain("does not exist");
  });

  it("is left out by Git, and stays with what is in it", () => {
    make();
    writeFileSync(work("kept"), "");
    make();
    expect(readFileSync(work(".gitignore"), "utf8")).to.equal("*\n");
    expect(readdirSync(work())).to.have.members([".gitignore", "kept"]);
  });

  for (const link of [
    "",
    ".gitignore",
    "acme",
    "acme/Pulumi.yaml",
    "acme/record.json",
    "acme/shard-1-of-2/Pulumi.yaml",
  ]) {
    for (const target of ["elsewhere", "nowhere"]) {
      it(`is refused, with nothing written, if ${link || "it"} is a link to ${target}`, () => {
        mkdirSync(path("elsewhere"));
        writeFileSync(path("elsewhere/kept"), "kept");
        mkdirSync(dirname(work(link)), { recursive: true });
        symlinkSync(path(target), link ? work(link) : path(".solar-charging"));
        expect(make).to.throw(/symbolic link/);
        expect(readdirSync(path("elsewhere"))).to.deep.equal(["kept"]);
        expect(readdirSync(path(""))).not.to.include("nowhere");
      });
    }
  }
});

describe("cli: a work folder of a checkout", () => {
  const path = temporaryFolder();
  const make = () => makeWorkFolder(path(".solar-charging"));
  const git = (...args: string[]) => execFileSync("git", ["-C", path(""), ...args], { stdio: "pipe" });
  const write = (folder: string) => {
    mkdirSync(path(`${folder}/acme`), { recursive: true });
    writeFileSync(path(`${folder}/acme/record.json`), "{}");
  };
  beforeEach(() => git("init", "--quiet"));

  it("is refused if Git tracks a file in it, until that is removed as the message says", () => {
    write(".solar-charging");
    git("add", "--force", ".solar-charging");
    expect(make).to.throw("Git tracks .solar-charging/acme/record.json");
    const { message } = caught(make);
    execFileSync("sh", ["-c", message.slice(message.indexOf("git -C"))], { stdio: "pipe" });
    expect(make).not.to.throw();
  });

  it("is refused also if its name differs in case, which is the same folder on many disks", () => {
    write(".Solar-Charging");
    git("add", "--force", ".Solar-Charging");
    mkdirSync(path(".solar-charging"), { recursive: true });
    expect(make).to.throw("Git tracks .Solar-Charging/acme/record.json");
  });

  it("runs no program that the repository names", () => {
    write(".solar-charging");
    git("config", "core.fsmonitor", `touch ${path("harm")};`);
    make();
    expect(readdirSync(path(""))).not.to.include("harm");
  });

  it("is ours if Git does not track it", () => {
    write(".solar-charging");
    expect(make).not.to.throw();
  });
});

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

  it("has the umask's mode if there was none", () => {
    replaceFile(path("file"), "");
    expect(mode()).to.equal(0o666 & ~process.umask());
  });

  it("stays, with nothing beside it, if it cannot be replaced", () => {
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
