import { createServer } from "node:net";
import { expect } from "chai";
import type { Failure } from "../../../provider/service/errors";
import { type Answer, type Exchange, exchange } from "../../../provider/service/http";
import { makeRouter, type Route } from "../../../provider/service/route";
import { failureOf } from "../../support/failure";
import { breaksOff, hangsUp, type Received, type Reply, servers } from "../../support/server";

const JSON_TYPE = { "content-type": "application/json" };
const PAGE = { "content-type": "text/html; charset=utf-8" };
const UPDATE = { fields: { policy: "CHARGE BY" } };
const TOO_LARGE = JSON.stringify({ id: "x".repeat(1024 * 1024) });
const operations: [string, Partial<Exchange>][] = [
  ["read", {}],
  ["update", UPDATE],
];

describe("exchange", () => {
  const serve = servers();

  async function ask(url: string, changes: Partial<Exchange> = {}): Promise<Answer | Failure> {
    const signal = new AbortController().signal;
    const secrets = new Set(["t0ken"]);
    return await exchange({
      url,
      accessToken: "t0ken",
      secrets,
      fields: undefined,
      route: (await makeRouter()(url)) as Route,
      timeoutSeconds: 5,
      signal,
      ...changes,
    });
  }

  /** What one request is answered, and the request as the server received it. */
  async function exchanged(reply: Reply, changes: Partial<Exchange> = {}) {
    const server = await serve(reply);
    const result = await ask(`${server.url}/car`, changes);
    expect(server.received).to.have.lengthOf(1);
    return { result, received: server.received[0] as Received };
  }

  /** The failure that one request ends with. */
  async function failure(reply: Reply, changes: Partial<Exchange> = {}): Promise<Failure> {
    const { result } = await exchanged(reply, changes);
    expect(result).to.have.property("reason");
    return result as Failure;
  }

  describe("sends", () => {
    it("a read as a GET that has the token and no body", async () => {
      const { received } = await exchanged({ body: "{}" });
      expect(received).to.include({ method: "GET", path: "/car", body: "" });
      expect(received.headers).to.include({ authorization: "Bearer t0ken", accept: "application/json" });
      expect(received.headers).not.to.have.property("content-type");
    });

    it("an update as a PATCH of exactly the given fields", async () => {
      const fields = { max_capacity: 77_000.5, policy: "CHARGE BY FORECAST" };
      const { received } = await exchanged({}, { fields });
      expect(received).to.include({ method: "PATCH", path: "/car", body: JSON.stringify(fields) });
      expect(received.headers).to.include({ authorization: "Bearer t0ken", "content-type": "application/json" });
    });
  });

  describe("takes for a success", () => {
    it("an answer within a time that is no whole number of milliseconds", async () => {
      const { result } = await exchanged({ body: "{}" }, { timeoutSeconds: 16.1 });
      expect(result).to.deep.equal({ status: 200, body: "{}" });
    });

    it("a read with its whole body, whatever that says", async () => {
      const { result } = await exchanged({ body: "<html>" });
      expect(result).to.deep.equal({ status: 200, body: "<html>" });
    });

    const accepted: [string, Reply, number][] = [
      ["an empty body, as documented", {}, 200],
      ["no content", { status: 204 }, 204],
      ["a body", { body: '{"id":"car"}', headers: JSON_TYPE }, 200],
      ["a body that is no JSON", { body: "ok" }, 200],
    ];
    for (const [what, reply, status] of accepted) {
      it(`an update that is answered ${status} with ${what}`, async () => {
        expect((await exchanged(reply, UPDATE)).result).to.include({ status });
      });
    }
  });

  for (const [operation, changes] of operations) {
    it(`says of an answered ${operation} that is over 1 MiB, that this is no device, and that it will not pass`, async () => {
      expect(await failure({ body: TOO_LARGE }, changes)).to.include({
        reason: "the answer is larger than a device object can be",
        transient: false,
      });
    });

    it(`says of an answered ${operation} whose body breaks off, that the connection failed, which may pass`, async () => {
      const { reason, transient } = await failure(breaksOff(200), changes);
      expect(reason).to.match(/^the connection to http:.* failed \(/);
      expect(transient).to.equal(true);
    });
  }

  for (const [operation, changes] of operations) {
    describe(`says of a refused ${operation}`, () => {
      const unreadable: [string, Reply][] = [
        ["breaks off", breaksOff(403)],
        ["is over 1 MiB", { status: 403, body: TOO_LARGE }],
        ["does not end in time", (response) => response.writeHead(403).write("{")],
      ];
      for (const [what, reply] of unreadable) {
        it(`its status, where the body ${what}`, async () => {
          expect(await failure(reply, { timeoutSeconds: 0.5, ...changes })).to.include({
            status: 403,
            reason: "HTTP 403 Forbidden",
            transient: false,
          });
        });
      }

      for (const status of [404, 410]) {
        it(`with ${status} that the device is gone, where the service says so`, async () => {
          expect(await failure({ status, headers: JSON_TYPE, body: "{}" }, changes)).to.include({ isGone: true });
          expect(await failure({ status }, changes)).to.include({ isGone: true });
        });

        it(`with ${status} nothing of the device, where a web page says so`, async () => {
          expect(await failure({ status, headers: PAGE, body: "<h1>Nothing here</h1>" }, changes)).to.include({
            isGone: false,
            status,
            extract: "<h1>Nothing here</h1>",
          });
        });
      }

      it("with 403 that the device is not gone", async () => {
        expect(await failure({ status: 403, headers: JSON_TYPE }, changes)).to.include({ isGone: false });
      });

      it("no secret: neither its body nor its reason phrase shows it", async () => {
        const secrets = new Set(["other", 'a/"b']);
        const said = { status: 403, statusText: `No a/"b`, body: JSON.stringify({ got: 'a/"b' }) };
        const { reason, extract } = await failure(said, { secrets, ...changes });
        expect(reason).to.equal("HTTP 403 No [redacted]");
        expect(extract).to.equal('{"got":"[redacted]"}');
      });
    });
  }

  describe("Retry-After", () => {
    it("of a failure that may pass is what it advises", async () => {
      const failed = await failure({ status: 503, headers: { "retry-after": "7" } });
      expect(failed).to.include({ retryAfterMs: 7000, transient: true });
      expect(failed.advice).to.equal("The service asks to wait 7 s: try again after that");
    });

    it("of a final failure replaces nothing of its advice", async () => {
      const failed = await failure({ status: 302, headers: { "retry-after": "7", location: "/x" } });
      expect(failed).not.to.have.property("retryAfterMs");
      expect(failed.advice).to.match(/^Redirects are not followed/);
    });

    it("that cannot be read replaces nothing either", async () => {
      const failed = await failure({ status: 503, headers: { "retry-after": "soon" } });
      expect(failed).not.to.have.property("retryAfterMs");
      expect(failed.advice).to.match(/^The service is failing/);
    });
  });

  describe("gives up", () => {
    for (const [operation, changes] of operations) {
      it(`${operation} without an answer in time`, async () => {
        expect(await failure(() => {}, { timeoutSeconds: 0.5, ...changes })).to.include({
          reason: "no whole answer within 0.5 s",
          transient: true,
        });
      });

      it(`${operation} whose connection is closed, without another try`, async () => {
        expect(await failure(hangsUp, changes)).to.include({ transient: true });
      });
    }

    it("a read whose body does not end in time", async () => {
      expect(await failure((response) => response.write("{"), { timeoutSeconds: 0.5 })).to.include({
        reason: "no whole answer within 0.5 s",
      });
    });

    it("a connection that is refused, and names the reason", async () => {
      const port = await new Promise<number>((free) => {
        const probe = createServer().listen(0, "127.0.0.1", () => {
          const { port } = probe.address() as { port: number };
          probe.close(() => free(port));
        });
      });
      expect(await ask(`http://127.0.0.1:${port}`)).to.include({
        reason: `the connection to http://127.0.0.1:${port} failed (ECONNREFUSED)`,
      });
    });

    it("when it is told to, with the reason that it was told", async () => {
      const stop = new AbortController();
      const server = await serve(() => stop.abort(new Error("create gave up")));
      expect((await failureOf(ask(server.url, { signal: stop.signal }))).message).to.equal("create gave up");
    });

    it("when it is told to in the middle of the answer to an update", async () => {
      const stop = new AbortController();
      let began = () => {};
      const beginning = new Promise<void>((resolve) => {
        began = resolve;
      });
      const server = await serve((response, { path }) => {
        if (path === "/probe") response.end();
        else response.writeHead(200).write("{", began);
      });
      const update = failureOf(ask(server.url, { ...UPDATE, signal: stop.signal }));
      await beginning;
      // What was sent before them has arrived when these are answered.
      for (let probes = 0; probes < 3; probes++) await fetch(`${server.url}/probe`);
      stop.abort(new Error("create gave up"));
      expect((await update).message).to.equal("create gave up");
    });
  });
});
