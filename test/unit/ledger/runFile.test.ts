import { once } from "node:events";
import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { RunFile, runFileOf } from "../../../provider/ledger/runFile";
import { MessageError } from "../../../provider/messages/message";
import { temporaryFolder } from "../../support/folder";

const event = { businessId: "acme", deviceId: "car", key: "maxCapacity", event: "released", new: 1000 };
const claim = { businessId: "acme", deviceId: "car", words: "VehicleSettings 'car'", values: { maxCapacity: 1000 } };

/** The problem that a call throws. */
function problemThrown(call: () => unknown) {
  try {
    call();
    return undefined;
  } catch (error) {
    expect(error).to.be.instanceOf(MessageError);
    return (error as MessageError).problem;
  }
}

function expectCode(call: () => unknown, code: string): void {
  expect(problemThrown(call)?.code).to.equal(code);
}

describe("RunFile", () => {
  const path = temporaryFolder();
  const file = () => path("run.jsonl");
  const fileOf = (own: number, isAlive = () => true) => new RunFile(file, { own, isAlive });

  it("gives each process the lines of the others once, but not its own", () => {
    const [first, second] = [fileOf(1), fileOf(2)];
    first.append([{ claim }]);
    second.append([{ forget: "urn:two" }]);
    first.append([{ forget: "urn:one" }]);
    const lines = (shared: RunFile) => shared.news().flatMap(({ line }) => Object.keys(line));
    expect(lines(second)).to.deep.equal(["claim", "forget"]);
    expect(lines(first)).to.deep.equal(["forget"]);
    expect([lines(first), lines(second)]).to.deep.equal([[], []]);
    first.append([{ claim }]);
    expect([lines(first), lines(second)]).to.deep.equal([[], ["claim"]]);
  });

  it("gives a later run of a process the lines of the earlier ones, as those of a process that has ended", () => {
    const [first, second, other] = [fileOf(1), fileOf(1), fileOf(2)];
    first.append([{ claim }]);
    second.append([{ forget: "urn:two" }]);
    expect(second.news().map(({ pid, line }) => [second.isAlive(pid), ...Object.keys(line)])).to.deep.equal([
      [false],
      [false, "claim"],
    ]);
    expect(other.news().map(({ pid }) => pid)).to.deep.equal([1, 1, 1, 1]);
    for (const shared of [first, second, other]) shared.close();
  });

  it("waits for the end of a line that is being written", () => {
    const shared = fileOf(1);
    shared.append([{ claim }]);
    appendFileSync(file(), '{"pid":2,"for');
    expect(shared.news()).to.deep.equal([]);
    appendFileSync(file(), 'get":"urn:two"}\n');
    expect(shared.news()).to.deep.equal([{ pid: 2, line: { forget: "urn:two" } }]);
  });

  it("passes on names with any characters", () => {
    const [first, second] = [fileOf(1), fileOf(2)];
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (urn, words) => {
        second.append([{ claim: { ...claim, urn, words } }]);
        const claims = first.news().flatMap(({ line }) => line.claim ?? []);
        expect(claims.map((one) => [one.urn, one.words])).to.deep.equal([[urn, words]]);
      }),
    );
  });

  for (const line of [
    "not JSON",
    "[]",
    JSON.stringify({ pid: -1, forget: "urn" }),
    JSON.stringify({ pid: 2, claim: { ...claim, values: 1 } }),
    JSON.stringify({ pid: 2, event: { ...event, key: "__proto__" } }),
    JSON.stringify({ pid: 2, event: { ...event, new: "1000" } }),
    JSON.stringify({ pid: 2, event: { ...event, event: "restored" } }),
  ]) {
    it(`fails each use after a line that cannot be read, such as ${line}`, () => {
      const shared = fileOf(1);
      shared.append([{ claim }]);
      appendFileSync(file(), `${line}\n`);
      for (let times = 0; times < 2; times += 1) expectCode(() => shared.news(), "storeUnusable");
    });
  }

  it("has reports that no provider reads, whatever is in them, and that nobody writes unless a command follows", () => {
    writeFileSync(file(), "");
    const [first, second] = [1, 2].map((own) => new RunFile(file, { own, isAlive: () => true }, { isMade: true }));
    first?.report(() => ({ message: { code: "changes", finding: '{"claim":1}', severity: "info" } }));
    const [start] = /.*(?="message":)/.exec(readFileSync(file(), "utf8")) ?? [];
    appendFileSync(file(), `${start}"done":{"a line of another version\n${start}"request":7}\n`);
    first?.append([{ claim }]);
    expect(second?.news().map(({ line }) => Object.keys(line))).to.deep.equal([[], ["claim"]]);
    fileOf(3).report(() => expect.fail("it is computed"));
  });

  it("loses no claim after a report that a kill has cut short", () => {
    const [first, second] = [fileOf(1), fileOf(2)];
    first.append([{}]);
    appendFileSync(file(), '{"pid":3,"by":"x","done":{"urn":"urn:pulumi:');
    first.append([{ claim }, { forget: "urn" }]);
    expect(second.news().map(({ line }) => Object.keys(line))).to.deep.equal([[], [], ["claim"], ["forget"]]);
  });

  it("is removed by the last process", () => {
    const alive = new Set([1, 2]);
    const [first, second] = [1, 2].map((own) => new RunFile(file, { own, isAlive: (pid) => alive.has(pid) }));
    for (const shared of [first, second]) shared?.append([{ claim }]);
    first?.close();
    alive.delete(1);
    expect(existsSync(file())).to.equal(true);
    second?.close();
    expect(existsSync(file())).to.equal(false);
  });

  it("is removed at the end of the run, and those that use it go on", () => {
    const [first, second] = [fileOf(1), fileOf(2)];
    for (const shared of [first, second]) shared.append([{ claim }]);
    first.end();
    expect(existsSync(file())).to.equal(false);
    first.append([{ forget: "urn" }]);
    expect(second.news().map(({ line }) => Object.keys(line))).to.deep.equal([[], ["claim"], ["forget"]]);
  });

  it("stays at the end of a run if the command has made it, and requests in flight can still use it", () => {
    writeFileSync(file(), "");
    const shared = new RunFile(file, { own: 1, isAlive: () => true }, { isMade: true });
    shared.append([{ claim }]);
    shared.end();
    shared.append([{ forget: "urn" }]);
    expect(
      fileOf(2)
        .news()
        .map(({ line }) => Object.keys(line)),
    ).to.deep.equal([[], ["claim"], [], ["forget"]]);
    expect(shared.news().map(({ pid }) => pid)).to.deep.equal([2]);
  });

  it("fails each use if it cannot be opened or written", () => {
    for (const place of [path("no/such/folder"), path(".")]) {
      const shared = new RunFile(() => place);
      for (const use of [() => shared.append([{ claim }]), () => shared.news()]) expectCode(use, "storeUnusable");
    }
  });

  it("names a disk that is full, before anything is sent", function () {
    if (process.platform !== "linux") this.skip();
    const shared = new RunFile(() => "/dev/full");
    expect(problemThrown(() => shared.append([{ claim }]))?.finding)
      .to.contain("/dev/full")
      .and.contain("ENOSPC");
  });
});

describe("the file of an engine's run", () => {
  const path = temporaryFolder();
  const { TMPDIR } = process.env;
  const user = process.getuid?.() ?? "";
  const name = `solar-charging-${user}`;
  const folder = () => path(`home/${name}`);
  const temporary = () => path(`temporary/${name}`);
  beforeEach(() => {
    mkdirSync(path("home"));
    process.env.TMPDIR = path("temporary");
  });
  afterEach(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  const used = (engine: string | undefined) => {
    const shared = runFileOf({ PULUMI_HOME: path("home") }, engine);
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

  it("is not there without an engine", () => {
    expect(runFileOf({}, undefined)).to.equal(undefined);
  });

  const FOREIGN: Readonly<Record<string, (folder: string) => void>> = {
    "a folder that others can read": (place) => mkdirSync(place, { mode: 0o755 }),
    "a link": (place) => {
      mkdirSync(path("elsewhere"), { recursive: true, mode: 0o700 });
      symlinkSync(path("elsewhere"), place);
    },
    "a file": (place) => writeFileSync(place, ""),
  };
  for (const [what, make] of Object.entries(FOREIGN)) {
    it(`is in the temporary folder if ${what} is in its place`, () => {
      make(folder());
      used("127.0.0.1:4711");
      expect(readdirSync(temporary())).to.deep.equal(["127.0.0.1-4711.jsonl"]);
    });

    it(`fails each use if ${what} is in its place, and in the temporary folder too`, () => {
      mkdirSync(path("temporary"));
      for (const place of [folder(), temporary()]) make(place);
      const { finding = "" } = problemThrown(() => used("127.0.0.1:4711")) ?? {};
      expect(finding).to.contain(folder()).and.contain(temporary());
    });
  }

  it("stays in Pulumi's home if somebody else has made a folder of its name in the temporary folder", () => {
    mkdirSync(temporary(), { recursive: true, mode: 0o777 });
    used("127.0.0.1:4711");
    expect(readdirSync(folder())).to.deep.equal(["127.0.0.1-4711.jsonl"]);
  });

  const reasons = { ENOSPC: false, EMFILE: false, EACCES: true, EROFS: true };
  for (const [code, isLasting] of Object.entries(reasons)) {
    it(`${isLasting ? "is in the temporary folder" : "fails"} if its folder cannot be made because of ${code}`, () => {
      const { mkdirSync: make } = fs;
      fs.mkdirSync = ((place: string, options: fs.MakeDirectoryOptions) => {
        if (place === folder()) throw Object.assign(new Error("no"), { code });
        return make(place, options);
      }) as typeof fs.mkdirSync;
      try {
        const problem = problemThrown(() => used("127.0.0.1:4711"));
        // Another process would find space a moment later, and use another folder than this one.
        expect([problem?.code, existsSync(temporary())]).to.deep.equal(
          isLasting ? [undefined, true] : ["storeUnusable", false],
        );
      } finally {
        fs.mkdirSync = make;
      }
    });
  }

  it("is another one for a later engine with the same port", async function () {
    if (process.platform !== "linux") this.skip();
    const listen = async (port: number) => {
      const server = createServer().listen(port, "127.0.0.1");
      await once(server, "listening");
      return { port: (server.address() as AddressInfo).port, close: () => once(server.close(), "close") };
    };
    const first = await listen(0);
    const engine = `127.0.0.1:${first.port}`;
    const [own, again] = [used(engine), used(engine)];
    expect(readdirSync(folder())).to.have.length(1);
    await first.close();
    const later = await listen(first.port);
    used(engine);
    expect(readdirSync(folder())).to.have.length(2);
    await later.close();
    for (const shared of [own, again]) shared?.close();
  });

  it("removes the files of runs that have ended, and no other", () => {
    mkdirSync(folder(), { mode: 0o700 });
    const dead = 2 ** 31 - 1;
    const files = {
      "ended.jsonl": `{"pid":${dead}}\n`,
      "lives.jsonl": `{"pid":${dead}}\n{"pid":${process.pid},"forget":"urn"}\n`,
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
