import { expect } from "chai";
import { connect, type ServiceOptions } from "../../../provider/service/client";
import { ServiceError } from "../../../provider/service/errors";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { breaksOff, type Reply, servers } from "../../support/server";

const CAR = { businessId: "acme", deviceId: "car" };
const POLICY = { policy: "CHARGE BY" };
const TOO_LARGE = JSON.stringify({ id: "x".repeat(1024 * 1024) });
const never = new AbortController().signal;

function serviceAt(baseUrl: string, options: Partial<ServiceOptions> = {}) {
  const defaults = { maxConcurrency: 16, requestTimeoutSeconds: 5, retryTimeoutSeconds: 5 };
  return connect({ baseUrl, credentials: { accessToken: "t0ken" }, onRetry: () => {}, ...defaults, ...options });
}

describe("device service: final failures", () => {
  const serve = servers();
  const clock = virtualClock();
  beforeEach(() => {
    // Pauses take their time, so that a failure that never passes ends.
    clock.random = 0.5;
  });

  /** What a read or an update of the car rejects with, by the answers in turn, and how many requests there were. */
  async function refusedBy(
    operation: "read" | "update",
    replies: [Reply, ...Reply[]],
    options: Partial<ServiceOptions> = {},
  ) {
    const server = await serve(...replies);
    const service = serviceAt(server.url, options);
    const error = await failureOf(
      operation === "read" ? service.readDevice(CAR, never) : service.updateDevice(CAR, POLICY, never),
    );
    expect(error).to.be.instanceOf(ServiceError);
    return { error: error as ServiceError, requests: server.received.length };
  }

  describe("failures that are final", () => {
    for (const status of [400, 401, 402, 403, 405, 409, 412, 413, 415, 418, 422, 501, 505]) {
      it(`${status} is not tried again, on a read or an update`, async () => {
        for (const operation of ["read", "update"] as const) {
          const { error, requests } = await refusedBy(operation, [{ status, body: '{"reason":"no"}' }]);
          expect(error).to.include({ operation, status, transient: false, maybeApplied: false });
          expect(error.message).to.match(
            new RegExp(`^cannot ${operation} device 'car' of business 'acme': HTTP ${status}`),
          );
          expect(requests).to.equal(1);
        }
      });
    }

    const unreadable: [string, Reply][] = [
      ["breaks off", breaksOff(403)],
      ["is over 1 MiB", { status: 403, body: TOO_LARGE }],
    ];
    for (const [what, reply] of unreadable) {
      it(`403 is not tried again where its body ${what}`, async () => {
        for (const operation of ["read", "update"] as const) {
          const { error, requests } = await refusedBy(operation, [reply]);
          expect(error).to.include({ status: 403, transient: false, maybeApplied: false });
          expect(requests).to.equal(1);
        }
      });
    }

    for (const status of [301, 302, 303, 307, 308]) {
      it(`${status} is refused, and nothing is sent to its target`, async () => {
        const target = await serve({ body: '{"id":""}' });
        for (const operation of ["read", "update"] as const) {
          const { error, requests } = await refusedBy(operation, [{ status, headers: { location: target.url } }]);
          expect(error.status).to.equal(status);
          expect(error.message).to.match(/Redirects are not followed/);
          expect(requests).to.equal(1);
        }
        expect(target.received).to.deep.equal([]);
      });
    }

    for (const body of ["", "<html>", "[]", '[{"id":"car"}]', '"car"', "null", "5"]) {
      it(`200 with ${JSON.stringify(body)} is no device`, async () => {
        const { error, requests } = await refusedBy("read", [{ body }]);
        expect(error.message).to.match(/the answer is not a JSON object.*solar-charging:baseUrl/);
        expect(requests).to.equal(1);
      });
    }

    for (const body of ["<!doctype html><h1>Sign in</h1>", " \n<html>"]) {
      it(`200 with ${JSON.stringify(body)} to an update may be a portal's or a gateway's, and is not tried again`, async () => {
        const { error, requests } = await refusedBy("update", [{ body }]);
        expect(error.message).to.match(/the answer is a web page.*solar-charging:baseUrl/);
        expect(error.maybeApplied).to.equal(true);
        expect(requests).to.equal(1);
      });
    }

    it("a read over 1 MiB says so, and is not tried again", async () => {
      const { error, requests } = await refusedBy("read", [{ body: TOO_LARGE }]);
      expect(error.message).to.match(/the answer is larger than a device object can be.*solar-charging:baseUrl/);
      expect(requests).to.equal(1);
    });
  });

  describe("what the service says of the token is not shown", () => {
    const said = "token t0ken, dDBrZW4=, Authorization: Bearer abc\r\nis bad";
    const shown = '"token [redacted], [redacted], Authorization: Bearer [redacted] is bad"';
    const places: [string, Reply][] = [
      ["in a refusal", { status: 401, body: said }],
      ["in an answer that is no device", { body: said }],
    ];
    for (const [where, reply] of places) {
      it(where, async () => {
        const { error } = await refusedBy("read", [reply]);
        expect(error.message).to.contain(shown);
        expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.to.match(/t0ken|dDBrZW4|abc/);
      });
    }

    it("in a reason phrase", async () => {
      const { error } = await refusedBy("read", [{ status: 401, statusText: "No t0ken" }]);
      expect(error.message).to.match(/HTTP 401 No \[redacted\]/);
    });
  });
});
