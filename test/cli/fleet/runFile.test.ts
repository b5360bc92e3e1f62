import { appendFileSync, readFileSync, statSync } from "node:fs";
import { expect } from "chai";
import { callsIn, isAbout, RunFileReader, reportsIn } from "../../../cli/stacks/runFile";
import type { Done } from "../../../provider/ledger/done";
import type { RunMessage } from "../../../provider/messages/message";
import { temporaryFolder } from "../../support/folder";
import { runFileMade } from "../../support/runFile";
import { urnOf } from "../../support/siteDevices";

const isAny = () => true;

describe("cli fleet: the file of a run", () => {
  const path = temporaryFolder();
  const message: RunMessage = { code: "serviceFails", finding: "HTTP 503\nagain", severity: "warning" };
  const ofSite: RunMessage = { ...message, urn: urnOf("København") };
  const stack = "shard-1-of-2";
  const done: Done = {
    ...{ urn: urnOf("oslo"), operation: "update", before: { devices: {} }, after: { devices: { "vehicle/car": {} } } },
    ...{ sent: { "acme/car": ["maxCapacity"] }, problems: { "acme/van": message } },
  };
  it("has the providers' reports: requests, turns of the service, messages and what is done", () => {
    const file = runFileMade(path("run")).file;
    for (const request of ["GET", "GET", "PATCH"]) file.report(() => ({ request }));
    file.report(() => ({ isFailing: true }));
    file.report(() => ({ message: ofSite }));
    file.report(() => ({ done }));
    const lines = new RunFileReader(path("run")).news(isAny);
    expect(callsIn(lines)).to.deep.equal({ get: 2, patch: 1, latest: 0 });
    expect(reportsIn(lines, stack)).to.deep.equal({ messages: [ofSite], done: [done] });
  });

  it("keeps reports of other stacks and lines that a kill cut short from a stack", () => {
    const file = runFileMade(path("parts")).file;
    for (const one of [ofSite, message]) file.report(() => ({ message: one }));
    file.report(() => ({ done }));
    const text = readFileSync(path("parts"), "utf8");
    appendFileSync(path("parts"), `${text.slice(0, -9)}\nnull\n`);
    const lines = new RunFileReader(path("parts")).news(isAny);
    expect(reportsIn(lines, stack)).to.deep.equal({
      messages: [ofSite, message, ofSite, message],
      done: [done],
    });
    const isMeant = isAbout("shard-2-of-2");
    expect(new RunFileReader(path("parts")).news(isMeant).map((line) => Object.keys(line)[2])).to.deep.equal([
      ...["message", "message", "message", "message"],
    ]);
    expect(reportsIn(lines, "shard-2-of-2")).to.deep.equal({ messages: [message, message], done: [] });
  });

  it("has the states of a site of any size", () => {
    const file = runFileMade(path("large")).file;
    const large = { ...done, after: { devices: { "vehicle/car": { note: "x".repeat(3 << 20) } } } };
    for (const one of [done, large, done]) file.report(() => ({ done: one }));
    const found = reportsIn(new RunFileReader(path("large")).news(isAny), stack);
    expect(found.done.map((one) => JSON.stringify(one).length)).to.deep.equal(
      [done, large, done].map((one) => JSON.stringify(one).length),
    );
  });

  it("can be read by nobody else", () => {
    runFileMade(path("own"));
    if (process.platform !== "win32") expect(statSync(path("own")).mode & 0o777).to.equal(0o600);
  });

  it("keeps claims and other lines between providers from a stack", () => {
    const { file } = runFileMade(path("run"));
    file.append([{ claim: { businessId: "acme", deviceId: "car", urn: urnOf("oslo"), words: "car", values: {} } }]);
    file.report(() => ({ request: "GET" }));
    expect(new RunFileReader(path("run")).news(isAbout("shard-1-of-2"))).to.deep.equal([]);
  });

  it("gives each line once, and one that is half written once it is whole", () => {
    appendFileSync(path("run"), "");
    const reader = new RunFileReader(path("run"));
    const bytes = Buffer.from('{"request":"GET"}\n{"request":"ø"}\n');
    appendFileSync(path("run"), bytes.subarray(0, 31));
    expect(reader.news(isAny)).to.deep.equal([{ request: "GET" }]);
    appendFileSync(path("run"), bytes.subarray(31));
    expect(reader.news(isAny)).to.deep.equal([{ request: "ø" }]);
    expect(reader.news(isAny)).to.deep.equal([]);
  });

  it("leaves out the lines of an earlier part of the run, if asked to", () => {
    appendFileSync(path("run"), '{"request":"GET"}\n');
    const reader = new RunFileReader(path("run"), "end");
    appendFileSync(path("run"), '{"request":"PATCH"}\n');
    expect(reader.news(isAny)).to.deep.equal([{ request: "PATCH" }]);
  });
});
