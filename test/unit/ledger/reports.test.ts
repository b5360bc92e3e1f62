import { readdirSync } from "node:fs";
import { expect } from "chai";
import { RUN_FILE } from "../../../provider/ledger/runFile";
import { startRun } from "../../../provider/run";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";
import { runFileMade, runLinesIn } from "../../support/runFile";
import { servers } from "../../support/server";

const never = new AbortController().signal;
const silent = async () => {};
const quiet = { warn: silent, info: silent, progress: silent };

/** The lines of a file, all of this process, without it. */
function linesIn(file: string): unknown[] {
  return runLinesIn(file).map(({ pid, by: _, ...news }) => {
    expect(pid).to.equal(process.pid);
    return news;
  });
}

describe("the file of a run", () => {
  const path = temporaryFolder();
  const serve = servers();

  it("is written by nobody unless it is named", () => {
    for (const environment of [{}, { [RUN_FILE]: "" }]) {
      const run = startRun(() => undefined, { ...COMPLETE, ...environment, PULUMI_HOME: path("home") }, quiet, {
        engine: "127.0.0.1:4711",
      });
      run.report.done(() => expect.fail("it is computed"));
    }
    expect(readdirSync(path(""))).to.deep.equal([]);
  });

  it("has a line for each request of a run, with its kind and device, and for each turn of the service", async () => {
    const { url } = await serve({ status: 503, headers: { "retry-after": "0" } }, { body: '{"policy":"CHARGE BY"}' });
    const file = path("calls");
    const environment = { ...COMPLETE, SOLAR_CHARGING_BASE_URL: url, ...runFileMade(file).environment };
    const service = startRun(() => undefined, environment, quiet).service();
    await service.readDevice(CAR, never);
    await service.updateDevice(CAR, { policy: "CHARGE BY" }, never);
    await service.readLatestMetrics(CAR, never);
    expect(linesIn(file)).to.deep.equal([
      { request: "GET" },
      { isFailing: true },
      { request: "GET" },
      { isFailing: false },
      { request: "PATCH" },
      { request: "LATEST" },
    ]);
  });

  it("has the messages of a run as data, each once for each resource, with their values", async () => {
    const file = path("messages");
    const { report } = startRun(() => undefined, { ...COMPLETE, ...runFileMade(file).environment }, quiet);
    const [lint, urn] = [{ code: "adjusted", finding: "tilt", numbers: { tilt: 3 } } as const, "urn:pulumi:a::b::c::d"];
    for (const one of [urn, urn, undefined]) await report.warn(lint, one);
    await report.info(lint, urn);
    const messages = [
      { ...lint, severity: "warning", urn },
      { ...lint, severity: "warning" },
      { ...lint, severity: "info", urn },
    ];
    expect(linesIn(file)).to.deep.equal(messages.map((message) => ({ message })));
  });

  it("has what came of an operation", async () => {
    const file = path("done");
    const { report } = startRun(() => undefined, { ...COMPLETE, ...runFileMade(file).environment }, quiet);
    const of = { urn: "urn:pulumi:a::b::c::d", operation: "update" } as const;
    const done = { ...of, before: { devices: {} }, after: { devices: {} }, sent: {}, problems: {} };
    report.done(() => done);
    expect(linesIn(file)).to.deep.equal([{ done }]);
  });

  it("has no states to hide if it is not named", () => {
    startRun(() => undefined, COMPLETE, quiet).report.done(() => expect.fail("it is computed"));
  });

  it("counts a request that no answer comes to", async () => {
    const { url } = await serve((response) => response.destroy());
    const file = path("calls");
    const settings = { SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0" };
    const run = startRun(() => undefined, { ...COMPLETE, ...settings, ...runFileMade(file).environment }, quiet);
    await failureOf(run.service().readDevice(CAR, never));
    expect(linesIn(file)).to.deep.equal([{ request: "GET" }, { isFailing: true }]);
  });

  it("fails nothing if the file cannot be written", () => {
    const { report } = startRun(() => undefined, { ...COMPLETE, [RUN_FILE]: path("no/such/folder") }, quiet);
    report.done(() => ({ urn: undefined, operation: "check", sent: {}, problems: {} }));
  });
});
