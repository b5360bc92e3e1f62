import { getEventListeners } from "node:events";
import { expect } from "chai";
import { problemOf } from "../../../provider/messages/message";
import type { DeviceService, ServiceOptions } from "../../../provider/service/client";
import { nameOf } from "../../../provider/service/device";
import { ServiceError } from "../../../provider/service/errors";
import { virtualClock } from "../../support/clock";
import { expectFacts } from "../../support/facts";
import { failureOf } from "../../support/failure";
import { breaksOff, hangsUp, type Received, type Reply, servers, withoutLength } from "../../support/server";
import { CAR, CAR_PATH, never, POLICY, serviceAt } from "../../support/service";

const LATEST_PATH = `${CAR_PATH}/metrics/latest`;
const JSON_TYPE = { "content-type": "application/json" };
const TOO_LARGE = JSON.stringify({ id: "x".repeat(1024 * 1024) });
/** A time limit that some tests wait for, in seconds. A request has to arrive in it on a busy machine too. */
const SHORT = 1.5;
const ref = (deviceId: string) => ({ businessId: "acme", deviceId });

describe("device service", () => {
  const serve = servers();
  const clock = virtualClock();
  beforeEach(() => {
    // Without pauses, a failure that never ends would be retried forever.
    clock.random = 0.5;
  });

  /** The error of a read or an update of the car after these answers in turn, and the number of requests. */
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

    it("reads a device, and shows its token", async () => {
      const server = await serve({ body });
      expect(await serviceAt(server.url).readDevice(CAR, never)).to.deep.equal({ id: "car", max_capacity: 77_000 });
      expect(server.received).to.have.lengthOf(1);
      expect(server.received[0]).to.include({ method: "GET", path: CAR_PATH, body: "" });
      expect(server.received[0]?.headers).to.include({ authorization: "Bearer t0ken" });
    });

    it("updates a device with exactly the given fields, and reads nothing", async () => {
      const server = await serve({});
      await serviceAt(server.url).updateDevice(CAR, { max_capacity: 77_000.5, ...POLICY }, never);
      const sent = '{"max_capacity":77000.5,"policy":"CHARGE BY"}';
      expect(server.received).to.have.lengthOf(1);
      expect(server.received[0]).to.include({ method: "PATCH", path: CAR_PATH, body: sent });
      expect(server.received[0]?.headers).to.include({ "content-type": "application/json" });
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

      it(`is an error on an update that is answered ${status}, because the device is gone`, async () => {
        const { error, requests } = await refusedBy("update", [unknown]);
        expect(error).to.include({ status, isGone: true, transient: false, maybeApplied: false });
        expect(requests).to.equal(1);
      });

      it(`is not what a web page says with ${status}`, async () => {
        for (const operation of ["read", "update"] as const) {
          const { error } = await refusedBy(operation, [page]);
          expect(error).to.include({ status, isGone: false });
          expect(error.problem).to.deep.include({ code: "notTheService", keys: ["baseUrl"] });
          expect(error.problem.extract).to.contain("Nothing here");
        }
      });
    }
  });

  describe("failures that may pass", () => {
    for (const status of [408, 425, 429, 500, 502, 503, 504, 507, 520, 522, 524, 529, 599]) {
      it(`${status}: the read and the update are tried again`, async () => {
        const server = await serve({ status }, { status }, { body: '{"id":""}' }, { status }, {});
        const service = serviceAt(server.url);
        expect(await service.readDevice(CAR, never)).to.deep.equal({ id: "" });
        await service.updateDevice(CAR, POLICY, never);
        expect(server.received.map(({ method }) => method)).to.deep.equal(["GET", "GET", "GET", "PATCH", "PATCH"]);
        expect(server.received[4]?.body).to.equal(server.received[3]?.body);
      });
    }

    const cuts = ["{", '{"id":"x","metadata":{}', '{"id":"x}', '{"id":"\\\\"', '{"a":"}}', `{"a":[{"b":"}"}`];
    for (const [what, reply] of [
      ["a connection that is closed", hangsUp],
      ["a read whose body breaks off", breaksOff(200)],
      ...cuts.map((cut) => [`a read that ends too soon, without a length: ${cut}`, withoutLength(cut)] as const),
    ] as const) {
      it(`${what} is tried again`, async () => {
        const server = await serve(reply, withoutLength('{"id":"{"}'));
        expect(await serviceAt(server.url).readDevice(CAR, never)).to.deep.equal({ id: "{" });
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

      it(`Retry-After in ${form} beyond the remaining time fails immediately and names the seconds`, async () => {
        const { error, requests } = await refusedBy("read", [{ status: 503, headers: headers(100) }]);
        expect(error).to.include({ status: 503 });
        expect(error.problem.code).to.equal("askedToWait");
        expectFacts(error.message, [" 100 s"]);
        expect(requests).to.equal(1);
      });
    }

    it("the last failure is what is reported when the time is up", async () => {
      const { error, requests } = await refusedBy("update", [{ status: 500 }, { status: 503, body: "busy" }]);
      expect(error).to.include({ status: 503 });
      expect(error.problem.extract).to.equal("busy");
      expect(requests).to.equal(5);
    });

    it("a request without an answer in time is tried once if there is no time for more", async () => {
      const limits = { requestTimeoutSeconds: SHORT, retryTimeoutSeconds: 0 };
      const { error, requests } = await refusedBy("read", [() => {}], limits);
      expect(error.problem.code).to.equal("timeout");
      expect(requests).to.equal(1);
    });
  });

  describe("an update that failed may have been applied", () => {
    const once = { retryTimeoutSeconds: 0 };
    const uncertain: [string, [Reply, ...Reply[]], Partial<ServiceOptions>][] = [
      ["where nothing was answered in time", [() => {}], { ...once, requestTimeoutSeconds: SHORT }],
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

    it("and is sent again if the answer is cut, though it says 200", async () => {
      const server = await serve(breaksOff(200), {});
      await serviceAt(server.url).updateDevice(CAR, POLICY, never);
      expect(server.received.map(({ body }) => body)).to.deep.equal(Array(2).fill(JSON.stringify(POLICY)));
    });

    it("shows the failure from a 200 answer, without the token", async () => {
      const { error } = await refusedBy("update", [{ body: '{"error":"locked for t0ken"}' }]);
      expect(error.problem).to.include({ code: "updateFailed", extract: '{"error":"locked for [redacted]"}' });
      expect(error).to.include({ status: 200, transient: false });
    });

    it("but not if the failure was that of another update", async () => {
      const server = await serve(hangsUp, {}, { status: 403 });
      const service = serviceAt(server.url);
      await service.updateDevice(CAR, POLICY, never);
      expect(await failureOf(service.updateDevice(CAR, POLICY, never))).to.include({ maybeApplied: false });
    });

    it("but a read never", async () => {
      expect((await refusedBy("read", [hangsUp, { status: 403 }])).error.maybeApplied).to.equal(false);
    });
  });

  it("an update that found no connection has certainly not been applied", async () => {
    const service = serviceAt("http://127.0.0.1:1", { retryTimeoutSeconds: 0 });
    const error = await failureOf(service.updateDevice(CAR, POLICY, never));
    expect(error).to.include({ transient: true, maybeApplied: false });
    const lost = await refusedBy("update", [hangsUp], { retryTimeoutSeconds: 0 });
    expect(lost.error).to.include({ transient: true, maybeApplied: true });
  });

  describe("failures that are final", () => {
    for (const status of [400, 401, 402, 403, 405, 409, 412, 413, 415, 418, 422, 501, 505, 511]) {
      it(`${status} is not tried again, on a read or an update`, async () => {
        for (const operation of ["read", "update"] as const) {
          const { error, requests } = await refusedBy(operation, [{ status, body: '{"reason":"no"}' }]);
          expect(error).to.include({ operation, status, transient: false, maybeApplied: false });
          expectFacts(error.message, [operation, nameOf(CAR), `HTTP ${status}`]);
          expect(requests).to.equal(1);
        }
      });
    }

    const unreadable: [string, Reply][] = [
      ["breaks off", breaksOff(403)],
      ["is over 1 MiB", { status: 403, body: TOO_LARGE }],
    ];
    for (const [what, reply] of unreadable) {
      it(`403 is not tried again if its body ${what}`, async () => {
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
          expect(error.problem.code).to.equal("redirect");
          // A gateway can redirect after it has forwarded an update.
          expect(error.maybeApplied).to.equal(operation === "update");
          expect(requests).to.equal(1);
        }
        expect(target.received).to.deep.equal([]);
      });
    }

    for (const body of ["", "<html>", "[]", '[{"id":"car"}]', '"car"', "null", "5", '{"id":NaN}', "{'id':'x'}"]) {
      it(`200 with ${JSON.stringify(body)} is no device and no metrics, and is not tried again`, async () => {
        for (const read of ["readDevice", "readLatestMetrics"] as const) {
          for (const reply of [{ body }, withoutLength(body)]) {
            const server = await serve(reply);
            const error = await failureOf(serviceAt(server.url)[read](CAR, never));
            expect(problemOf(error)).to.deep.include({ code: "notTheService", keys: ["baseUrl"] });
            expect(server.received).to.have.lengthOf(1);
          }
        }
      });
    }

    const strangers = [
      { message: "Welcome" },
      { status: "ok" },
      { message: "Not found", code: 404 },
      { data: null },
      { data: { id: "car", dev_type: "Electric vehicle" } },
      { devices: [{ id: "car" }] },
      { id: null },
      {},
      { error: "offline", id: null },
    ];
    for (const stranger of strangers) {
      it(`200 with ${JSON.stringify(stranger)} is neither a car nor an inverter, and is not tried again`, async () => {
        for (const shape of ["car", "device"] as const) {
          const server = await serve({ body: JSON.stringify(stranger) });
          const error = await failureOf(serviceAt(server.url).readDevice(CAR, never, { shape }));
          const extract = JSON.stringify(stranger);
          expect(problemOf(error)).to.deep.include({ code: "notTheService", keys: ["baseUrl"], extract });
          expect(server.received).to.have.lengthOf(1);
        }
      });
    }

    const partial: [fields: object, isCar: boolean][] = [
      [{ id: 7 }, true],
      [{ policy: "CHARGE BY" }, true],
      [{ metadata: {} }, true],
      [{ dev_type: "Electric vehicle" }, true],
      [{ setup_complete: true }, false],
      [{ nominal_power: 9800 }, false],
    ];
    for (const [fields, isCar] of partial) {
      it(`200 with ${JSON.stringify(fields)} is ${isCar ? "a device" : "an inverter, but no car"}`, async () => {
        const server = await serve({ body: JSON.stringify(fields) });
        const service = serviceAt(server.url, { inverterFields: ["nominal_power"] });
        const isRead = (shape: "car" | "device") =>
          service.readDevice(CAR, never, { shape }).then(
            () => true,
            () => false,
          );
        expect([await isRead("car"), await isRead("device")]).to.deep.equal([isCar, true]);
      });
    }

    it("an object that is examined may be any but an error", async () => {
      const server = await serve({ body: '{"message":"Welcome"}' });
      expect(await serviceAt(server.url).readObject(CAR, never)).to.deep.equal({ message: "Welcome" });
      const error = await refusedByBody('{"error":"offline"}');
      expect(problemOf(error)).to.include({ code: "notTheService" });
    });

    const refusedByBody = async (body: string) =>
      failureOf(serviceAt((await serve({ body })).url).readObject(CAR, never));

    it("206 is no whole answer: it is tried again, and an update of unknown outcome", async () => {
      const part = { status: 206, body: '{"id":"car"}' };
      const options = { retryTimeoutSeconds: 0 };
      const read = await refusedBy("read", [part], options);
      expect(read.error)
        .to.include({ transient: true, maybeApplied: false })
        .and.have.nested.property("problem.code", "cutAnswer");
      expect((await refusedBy("update", [part], options)).error).to.include({ transient: true, maybeApplied: true });
    });

    for (const body of ["<!doctype html><h1>Sign in</h1>", " \n<html>"]) {
      it(`200 with ${JSON.stringify(body)} to an update may be a portal's or a gateway's, and is not tried again`, async () => {
        const { error, requests } = await refusedBy("update", [{ body }]);
        expect(error.problem).to.deep.include({ code: "notTheService", keys: ["baseUrl"] });
        expect(error.maybeApplied).to.equal(true);
        expect(requests).to.equal(1);
      });
    }

    it("a read over 1 MiB is reported, and not tried again", async () => {
      const { error, requests } = await refusedBy("read", [{ body: TOO_LARGE }]);
      expect(error.problem).to.deep.include({ code: "notTheService", keys: ["baseUrl"] });
      expect(requests).to.equal(1);
    });
  });

  describe("the service's words about the token are not shown", () => {
    const said = "token t0ken, dDBrZW4=, Authorization: Bearer abc\r\nis bad";
    const shown = "token [redacted], [redacted], Authorization: Bearer [redacted] is bad";
    const places: [string, Reply][] = [
      ["in a refusal", { status: 401, body: said }],
      ["in an answer that is no device", { body: said }],
    ];
    for (const [where, reply] of places) {
      it(where, async () => {
        const { error } = await refusedBy("read", [reply]);
        expect(error.problem.extract).to.equal(shown);
        expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.to.match(/t0ken|dDBrZW4|abc/);
      });
    }

    it("in a reason phrase", async () => {
      const { error } = await refusedBy("read", [{ status: 401, statusText: "No t0ken" }]);
      expect(error.message).to.match(/HTTP 401 No \[redacted\]/);
    });
  });
});

describe("device service: the latest read", () => {
  const serve = servers();

  it("gives the metrics as they are, from a path of their own", async () => {
    const server = await serve({ body: '{"state_of_charge":62.5,"plug_status":1,"more":[null]}' });
    expect(await serviceAt(server.url).readLatestMetrics(CAR, never)).to.deep.equal({
      state_of_charge: 62.5,
      plug_status: 1,
      more: [null],
    });
    expect(server.received.map(({ method, path, body }) => [method, path, body])).to.deep.equal([
      ["GET", LATEST_PATH, ""],
    ]);
    expect(server.received[0]?.headers).to.include({ authorization: "Bearer t0ken" });
  });

  const failures: [string, Reply, Partial<ServiceOptions>][] = [
    ["is answered 429", { status: 429, headers: { "retry-after": "0" } }, {}],
    ["is answered 503", { status: 503 }, {}],
    ["is answered 403", { status: 403 }, {}],
    ["has no answer in time", () => {}, { requestTimeoutSeconds: SHORT }],
    ["is cut off", hangsUp, {}],
    ["is cut off in its answer", breaksOff(200), {}],
  ];
  for (const [what, reply, options] of failures) {
    it(`is never tried again if it ${what}: each try can wake the car`, async () => {
      const server = await serve(reply, { body: '{"id":""}' });
      const error = await failureOf(
        serviceAt(server.url, { retryTimeoutSeconds: 3600, ...options }).readLatestMetrics(CAR, never),
      );
      expect(error).to.be.instanceOf(ServiceError).and.include({ maybeApplied: false });
      expect(error).to.include({ operation: "read the latest metrics of", device: CAR });
      expect(server.received).to.have.lengthOf(1);
    });
  }

  it("is undefined if the service does not know the device", async () => {
    const server = await serve({ status: 404, headers: { "content-type": "application/json" }, body: '{"id":""}' });
    expect(await serviceAt(server.url).readLatestMetrics(CAR, never)).to.equal(undefined);
    expect(server.received).to.have.lengthOf(1);
  });
});

describe("device service: devices that are gone", () => {
  const serve = servers();

  /** A server that knows the devices without these words in their path. */
  function knowsOthers(...words: string[]): Reply {
    return (response, { path, method }: Received) => {
      const isKnown = words.every((word) => !path.includes(word));
      response.writeHead(isKnown ? 200 : 404).end(method === "GET" ? '{"policy":"CHARGE BY"}' : "");
    };
  }

  /** Whether each of these devices is gone, if all are read at the same time. */
  async function goneOf(service: DeviceService, devices: readonly string[]) {
    const ask = async (deviceId: string) => {
      if (await service.readDevice(ref(deviceId), never)) return "known";
      return await service.confirmGone(ref(deviceId)).then(
        () => "gone",
        () => "refused",
      );
    };
    return await Promise.all(devices.map(ask));
  }

  it("one alone is gone, and so are some among others that are known", async () => {
    const { url } = await serve(knowsOthers("car"));
    expect(await goneOf(serviceAt(url), ["car"])).to.deep.equal(["gone"]);
    expect(await goneOf(serviceAt(url), ["car1", "car2", "van1", "van2"])).to.deep.equal([
      "gone",
      "gone",
      "known",
      "known",
    ]);
  });

  it("most do not count as gone, and the error says at which address", async () => {
    const { url } = await serve(knowsOthers("car"));
    const service = serviceAt(`${url}/wrong`);
    expect(await goneOf(service, ["car1", "car2", "van"])).to.deep.equal(["refused", "refused", "known"]);
    const error = (await failureOf(service.confirmGone(ref("car1")))) as ServiceError;
    expect(error).to.deep.include({ isGone: false, transient: false, maybeApplied: false });
    expect(error.problem.code).to.equal("mostUnknown");
    expectFacts(error.message, [`${url}/wrong/api/v1/businesses/acme.`, "SOLAR_CHARGING_ALLOW_GONE=true"]);
  });

  it("most are gone if that is allowed", async () => {
    const { url } = await serve(knowsOthers("car"));
    const gone = await goneOf(serviceAt(url, { allowGone: true }), ["car1", "car2", "car3"]);
    expect(gone).to.deep.equal(["gone", "gone", "gone"]);
  });

  it("an update that is accepted speaks for the address, a latest read that finds nothing does not speak against it", async () => {
    const { url } = await serve(knowsOthers("car", "metrics"));
    const service = serviceAt(url);
    await service.updateDevice(ref("van"), { policy: "CHARGE BY" }, never);
    await service.readLatestMetrics(ref("truck"), never);
    expect(await goneOf(service, ["car"])).to.deep.equal(["gone"]);
    expect(await goneOf(service, ["car2"])).to.deep.equal(["refused"]);
  });
});

describe("device service: limits", () => {
  const serve = servers();

  /** A server whose answers wait until they are released. */
  async function held() {
    const open: { path: string; release: () => void }[] = [];
    let arrived = () => {};
    const server = await serve((response, { path }) => {
      if (path === "/probe") {
        response.end();
        return;
      }
      open.push({ path, release: () => response.end('{"id":""}') });
      arrived();
    });
    /**
     * The paths of the open requests, once there are this many and all others that were sent with them have arrived.
     */
    const opened = async (count: number) => {
      while (open.length < count) await new Promise<void>((next) => (arrived = next));
      for (let probes = 0; probes < 3; probes++) await fetch(`${server.url}/probe`);
      return open.map(({ path }) => path);
    };
    const release = (path: string) => {
      const index = open.findIndex((request) => request.path === path);
      open.splice(index, 1)[0]?.release();
    };
    return { url: server.url, opened, release };
  }

  it("no more than maxConcurrency requests are in flight", async () => {
    const { url, opened, release } = await held();
    const service = serviceAt(url, { maxConcurrency: 3 });
    const reads = Array.from({ length: 8 }, (_, i) => service.readDevice({ ...CAR, deviceId: `car${i}` }, never));
    for (let left = 8; left > 0; left--) {
      const paths = await opened(Math.min(left, 3));
      expect(paths).to.have.lengthOf(Math.min(left, 3));
      release(paths[0] as string);
    }
    await Promise.all(reads);
  });

  it("never two requests are in flight for one device, while others go on", async () => {
    const { url, opened, release } = await held();
    const service = serviceAt(url);
    const otherPath = CAR_PATH.replace("acme", "other");
    const requests: [string, Promise<unknown>][] = [
      [CAR_PATH, service.readDevice(CAR, never)],
      [CAR_PATH, service.updateDevice(CAR, { policy: "CHARGE BY" }, never)],
      [`${CAR_PATH}/metrics/latest`, service.readLatestMetrics(CAR, never)],
      [CAR_PATH, service.readDevice(CAR, never)],
    ];
    const other = service.readDevice({ ...CAR, businessId: "other" }, never);
    for (const [path, request] of requests) {
      expect(await opened(2)).to.have.members([path, otherPath]);
      release(path);
      await request;
    }
    release(otherPath);
    await other;
  });

  it("a device that failed can be asked again", async () => {
    const server = await serve({ status: 400 }, { body: '{"id":""}' });
    const service = serviceAt(server.url, { maxConcurrency: 1 });
    await failureOf(service.readDevice(CAR, never));
    expect(await service.readDevice(CAR, never)).to.deep.equal({ id: "" });
  });

  it("a call that is asked to stop ends with the reason", async () => {
    const { url, opened } = await held();
    const stop = new AbortController();
    const read = failureOf(serviceAt(url).readDevice(CAR, stop.signal));
    await opened(1);
    stop.abort(new Error("create gave up"));
    expect((await read).message).to.equal("create gave up");
  });

  it("any number of requests share a signal without a warning of Node, and stop listening when they are done", async () => {
    const warnings: string[] = [];
    const heed = ({ name }: Error) => warnings.push(name);
    process.on("warning", heed);
    const { url, opened, release } = await held();
    const service = serviceAt(url);
    const { signal } = new AbortController();
    const reads = Array.from({ length: 12 }, (_, i) => service.readDevice({ ...CAR, deviceId: `car${i}` }, signal));
    for (const path of await opened(reads.length)) release(path);
    await Promise.all(reads);
    process.off("warning", heed);
    // Node may warn about something else meanwhile, such as a module that is loaded for the first time.
    expect(warnings).to.not.include("MaxListenersExceededWarning");
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });

  it("a call that waits for its turn ends immediately when it is asked to stop, and sends nothing", async () => {
    const { url, opened, release } = await held();
    const service = serviceAt(url, { maxConcurrency: 1 });
    const other = { ...CAR, deviceId: "other" };
    const first = service.readDevice(CAR, never);
    const stop = new AbortController();
    const waiting = [service.readDevice(CAR, stop.signal), service.readDevice(other, stop.signal)].map(failureOf);
    await opened(1);
    stop.abort(new Error("create gave up"));
    for (const failure of await Promise.all(waiting)) expect(failure.message).to.equal("create gave up");
    release(CAR_PATH);
    await first;
    const last = service.updateDevice(other, { policy: "CHARGE BY" }, never);
    expect(await opened(1)).to.deep.equal([CAR_PATH.replace("car", "other")]);
    release(CAR_PATH.replace("car", "other"));
    await last;
  });

  it("a call that was asked to stop before it began sends nothing", async () => {
    const server = await serve({ body: '{"id":""}' });
    const read = serviceAt(server.url).readDevice(CAR, AbortSignal.abort(new Error("too late")));
    expect((await failureOf(read)).message).to.equal("too late");
    expect(server.received).to.deep.equal([]);
  });
});
