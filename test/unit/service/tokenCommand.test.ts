import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { ServiceFailure } from "../../../provider/service/errors";
import { runTokenCommand } from "../../../provider/service/tokenCommand";
import { expectFacts } from "../../support/facts";
import { temporaryFolder } from "../../support/folder";

function run(command: string, timeoutSeconds = 30) {
  return runTokenCommand(command, timeoutSeconds, new Set(["kn0wn"]));
}

/** Whether a process runs. One that has ended stays in the list until its parent has looked. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

describe("runTokenCommand", () => {
  const path = temporaryFolder();
  const tokens: [string, string][] = [
    ["printf t0ken", "no line break"],
    ["echo t0ken", "one line break"],
    ["printf 't0ken\\r\\n'", "the line break of Windows"],
    ["printf '%s' x | sed s/x/t0ken/", "what a shell is needed for"],
    ["echo noise >&2; echo t0ken", "a standard error"],
    ["cat; echo t0ken", "a wish for input, which it does not get"],
  ];
  for (const [command, what] of tokens) {
    it(`takes what a command prints, with ${what}`, async () => {
      expect(await run(command)).to.deep.equal({ token: "t0ken" });
    });
  }

  it("gives the command the environment", async () => {
    process.env.SOLAR_TEST_TOKEN = "t0ken";
    try {
      expect(await run("echo $SOLAR_TEST_TOKEN")).to.deep.equal({ token: "t0ken" });
    } finally {
      delete process.env.SOLAR_TEST_TOKEN;
    }
  });

  it("gives the command no credentials: neither the provider's nor the engine's", async () => {
    const names = ["SOLAR_CHARGING_ACCESS_TOKEN", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG"];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = "s3cret";
    try {
      expect(await run("env | grep -c s3cret | sed s/0/none/")).to.deep.equal({ token: "none" });
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
  });

  const failing: [string, string][] = [
    ["exit 3", " 3"],
    ["no-such-command-here", " 127"],
    ["kill -TERM $$", "SIGTERM"],
    ["true", ""],
    ["echo", ""],
    ["echo s3cret; echo s3cret", ""],
    ["printf 's3cret\\n\\n'", ""],
    ["echo Bearer s3cret", ""],
    ["echo ' s3cret'", ""],
    ["echo s3cret; exit 1", " 1"],
    ["yes s3cret", ""],
  ];
  for (const [command, end] of failing) {
    it(`takes no token from '${command}', and shows nothing of what it printed`, async () => {
      const failure = (await run(command)) as ServiceFailure;
      expect(failure).to.include({ code: "tokenCommand", transient: false });
      expectFacts(failure.reason, ["{tokenCommand}", end]);
      expect(JSON.stringify(failure)).not.to.contain("s3cret");
    });
  }

  it("gives nothing, several lines, several words and a book different reasons", async () => {
    const commands = ["true", "echo a; echo b", "echo a b", "yes"];
    const reasons = await Promise.all(commands.map(async (command) => ((await run(command)) as ServiceFailure).reason));
    expect(new Set(reasons)).to.have.length(commands.length);
  });

  it("ends a command that takes too long, even one that does not want to end", async () => {
    const failure = (await run("trap '' TERM; while :; do :; done", 0.2)) as ServiceFailure;
    expect(failure.code).to.equal("tokenCommand");
    expectFacts(failure.reason, ["0.2 s", "{requestTimeoutSeconds}"]);
  });

  it("ends all processes of a command that takes too long", async function () {
    if (process.platform === "win32") this.skip();
    const started = path("started");

    await run(`sleep 1000 & echo $! > '${started}'; wait`, 0.5);

    // The process ends a moment after its signal.
    const pid = Number(readFileSync(started, "utf8"));
    while (isRunning(pid)) await setImmediate();
  });

  /** Starts a process in its own session, which holds the output of the command for longer than a test may last. */
  const daemon = (pidFile: string) => {
    const options = `{ detached: true, stdio: ["ignore", "inherit", "inherit"] }`;
    const program = `
      const child = require("node:child_process").spawn("sleep", ["1000"], ${options});
      require("node:fs").writeFileSync("${pidFile}", String(child.pid));
      child.unref();`;
    return `'${process.execPath}' -e '${program}'`;
  };

  const endings: [string, string, number, object][] = [
    ["takes the token of a command that leaves a daemon", "echo t0ken", 30, { token: "t0ken" }],
    ["does not wait for a daemon after the time limit", "sleep 1000", 1, { code: "tokenCommand" }],
  ];
  for (const [words, end, limit, expected] of endings) {
    it(words, async function () {
      if (process.platform === "win32") this.skip();
      const started = path("daemon");
      try {
        expect(await run(`${daemon(started)}; ${end}`, limit)).to.include(expected);
      } finally {
        process.kill(Number(readFileSync(started, "utf8")));
      }
    });
  }

  it("shows the standard error, without the secrets that are known or that were printed", async () => {
    const failure = await run("echo s3cret; printf 'vault:\\n sealed, kn0wn s3cret Bearer x' >&2; exit 2");
    expect(failure).to.have.property("extract", "vault: sealed, [redacted] [redacted] Bearer [redacted]");
  });

  it("shows nothing of the standard error of one that prints a book", async () => {
    const failure = await run("seq 1 20000; echo sealed >&2; exit 2");
    expect(failure).to.include({ extract: "[redacted]" });
  });
});
