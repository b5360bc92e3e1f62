import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { solarCharging } from "../support/commandLine";
import { ROOT } from "../support/project";

describe("cli: the command line", () => {
  for (const [what, args, expected] of [
    ["a command that is misspelled", ["fleet", "stacks", "--job"], /--jobs\?[\s\S]*solar-charging fleet stacks --help/],
    [
      "a missing fleet.yaml, which is the manifest if none is given",
      ["fleet", "drift"],
      /fleet\.yaml: there is no such file/,
    ],
    ["a gate that is empty, as a variable is that is not set", ["fleet", "up", "-m", "f", "--gate", ""], /--gate/],
    ["a part that is none", ["fleet", "up", "-m", "f", "--shard", "5/4"], /'5\/4' is invalid/],
    ["two forms of the status", ["status", "--html", "--prometheus"], /--html' cannot be used with .*--prometheus/],
    ["a shortened option", ["fleet", "drift", "--accept", "--set", "tilt"], /'--set'\n\(Did you mean --setting\?\)/],
    ["a file without its option", ["fleet", "preview", "f.yaml"], /^error: 'f\.yaml' .*--manifest <file>\n/],
    ["no operation", ["fleet"], /^Usage: [\s\S]*preview[\s\S]*Exit codes:/],
  ] as const) {
    it(`ends with 1 for ${what}, and leads on`, async () => {
      const { code, stdout, stderr } = await solarCharging(args);
      expect(code).to.equal(1);
      expect(stderr).to.match(expected);
      expect(stdout).to.equal("");
    });
  }

  for (const [given, meant] of [
    ["fleet plan", "fleet preview"],
    ["fleet apply", "fleet up"],
    ["fleet status", "status"],
    ["up", "fleet up"],
    ["plan", "fleet preview"],
    ["validate", "fleet preview"],
    ["fleet init", "adopt"],
    ["import", "adopt"],
  ] as const) {
    it(`leads from '${given}' to '${meant}'`, async () => {
      const { code, stderr } = await solarCharging(given.split(" "));
      expect(code).to.equal(1);
      expect(stderr).to.contain(`'${given}'`).and.to.contain(`'solar-charging ${meant}'`);
    });
  }

  it("knows no command that objects of JavaScript have by themselves", async () => {
    for (const words of [["constructor"], ["fleet", "constructor"]])
      expect((await solarCharging(words)).stderr)
        .to.contain("unknown command")
        .and.not.contain("native code");
  });

  it("shows rare options only if asked for all", async () => {
    const few = await solarCharging(["fleet", "up", "--help"]);
    const all = await solarCharging(["fleet", "up", "--help", "--all"]);
    expect(few.stdout).to.contain("--help --all").and.not.contain("--engine-log");
    expect(all.stdout).to.contain("--engine-log").and.not.contain("--help --all");
  });

  it("has examples in the help of each command, of itself", async () => {
    const names = [
      "adopt",
      "ledger",
      "doctor",
      "review",
      "sun",
      "measure",
      "status",
      "fleet stacks",
      "fleet program",
      "fleet up",
    ];
    for (const name of names) {
      const { code, stdout } = await solarCharging([...name.split(" "), "--help"]);
      const [, examples = ""] = stdout.split("\nExamples:\n");
      expect(code).to.equal(0);
      for (const line of examples.trimEnd().split("\n")) {
        expect(line).to.match(new RegExp(`^  \\$ solar-charging ${name}`));
      }
    }
  });

  it("has the same exit codes in the help of fleet as in the documentation", async () => {
    const { stdout } = await solarCharging(["fleet", "up", "--help"]);
    const page = readFileSync(join(ROOT, "docs", "troubleshooting.md"), "utf8");
    const [, header = ""] = /^\| command \| (.*) \|$/m.exec(page) ?? [];
    const [, ofCtrlC] = /Ctrl-C gives (\d+)/.exec(page) ?? [];
    const codes = [...stdout.matchAll(/^ {2}(\d+) +\S/gm)].map(([, code]) => code);
    expect(codes).to.deep.equal([...header.split(" | "), ofCtrlC]);
  });

  it("runs as a program, and ends with 1 and its error", async () => {
    const { code, stderr } = await solarCharging(["review", "none.json"], { input: "" });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^none\.json: .+\n$/);
  });
});
