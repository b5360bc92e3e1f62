import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs, { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { LineFile, linesOf, reasonOf } from "../../../provider/ledger/lineFile";
import { thrownBy } from "../../support/failure";
import { temporaryFolder } from "../../support/folder";

const MODULE = resolve(__dirname, "../../../provider/ledger/lineFile.js");

/** Longer than PIPE_BUF, which is 4096 bytes on Linux. */
const LONG = 10_000;

describe("LineFile", () => {
  const path = temporaryFolder();

  it("is not there before it is opened", () => {
    new LineFile(path("lines"));
    expect(existsSync(path("lines"))).to.equal(false);
  });

  it("continues behind what is there", () => {
    writeFileSync(path("lines"), "one\n");
    const file = new LineFile(path("lines"));
    file.append("two");
    file.append("three");
    expect(readFileSync(path("lines"), "utf8")).to.equal("one\ntwo\nthree\n");
  });

  it("begins a new line if another process was stopped in the middle of a line", () => {
    writeFileSync(path("lines"), "one\nhal");
    const file = new LineFile(path("lines"));
    file.append("two");
    file.append("three");
    expect(readFileSync(path("lines"), "utf8")).to.equal("one\nhal\ntwo\nthree\n");
  });

  it("begins a new line if a kill stopped another process in the middle of a line, after this one had opened the file", () => {
    const file = new LineFile(path("lines"));
    file.append("one");
    appendFileSync(path("lines"), "tw");
    file.append("three");
    expect(readFileSync(path("lines"), "utf8")).to.equal("one\ntw\nthree\n");
  });

  it("continues in a truncated file, for example after a rotation", () => {
    const file = new LineFile(path("lines"));
    file.append("one");
    writeFileSync(path("lines"), "");
    file.append("two");
    expect(readFileSync(path("lines"), "utf8")).to.equal("two\n");
  });

  it("continues in a file that was renamed, until the process ends", () => {
    const file = new LineFile(path("lines"));
    file.append("one");
    renameSync(path("lines"), path("rotated"));
    file.append("two");
    expect(readFileSync(path("rotated"), "utf8")).to.equal("one\ntwo\n");
    expect(existsSync(path("lines"))).to.equal(false);
  });

  describe("of a system that does not do all", () => {
    // Fakes the errors, because tests may run as root, who may read everything, and on a disk with space.
    const real = { openSync: fs.openSync, writeSync: fs.writeSync };
    afterEach(() => void Object.assign(fs, real));

    it("reports that only a part of a line was written, and begins a new line after it", () => {
      const file = new LineFile(path("lines"));
      Object.assign(fs, { writeSync: (open: number, bytes: Buffer) => real.writeSync(open, bytes.subarray(0, 3)) });
      expect(thrownBy(() => file.append("first"))).to.include({ code: "ENOSPC" });
      Object.assign(fs, real);
      file.append("second");
      file.append("third");
      expect(readFileSync(path("lines"), "utf8")).to.equal("fir\nsecond\nthird\n");
    });

    it("writes to a file that it may not read", () => {
      writeFileSync(path("lines"), "one\n");
      const openSync = (file: string, flags: string) => {
        if (flags === "r") throw Object.assign(new Error("permission denied"), { code: "EACCES" });
        return real.openSync(file, flags);
      };
      Object.assign(fs, { openSync });
      new LineFile(path("lines")).append("two");
      expect(readFileSync(path("lines"), "utf8")).to.equal("one\ntwo\n");
    });
  });

  it("reports that it cannot be opened", () => {
    expect(thrownBy(() => new LineFile(path("no/such/folder")).open())).to.include({ code: "ENOENT" });
    expect(thrownBy(() => new LineFile(path("")).open())).to.include({ code: "EISDIR" });
  });

  it("refuses a pipe, because it would wait for a reader", () => {
    execFileSync("mkfifo", [path("pipe")]);
    const tries = `
      const { LineFile, reasonOf } = require(${JSON.stringify(MODULE)});
      for (const work of ["open", "tryOut"]) {
        try { new LineFile(${JSON.stringify(path("pipe"))})[work](); } catch (error) { console.log(reasonOf(error)); }
      }`;
    const told = execFileSync(process.execPath, ["-e", tries], { timeout: 300_000, encoding: "utf8" });
    expect(told).to.match(/^(.*pipe.*\n){2}$/);
  });

  it("is tried out without being made or changed", () => {
    new LineFile(path("lines")).tryOut();
    expect(existsSync(path("lines"))).to.equal(false);
    writeFileSync(path("lines"), "one\n");
    new LineFile(path("lines")).tryOut();
    expect(readFileSync(path("lines"), "utf8")).to.equal("one\n");
    for (const file of [path("no/such/folder"), path("lines/below"), path("")]) {
      const [tried, opened] = [() => new LineFile(file).tryOut(), () => new LineFile(file).open()].map(thrownBy);
      expect(reasonOf(tried))
        .to.equal(reasonOf(opened))
        .and.match(/^(ENOENT|ENOTDIR|EISDIR)$/);
    }
  });

  it("is refused, when it is tried out, if it is a device, because its lines would never end", () => {
    expect(() => new LineFile("/dev/null").tryOut()).to.throw("regular file");
  });

  it("reports that the disk is full", function () {
    if (!existsSync("/dev/full")) this.skip(); // Only Linux has /dev/full.
    expect(thrownBy(() => new LineFile("/dev/full").append("one"))).to.include({ code: "ENOSPC" });
  });

  it("keeps every line whole that four processes write at a time", async () => {
    const names = ["a", "b", "c", "d"];
    const script = (name: string) => `
      const { LineFile } = require(${JSON.stringify(MODULE)});
      const file = new LineFile(${JSON.stringify(path("lines"))});
      process.stdin.once("data", () => {
        for (let i = 0; i < 200; i++) file.append(${JSON.stringify(name)}.repeat(i % 2 ? 30 : ${LONG}) + i);
        process.exit();
      });
      console.log("ready");`;
    const writers = names.map((name) => spawn(process.execPath, ["-e", script(name)], { stdio: "pipe" }));
    await Promise.all(writers.map(({ stdout }) => once(stdout, "data")));
    const ended = Promise.all(writers.map((writer) => once(writer, "exit")));
    for (const { stdin } of writers) stdin.write("go");
    await ended;

    const lines = readFileSync(path("lines"), "utf8").split("\n").filter(Boolean);
    for (const name of names) {
      const own = lines.filter((line) => line.startsWith(name));
      expect(own).to.deep.equal(Array.from({ length: 200 }, (_, i) => `${name.repeat(i % 2 ? 30 : LONG)}${i}`));
    }
    expect(lines).to.have.lengthOf(800);
  });
});

describe("linesOf", () => {
  const path = temporaryFolder();
  const MEBIBYTE = 1 << 20;
  const linesIn = (content: string) => {
    writeFileSync(path("lines"), content);
    const file = fs.openSync(path("lines"), "r");
    try {
      return [...linesOf(file)];
    } finally {
      fs.closeSync(file);
    }
  };

  it("gives all lines but empty ones and those over 1 MiB, each with its place", () => {
    const lengths = fc.oneof(
      fc.nat(20),
      fc.integer({ min: MEBIBYTE - 1, max: MEBIBYTE + 1 }),
      fc.constant(3 * MEBIBYTE),
    );
    fc.assert(
      fc.property(fc.array(lengths, { maxLength: 5 }), fc.boolean(), (all, isEnded) => {
        const lines = all.map((length, index) => String(index).repeat(length));
        const content = lines.join("\n") + (isEnded ? "\n" : "");
        const found = linesIn(content);
        expect(found.map(({ text }) => text.length)).to.deep.equal(
          all.filter((length) => length > 0 && length <= MEBIBYTE),
        );
        for (const { text, start, end } of found) expect(content.slice(start, end) === text).to.equal(true);
      }),
      { numRuns: 30 },
    );
  });

  it("copies a damaged line of 40 MiB once, however long it is", () => {
    const { concat } = Buffer;
    let copied = 0;
    Buffer.concat = (parts, ...rest) => {
      const bytes = concat(parts, ...rest);
      copied += bytes.length;
      return bytes;
    };
    try {
      expect(linesIn(`${"x".repeat(40 * MEBIBYTE)}\nlast\n`).map(({ text }) => text)).to.deep.equal(["last"]);
    } finally {
      Buffer.concat = concat;
    }
    expect(copied).to.be.below(2.5 * 40 * MEBIBYTE);
  });
});
