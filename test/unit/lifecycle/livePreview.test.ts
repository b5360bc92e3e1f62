import { expect } from "chai";
import { livePreview } from "../../../provider/lifecycle/livePreview";
import type { DeviceService } from "../../../provider/service/client";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { virtualClock } from "../../support/clock";
import { expectFacts } from "../../support/facts";
import { COMPLETE, FakeService, runOf } from "../../support/fakes";
import { hangsUp, type Reply, servers, type TestServer } from "../../support/server";

const ref = (deviceId: string) => ({ businessId: "acme", deviceId });
const CAR: Reply = { body: '{"dev_type":"Electric vehicle","max_capacity":60000}' };

describe("livePreview", () => {
  const clock = virtualClock();
  const serve = servers();

  /** A reader for a service with these replies, and its warnings. */
  async function reader(environment: NodeJS.ProcessEnv, ...replies: [Reply, ...Reply[]]) {
    const server = await serve(...replies);
    const live = { SOLAR_CHARGING_BASE_URL: server.url, SOLAR_CHARGING_LIVE_PREVIEW: "true" };
    const run = runOf({ ...COMPLETE, ...live, ...environment });
    return { read: livePreview(run), server, warnings: run.shown };
  }

  const devicesIn = ({ received }: TestServer) => received.map(({ path }) => path.split("/").at(-1));

  it("shows the values of a device, and makes no other request than the cached read", async () => {
    const { read, server, warnings } = await reader({}, CAR);
    expect(await read(vehicle, ref("car"))).to.deep.equal({ values: { maxCapacity: 60_000 } });
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      "GET /api/v1/businesses/acme/devices/car",
    ]);
    expect(warnings).to.deep.equal([]);
  });

  it("reads nothing if it is not asked for", async () => {
    const { read, server } = await reader({ SOLAR_CHARGING_LIVE_PREVIEW: "false" }, CAR);
    expect(await read(vehicle, ref("car"))).to.equal(undefined);
    expect(server.received).to.deep.equal([]);
  });

  it("shows an inverter under the wire names of the configuration", async () => {
    const fields = { SOLAR_CHARGING_INVERTER_FIELDS: '{"tilt":"slope"}' };
    const { read } = await reader(fields, { body: '{"dev_type":"Inverter","slope":30}' });
    expect(await read(inverter, ref("roof"))).to.deep.equal({ values: { tilt: 30 } });
  });

  it("reads a device once, for any number of resources of any kind, at the same time or later, and another business's apart", async () => {
    const { read, server } = await reader({}, CAR);
    await Promise.all([read(vehicle, ref("car")), read(vehicle, ref("car")), read(inverter, ref("car"))]);
    await read(vehicle, ref("car"));
    expect(server.received).to.have.lengthOf(1);
    await read(vehicle, { ...ref("car"), businessId: "north" });
    expect(server.received).to.have.lengthOf(2);
  });

  it("reads many devices at once, of which Node has nothing to warn", async () => {
    const { read } = await reader({}, CAR);
    const warnings: string[] = [];
    const collect = ({ name }: Error) => warnings.push(name);
    process.on("warning", collect);
    await Promise.all(Array.from({ length: 20 }, (_, index) => read(vehicle, ref(`car-${index}`))));
    process.off("warning", collect);
    // Node may warn about something else meanwhile, such as a module that is loaded for the first time.
    expect(warnings).to.not.include("MaxListenersExceededWarning");
  });

  describe("finds a problem of the device, and continues with others, if", () => {
    for (const [what, reply, problem] of [
      ["it does not exist", { status: 404, body: "{}" }, "noSuchDevice"],
      ["it is of another type", { body: '{"dev_type":"Inverter"}' }, "otherKind"],
      ["it may not be read", { status: 403 }, "notAllowed"],
      ["the request for it is refused", { status: 400 }, "requestRefused"],
    ] as const) {
      it(what, async () => {
        const { read, warnings } = await reader({}, reply, CAR);
        const found = await read(vehicle, ref("car"));
        expect(found?.problem?.code).to.equal(problem);
        expect(await read(vehicle, ref("car"))).to.equal(undefined); // The problem was reported already.
        expect(await read(vehicle, ref("van"))).to.have.property("values");
        expect(warnings).to.deep.equal([]);
      });
    }
  });

  describe("ends with one warning, and knows nothing of any device, if", () => {
    const once = { SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0", SOLAR_CHARGING_MAX_CONCURRENCY: "1" };
    for (const [what, reply, reason] of [
      ["the service is failing", { status: 503 }, ["HTTP 503"]],
      ["the service cannot do it at all", { status: 501 }, ["HTTP 501"]],
      ["the token is not accepted", { status: 401 }, ["HTTP 401", "SOLAR_CHARGING_ACCESS_TOKEN"]],
      ["another server answers", { body: "<html>Sign in" }, ['"Sign in"']],
      ["the service cannot be reached", hangsUp, ["http://127.0.0.1", "ECONNRESET"]],
    ] as const) {
      it(`${what}; what still waits is not read`, async () => {
        const { read, server, warnings } = await reader(once, reply);
        const found = await Promise.all(["car", "van", "bus"].map((id) => read(vehicle, ref(id))));
        expect(found).to.deep.equal([undefined, undefined, undefined]);
        expect(await read(vehicle, ref("late"))).to.equal(undefined);
        expect(devicesIn(server)).to.deep.equal(["car"]);
        expect(warnings).to.have.lengthOf(1);
        expectFacts(warnings[0], reason);
      });
    }

    for (const [what, environment] of [
      ["the configuration is not complete", { SOLAR_CHARGING_ACCESS_TOKEN: "" }],
      ["the configuration is wrong", { SOLAR_CHARGING_MAX_CONCURRENCY: "0" }],
    ] as const) {
      it(what, async () => {
        const { read, server, warnings } = await reader(environment, CAR);
        const found = await Promise.all(["car", "van"].map((id) => read(vehicle, ref(id))));
        expect([found, server.received, warnings.length]).to.deep.equal([[undefined, undefined], [], 1]);
        expect(warnings[0]).to.contain(Object.keys(environment)[0]);
      });
    }
  });

  it("tries again while the service is failing, for no longer than 5 s", async () => {
    clock.random = 1;
    const begin = Date.now();
    const { read, server, warnings } = await reader({ SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "120" }, { status: 503 });
    await read(vehicle, ref("car"));
    expect(server.received).to.have.lengthOf(4);
    expect(Date.now() - begin).to.be.at.most(5000);
    expect(warnings).to.have.lengthOf(1);
  });

  for (const [what, seconds, most] of [
    ["10 s for an answer, and tries again for 5 s,", { request: "30", retry: "120" }, { request: 10, retry: 5 }],
    ["as long as the configuration says, where that is less,", { request: "2", retry: "1" }, { request: 2, retry: 1 }],
  ] as const) {
    it(`waits at most ${what}, because a user is watching`, async () => {
      const asked: unknown[] = [];
      const service: DeviceService = Object.assign(new FakeService(), {
        readDevice: async (...[, , { retries } = {}]: Parameters<DeviceService["readDevice"]>) => {
          asked.push({ request: retries?.requestTimeoutSeconds, retry: retries?.retryTimeoutSeconds });
          return {};
        },
      });
      const environment = {
        ...COMPLETE,
        SOLAR_CHARGING_LIVE_PREVIEW: "true",
        SOLAR_CHARGING_REQUEST_TIMEOUT_SECONDS: seconds.request,
        SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: seconds.retry,
      };
      await livePreview(runOf(environment, service))(vehicle, ref("car"));
      expect(asked).to.deep.equal([most]);
    });
  }

  it("does not try again if the configuration forbids it, and does not report an outage that passes", async () => {
    const once = await reader({ SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0" }, { status: 503 });
    await once.read(vehicle, ref("car"));
    expect(once.server.received).to.have.lengthOf(1);
    const { read, warnings } = await reader({}, { status: 503 }, CAR);
    expect(await read(vehicle, ref("car"))).to.have.property("values");
    expect(warnings).to.deep.equal([]);
  });

  for (const [what, given] of [
    ["an empty id", ref("")],
    ["an id that a path cannot carry", ref("..")],
    ["no id", ref(undefined as unknown as string)],
    ["no business", { deviceId: "car", businessId: undefined as unknown as string }],
  ] as const) {
    it(`does not read ${what}, which the check refuses`, async () => {
      const { read, server, warnings } = await reader({}, CAR);
      expect(await read(vehicle, given)).to.equal(undefined);
      expect(server.received).to.deep.equal([]);
      expect(warnings).to.deep.equal([]);
    });
  }
});
