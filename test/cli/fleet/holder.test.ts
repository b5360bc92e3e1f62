import { hostname } from "node:os";
import { expect } from "chai";
import * as holder from "../../../cli/fleet/engine/holder";
import { textOf } from "../../../provider/messages/message";

describe("cli fleet: a stack that another run holds", () => {
  const heldBy = (...args: Parameters<typeof holder.heldBy>) => textOf(holder.heldBy(...args));
  /** As the engine says it. No process has the id 2 ** 30. */
  const message = (host: string, pid: number) =>
    `stderr: error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the
lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/organization/acme/a/64b1.json?no_tmp_dir=true: created by ann@${host} (pid ${pid}) at 2026-11-21T16:11:25Z`;
  const cancel = "pulumi cancel --yes --stack a --cwd /fleets/acme";

  it("is left to a run that is there", () => {
    expect(heldBy("a", "/fleets/acme", message(hostname(), process.pid))).to.equal(
      `held by a run of ann@${hostname()}, process ${process.pid}, since 2026-11-21T16:11:25Z. Wait for that run`,
    );
  });

  it("is freed by a command where the run was killed", () => {
    expect(heldBy("a", "/fleets/acme", message(hostname(), 2 ** 30))).to.equal(
      `held by a run of ann@${hostname()}, process ${2 ** 30}, since 2026-11-21T16:11:25Z, which ended without freeing ` +
        `it. Now free it with: ${cancel}`,
    );
  });

  it("is left to the reader where the run is another machine's, or nobody tells whose", () => {
    expect(heldBy("a", "/fleets/acme", message("elsewhere", process.pid))).to.match(
      new RegExp(`^held by a run of ann@elsewhere, .*Wait for that run; if it was killed, free it with: ${cancel}$`),
    );
    const cloud = "[409] Conflict: Another update is currently in progress.";
    expect(heldBy("a", "/fleets/acme", cloud)).to.equal(
      `another run holds it. Wait for that run; if it was killed, free it with: ${cancel}`,
    );
  });

  it("in a folder with a space has it quoted", () => {
    expect(heldBy("a", "/my fleets/it's", "")).to.contain("--cwd '/my fleets/it'\\''s'");
  });
});
