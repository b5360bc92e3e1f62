import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { runFileOf } from "../../../provider/ledger/runFile";
import { startRun } from "../../../provider/run";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";
import { servers } from "../../support/server";

const never = new AbortController().signal;
const silent = async () => {};
const quiet = { warn: silent, info: silent, progress: silent };

const car = `${CAR.businessId}/${CAR.deviceId}`;

describe("the file of a run", () => {
  const path = temporaryFolder();
  const serve = servers();

  it("is written by nobody unless it is named", () => {
    for (const environment of [{}, { SOLAR_CHARGING_RUN_FILE: "" }]) runFileOf(environment).request("GET", CAR);
    expect(readdirSync(path(""))).to.deep.equal([]);
  });

  it("has a line for each request of a run, with its kind and device, and for each turn of the service", async () => {
    const { url } = await serve({ status: 503, headers: { "retry-after": "0" } }, { body: '{"policy":"CHARGE BY"}' });
    const file = path("calls");
    const environment = { ...COMPLETE, SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_RUN_FILE: file };
    const service = startRun(() => undefined, environment, quiet).service();
    await service.readDevice(CAR, never);
    await service.updateDevice(CAR, { policy: "CHARGE BY" }, never);
    await service.readLatestMetrics(CAR, never);
    const lines = [
      `GET ${car}`,
      `FAILING ${process.pid}`,
      `GET ${car}`,
      `ANSWERING ${process.pid}`,
      `PATCH ${car}`,
      `LATEST ${car}`,
      "",
    ];
    expect(readFileSync(file, "utf8").split("\n")).to.deep.equal(lines);
  });

  it("counts a request that no answer comes to", async () => {
    const { url } = await serve((response) => response.destroy());
    const file = path("calls");
    const settings = { SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0" };
    const run = startRun(() => undefined, { ...COMPLETE, ...settings, SOLAR_CHARGING_RUN_FILE: file }, quiet);
    await failureOf(run.service().readDevice(CAR, never));
    expect(readFileSync(file, "utf8")).to.equal(`GET ${car}\nFAILING ${process.pid}\n`);
  });

  it("fails nothing where the file cannot be written", () => {
    runFileOf({ SOLAR_CHARGING_RUN_FILE: path("no/such/folder") }).request("GET", CAR);
  });
});
