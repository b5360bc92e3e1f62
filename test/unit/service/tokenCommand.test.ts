import { expect } from "chai";
import type { Failure } from "../../../provider/service/errors";
import { runTokenCommand } from "../../../provider/service/tokenCommand";
import { expectFacts } from "../../support/facts";

function run(command: string, timeoutSeconds = 30) {
  return runTokenCommand(command, timeoutSeconds, new Set(["kn0wn"]));
}

describe("runTokenCommand", () => {
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
      const failure = (await run(command)) as Failure;
      expect(failure).to.include({ code: "tokenCommand", transient: false });
      expectFacts(failure.reason, ["{tokenCommand}", end]);
      expect(JSON.stringify(failure)).not.to.contain("s3cret");
    });
  }

  it("gives nothing, several lines, several words and a book different reasons", async () => {
    const commands = ["true", "echo a; echo b", "echo a b", "yes"];
    const reasons = await Promise.all(commands.map(async (command) => ((await run(command)) as Failure).reason));
    expect(new Set(reasons)).to.have.length(commands.length);
  });

  it("ends a command that takes too long, even one that does not want to end", async () => {
    const failure = (await run("trap '' TERM; while :; do :; done", 0.2)) as Failure;
    expect(failure.code).to.equal("tokenCommand");
    expectFacts(failure.reason, ["0.2 s", "{requestTimeoutSeconds}"]);
  });

  it("shows the standard error, without the secrets that are known or that were printed", async () => {
    const failure = await run("echo s3cret; printf 'vault:\\n sealed, kn0wn s3cret Bearer x' >&2; exit 2");
    expect(failure).to.have.property("extract", "vault: sealed, [redacted] [redacted] Bearer [redacted]");
  });

  it("shows nothing of the standard error of one that prints a book", async () => {
    const failure = await run("seq 1 20000; echo sealed >&2; exit 2");
    expect(failure).to.include({ extract: "[redacted]" });
  });
});
