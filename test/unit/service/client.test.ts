import { expect } from "chai";
import { connect, type ServiceOptions } from "../../../provider/service/client";
import { ServiceError } from "../../../provider/service/errors";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { breaksOff, hangsUp, type Reply, servers, withoutLength } from "../../support/server";

const CAR = { businessId: "acme", deviceId: "car" };
const CAR_PATH = "/api/v1/businesses/acme/devices/car";
const POLICY = { policy: "CHARGE BY" };
const JSON_TYPE = { "content-type": "application/json" };
const TOO_LARGE = JSON.stringify({ id: "x".repeat(1024 * 1024) });
const never = new AbortController().signal;

function serviceAt(baseUrl: string, options: Partial<ServiceOptions> = {}) {
  const defaults = { maxConcurrency: 16, requestTimeoutSeconds: 5, retryTimeoutSeconds: 5 };
  return connect({ baseUrl, credentials: { accessToken: "t0ken" }, onRetry: () => {}, ...defaults, ...options });
}

describe("device service", () => {
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

  describe("requests", () => {
    const body = '{"id":"car","max_capacity":77000}';

    it("reads a device", async () => {
      const server = await serve({ body });
      expect(await serviceAt(server.url).readDevice(CAR, never)).to.deep.equal({ id: "car", max_capacity: 77_000 });
      expect(server.received.map(({ method, path }) => [method, path])).to.deep.equal([["GET", CAR_PATH]]);
    });

    it("updates a device with exactly the given fields, and reads nothing", async () => {
      const server = await serve({});
      await serviceAt(server.url).updateDevice(CAR, { max_capacity: 77_000.5, ...POLICY }, never);
      expect(server.received.map(({ method, path, body }) => [method, path, body])).to.deep.equal([
        ["PATCH", CAR_PATH, '{"max_capacity":77000.5,"policy":"CHARGE BY"}'],
      ]);
    });

    it("shows its token", async () => {
      const server = await serve({ body });
      await serviceAt(server.url).readDevice(CAR, never);
      expect(server.received[0]?.headers).to.include({ authorization: "Bearer t0ken" });
    });

    it("encodes the ids in the path", async () => {
      const server = await serve({ body });
      await serviceAt(server.url).readDevice({ businessId: "a/b", deviceId: "ä ?#%" }, never);
      expect(server.received[0]?.path).to.equal("/api/v1/businesses/a%2Fb/devices/%C3%A4%20%3F%23%25");
    });

    it("keeps the path of the base URL", async () => {
      const server = await serve({ body });
      await serviceAt(`${server.url}/energy/eu`).readDevice(CAR, never);
      expect(server.received[0]?.path).to.equal(`/energy/eu${CAR_PATH}`);
    });
  });

  describe("accepted updates", () => {
    const accepted: [string, Reply][] = [
      ["200 with an empty body, as documented", {}],
      ["204", { status: 204 }],
      ["200 with a body that is no JSON", { body: "ok" }],
      ["200 with a body that names no failure", { body: '{"id":"x","success":true,"error":null,"errors":[]}' }],
    ];
    for (const [what, reply] of accepted) {
      it(`are ${what}, sent once`, async () => {
        const server = await serve(reply);
        await serviceAt(server.url).updateDevice(CAR, POLICY, never);
        expect(server.received).to.have.lengthOf(1);
      });
    }
  });

  describe("a device that the service does not know", () => {
    for (const status of [404, 410]) {
      const unknown = { status, headers: JSON_TYPE, body: '{"error":"unknown device"}' };
      const page = { status, headers: { "content-type": "text/html" }, body: "<h1>Nothing here</h1>" };

      it(`is undefined on a read that is answered ${status}`, async () => {
        const server = await serve(unknown);
        expect(await serviceAt(server.url).readDevice(CAR, never)).to.equal(undefined);
        expect(server.received).to.have.lengthOf(1);
      });

      it(`is an error on an update that is answered ${status}, which says that it is gone`, async () => {
        const { error, requests } = await refusedBy("update", [unknown]);
        expect(error).to.include({ status, isGone: true, transient: false, maybeApplied: false });
        expect(requests).to.equal(1);
      });

      it(`is not what a web page says with ${status}`, async () => {
        for (const operation of ["read", "update"] as const) {
          const { error } = await refusedBy(operation, [page]);
          expect(error).to.include({ status, isGone: false });
          expect(error.message).to.match(/Nothing here.*solar-charging:baseUrl/);
        }
      });
    }
  });

  describe("failures that may pass", () => {
    for (const status of [408, 425, 429, 500, 502, 503, 504]) {
      it(`${status}: the read and the update are tried again`, async () => {
        const server = await serve({ status }, { status }, { body: '{"id":""}' }, { status }, {});
        const service = serviceAt(server.url);
        expect(await service.readDevice(CAR, never)).to.deep.equal({ id: "" });
        await service.updateDevice(CAR, POLICY, never);
        expect(server.received.map(({ method }) => method)).to.deep.equal(["GET", "GET", "GET", "PATCH", "PATCH"]);
        expect(server.received[4]?.body).to.equal(server.received[3]?.body);
      });
    }

    it("a connection that is closed is tried again", async () => {
      const server = await serve(hangsUp, { body: '{"id":""}' });
      expect(await serviceAt(server.url).readDevice(CAR, never)).to.deep.equal({ id: "" });
    });

    it("a read whose body breaks off is tried again", async () => {
      const server = await serve(breaksOff(200), { body: '{"id":""}' });
      expect(await serviceAt(server.url).readDevice(CAR, never)).to.deep.equal({ id: "" });
    });

    for (const cut of ["{", '{"id":"x","metadata":{}', '{"id":"x}', '{"id":"\\\\"', '{"a":"}}', `{"a":[{"b":"}"}`]) {
      it(`a read that ends too soon, without a length, is tried again: ${cut}`, async () => {
        const server = await serve(withoutLength(cut), withoutLength('{"id":"{"}'));
        expect(await serviceAt(server.url).readDevice(CAR, never)).to.deep.equal({ id: "{" });
      });
    }

    for (const broken of ['{"id":NaN}', "{'id':'x'}", "null", ""]) {
      it(`a read that says ${broken || "nothing"} is no device, and is not tried again`, async () => {
        const { error, requests } = await refusedBy("read", [withoutLength(broken)]);
        expect(error.message).to.contain("the answer is not a JSON object");
        expect(requests).to.equal(1);
      });
    }

    const now = Date.parse("2026-03-01T12:00:00Z");
    const year = 365 * 24 * 3600 * 1000;
    const inTime = (time: number) => (seconds: number) => ({
      date: new Date(time).toUTCString(),
      "retry-after": new Date(time + seconds * 1000).toUTCString(),
    });
    const forms: [string, (seconds: number) => Record<string, string>][] = [
      ["seconds", (seconds) => ({ "retry-after": String(seconds) })],
      ["a date", inTime(now)],
      ["a date of a clock that is a year ahead", inTime(now + year)],
      ["a date of a clock that is a year behind", inTime(now - year)],
      ["a date, from a service that shows no clock", (seconds) => ({ ...inTime(now)(seconds), date: "" })],
    ];
    for (const [form, headers] of forms) {
      it(`Retry-After in ${form} is kept to`, async () => {
        const server = await serve({ status: 429, headers: headers(4) }, { body: '{"id":""}' });
        await serviceAt(server.url).readDevice(CAR, never);
        expect(clock.waits).to.deep.equal([4000]);
      });

      it(`Retry-After in ${form} beyond the time that is left fails at once and says the seconds`, async () => {
        const { error, requests } = await refusedBy("read", [{ status: 503, headers: headers(100) }]);
        expect(error.message).to.match(/HTTP 503.*asks to wait 100 s/);
        expect(requests).to.equal(1);
      });
    }

    it("the last failure is what is reported when the time is up", async () => {
      const { error, requests } = await refusedBy("update", [{ status: 500 }, { status: 503, body: "busy" }]);
      expect(error.message).to.match(/HTTP 503.*"busy"/);
      expect(requests).to.equal(5);
    });

    it("a request without an answer in time is tried once where there is no time for more", async () => {
      const limits = { requestTimeoutSeconds: 0.5, retryTimeoutSeconds: 0 };
      const { error, requests } = await refusedBy("read", [() => {}], limits);
      expect(error.message).to.match(/no whole answer within 0\.5 s/);
      expect(requests).to.equal(1);
    });
  });

  describe("an update that failed may have been applied", () => {
    const once = { retryTimeoutSeconds: 0 };
    const uncertain: [string, [Reply, ...Reply[]], Partial<ServiceOptions>][] = [
      ["where nothing was answered in time", [() => {}], { ...once, requestTimeoutSeconds: 0.5 }],
      ["where the connection was closed", [hangsUp], once],
      ["where the failure may pass", [{ status: 503 }], once],
      ["where it was refused after a try that was not answered", [hangsUp, { status: 403 }], {}],
      ["where it was refused after a try that failed in passing", [{ status: 502 }, { status: 422 }], {}],
      ["where the device is gone after a try that was not answered", [hangsUp, { status: 404 }], {}],
      ["where the answer is cut, though it says 200", [breaksOff(200)], once],
      ["where it was refused after a try whose answer was cut", [breaksOff(200), { status: 403 }], {}],
      ["where a refusal is cut, without a length", [withoutLength('{"error":"device is lo')], once],
      ["where the answer is over 1 MiB", [{ body: TOO_LARGE }], {}],
      ["where 200 says that there was an error", [{ body: '{"error":"device is locked"}' }], {}],
      ["where 200 says that there were errors", [{ body: '{"errors":[{"message":"locked"}]}' }], {}],
      ["where 200 says that it was no success", [{ body: '{"success":false}' }], {}],
    ];
    for (const [what, replies, options] of uncertain) {
      it(what, async () => {
        const { error, requests } = await refusedBy("update", replies, options);
        expect(error.maybeApplied).to.equal(true);
        expect(requests).to.equal(replies.length);
      });
    }

    it("and is sent again where the answer is cut, though it says 200", async () => {
      const server = await serve(breaksOff(200), {});
      await serviceAt(server.url).updateDevice(CAR, POLICY, never);
      expect(server.received.map(({ body }) => body)).to.deep.equal(Array(2).fill(JSON.stringify(POLICY)));
    });

    it("and what 200 says of the failure is shown, without the token", async () => {
      const { error } = await refusedBy("update", [{ body: '{"error":"locked for t0ken"}' }]);
      expect(error.message).to.contain(JSON.stringify('{"error":"locked for [redacted]"}'));
      expect(error).to.include({ status: 200, transient: false });
    });

    it("but not where the failure was that of another update", async () => {
      const server = await serve(hangsUp, {}, { status: 403 });
      const service = serviceAt(server.url);
      await service.updateDevice(CAR, POLICY, never);
      expect(await failureOf(service.updateDevice(CAR, POLICY, never))).to.include({ maybeApplied: false });
    });

    it("but a read never", async () => {
      expect((await refusedBy("read", [hangsUp, { status: 403 }])).error.maybeApplied).to.equal(false);
    });
  });
});
