import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SharedFile, sharedFileOf } from "../../../provider/ledger/sharedFile";
import { temporaryFolder } from "../../support/folder";

const claim = { businessId: "acme", deviceId: "car", words: "VehicleSettings 'car'", values: { maxCapacity: 1000 } };

describe("SharedFile", () => {
  const path = temporaryFolder();
  const file = () => path("run.jsonl");
  const fileOf = (own: number, isAlive = () => true) => new SharedFile(file(), { own, isAlive });

  it("gives each process the lines of the others, once, and none of its own", () => {
    const [first, second] = [fileOf(1), fileOf(2)];
    first.append([{ claim }]);
    second.append([{ release: "urn:two" }]);
    first.append([{ release: "urn:one" }]);
    const lines = (shared: SharedFile) => shared.news().flatMap(({ line }) => Object.keys(line));
    expect(lines(second)).to.deep.equal(["claim", "release"]);
    expect(lines(first)).to.deep.equal(["release"]);
    expect([lines(first), lines(second)]).to.deep.equal([[], []]);
    first.append([{ claim }]);
    expect([lines(first), lines(second)]).to.deep.equal([[], ["claim"]]);
  });

  it("waits for the end of a line that is being written", () => {
    const shared = fileOf(1);
    shared.append([{ claim }]);
    appendFileSync(file(), '{"pid":2,"rel');
    expect(shared.news()).to.deep.equal([]);
    appendFileSync(file(), 'ease":"urn:two"}\n');
    expect(shared.news()).to.deep.equal([{ pid: 2, line: { release: "urn:two" } }]);
  });

  it("leaves out lines that no process of ours writes", () => {
    const former = { businessId: "acme", deviceId: "car", key: "maxCapacity", ours: [1000] };
    const lines = [
      { pid: 0, release: "urn" },
      { pid: "1", release: "urn" },
      { pid: 2, claim: { ...claim, deviceId: "\u202e" } },
      { pid: 2, claim: { ...claim, words: "x".repeat(5000) } },
      { pid: 2, claim: { ...claim, other: 1 } },
      { pid: 2, former: { ...former, key: "__proto__" } },
      { pid: 2, former: { ...former, ours: ["1000"] } },
      { pid: 2, former: { ...former, before: "x" } },
      { pid: 2, former: { ...former, ours: Array(101).fill(1000) } },
    ];
    writeFileSync(file(), `${lines.map((line) => JSON.stringify(line)).join("\n")}\nnot JSON\n[]\n`);
    const shared = fileOf(1);
    expect(shared.news()).to.deep.equal([]);
    appendFileSync(file(), `${JSON.stringify({ pid: 2, former })}\n`);
    expect(shared.news()).to.deep.equal([{ pid: 2, line: { former } }]);
  });

  it("is removed by the last process", () => {
    const alive = new Set([1, 2]);
    const [first, second] = [1, 2].map((own) => new SharedFile(file(), { own, isAlive: (pid) => alive.has(pid) }));
    for (const shared of [first, second]) shared?.append([{ claim }]);
    first?.close();
    alive.delete(1);
    expect(existsSync(file())).to.equal(true);
    second?.close();
    expect(existsSync(file())).to.equal(false);
  });

  it("goes on alone if it cannot be used", () => {
    const shared = new SharedFile(path("no/such/folder"));
    shared.append([{ claim }]);
    expect(shared.news()).to.deep.equal([]);
    shared.close();
  });
});

describe("the file of an engine's run", () => {
  const path = temporaryFolder();
  const { TMPDIR } = process.env;
  const user = process.getuid?.() ?? "";
  const folder = () => path(`solar-charging-${user}`);
  beforeEach(() => {
    process.env.TMPDIR = path(".");
  });
  afterEach(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  const used = (engine: string | undefined) => {
    const shared = sharedFileOf({}, engine);
    shared?.append([{ claim }]);
    return shared;
  };

  it("is in a folder of the user's own, and nobody else can read it", () => {
    const shared = used("127.0.0.1:4711");
    expect(readdirSync(folder())).to.deep.equal(["127.0.0.1-4711.jsonl"]);
    expect(statSync(folder()).mode & 0o777).to.equal(0o700);
    expect(statSync(join(folder(), "127.0.0.1-4711.jsonl")).mode & 0o777).to.equal(0o600);
    shared?.close();
    expect(readdirSync(folder())).to.deep.equal([]);
  });

  it("is not there without an engine, nor in a folder that others can use", () => {
    expect(sharedFileOf({}, undefined)).to.equal(undefined);
    mkdirSync(folder(), { mode: 0o755 });
    expect(sharedFileOf({}, "127.0.0.1:4711")).to.equal(undefined);
  });

  it("is not there in a folder that is a link", () => {
    mkdirSync(path("elsewhere"), { mode: 0o700 });
    symlinkSync(path("elsewhere"), folder());
    expect(sharedFileOf({}, "127.0.0.1:4711")).to.equal(undefined);
  });

  it("removes the files of runs that have ended, and no other", () => {
    mkdirSync(folder(), { mode: 0o700 });
    const dead = 2 ** 31 - 1;
    const files = {
      "ended.jsonl": `{"pid":${dead}}\n`,
      "lives.jsonl": `{"pid":${dead}}\n{"pid":${process.pid},"release":"urn"}\n`,
      "new.jsonl": "",
      "old.jsonl": "",
      "other.txt": "",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder(), name), text);
    utimesSync(join(folder(), "old.jsonl"), 0, 0);
    used("127.0.0.1:4711")?.close();
    expect(readdirSync(folder())).to.have.members(["lives.jsonl", "new.jsonl", "other.txt"]);
  });
});
