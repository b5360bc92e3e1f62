import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { outputOf, ROOT } from "../support/project";

describe("cli: completion", () => {
  const run = async (...args: string[]) =>
    await outputOf(spawn(process.execPath, [join(ROOT, "dist", "cli", "main.js"), ...args]));

  it("completes commands and their options", async () => {
    expect((await run("complete", "--", "fleet", "pre")).text).to.match(/^preview\t/m);
    expect((await run("complete", "--", "fleet", "up", "--can")).text).to.match(/^--canary\t/m);
  });

  for (const shell of ["bash", "zsh", "fish"]) {
    it(`has a script for ${shell}`, async () => {
      const { code, text } = await run("completion", shell);
      expect(code).to.equal(0);
      expect(text).to.contain("solar-charging complete --");
    });
  }
});
