import { appendFileSync, statSync } from "node:fs";
import { expect } from "chai";
import { callsIn, RunFileReader, reportsIn } from "../../../cli/stacks/runFile";
import { runFileOf } from "../../../provider/ledger/runFile";
import type { RunMessage } from "../../../provider/messages/message";
import { temporaryFolder } from "../../support/folder";
import { urnOf } from "./sites";

describe("cli fleet: the file of a run", () => {
  const path = temporaryFolder();
  const message = { code: "serviceFails", finding: "HTTP 503\nagain" } as const;
  const problem: RunMessage = { ...message, severity: "error", operation: "read", urn: urnOf("København") };
  const stack = "shard-1-of-2";

  it("has what providers report: requests, turns of the service and problems", () => {
    const file = runFileOf({ SOLAR_CHARGING_RUN_FILE: path("run") });
    for (const kind of ["GET", "GET", "PATCH"]) file.request(kind, { businessId: "acme", deviceId: "car 1" });
    file.turn(true);
    file.message(problem);
    const lines = new RunFileReader(path("run")).newLines();
    expect(callsIn(lines)).to.deep.equal({ get: 2, patch: 1, latest: 0 });
    expect(reportsIn(lines, stack)).to.deep.equal({ messages: [problem], sent: ["acme/car 1"] });
  });

  it("keeps messages of other stacks and lines that a kill cut short from a stack", () => {
    const ofProcess: RunMessage = { ...message, severity: "warning" };
    const lines = [problem, ofProcess].map((one) => `MESSAGE ${JSON.stringify(one)}`);
    const whole = (stack: string) => reportsIn([...lines, (lines[0] as string).slice(0, -9)], stack).messages;
    expect(whole(stack)).to.deep.equal([problem, ofProcess]);
    expect(whole("shard-2-of-2")).to.deep.equal([ofProcess]);
  });

  it("can be read by nobody else", () => {
    runFileOf({ SOLAR_CHARGING_RUN_FILE: path("own") }).turn(true);
    if (process.platform !== "win32") expect(statSync(path("own")).mode & 0o777).to.equal(0o600);
  });

  it("is empty before the first request", () => {
    expect(new RunFileReader(path("none")).newLines()).to.deep.equal([]);
  });

  it("gives each line once, and one that is half written once it is whole", () => {
    const reader = new RunFileReader(path("run"));
    const bytes = Buffer.from("GET\nø\n");
    appendFileSync(path("run"), bytes.subarray(0, 5));
    expect(reader.newLines()).to.deep.equal(["GET"]);
    appendFileSync(path("run"), bytes.subarray(5));
    expect(reader.newLines()).to.deep.equal(["ø"]);
    expect(reader.newLines()).to.deep.equal([]);
  });

  it("leaves out what an earlier part of the run wrote, if that is asked for", () => {
    appendFileSync(path("run"), "GET\n");
    const reader = new RunFileReader(path("run"), "end");
    appendFileSync(path("run"), "PATCH\n");
    expect(reader.newLines()).to.deep.equal(["PATCH"]);
  });
});
