import { expect } from "chai";
import { failureOfCommand } from "../../../provider/service/errors";
import { runTokenCommand } from "../../../provider/service/tokenCommand";

const ADVICE = failureOfCommand("", "").advice;

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
    ["exit 3", "ended with exit code 3"],
    ["no-such-command-here", "ended with exit code 127"],
    ["kill -TERM $$", "was ended by SIGTERM"],
    ["true", "printed nothing"],
    ["echo", "printed nothing"],
    ["echo s3cret; echo s3cret", "printed more than one line"],
    ["printf 's3cret\\n\\n'", "printed more than one line"],
    ["echo Bearer s3cret", "printed more than a token"],
    ["echo ' s3cret'", "printed more than a token"],
    ["echo s3cret; exit 1", "ended with exit code 1"],
    ["yes s3cret", "printed far more than a token"],
  ];
  for (const [command, reason] of failing) {
    it(`says of '${command}' that it ${reason}, and nothing of what it printed`, async () => {
      const failure = await run(command);
      expect(failure).to.include({
        reason: `no access token: {tokenCommand} ${reason}`,
        advice: ADVICE,
        transient: false,
      });
      expect(JSON.stringify(failure)).not.to.contain("s3cret");
    });
  }

  it("ends a command that takes too long, even one that does not want to end", async () => {
    expect(await run("trap '' TERM; while :; do :; done", 0.2)).to.include({
      reason: "no access token: {tokenCommand} did not end within 0.2 s, the limit in {requestTimeoutSeconds}",
    });
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
