import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { givenCommandLine } from "../../support/commandLine";
import { outputIn } from "../../support/output";
import { ROOT } from "../../support/project";
import { servers } from "../../support/server";
import { recorded } from "../../unit/cli/review/previews";

const CHECKED = join(ROOT, "test", "unit", "cli", "review", "previews");

describe("cli: review", () => {
  const given = givenCommandLine();
  const forge = servers();
  const { path } = given;
  const run = (args: string[], env: NodeJS.ProcessEnv = {}, input?: string) =>
    given.run(["review", ...args], { env: { GITLAB_CI: "", ...env }, input });
  beforeEach(() => {
    for (const name of ["mistakes", "drift"]) copyFileSync(join(CHECKED, `${name}.json`), path(`${name}.json`));
  });

  it("prints the review although its change cannot be approved, names why, and ends with 1", async () => {
    const args = ["review", "--markdown", "--approve", path("approved.json"), "-"];
    const { code, stdout, stderr } = await given.run(args, { input: recorded("mistakes") });
    expect(code).to.equal(1);
    expect(stdout).to.contain("sun of a year").and.to.contain("No approved set: ");
    expect(stderr).to.match(/^the state of VehicleSettings /);
    expect(existsSync(path("approved.json"))).to.equal(false);
  });

  it("shows on a terminal the summary first, then each site in words", async () => {
    const { code, stdout } = await run(["mistakes.json"]);
    const [verdict] = stdout.split("\n");
    expect(code).to.equal(0);
    expect(verdict).to.match(/^❌ 1 site stops being ready · 4 devices change · /);
    expect(stdout).to.contain(
      "\nhome  ✅ ready → ❌ not ready  −100 % sun for its cars\n  roof: azimuth SSW → NNE (202.5° → 22.5°), baseLoad 400 W → no longer managed\n",
    );
  });

  it("reads standard input", async () => {
    const { stdout } = await run(["-"], {}, recorded("drift"));
    expect(stdout).to.match(/^⚠️ 1 site not ready now · 2 devices drifted · 4 unchanged/);
  });

  it("makes one report of several files, in Markdown or JSON, under the name that it is given", async () => {
    const { stdout } = await run(["mistakes.json", "drift.json", "--markdown", "--name", "acme"]);
    expect(stdout).to.match(/^<!-- solar-charging review of acme -->\n### ❌ 1 site stops being ready/);
    const json = await run(["mistakes.json", "drift.json", "--json"]);
    expect(outputIn("review", json.stdout).sites).to.have.lengthOf(8);
  });

  it("has colours only at a terminal, and not if NO_COLOR is set", async () => {
    const red = "\u001b[31m";
    expect((await run(["mistakes.json"], { NO_COLOR: "" })).stdout).not.to.contain(red);
    const at = async (env: NodeJS.ProcessEnv) => {
      const terminal = given.terminal(["review", join(CHECKED, "mistakes.json")], env);
      await terminal.code;
      return terminal.text;
    };
    expect(await at({ NO_COLOR: undefined })).to.contain(red);
    expect(await at({ NO_COLOR: "1" })).not.to.contain(red);
  });

  it("posts what it prints as Markdown", async () => {
    const { url, received } = await forge({ body: "[]" }, { body: JSON.stringify({ html_url: "https://forge/1" }) });
    writeFileSync(path("event.json"), JSON.stringify({ pull_request: { number: 5 } }));
    const { code, stdout, stderr } = await run(["mistakes.json", "--markdown", "--post", "comment"], {
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/home",
      GITHUB_TOKEN: "forge-token",
      GITHUB_EVENT_PATH: path("event.json"),
    });
    expect(code, stderr).to.equal(0);
    expect(stderr).to.contain("posted: https://forge/1");
    expect(JSON.parse(received[1]?.body ?? "").body).to.equal(stdout);
  });

  it("ends with 2 if a condition is met, and still prints and posts", async () => {
    const { url, received } = await forge({ body: "[]" }, { body: JSON.stringify({ html_url: "https://forge/1" }) });
    writeFileSync(path("event.json"), JSON.stringify({ pull_request: { number: 5 } }));
    const conditions = ["--fail-on", "ready-lost", "--fail-on", "drift,devices=9"];
    const { code, stdout } = await run(["mistakes.json", "--markdown", "--post", "comment", ...conditions], {
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/home",
      GITHUB_TOKEN: "forge-token",
      GITHUB_EVENT_PATH: path("event.json"),
    });
    expect(code).to.equal(2);
    expect(JSON.parse(received[1]?.body ?? "").body).to.equal(stdout);
    expect(stdout.split("\n")[1]).to.contain("ready-lost (").and.not.to.contain("drift (");
  });

  const forgeThatRefuses = async () => ({
    GITHUB_API_URL: (await forge({ status: 403, body: "Resource not accessible" })).url,
    GITHUB_REPOSITORY: "acme/home",
    GITHUB_TOKEN: "forge-token",
  });

  for (const [expected, words, conditions] of [
    [1, "1 if no condition is met", ["--fail-on", "drift"]],
    [2, "2 if a condition is met", ["--fail-on", "ready-lost"]],
  ] as const) {
    it(`prints the review and names the cause if it cannot be posted, and ends with ${words}`, async () => {
      const env = await forgeThatRefuses();
      const { code, stdout, stderr } = await run(["mistakes.json", "--post", "issue", ...conditions], env);
      expect(code, stderr).to.equal(expected);
      expect(stdout).to.contain("1 site stops being ready");
      expect(stderr)
        .to.contain(env.GITHUB_API_URL)
        .and.to.contain("HTTP 403")
        .and.to.match(/^[^\n]+\n$/);
    });
  }

  it("ends with 0 if no condition is met, or all met ones are accepted", async () => {
    expect((await run(["mistakes.json", "--fail-on", "drift,devices=6"])).code).to.equal(0);
    const accepted = await run(["mistakes.json", "--fail-on", "devices=5", "--accepted-by", "Ada", "--json"]);
    expect(accepted.code).to.equal(0);
    expect(outputIn("review", accepted.stdout).decision).to.deep.include({
      conditions: ["devices=5"],
      acceptedBy: "Ada",
    });
    expect((await run(["mistakes.json", "--fail-on", "devices=5", "--accepted-by", ""])).code).to.equal(2);
  });

  for (const args of [
    ["--fail-on", "ready"],
    ["--fail-on", ""],
    ["--accepted-by", "Ada"],
  ]) {
    it(`ends with 1 for ${args.join(" ")}, and prints nothing`, async () => {
      const { code, stdout, stderr } = await run(["mistakes.json", ...args]);
      expect([code, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.contain(args[0]);
    });
  }

  it("prints a review of something that is no preview, ends with 1, and names it", async () => {
    const args = ["-", "drift.json", "--markdown", "--fail-on", "removed"];
    const { code, stdout, stderr } = await run(args, {}, "error: no credentials");
    expect(code).to.equal(1);
    expect(stderr).to.match(/^standard input .*error: no credentials\. .*fleet preview --json'\n$/);
    expect(stdout).to.contain("### ❌ 1 error").and.to.contain("standard input");
  });

  it("shows once at a terminal that a source is no preview", async () => {
    const { code, stdout, stderr } = await run(["-"], {}, "");
    expect([code, stderr]).to.deep.equal([1, ""]);
    expect(stdout.match(/standard input/g)).to.have.length(1);
    expect(stdout).to.not.contain("the program");
  });

  it("has the same exit codes in its help as in the documentation", async () => {
    const { stdout } = await run(["--help"]);
    const page = readFileSync(join(ROOT, "docs", "troubleshooting.md"), "utf8");
    const [, row = ""] = /^\| `review` \| (.*) \|$/m.exec(page) ?? [];
    const codes = [...stdout.matchAll(/^ {2}(\d) +\S/gm)].map(([, code]) => Number(code));
    expect(codes).to.deep.equal(row.split(" | ").flatMap((cell, index) => (cell.trim() === "" ? [] : [index])));
  });

  it("fails for a file that is not there, and for a forge that is not named", async () => {
    const missing = await run(["none.json"]);
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.match(/^none\.json: .+\n$/);
    const { code, stderr } = await run(["mistakes.json", "--post", "issue"], { GITHUB_API_URL: "" });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^--post .*GITHUB_API_URL/);
  });
});
