import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { engineEnvironment, findOrFetchEngine } from "../../scripts/engine";
import { GO_MINIMUM } from "../../scripts/engine-go";
import { buildLanguageHosts } from "../../scripts/engine-hosts";
import { CLI_MINIMUM, ENGINE_VERSION } from "../../scripts/engine-sources";
import { freshFolder, put, putCommand } from "./fakes";

/** The parts of the engine's module that the cuts remove, each with a line that stays. */
const MODULE: Readonly<Record<string, string>> = {
  "backend/diy/backend.go": `
\t"gocloud.dev/blob/azureblob"  // driver
\t_ "gocloud.dev/blob/fileblob" // driver
\t"gocloud.dev/blob/gcsblob"    // driver
\t_ "gocloud.dev/blob/s3blob"   // driver
\t"github.com/pulumi/pulumi/pkg/v3/authhelpers"
\tif p.Scheme == gcsblob.Scheme {
\t\tif err != nil {
\t\t}
\t}
\tif p.Scheme == azureblob.Scheme {
\t}
\tkept()
`,
  "backend/diy/bucket.go": `
\t"net/url"
\tawss3 "github.com/aws/aws-sdk-go-v2/service/s3"
\t\tvar input *awss3.CopyObjectInput
\t\tif asFunc(&input) {
\t\t}
\t\tkept()
func fixupS3CopySource(input *awss3.CopyObjectInput) {
}
`,
  "secrets/cloud/manager.go": `
\tnetUrl "net/url"
\t_ "gocloud.dev/secrets/awskms"
\t"google.golang.org/api/cloudkms/v1"
\t"github.com/pulumi/pulumi/pkg/v3/authhelpers"
\tu, err := netUrl.Parse(url)
\tdefault:
\t\tkept(); return gosecrets.OpenKeeper(ctx, url)
\t}
`,
  "operations/resources.go": `
\tcase "cloud":
\tcase "gcp":
\t\treturn GCPOperationsProvider(ctx)
\tkept()
`,
  "operations/operations_aws.go": "package operations\ncloud()\n",
  "operations/operations_cloud_aws.go": "package operations\ncloud()\n",
  "operations/operations_gcp.go": "package operations\ncloud()\n",
};

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

  /** A launcher like npm's. It records its home in `calls`, and "downloads" the programs in `tools` into it. */
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

  const module = () => join(folder(), "module");
  const built = () => join(folder(), "built");

  /** A `go` that records its calls, keeps the sources in `built`, and "compiles" them to scripts. */
  function putGo(version = GO_MINIMUM, get = ""): void {
    for (const [file, text] of Object.entries(MODULE)) put(join(module(), file), text);
    putCommand(
      join(onPath(), "go"),
      `echo "$GOFLAGS $GOTOOLCHAIN $GOWORK $*" >> '${calls()}'
      case "$1" in
        env) echo go${version} ;;
        mod) [ "$2" != download ] || echo '{"Dir": "${module()}"}' ;;
        get) ${get || ":"} ;;
        build)
          [ ! -d pkg ] || /bin/cp -R pkg '${built()}'
          while [ "$1" != -o ]; do shift; done
          made=$2; [ -d "$made" ] || set -- -o "" "$made"; shift 2
          for package; do
            [ ! -d "$made" ] || package=$made/\${package##*/}
            printf '#!/bin/sh\\necho v${ENGINE_VERSION}\\n' > "$package"
            /bin/chmod 755 "$package"
          done ;;
      esac`,
    );
  }

  const unreachable = async () => {
    throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND") });
  };

  function find(answer: () => Promise<Response> = unreachable, path = [onPath()], needsClouds = false) {
    return findOrFetchEngine({
      needsClouds,
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
      expect(await find()).to.deep.equal({ bin: onPath(), version: CLI_MINIMUM, source: "PATH", hasClouds: true });
    });

    it("passes over a CLI that is too old, and takes a later one", async () => {
      const newer = join(folder(), "newer");
      putEngine(onPath(), "3.99.0");
      putEngine(newer, "3.300.1");
      expect(await find(unreachable, [onPath(), newer])).to.include({ bin: newer, version: "3.300.1" });
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
      expect(await find()).to.include({ bin: join(target(), "bin"), version: ENGINE_VERSION, source: "cache" });
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

    it("uses the engine that the launcher fetches", async () => {
      putLauncher(TOOLS);
      expect(await find(answers)).to.deep.equal({
        bin: join(target(), "bin"),
        version: ENGINE_VERSION,
        source: "download",
        hasClouds: true,
      });
    });

    it("does not keep a download that lacks a helper", async () => {
      putLauncher(["pulumi"]);
      await failure(find(answers));
      expect(readdirSync(join(folder(), "home", "versions"))).to.deep.equal([]);
    });

    it("does not start the launcher when the host cannot be reached", async () => {
      putLauncher(TOOLS);
      expect(await failure(find())).to.contain("cannot be reached: fetch failed (getaddrinfo ENOTFOUND)");
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
      expect(await find()).to.include({ bin: join(target(), "bin"), version: ENGINE_VERSION, source: "go" });
    });

    it("leaves out the parts for clouds, and reports it, also for the engine in the cache", async () => {
      putGo();
      expect(await find()).to.include({ source: "go", hasClouds: false });
      expect(said.join("\n")).to.contain("without cloud storages");
      for (const file of Object.keys(MODULE)) {
        const text = readFileSync(join(built(), file), "utf8");
        expect(text.includes("kept()"), file).to.equal(MODULE[file]?.includes("kept()"));
        expect(text, file).to.not.match(/s3|azure|gcs|gcp|kms|netUrl|authhelpers|cloud\(\)/i);
      }
      expect(await find()).to.include({ source: "cache", hasClouds: false });
    });

    it("builds the whole one in its place for who needs clouds", async () => {
      putGo();
      await find();
      expect(await find(unreachable, [onPath()], true)).to.include({ source: "go", hasClouds: true });
      expect(await find()).to.include({ source: "cache", hasClouds: true });
    });

    it("shields the build from the user's Go workspace and flags", async () => {
      putGo();
      await find();
      const lines = readFileSync(calls(), "utf8").trim().split("\n");
      expect(lines.every((line) => line.startsWith("-mod=mod local off "))).to.equal(true);
    });

    it("refuses a Go that is too old", async () => {
      putGo("1.9.2");
      expect(await failure(find())).to.contain(`go on PATH is 1.9.2, older than ${GO_MINIMUM}`);
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

    it("takes over from a killed process, and removes its files", async () => {
      putGo();
      put(join(`${target()}.partial-killed`, "bin", "pulumi"), "half a");
      mkdirSync(`${target()}.lock`);
      utimesSync(`${target()}.lock`, 0, 0);
      await find();
      expect(readdirSync(join(folder(), "home", "versions"))).to.deep.equal([ENGINE_VERSION]);
    });
  });

  describe("hosts of Go and Python", () => {
    const hosts = () => join(target(), "hosts");

    const build = (bin = join(target(), "bin")) =>
      buildLanguageHosts(
        { bin },
        {
          env: { PATH: onPath(), PULUMI_HOME: join(folder(), "home") },
          progress: { say: (line) => void said.push(line), step: (_text, task) => task() },
        },
      );

    beforeEach(() => putEngine(join(target(), "bin")));

    it("are built once a source for an engine that was built from Go modules, each beside the published host that it starts", async () => {
      putGo();
      put(join(module(), "python", "cmd", "pulumi-language-python-exec"), "");
      expect(await build()).to.equal(hosts());
      for (const [at, host] of [
        [".", "pulumi-language-go"],
        [".", "pulumi-language-python"],
        ["nodejs", "pulumi-language-nodejs"],
      ] as const) {
        accessSync(join(hosts(), at, host), constants.X_OK);
        accessSync(join(hosts(), at, "published", host), constants.X_OK);
      }
      accessSync(join(hosts(), "published", "pulumi-language-python-exec"), constants.X_OK);
      const before = readFileSync(calls(), "utf8");
      expect(await build()).to.equal(hosts());
      expect(readFileSync(calls(), "utf8")).to.equal(before);

      put(join(hosts(), "language-host.go"), "an older source");
      await build();
      expect(readFileSync(calls(), "utf8")).to.not.equal(before);
    });

    it("are not built for an engine that has them, or that somebody else installed", async () => {
      putGo();
      putEngine(onPath());
      expect(await build(onPath())).to.equal(undefined);
      putCommand(join(target(), "bin", "pulumi-language-go"), "");
      expect(await build()).to.equal(undefined);
      expect(existsSync(calls())).to.equal(false);
    });

    it("are left out with the reason if they cannot be built", async () => {
      putGo(GO_MINIMUM, "exit 1");
      expect(await build()).to.equal(undefined);
      expect(said.join()).to.contain("go get failed");
      expect(readdirSync(target())).to.deep.equal(["bin"]);
    });
  });

  it("lists its attempts and the package to install when nothing works", async () => {
    const lines = (await failure(find())).split("\n");
    expect(lines.slice(1).map((line) => line.split(":")[0])).to.deep.equal([
      "- pulumi on PATH",
      "- cache",
      "- official download",
      "- Go modules",
      `Install the Pulumi CLI, ${CLI_MINIMUM} or newer (pulumi.com/docs/install), or Go, ${GO_MINIMUM} or newer (go.dev/doc/install). Then run this again.`,
    ]);
  });
});

describe("engineEnvironment", () => {
  it("puts the engine first on PATH and keeps the rest", () => {
    expect(engineEnvironment({ bin: "/engine" }, { PATH: "/usr/bin", LANG: "C" })).to.deep.equal({
      PATH: `/engine${delimiter}/usr/bin`,
      LANG: "C",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    });
  });
});
