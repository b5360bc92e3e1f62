import { expect } from "chai";
import { ConfigurationError } from "../../provider/configuration/error";
import { Ledger } from "../../provider/ledger/ledger";
import { type Display, startRun } from "../../provider/run";
import { virtualClock } from "../support/clock";
import { thrownBy } from "../support/failure";
import { CAR, COMPLETE, said } from "../support/fakes";
import { servers } from "../support/server";

/** Shows warnings in this way, and nothing else. */
const showing = (warn: Display["warn"]): Display => ({ warn, info: async () => {}, progress: async () => {} });
const quiet = showing(async () => {});

describe("startRun", () => {
  const clock = virtualClock();
  const serve = servers();

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

  it("tells of a request that is tried again why, and for how long", async () => {
    clock.random = 1;
    const { url } = await serve({ status: 503 }, { status: 503 }, { status: 503 }, { body: '{"policy":""}' });
    const shown: string[] = [];
    const environment = { ...COMPLETE, SOLAR_CHARGING_BASE_URL: url, SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "60" };
    const show = async (message: string) => void shown.push(message);
    await startRun(() => undefined, environment, showing(show))
      .service()
      .readDevice(CAR, new AbortController().signal);
    expect(shown).to.deep.equal(["HTTP 503 Service Unavailable: trying again, for up to 60 s"]);
  });

  it("has a ledger where one is set, the same for all resources, and none elsewhere", () => {
    expect(startRun(() => undefined, COMPLETE, quiet).ledger()).to.equal(undefined);
    const run = startRun(() => undefined, { ...COMPLETE, SOLAR_CHARGING_LEDGER_FILE: "ledger.jsonl" }, quiet);
    expect(run.ledger()).to.be.instanceOf(Ledger).and.to.equal(run.ledger());
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
    expect(thrownBy(run.service).message).to.match(
      /SOLAR_CHARGING_BASE_URL is not set.*SOLAR_CHARGING_ACCESS_TOKEN is not set/,
    );
  });

  it("shows the same warning once, also to many at a time, and each other one", async () => {
    const shown: string[] = [];
    const run = startRun(
      () => undefined,
      {},
      showing(async (message) => {
        shown.push(message);
      }),
    );
    await Promise.all(["a", "b", "a", "a"].map((message) => run.warn(said(message))));
    await run.warn(said("b"));
    expect(shown).to.deep.equal(["a", "b"]);
  });

  it("shows a warning for each resource that it is about, once", async () => {
    const shown: unknown[] = [];
    const run = startRun(
      () => undefined,
      {},
      showing(async (...warning) => {
        shown.push(warning);
      }),
    );
    for (const urn of ["urn:1", "urn:2", "urn:1", undefined, undefined]) await run.warn(said("a"), urn);
    expect(shown).to.deep.equal([
      ["a", "urn:1"],
      ["a", "urn:2"],
      ["a", undefined],
    ]);
  });

  it("fails nothing with a warning that cannot be shown", async () => {
    const run = startRun(
      () => undefined,
      {},
      showing(() => Promise.reject(new Error("the engine has gone"))),
    );
    await run.warn(said("a"));
  });

  it("waits until a warning is shown", async () => {
    let isShown = false;
    const run = startRun(
      () => undefined,
      {},
      showing(async () => {
        await new Promise((next) => setImmediate(next));
        isShown = true;
      }),
    );
    await run.warn(said("a"));
    expect(isShown).to.equal(true);
  });
});
