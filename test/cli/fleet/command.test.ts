import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { outputOf, ROOT } from "../../support/project";

const run = (...args: string[]) => outputOf(spawn(process.execPath, [join(ROOT, "dist", "cli", "main.js"), ...args]));

describe("cli fleet: the command line", () => {
  const mistakes: [string, string[], string[]][] = [
    [
      "an option that there is not, with what was probably meant",
      ["fleet", "up", "--manifst", "fleet.yaml"],
      [
        "error: unknown option '--manifst'",
        "(Did you mean --manifest?)",
        "Run 'solar-charging fleet up --help' to see what it takes.",
      ],
    ],
    [
      "a manifest that is not given",
      ["fleet", "drift"],
      [
        "error: required option '-m, --manifest <file>' not specified",
        "Run 'solar-charging fleet drift --help' to see what it takes.",
      ],
    ],
    [
      "an operation that there is not, with what was probably meant",
      ["fleet", "previw"],
      [
        "error: unknown command 'previw'",
        "(Did you mean preview?)",
        "Run 'solar-charging fleet --help' to see what it takes.",
      ],
    ],
    [
      "a gate that is empty, as a variable is that is not set",
      ["fleet", "up", "-m", "fleet.yaml", "--gate", ""],
      [
        "error: option '--gate <command>' argument '' is invalid. Give a command, or leave it out.",
        "Run 'solar-charging fleet up --help' to see what it takes.",
      ],
    ],
    [
      "a part that is none",
      ["fleet", "up", "-m", "fleet.yaml", "--shard", "5/4"],
      [
        "error: option '--shard <i/n>' argument '5/4' is invalid. Give which part of how many, such as 2/4, the second of four.",
        "Run 'solar-charging fleet up --help' to see what it takes.",
      ],
    ],
  ];
  for (const [what, args, lines] of mistakes) {
    it(`tells ${what}`, async () => {
      const { code, text } = await run(...args);
      expect({ code, lines: text.trimEnd().split("\n") }).to.deep.equal({ code: 1, lines });
    });
  }

  it("shows its help where no operation is given", async () => {
    const { code, text } = await run("fleet");
    expect(code).to.equal(1);
    expect(text).to.match(/^Usage: solar-charging fleet .*Commands:.*preview.*Exit codes:.*Examples:/s);
  });

  it("has the same exit codes in its help as in the documentation", async () => {
    const { code, text } = await run("fleet", "up", "--help");
    expect(code).to.equal(0);
    const documented = readFileSync(join(ROOT, "docs", "fleets.md"), "utf8").matchAll(/^\| (\d+) \| /gm);
    expect([...text.matchAll(/^ {2}(\d+) +\S/gm)].map(([, exit]) => exit)).to.deep.equal(
      [...documented].map(([, exit]) => exit),
    );
    expect(text).to.contain("  $ solar-charging fleet up --manifest fleet.yaml --canary berlin");
  });
});
