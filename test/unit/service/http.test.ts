import { expect } from "chai";
import type { ServiceFailure } from "../../../provider/service/errors";
import { type Answer, type Exchange, exchange } from "../../../provider/service/http";
import { makeRouter, type Route } from "../../../provider/service/route";
import { expectFacts } from "../../support/facts";
import { failureOf } from "../../support/failure";
import { hangsUp, type Received, type Reply, servers } from "../../support/server";

const UPDATE = { fields: { policy: "CHARGE BY" } };
const operations: [string, Partial<Exchange>][] = [
  ["a read", {}],
  ["an update", UPDATE],
];

/** A time limit that some tests wait for, in seconds. A request has to arrive in it on a busy machine too. */
const SHORT = 1.5;

describe("exchange", () => {
  const serve = servers();

  async function ask(url: string, changes: Partial<Exchange> = {}): Promise<Answer | ServiceFailure> {
    const signal = new AbortController().signal;
    const secrets = new Set(["t0ken"]);
    return await exchange({
      url,
      accessToken: "t0ken",
      secrets,
      fields: undefined,
      route: (await makeRouter()(url)) as Route,
      timeoutSeconds: 60,
      signal,
      ...changes,
    });
  }

  /** The outcome of one request, and the request as the server received it. */
  async function exchanged(reply: Reply, changes: Partial<Exchange> = {}) {
    const server = await serve(reply);
    const result = await ask(`${server.url}/car`, changes);
    expect(server.received).to.have.lengthOf(1);
    return { result, received: server.received[0] as Received };
  }

  /** The failure of one request. */
  async function failure(reply: Reply, changes: Partial<Exchange> = {}): Promise<ServiceFailure> {
    const { result } = await exchanged(reply, changes);
    expect(result).to.have.property("reason");
    return result as ServiceFailure;
  }

  it("gives the whole body of an answer, within a time that is no whole number of milliseconds", async () => {
    const { result, received } = await exchanged({ body: "<html>" }, { timeoutSeconds: 16.1 });
    expect(result).to.deep.equal({ status: 200, body: "<html>", proxy: undefined });
    expect(received.headers).to.include({ authorization: "Bearer t0ken", accept: "application/json" });
    expect(received.headers).not.to.have.property("content-type");
  });

  it("names the server to which it is redirected, and nothing else of the address", async () => {
    const to = async (location: string) =>
      (await failure({ status: 302, headers: { location } })).reason.replace(/\d+$/, "PORT");
    expect(await to("https://ann:t0ken@login.example.com/in/car-7?code=77")).to.match(
      /, to https:\/\/login\.example\.com$/,
    );
    expect(await to("/in")).to.match(/, to http:\/\/127\.0\.0\.1:PORT$/);
    expect(await to("https://[")).not.to.contain("to");
  });

  for (const [operation, changes] of operations) {
    it(`shows no secret in the refusal of ${operation}: neither its body nor its reason phrase`, async () => {
      const secrets = new Set(["other", 'a/"b']);
      const said = { status: 403, statusText: `No a/"b`, body: JSON.stringify({ got: 'a/"b' }) };
      const { reason, extract } = await failure(said, { secrets, ...changes });
      expect(reason).to.equal("HTTP 403 No [redacted]");
      expect(extract).to.equal('{"got":"[redacted]"}');
    });

    it(`knows the status of ${operation} that is refused with a body that does not end in time`, async () => {
      const endless: Reply = (response) => response.writeHead(403).write("{");
      const failed = await failure(endless, { timeoutSeconds: SHORT, ...changes });
      expect(failed).to.include({ status: 403, reason: "HTTP 403 Forbidden", transient: false });
    });

    it(`gives up ${operation} without a complete answer in time, or whose connection is closed`, async () => {
      const replies: Reply[] = [() => {}, (response) => response.write("{")];
      const failures = replies.map((reply) => failure(reply, { timeoutSeconds: SHORT, ...changes }));
      for (const failed of await Promise.all(failures)) {
        expect(failed).to.include({ code: "timeout", transient: true });
      }
      expect(await failure(hangsUp, changes)).to.include({ transient: true });
    });
  }

  const waits: [string, number, Record<string, string>, number | undefined, string][] = [
    ["of a failure that may pass is what it advises", 503, { "retry-after": "7" }, 7000, "askedToWait"],
    ["of a final failure is not", 302, { "retry-after": "7", location: "/x" }, undefined, "redirect"],
    ["that cannot be read is not", 503, { "retry-after": "soon" }, undefined, "serviceFails"],
  ];
  for (const [what, status, headers, retryAfterMs, code] of waits) {
    it(`a Retry-After ${what}`, async () => {
      const failed = await failure({ status, headers });
      expect(failed).to.include({ code, status });
      expect(failed.retryAfterMs).to.equal(retryAfterMs);
    });
  }

  it("gives up a connection that is refused, and names the reason", async () => {
    const failed = (await ask("http://127.0.0.1:1")) as ServiceFailure;
    expect(failed).to.include({ code: "noConnection", retrySeconds: 10 });
    expectFacts(failed.reason, ["http://127.0.0.1:1", "ECONNREFUSED"]);
  });

  it("stops in the middle of an answer when it is asked to, with the reason that it got", async () => {
    const stop = new AbortController();
    const server = await serve((response) => {
      response.writeHead(200).write("{", () => stop.abort(new Error("create gave up")));
    });
    const update = failureOf(ask(server.url, { ...UPDATE, signal: stop.signal }));
    expect((await update).message).to.equal("create gave up");
  });
});
