import { hostname } from "node:os";
import { expect } from "chai";
import { engineKilled, heldBy } from "../../../cli/stacks/texts";

describe("cli fleet: a stack that another run holds", () => {
  const FOLDER = "/my fleets/it's";
  const COMMAND = "pulumi cancel --yes --stack a --cwd '/my fleets/it'\\''s'";
  /** In the engine's words. No process has the id 2 ** 30. */
  const message = (host: string, pid: number) =>
    `stderr: error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the
lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/organization/acme/a/64b1.json?no_tmp_dir=true: created by ann@${host} (pid ${pid}) at 2026-11-21T16:11:25Z`;
  const cloud = "[409] Conflict: Another update is currently in progress.";

  for (const [what, text, named, advice] of [
    ["is left to a run that is there", message(hostname(), process.pid), `process ${process.pid}`, /^Wait/],
    ["is freed by a command if the run was killed", message(hostname(), 2 ** 30), `process ${2 ** 30}`, /^Now /],
    [
      "is left to the reader if the run is another machine's",
      message("elsewhere", 7),
      "ann@elsewhere",
      /^Wait.* pulumi cancel /,
    ],
    ["is left to the reader if nobody tells whose run it is", cloud, "", /^Wait.* pulumi cancel /],
  ] as const) {
    it(what, () => {
      const held = heldBy("a", FOLDER, text);
      const isThere = named === `process ${process.pid}`;
      expect(held.code).to.equal("stackHeld");
      expect(held.finding).to.contain(named);
      expect(held.advice).to.match(advice);
      expect(held.advice?.includes(COMMAND)).to.equal(!isThere);
    });
  }

  it("has a command that frees it if its engine was killed, and a hint if memory may have run out", () => {
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      const { code, finding, advice } = engineKilled("a", FOLDER, signal);
      expect(code).to.equal("engineKilled");
      expect(finding.includes("--parallel")).to.equal(signal === "SIGKILL");
      expect(advice).to.contain(COMMAND);
    }
  });
});
