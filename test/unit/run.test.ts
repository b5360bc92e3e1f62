import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { ConfigurationError } from "../../provider/configuration/error";
import { journalVariables } from "../../provider/ledger/logs";
import { problemOf } from "../../provider/messages/message";
import { type Display, startRun } from "../../provider/run";
import { virtualClock } from "../support/clock";
import { expectFacts, expectLike } from "../support/facts";
import { failureOf, thrownBy } from "../support/failure";
import { CAR, COMPLETE, said } from "../support/fakes";
import { filesBelow, temporaryFolder } from "../support/folder";
import { runFileMade, runLinesIn } from "../support/runFile";
import { servers } from "../support/server";

/** A display that shows only warnings, in this way. */
const showing = (warn: Display["warn"]): Display => ({ warn, info: async () => {}, progress: async () => {} });
const quiet = showing(async () => {});
const UPDATE = { operation: "create", device: CAR, urn: undefined, changes: [] };

describe("startRun", () => {
  const clock = virtualClock();
  const serve = servers();
  const path = temporaryFolder();

  it("reads nothing before it is asked, and the configuration once", () => {
    const asked: string[] = [];
    const lookup = (key: string) => {
      asked.push(key);
      return undefined;
    };
    const run = startRun(lookup, COMPLETE, quiet);
    expect(asked).to.deep.equal([]);
    const first = run.configuration();
    const count = asked.length;
    expect(run.configuration()).to.equal(first);
    run.service();
    expect(asked).to.have.lengthOf(count);
    expect(new Set(asked).size).to.equal(count);
  });

  it("asks for keys without the namespace", () => {
    const run = startRun((key) => ({ businessId: "b1" })[key], {}, quiet);
    expect(run.configuration().businessId).to.equal("b1");
  });

  it("connects once, so that limits hold across all resources", () => {
    const run = startRun(() => undefined, COMPLETE, quiet);
    expect(run.service()).to.equal(run.service());
  });

  for (const [what, named] of Object.entries({
    ledger: (file: string) => ({ SOLAR_CHARGING_LEDGER_FILE: file }),
    journal: (file: string) => journalVariables([file]),
  })) {
    it(`closes its files at its end, with a ${what}, so that a process can serve any number of runs`, function () {
      if (process.platform !== "linux") this.skip();
      const environment = { ...COMPLETE, ...runFileMade(path("run")).environment, ...named(path("lines")) };
      const before = readdirSync("/proc/self/fd").length;
      const run = startRun(() => undefined, environment, quiet);
      run.store.declared(CAR, "policy");
      run.store.journal.plan([{ device: CAR, changes: [{ key: "maxCapacity", new: 77_000 }] }], undefined);
      void run.store.journal.begin(UPDATE)?.end();
      run.report.done(() => ({ urn: undefined, operation: "check", sent: {}, problems: {} }));
      expect(readdirSync("/proc/self/fd").length).to.be.at.least(before + 3);
      run.end();
      expect(readdirSync("/proc/self/fd").length).to.equal(before);
    });
  }

  for (const [what, isFleet] of [
    ["a fleet", true],
    ["an engine", false],
  ] as const) {
    it(`shares a limit of requests with the other processes of the run of ${what}`, async () => {
      const { url } = await serve({ body: '{"policy":""}' }, { body: '{"policy":""}' });
      const environment = {
        ...{ ...COMPLETE, SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE: "6000" },
        ...(isFleet ? runFileMade(path("run")).environment : { PULUMI_HOME: path("") }),
      };
      for (const _ of [1, 2]) {
        const run = startRun(() => undefined, environment, quiet, { engine: "127.0.0.1:1" });
        await run.service().readDevice(CAR, new AbortController().signal);
      }
      const files = filesBelow(path("")).filter((file) => file.includes("-pace-"));
      const requests = files.map((file) => readFileSync(file, "utf8").split("\n").filter(Boolean).length);
      expect(requests).to.deep.equal([2]);
    });
  }

  it("reports why a request is retried, and for how long", async () => {
    clock.random = 1;
    const { url } = await serve({ status: 503 }, { status: 503 }, { status: 503 }, { body: '{"policy":""}' });
    const shown: string[] = [];
    const environment = { ...COMPLETE, SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "60" };
    const show = async (message: string) => void shown.push(message);
    await startRun(() => undefined, environment, showing(show))
      .service()
      .readDevice(CAR, new AbortController().signal);
    expectLike(shown, ["HTTP 503 Service Unavailable: … 60 s"]);
  });

  it("no longer counts as one that the service fails after its end", async () => {
    clock.random = 1;
    const { url } = await serve({ status: 503 });
    const file = path("run");
    const environment = {
      ...COMPLETE,
      ...{ SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "1" },
      ...runFileMade(file).environment,
    };
    const run = startRun(() => undefined, environment, quiet);
    const wordsOf = () => runLinesIn(file).flatMap(({ isFailing = [] }) => isFailing);
    await run
      .service()
      .readDevice(CAR, new AbortController().signal)
      .catch(() => {});
    expect(wordsOf()).to.deep.equal([true]);
    run.end();
    run.end();
    expect(wordsOf()).to.deep.equal([true, false]);
  });

  it("has one set of logs for all resources, and no ledger unless it is set", () => {
    expect(startRun(() => undefined, COMPLETE, quiet).store.journal.begin(UPDATE)).to.equal(undefined);
    const run = startRun(() => undefined, { ...COMPLETE, SOLAR_CHARGING_LEDGER_FILE: "ledger.jsonl" }, quiet);
    expect(run.store.journal).to.equal(run.store.journal);
  });

  it("refuses a configuration that is wrong each time it is asked", () => {
    const run = startRun(() => undefined, { SOLAR_CHARGING_MAX_CONCURRENCY: "0" }, quiet);
    for (const ask of [run.configuration, run.configuration, run.service]) {
      expect(thrownBy(ask)).to.be.instanceOf(ConfigurationError);
    }
  });

  it("has a configuration without address and token, and no service", () => {
    const run = startRun(() => undefined, {}, quiet);
    expect(run.configuration().maxConcurrency).to.equal(16);
    expect(problemOf(thrownBy(run.service))).to.deep.include({ code: "notUsable", keys: ["baseUrl", "accessToken"] });
  });

  /** The warnings that a run shows. */
  function warningsShownBy(show: () => Promise<void> = async () => {}) {
    const shown: unknown[] = [];
    const keep = async (...warning: unknown[]) => {
      await show();
      shown.push(warning);
    };
    return { shown, warn: startRun(() => undefined, {}, showing(keep)).report.warn };
  }

  it("shows each warning once for each resource that it is about, also if many give it at a time", async () => {
    const { shown, warn } = warningsShownBy();
    await Promise.all(["a", "b", "a", "a"].map((message) => warn(said(message))));
    for (const urn of ["urn:1", "urn:2", "urn:1", undefined]) await warn(said("a"), urn);
    expect(shown).to.deep.equal([
      ["a", undefined],
      ["b", undefined],
      ["a", "urn:1"],
      ["a", "urn:2"],
    ]);
  });

  it("waits until a warning is shown, and fails nothing with one that cannot be", async () => {
    const { shown, warn } = warningsShownBy(() => new Promise((next) => setImmediate(next)));
    await warn(said("a"));
    expect(shown).to.have.lengthOf(1);
    await warningsShownBy(() => Promise.reject(new Error("the engine has gone"))).warn(said("a"));
  });

  it("fails with baselines that nobody would see, each time", async () => {
    const { warn } = warningsShownBy(() => Promise.reject(new Error("the engine has gone")));
    for (const code of ["baselines", "unmanaged", "baselines"] as const) {
      const problem = problemOf(await failureOf(Promise.resolve(warn({ code, finding: "60 kWh" }))));
      expect(problem).to.have.property("code", "undelivered");
      expectFacts(problem.finding, ["the engine has gone"]);
    }
  });
});
