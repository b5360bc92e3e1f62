import { expect } from "chai";
import { readDevice, readLatestMetrics } from "../../../provider/engine/getDevice";
import { wakesCar } from "../../../provider/engine/messages";
import { problemOf } from "../../../provider/messages/message";
import { IN_STACK } from "../../../provider/messages/names";
import { nameOf } from "../../../provider/service/device";
import { expectFacts } from "../../support/facts";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE, fleet, runOf } from "../../support/fakes";
import { servers } from "../../support/server";

const WAKING = { allowWake: true, isPreview: false };

const READS = {
  readDevice,
  readLatestMetrics: (...[run, args]: Parameters<typeof readDevice>) => readLatestMetrics(run, { ...args, ...WAKING }),
};

for (const [name, read] of Object.entries(READS)) {
  describe(name, () => {
    const path = name === "readDevice" ? "" : "/metrics/latest";

    it("makes one request", async () => {
      const service = fleet();
      await read(runOf(COMPLETE, service), { deviceId: "car" });
      expect(service.requests).to.deep.equal([`GET acme/car${path}`]);
    });

    it("reads a device of the business that is given", async () => {
      const service = fleet().put({ businessId: "north", deviceId: "car" }, {});
      await read(runOf(COMPLETE, service), { deviceId: "car", businessId: "north" });
      expect(service.requests).to.deep.equal([`GET north/car${path}`]);
    });

    it("fails if the service does not know the device, with its business", async () => {
      const error = await failureOf(read(runOf(COMPLETE, fleet()), { deviceId: "nope" }));
      expect(problemOf(error)).to.include({ code: "noSuchDevice", device: nameOf({ ...CAR, deviceId: "nope" }) });
    });

    for (const [what, args, expected] of [
      ["no device", {}, /^deviceId /],
      ["an empty id", { deviceId: "" }, /^deviceId /],
      ["an id that a path cannot carry", { deviceId: ".." }, /^deviceId .*'\.\.'/],
      [
        "a business of another type",
        { deviceId: "car", businessId: 7 },
        /^businessId .* 7 .*solar-charging:businessId/,
      ],
    ] as const) {
      it(`refuses ${what}, without a request`, async () => {
        const service = fleet();
        const error = await failureOf(read(runOf(COMPLETE, service), args as { deviceId: string }));
        expect(problemOf(error).code).to.equal("badId");
        expect(error.message).to.match(expected);
        expect(service.requests).to.deep.equal([]);
      });
    }

    it("names the places for a missing business", async () => {
      const { SOLAR_CHARGING_BUSINESS_ID: _, ...environment } = COMPLETE;
      const error = await failureOf(read(runOf(environment, fleet()), { deviceId: "car" }));
      expect(problemOf(error)).to.deep.include({ code: "badId", keys: ["businessId"] });
      expectFacts(error.message, ["businessId ", IN_STACK.allOf("businessId")]);
    });

    it("names the missing configuration", async () => {
      const error = await failureOf(read(runOf({}), { deviceId: "car", businessId: "acme" }));
      expect(problemOf(error)).to.deep.include({ code: "notUsable", keys: ["baseUrl", "accessToken"] });
    });
  });
}

describe("readDevice", () => {
  it("shows the device, an inverter with the wire names of the configuration", async () => {
    const service = fleet({ max_capacity: 60_000 }, { slope: 30 });
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_INVERTER_FIELDS: '{"tilt":"slope"}' }, service);
    expect(await readDevice(run, { deviceId: "car" })).to.deep.include({
      businessId: "acme",
      deviceId: "car",
      devType: "Electric vehicle",
      reported: { maxCapacity: 60_000 },
    });
    expect(await readDevice(run, { deviceId: "roof" })).to.deep.include({ reported: { tilt: 30 } });
  });
});

describe("readLatestMetrics", () => {
  const serve = servers();

  it("gives the metrics as they are", async () => {
    expect(await READS.readLatestMetrics(runOf(COMPLETE, fleet()), { deviceId: "car" })).to.deep.equal({
      state_of_charge: 62,
    });
  });

  it("is not tried again, however long may be retried", async () => {
    const server = await serve({ status: 503, headers: { "retry-after": "0" } });
    const environment = {
      ...COMPLETE,
      SOLAR_CHARGING_BASE_URL: server.url,
      SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "60",
    };
    expect((await failureOf(READS.readLatestMetrics(runOf(environment), { deviceId: "car" }))).message).to.contain(
      "HTTP 503",
    );
    expect(server.received).to.have.lengthOf(1);
  });
});

describe("a read that can wake a car", () => {
  it("is refused unless the program allows it, and in previews", async () => {
    const refused = [undefined, false, "true", 1].map((allowWake) => ({ allowWake, isPreview: false }));
    for (const waking of [
      ...refused,
      { allowWake: true, isPreview: true },
      { allowWake: undefined, isPreview: true },
    ]) {
      const service = fleet();
      const error = await failureOf(readLatestMetrics(runOf(COMPLETE, service), { deviceId: "car", ...waking }));
      expect(problemOf(error), JSON.stringify(waking)).to.deep.equal(wakesCar(waking.allowWake === true));
      expect(service.requests).to.deep.equal([]);
    }
  });
});
