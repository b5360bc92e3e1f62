import { expect } from "chai";
import type { DeviceService, ServiceOptions } from "../../../provider/service/client";
import type { ServiceError } from "../../../provider/service/errors";
import { virtualClock } from "../../support/clock";
import { expectFacts } from "../../support/facts";
import { failureOf } from "../../support/failure";
import { hangsUp, type Reply, servers } from "../../support/server";
import { CAR, never, POLICY, serviceAt as shortServiceAt } from "../../support/service";

const serviceAt = (baseUrl: string, options: Partial<ServiceOptions> = {}): DeviceService =>
  shortServiceAt(baseUrl, { requestTimeoutSeconds: 30, retryTimeoutSeconds: 120, ...options });

describe("device service: outages", () => {
  const serve = servers();
  const clock = virtualClock();
  beforeEach(() => {
    clock.random = 0.5;
  });

  /** The errors of updates of this many devices, with this many at the same time. */
  async function failuresOf(service: DeviceService, devices: number, atOnce: number): Promise<ServiceError[]> {
    const errors: ServiceError[] = [];
    let next = 0;
    const worker = async () => {
      for (let i = next++; i < devices; i = next++) {
        const update = service.updateDevice({ ...CAR, deviceId: `car${i}` }, POLICY, never);
        errors.push((await failureOf(update)) as ServiceError);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return errors;
  }

  for (const [atOnce, longest] of [
    [8, 4],
    [1, 7],
  ] as const) {
    it(`a dead service costs 500 devices, ${atOnce} at a time, no more than ${longest} minutes, and is left alone`, async () => {
      const server = await serve(hangsUp);
      const begin = Date.now();
      const errors = await failuresOf(serviceAt(server.url), 500, atOnce);
      expect((Date.now() - begin) / 60_000).to.be.lessThan(longest);
      expect(server.received.length).to.be.lessThan(300);
      const untried = errors.filter(({ problem, maybeApplied }) => problem.code === "outage" && !maybeApplied);
      expect(untried).to.have.lengthOf.at.least(480);
      for (const { transient } of untried) expect(transient).to.equal(true);
      const last = untried.find(({ device }) => device.deviceId === "car499");
      expectFacts(last?.message, ["'car499'", " devices", "ECONNRESET"]);
    });
  }

  it("a request that was sent before may have been applied, and says something else than one that was not", async () => {
    const server = await serve(hangsUp);
    const errors = await failuresOf(serviceAt(server.url), 30, 8);
    const refused = errors.filter(({ problem }) => problem.code === "outage");
    const starts = (isSent: boolean) =>
      new Set(
        refused.filter((one) => one.maybeApplied === isSent).map(({ problem }) => problem.finding.replace(/\d+/g, "")),
      );
    const [sent, unsent] = [starts(true), starts(false)];
    expect([...sent, ...unsent]).to.have.lengthOf(2);
    expect([...sent]).to.not.deep.equal([...unsent]);
  });

  it("a token endpoint that is dead is left alone too", async () => {
    const endpoint = await serve({ status: 503 });
    const credentials = { oauthTokenUrl: endpoint.url, oauthClientId: "pipeline", oauthClientSecret: "s3cret" };
    const errors = await failuresOf(serviceAt("http://127.0.0.1:1", { credentials }), 100, 8);
    expect(endpoint.received.length).to.be.lessThan(300);
    const last = errors.find(({ device }) => device.deviceId === "car99");
    expect(last?.problem).to.deep.include({ code: "outage", keys: ["oauthTokenUrl"] });
    expectFacts(last?.message, ["HTTP 503"]);
  });

  it("a service that comes back is used again", async () => {
    let isDead = true;
    const server = await serve((response) => (isDead ? response.destroy() : response.end('{"id":""}')));
    const service = serviceAt(server.url);
    await failuresOf(service, 20, 8);
    isDead = false;
    clock.advance(15_000);
    for (let i = 0; i < 3; i++) await service.updateDevice({ ...CAR, deviceId: `car${i}` }, POLICY, never);
  });

  const limited: Reply = { status: 429, headers: { "retry-after": "7" } };

  it("a service that asks one request to wait gets no other before that", async () => {
    const times: number[] = [];
    const server = await serve(limited, (response) => {
      times.push(Date.now());
      response.end('{"id":""}');
    });
    const service = serviceAt(server.url, { maxConcurrency: 1 });
    const begin = Date.now();
    await Promise.all(["a", "b", "c"].map((deviceId) => service.readDevice({ ...CAR, deviceId }, never)));
    expect(times).to.have.lengthOf(3);
    for (const time of times) expect(time - begin).to.be.at.least(7000);
  });

  it("a read that is tried once waits as well, and is then sent once", async () => {
    const server = await serve(limited, { body: '{"id":""}' });
    const service = serviceAt(server.url);
    await failureOf(service.readLatestMetrics(CAR, never));
    expect(await service.readLatestMetrics(CAR, never)).to.deep.equal({ id: "" });
    expect(clock.waits).to.deep.equal([7000]);
  });

  it("requests that have less time than the service asks to wait fail at once, and were not tried", async () => {
    const server = await serve({ status: 429, headers: { "retry-after": "1000" } });
    const service = serviceAt(server.url);
    const errors = await failuresOf(service, 100, 1);
    // Three devices have to get the answer, because a single answer fails no other device.
    expect(server.received).to.have.lengthOf(3);
    expect(errors[3]?.problem.code).to.equal("onHold");
    expectFacts(errors[3]?.message, ["'car3'", " 1000 s", "HTTP 429"]);
    expect(errors[3]).to.include({ maybeApplied: false });
    expect(clock.waits).to.deep.equal([15_000, 15_000]);
  });

  it("a request that is asked to stop while it waits sends nothing", async () => {
    const server = await serve(limited, { body: '{"id":""}' });
    const service = serviceAt(server.url, { retryTimeoutSeconds: 0, maxConcurrency: 1 });
    await failureOf(service.readDevice(CAR, never));
    const stop = new AbortController();
    const read = failureOf(service.readDevice(CAR, stop.signal));
    stop.abort(new Error("create gave up"));
    expect((await read).message).to.equal("create gave up");
    expect(await service.readDevice(CAR, never)).to.deep.equal({ id: "" });
    expect(server.received).to.have.lengthOf(2);
  });

  it("a service that is slow, and fails every other device once, fails nobody: our own queue is not its time", async () => {
    const times: Record<string, number> = {};
    const server = await serve((response, { path }) => {
      clock.advance(1000);
      times[path] = (times[path] ?? 0) + 1;
      response.statusCode = /[13579]$/.test(path) && times[path] === 1 ? 503 : 200;
      response.end('{"id":""}');
    });
    const service = serviceAt(server.url, { maxConcurrency: 1, requestTimeoutSeconds: 5, retryTimeoutSeconds: 5 });
    const begin = Date.now();
    const reads = Array.from({ length: 40 }, (_, i) => service.readDevice({ ...CAR, deviceId: `car${i}` }, never));
    expect(await Promise.all(reads)).to.deep.equal(Array(40).fill({ id: "" }));
    expect(server.received).to.have.lengthOf(60);
    expect(Date.now() - begin).to.be.at.least(60_000);
  });
});
