import { CommandError } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import { killedBy } from "../../../cli/fleet/engine/automation";
import { engineKilled } from "../../../cli/fleet/engine/holder";
import { textOf } from "../../../provider/messages/message";

describe("cli fleet: an engine that was killed", () => {
  /** The error of the Automation API for a process that ended so. */
  const ended = (err: object) =>
    Object.assign(Object.create(CommandError.prototype), { commandResult: { err } }) as CommandError;

  for (const [words, problem, signal] of [
    ["by a signal", ended({ signal: "SIGKILL" }), "SIGKILL"],
    ["behind a launcher", ended({ exitCode: 137 }), "SIGKILL"],
    ["behind a launcher, by another signal", ended({ exitCode: 143 }), "SIGTERM"],
    ["and another that failed", ended({ exitCode: 255 }), undefined],
    ["and one that could not be started", ended({}), undefined],
    ["and another error", new Error("no space"), undefined],
    ["and none", undefined, undefined],
  ] as const) {
    it(`is told apart: ${words}`, () => {
      expect(killedBy(problem)).to.equal(signal);
    });
  }

  it("has a command that frees its stack", () => {
    const command = "pulumi cancel --yes --stack shard-1-of-2 --cwd '/a b'";
    expect(textOf(engineKilled("shard-1-of-2", "/a b", "SIGKILL")))
      .to.contain(command)
      .and.contain("--parallel");
    expect(textOf(engineKilled("shard-1-of-2", "/a b", "SIGTERM")))
      .to.contain(command)
      .and.not.contain("--parallel");
  });
});
