import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { engineEnvironment, findOrFetchEngine } from "../../scripts/engine";
import { CLI_MINIMUM, ENGINE_VERSION, GO_MINIMUM } from "../../scripts/engine-sources";
import { freshFolder, put, putCommand } from "./fakes";

const TOOLS = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

describe("findOrFetchEngine", () => {
  const folder = freshFolder();
  const onPath = () => join(folder(), "path");
  const target = () => join(folder(), "home", "versions", ENGINE_VERSION);
  const calls = () => join(folder(), "calls");
  let said: string[];

  beforeEach(() => {
    said = [];
    put(join(folder(), "sdk", "pulumi-resource-pulumi-nodejs"), "#!/bin/sh\n");
  });

  function putEngine(bin: string, version = ENGINE_VERSION, tools = TOOLS): void {
    for (const tool of tools) putCommand(join(bin, tool), `echo v${version}`);
  }

  /** A launcher like npm's, that "downloads" into its home what `tools` names, after noting its home in `calls`. */
  function putLauncher(tools: string[]): void {
    put(
      join(folder(), "launcher.js"),
      `const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
      const bin = process.env.PULUMI_HOME + "/versions/" + process.env.PULUMI_VERSION + "/bin/";
      appendFileSync(${JSON.stringify(calls())}, process.env.PULUMI_HOME);
      mkdirSync(bin, { recursive: true });
      for (const tool of ${JSON.stringify(tools)}) {
        writeFileSync(bin + tool, "#!/bin/sh\\necho v" + process.env.PULUMI_VERSION, { mode: 0o755 });
      }
      if (${tools.length} === 0) { console.error("tar: unexpected end of file"); process.exit(2); }`,
    );
  }

  /** A `go` that notes its calls and "compiles" to scripts. */
  function putGo(version = GO_MINIMUM, get = ""): void {
    putCommand(
      join(onPath(), "go"),
      `echo "$GOFLAGS $GOTOOLCHAIN $GOWORK $*" >> '${calls()}'
      case "$1" in
        env) echo go${version} ;;
        get) ${get || ":"} ;;
        build)
          while [ "$1" != -o ]; do shift; done
          printf '#!/bin/sh\\necho v${ENGINE_VERSION}\\n' > "$2"
          /bin/chmod 755 "$2" ;;
      esac`,
    );
  }

  const unreachable = async () => {
    throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND") });
  };

  function find(answer: () => Promise<Response> = unreachable, path = [onPath()]) {
    return findOrFetchEngine({
      env: { PATH: path.join(delimiter), PULUMI_HOME: join(folder(), "home") },
      fetch: answer,
      launcher: join(folder(), "launcher.js"),
      sdk: join(folder(), "sdk"),
      progress: {
        say: (line) => void said.push(line),
        step: (text, task) => {
          said.push(text);
          return task();
        },
      },
    });
  }

  async function failure(search: Promise<unknown>): Promise<string> {
    return search.then(
      () => expect.fail("an engine was found"),
      (error: Error) => error.message,
    );
  }

  describe("on PATH", () => {
    it("takes a CLI of the oldest accepted version", async () => {
      putEngine(onPath(), CLI_MINIMUM);
      expect(await find()).to.deep.equal({ bin: onPath(), version: CLI_MINIMUM, source: "PATH" });
    });

    it("says nothing when it finds one", async () => {
      putEngine(onPath());
      await find();
      expect(said).to.deep.equal([]);
    });

    it("accepts the CLI's helpers in another folder of PATH", async () => {
      const helpers = join(folder(), "helpers");
      putEngine(onPath(), ENGINE_VERSION, ["pulumi"]);
      putEngine(helpers, ENGINE_VERSION, TOOLS.slice(1));
      expect(await find(unreachable, [onPath(), helpers])).to.include({ bin: onPath(), source: "PATH" });
    });

    it("passes over a CLI that is too old, and takes a later one", async () => {
      const newer = join(folder(), "newer");
      putEngine(onPath(), "3.99.0");
      putEngine(newer, "3.300.1");
      expect(await find(unreachable, [onPath(), newer])).to.include({ bin: newer, version: "3.300.1" });
    });

    it("says which CLI is too old", async () => {
      putEngine(onPath(), "3.99.0");
      expect(await failure(find())).to.contain(`${join(onPath(), "pulumi")} is 3.99.0, older than ${CLI_MINIMUM}`);
    });

    it("says which helper a CLI lacks", async () => {
      putEngine(onPath(), ENGINE_VERSION, ["pulumi"]);
      expect(await failure(find())).to.contain(`${onPath()} holds no pulumi-language-nodejs, nor does PATH`);
    });

    it("never runs npm's launcher, which would download without a time-out", async () => {
      const launcher = join(folder(), "node_modules", "pulumi", "run.js");
      putCommand(launcher, `echo launched >> '${calls()}'`);
      mkdirSync(onPath());
      symlinkSync(launcher, join(onPath(), "pulumi"));
      await failure(find());
      expect(existsSync(calls())).to.equal(false);
    });
  });

  describe("in the cache", () => {
    it("takes a whole engine", async () => {
      putEngine(join(target(), "bin"));
      expect(await find()).to.deep.equal({ bin: join(target(), "bin"), version: ENGINE_VERSION, source: "cache" });
    });

    it("replaces one that lacks a helper", async () => {
      putEngine(join(target(), "bin"), ENGINE_VERSION, ["pulumi"]);
      putGo();
      await find();
      expect(readdirSync(join(target(), "bin"))).to.have.members([...TOOLS, "pulumi-language-yaml"]);
    });

    it("replaces one that does not run", async () => {
      putEngine(join(target(), "bin"));
      putCommand(join(target(), "bin", "pulumi"), "exit 1");
      putGo();
      expect(await find()).to.include({ source: "go" });
    });
  });

  describe("by download", () => {
    const answers = async () => new Response("#!/bin/sh");

    it("takes what the launcher fetches", async () => {
      putLauncher(TOOLS);
      expect(await find(answers)).to.deep.equal({
        bin: join(target(), "bin"),
        version: ENGINE_VERSION,
        source: "download",
      });
    });

    it("lets the launcher work beside the cache, not in it", async () => {
      putLauncher(TOOLS);
      await find(answers);
      expect(readFileSync(calls(), "utf8")).to.match(/^.*\.partial-\w+$/);
    });

    it("does not keep a download that lacks a helper", async () => {
      putLauncher(["pulumi"]);
      await failure(find(answers));
      expect(readdirSync(join(folder(), "home", "versions"))).to.deep.equal([]);
    });

    it("shows the last words of a launcher that fails", async () => {
      putLauncher([]);
      expect(await failure(find(answers))).to.contain("tar: unexpected end of file");
    });

    it("does not start the launcher when the host cannot be reached", async () => {
      putLauncher(TOOLS);
      expect(await failure(find())).to.contain("cannot be reached: fetch failed (getaddrinfo ENOTFOUND)");
      expect(existsSync(calls())).to.equal(false);
    });

    it("does not start the launcher when the host answers with an error", async () => {
      putLauncher(TOOLS);
      expect(await failure(find(async () => new Response("", { status: 503 })))).to.contain("HTTP 503");
      expect(existsSync(calls())).to.equal(false);
    });

    it("gives up on a host that does not answer in time", async () => {
      const silent = (_url: unknown, init?: RequestInit) =>
        new Promise<never>((_, fail) => init?.signal?.addEventListener("abort", () => fail(init.signal?.reason)));
      const search = findOrFetchEngine({
        env: { PATH: onPath(), PULUMI_HOME: join(folder(), "home") },
        fetch: silent,
        probeMilliseconds: 1,
        progress: { say: () => {}, step: (_text, task) => task() },
      });
      expect(await failure(search)).to.contain("cannot be reached: The operation was aborted due to timeout");
    });
  });

  describe("from Go modules", () => {
    it("compiles the CLI and its language host", async () => {
      putGo();
      expect(await find()).to.deep.equal({ bin: join(target(), "bin"), version: ENGINE_VERSION, source: "go" });
    });

    it("adds the SDK's launcher of dynamic providers, executable", async () => {
      putGo();
      await find();
      const mode = statSync(join(target(), "bin", "pulumi-resource-pulumi-nodejs")).mode;
      expect(mode & 0o111).to.equal(0o111);
    });

    it("shields the build from the user's Go workspace and flags", async () => {
      putGo();
      await find();
      const lines = readFileSync(calls(), "utf8").trim().split("\n");
      expect(lines.every((line) => line.startsWith("-mod=mod local off "))).to.equal(true);
    });

    it("does without the host of YAML if that cannot be built", async () => {
      putGo(GO_MINIMUM, 'case "$*" in *yaml*) exit 1 ;; esac');
      expect(await find()).to.include({ source: "go" });
      expect(readdirSync(join(target(), "bin"))).to.have.members(TOOLS);
      expect(said.join("\n")).to.contain("pulumi-language-yaml is left out");
    });

    it("refuses a Go that is too old", async () => {
      putGo("1.9.2");
      expect(await failure(find())).to.contain(`go on PATH is 1.9.2, older than ${GO_MINIMUM}`);
    });

    it("shows the last words of a Go that fails, without its list of downloads", async () => {
      putGo(GO_MINIMUM, 'echo "go: downloading x v1" >&2; echo "dial tcp: lookup failed" >&2; exit 1');
      const message = await failure(find());
      expect(message).to.contain("go get failed (exit code 1)\n    dial tcp: lookup failed");
      expect(message).not.to.contain("downloading");
    });

    it("leaves nothing behind when it fails", async () => {
      putGo(GO_MINIMUM, "exit 1");
      await failure(find());
      expect(readdirSync(join(folder(), "home", "versions"))).to.deep.equal([]);
    });
  });

  describe("beside other processes", () => {
    it("fetches once when two ask at once", async () => {
      putGo();
      const engines = await Promise.all([find(), find()]);
      expect(engines.map(({ source }) => source)).to.have.members(["go", "cache"]);
    });

    it("takes over from a killed process, and removes what it left", async () => {
      putGo();
      put(join(`${target()}.partial-killed`, "bin", "pulumi"), "half a");
      mkdirSync(`${target()}.lock`);
      utimesSync(`${target()}.lock`, 0, 0);
      await find();
      expect(readdirSync(join(folder(), "home", "versions"))).to.deep.equal([ENGINE_VERSION]);
    });

    it("says what to do when it cannot write", async () => {
      put(join(folder(), "home"), "a file");
      expect(await failure(find())).to.match(/^Cannot install into .*home.*set PULUMI_HOME/);
    });
  });

  it("lists what it tried and what to install when nothing works", async () => {
    const lines = (await failure(find())).split("\n");
    expect(lines.slice(1).map((line) => line.split(":")[0])).to.deep.equal([
      "- pulumi on PATH",
      "- cache",
      "- official download",
      "- Go modules",
      `Install the Pulumi CLI, ${CLI_MINIMUM} or newer (pulumi.com/docs/install), or Go, ${GO_MINIMUM} or newer (go.dev/doc/install). Then run this again.`,
    ]);
  });
}).timeout(20_000);

describe("engineEnvironment", () => {
  it("puts the engine first on PATH and keeps the rest", () => {
    expect(engineEnvironment({ bin: "/engine" }, { PATH: "/usr/bin", LANG: "C" })).to.deep.equal({
      PATH: `/engine${delimiter}/usr/bin`,
      LANG: "C",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    });
  });
});
