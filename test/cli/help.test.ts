import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { outputOf, ROOT } from "../support/project";

const run = (...args: string[]) => outputOf(spawn(process.execPath, [join(ROOT, "dist", "cli", "main.js"), ...args]));

const COMMANDS: readonly (readonly [string, string, string])[] = [
  ["adopt", "--devcies", "--devices"],
  ["ledger", "--devise", "--device"],
  ["doctor", "--fingreprint", "--fingerprint"],
  ["review", "--markdwon", "--markdown"],
  ["sun", "--manifst", "--manifest"],
  ["status", "--promtheus", "--prometheus"],
  ["report", "--outptu", "--output"],
  ["fleet generate", "--job", "--jobs"],
];

describe("cli: each command", () => {
  for (const [name, typed, meant] of COMMANDS) {
    it(`${name} tells of an option that there is not, what was probably meant, and which help to ask`, async () => {
      const { code, text } = await run(...name.split(" "), typed);
      expect({ code, lines: text.trimEnd().split("\n") }).to.deep.equal({
        code: 1,
        lines: [
          `error: unknown option '${typed}'`,
          `(Did you mean ${meant}?)`,
          `Run 'solar-charging ${name} --help' to see what it takes.`,
        ],
      });
    });

    it(`${name} has examples in its help, of itself`, async () => {
      const { code, text } = await run(...name.split(" "), "--help");
      const [, examples = ""] = text.split("\nExamples:\n");
      expect(code).to.equal(0);
      for (const line of examples.trimEnd().split("\n"))
        expect(line).to.match(new RegExp(`^  \\$ solar-charging ${name}`));
    });
  }
});
