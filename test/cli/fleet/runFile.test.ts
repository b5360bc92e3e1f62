import { appendFileSync, statSync } from "node:fs";
import { expect } from "chai";
import { callsIn, RunFileReader, StackReports } from "../../../cli/stacks/runFile";
import type { Outcome } from "../../../provider/ledger/outcome";
import { runFileOf } from "../../../provider/ledger/runFile";
import type { RunMessage } from "../../../provider/messages/message";
import { temporaryFolder } from "../../support/folder";
import { urnOf } from "../../support/siteDevices";

describe("cli fleet: the file of a run", () => {
  const path = temporaryFolder();
  const message: RunMessage = { code: "serviceFails", finding: "HTTP 503\nagain", severity: "warning" };
  const ofSite: RunMessage = { ...message, urn: urnOf("København") };
  const stack = "shard-1-of-2";
  const device = { device: "acme/car", site: "oslo", label: "vehicle/car", result: "unchanged", before: {} } as const;
  const outcome: Outcome = {
    ...{ urn: urnOf("oslo"), operation: "update", site: { site: "oslo", gaps: [] } },
    devices: [device, { ...device, device: "acme/van" }],
  };
  const reportsIn = (lines: readonly string[], of = stack) =>
    new StackReports({ newLines: () => [...lines] }, of).next();

  it("has the providers' reports: requests, turns of the service, messages and outcomes", () => {
    const file = runFileOf({ SOLAR_CHARGING_RUN_FILE: path("run") });
    for (const kind of ["GET", "GET", "PATCH"]) file.request(kind, { businessId: "acme", deviceId: "car 1" });
    file.turn(true);
    file.message(ofSite);
    file.outcome(() => outcome);
    const lines = new RunFileReader(path("run")).newLines();
    expect(callsIn(lines)).to.deep.equal({ get: 2, patch: 1, latest: 0 });
    expect(reportsIn(lines)).to.deep.equal({ messages: [ofSite], outcomes: [outcome] });
  });

  it("gives an outcome once its site is there, with the devices of that site alone", () => {
    const [file, own] = [runFileOf({ SOLAR_CHARGING_RUN_FILE: path("parts") }), urnOf("rome")];
    const rome = { ...outcome, urn: own, site: { site: "rome", gaps: [] }, devices: [{ ...device, site: "rome" }] };
    file.outcome(() => outcome);
    file.outcome(() => rome);
    const lines = new RunFileReader(path("parts")).newLines();
    const parts = [lines.slice(0, 1), lines.slice(3, 4), lines.slice(1, 3), lines.slice(4)];
    const reports = new StackReports({ newLines: () => parts.shift() ?? [] }, stack);
    expect(["", "", "", ""].map(() => reports.next().outcomes)).to.deep.equal([[], [], [outcome], [rome]]);
  });

  it("keeps reports of other stacks and lines that a kill cut short from a stack", () => {
    const lines = [ofSite, message].map((one) => `MESSAGE ${JSON.stringify(one)}`);
    const site = `SITE ${JSON.stringify({ urn: outcome.urn, operation: "update", ...outcome.site })}`;
    const all = [...lines, (lines[0] as string).slice(0, -9), site];
    expect(reportsIn(all).messages).to.deep.equal([ofSite, message]);
    expect(reportsIn(all, "shard-2-of-2")).to.deep.equal({ messages: [message], outcomes: [] });
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

  it("leaves out the lines of an earlier part of the run, if asked to", () => {
    appendFileSync(path("run"), "GET\n");
    const reader = new RunFileReader(path("run"), "end");
    appendFileSync(path("run"), "PATCH\n");
    expect(reader.newLines()).to.deep.equal(["PATCH"]);
  });
});
