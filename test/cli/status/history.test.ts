import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { historyOf } from "../../../cli/status/look";
import { failureOf } from "../../support/failure";
import { temporaryFolder } from "../../support/folder";

const LINE = { run: "r", by: "jane", operation: "update", businessId: "acme", outcome: "accepted" };

describe("status: the history of devices", () => {
  const path = temporaryFolder();
  const line = (deviceId: string, day: number, more: object = {}) =>
    `${JSON.stringify({ ...LINE, time: new Date(Date.UTC(2026, 0, day)).toISOString(), deviceId, changes: [{ key: "tilt", new: day }], ...more })}\n`;

  it("has the last changes of each device, newest first, from files in any order", async () => {
    const days = Array.from({ length: 30 }, (_, day) => day + 1);
    writeFileSync(
      path("old.jsonl"),
      days
        .slice(0, 15)
        .map((day) => line("a", day) + line("b", day))
        .join(""),
    );
    writeFileSync(
      path("new.jsonl"),
      days
        .slice(15)
        .map((day) => line("a", day))
        .join("") + line("a", 31, { outcome: "planned" }),
    );
    const history = await historyOf([path("new.jsonl"), path("old.jsonl")]);
    const daysOf = (device: string) => history.get(device)?.map(({ settings }) => settings[0]?.to);
    expect(daysOf("acme/a")).to.deep.equal([30, 29, 28, 27, 26, 25, 24, 23, 22, 21]);
    expect(daysOf("acme/b")?.[0]).to.equal(15);
    expect(history.get("acme/a")?.[0]).to.deep.include({ by: "jane", outcome: "accepted" });
  });

  it("of a ledger that is not there, or cannot be read, is an error", async () => {
    expect((await failureOf(historyOf([path("none.jsonl")]))).message).to.contain("none.jsonl");
    expect((await failureOf(historyOf([path("")]))).message).to.contain("(EISDIR)");
  });
});
