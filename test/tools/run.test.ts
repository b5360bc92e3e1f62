import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { freshFolder, put, putCommand } from "./fakes";

/** Runs our run.mjs in a project in which `npm` and `tsc` only record their calls. */
describe("run.mjs", () => {
  const folder = freshFolder();
  const file = (...path: string[]) => join(folder(), ...path);
  const calls = () => (existsSync(file("calls")) ? readFileSync(file("calls"), "utf8").trim().split("\n") : []);
  const record = "node_modules/.package-lock.json";

  beforeEach(() => {
    mkdirSync(file("scripts"));
    copyFileSync(join("scripts", "run.mjs"), file("scripts", "run.mjs"));
    put(file("scripts", "hello.ts"), "");
    put(file("scripts", "bundle.mjs"), "");
    put(file("package.json"), JSON.stringify({ engines: { node: ">=20.19" } }));
    put(file("package-lock.json"), lockfile({ "node_modules/a": { version: "1.0.0" } }));
    put(
      file("tsc.js"),
      `require("node:fs").appendFileSync("calls", "tsc\\n");
      require("node:fs").cpSync("hello.js", "dist/scripts/hello.js");`,
    );
    put(file("hello.js"), 'console.log("hello", ...process.argv.slice(2));');
    putCommand(
      file("bin", "npm"),
      `echo "npm $1" >> calls
      mkdir -p node_modules/typescript/bin
      cp tsc.js node_modules/typescript/bin/tsc
      cp package-lock.json ${record}
      echo words of npm`,
    );
  });

  function lockfile(packages: Record<string, { version: string }>): string {
    return JSON.stringify({ packages: { "": { version: "0.1.0" }, ...packages } });
  }

  /** Writes the files of an installation by npm. */
  function putInstalled(packages: Record<string, { version: string }>): void {
    put(file(record), lockfile(packages));
    put(file("node_modules", "typescript", "bin", "tsc"), readFileSync(file("tsc.js"), "utf8"));
  }

  /** The options of Node itself. */
  let nodeOptions: string[] = [];
  afterEach(() => {
    nodeOptions = [];
  });

  function start(...args: string[]): ChildProcess {
    const env = { ...process.env, PATH: [file("bin"), process.env.PATH].join(delimiter) };
    return spawn(process.execPath, [...nodeOptions, file("scripts", "run.mjs"), ...args], { cwd: folder(), env });
  }

  async function run(...args: string[]) {
    const child = start(...args);
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error("no pipes");
    const [[code, signal], out, err] = await Promise.all([once(child, "exit"), text(stdout), text(stderr)]);
    return { code, signal, out, err };
  }

  describe("before the script", () => {
    it("installs, then builds once", async () => {
      await run("scripts/hello");
      expect(calls()).to.deep.equal(["npm ci", "tsc"]);
    });

    it("accepts the user's installation", async () => {
      putInstalled({ "node_modules/a": { version: "1.0.0" } });
      await run("scripts/hello");
      expect(calls()).to.deep.equal(["tsc"]);
    });

    it("installs if another version is needed", async () => {
      putInstalled({ "node_modules/a": { version: "0.9.0" } });
      await run("scripts/hello");
      expect(calls()).to.deep.equal(["npm ci", "tsc"]);
    });

    it("stops when the installation fails", async () => {
      putCommand(file("bin", "npm"), "exit 3");
      const { code, err } = await run("scripts/hello");
      expect(code).to.equal(1);
      expect(err).to.contain("Installing dependencies with npm ci (about a minute): failed (exit code 3), see above.");
    });

    it("stops when the build fails", async () => {
      put(file("tsc.js"), "process.exit(2);");
      const { code, out, err } = await run("scripts/hello");
      expect(code).to.equal(1);
      expect(out).to.equal("");
      expect(err).to.contain("Building (a few seconds): failed (exit code 2), see above.");
    });

    it("refuses a Node that cannot require an ES module, and names those that can", async () => {
      nodeOptions = ["--no-experimental-require-module"];
      const { code, err } = await run("scripts/hello");
      expect(code).to.equal(1);
      expect(err).to.contain(`This needs Node >=20.19, and runs on ${process.versions.node}.`);
    });
  });

  describe("beside other processes", () => {
    it("installs once when two start at once", async () => {
      await Promise.all([run("scripts/hello"), run("scripts/hello")]);
      expect(calls()).to.deep.equal(["npm ci", "tsc", "tsc"]);
    });

    it("takes over the lock of processes that are gone", async () => {
      const { pid } = spawnSync(process.execPath, ["--version"]);
      put(file(".local", "run.lock"), `${pid} ${pid}`);
      expect(await run("scripts/hello")).to.include({ code: 0 });
    });
  });

  describe("the script", () => {
    it("gets the arguments, and standard output for itself", async () => {
      expect((await run("scripts/hello", "a b", "--c")).out).to.equal("hello a b --c\n");
    });

    it("gives its exit code", async () => {
      put(file("hello.js"), "process.exit(7);");
      expect(await run("scripts/hello")).to.include({ code: 7 });
    });

    it("gets the signals that run.mjs gets", async () => {
      put(
        file("hello.js"),
        'process.on("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1000); console.log("ready");',
      );
      const child = start("scripts/hello");
      await once(child.stdout ?? child, "data");
      child.kill("SIGTERM");
      expect(await once(child, "exit")).to.deep.equal([5, null]);
    });
  });
});
