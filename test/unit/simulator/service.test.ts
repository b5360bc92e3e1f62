import { expect } from "chai";
import { call, devicePath, patch, read, simulators } from "../../support/simulators";

describe("simulator: the device service", () => {
  const start = simulators();

  describe("the token (interface 5)", () => {
    for (const [what, authorization] of [
      ["no header", undefined],
      ["another token", "Bearer wrong"],
      ["another scheme", "Basic simulator-token"],
    ] as const) {
      for (const [method, path] of [
        ["GET", devicePath("car")],
        ["GET", `${devicePath("car")}/metrics/latest`],
        ["PATCH", devicePath("car")],
      ] as const) {
        it(`refuses ${method} ${path} with ${what}`, async () => {
          const simulator = await start();
          const headers = authorization === undefined ? {} : { authorization };
          const response = await fetch(simulator.url + path, { method, headers });
          expect(response.status).to.equal(401);
          expect(await response.json())
            .to.have.property("error")
            .that.includes("Authorization");
        });
      }
    }

    it("is simulator-token unless the fleet has another", async () => {
      expect((await start()).token).to.equal("simulator-token");
      const other = await start({ fleet: { token: "t-2", businesses: { acme: { car: { type: "vehicle" } } } } });
      expect(other.token).to.equal("t-2");
      expect((await read(other, "car")).status).to.equal(200);
    });
  });

  describe("the cached read (interface 4.1)", () => {
    it("answers with the vehicle object of interface 2.1 to 2.4", async () => {
      const { status, json } = await read(await start(), "car");
      expect(status).to.equal(200);
      const { phys_id, ...device } = json();
      expect(phys_id).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(device).to.deep.equal({
        __typename: "Vehicle",
        id: "car",
        dev_make: "tesla",
        dev_type: "Electric vehicle",
        setup_complete: true,
        metadata: {
          id: "car",
          dev_id: "car",
          dev_type: "Electric vehicle",
          dev_make: "tesla",
          phys_id,
          setup_complete: true,
        },
        connector_data: { title: "Pool car", display_name: "Pool car", location_aware: true },
        config: {
          opt_out: false,
          opt_out_until: "",
          charge_by: "07:00",
          charge_from: "00:00",
          guaranteed_max_price: null,
          guaranteed_soc: 40,
          target_soc: 80,
        },
        policy: "CHARGE BY",
        max_capacity: 60_000,
      });
    });

    it("shows an inverter as an inverter, without a policy", async () => {
      const device = (await read(await start(), "roof")).json();
      expect(device).to.include({ __typename: "Inverter", dev_type: "Inverter", id: "roof", peak_power: 9_800 });
      expect(device).not.to.have.property("policy");
    });

    it("gives each device a physical id of its own, the same each time", async () => {
      const [one, two] = [await start(), await start()];
      const id = async (simulator: typeof one, device: string) => (await read(simulator, device)).json().phys_id;
      expect(await id(one, "car"))
        .to.equal(await id(two, "car"))
        .and.not.to.equal(await id(one, "roof"));
    });
  });

  describe("the latest read (interface 4.2)", () => {
    it("answers with numbers only", async () => {
      const { status, json } = await call(await start(), "GET", `${devicePath("car")}/metrics/latest`);
      expect(status).to.equal(200);
      expect(json()).to.have.keys("state_of_charge", "plug_status");
      for (const value of Object.values(json())) expect(value).to.be.a("number");
    });

    it("is counted, and other requests are not", async () => {
      const simulator = await start();
      await read(simulator, "car");
      await patch(simulator, "car", {});
      expect(simulator.latestReads).to.equal(0);
      await call(simulator, "GET", `${devicePath("car")}/metrics/latest`);
      expect(simulator.latestReads).to.equal(1);
    });
  });

  describe("addresses", () => {
    it("answers 404 for an unknown device, business and path", async () => {
      const simulator = await start();
      for (const path of [
        devicePath("bike"),
        devicePath("car", "other"),
        "/api/v2/x",
        `${devicePath("car")}/metrics`,
      ]) {
        const { status, json } = await call(simulator, "GET", path);
        expect(status, path).to.equal(404);
        expect(json(), path).to.have.property("error").that.is.a("string");
      }
    });

    it("answers 405 for a method that the path does not have", async () => {
      const simulator = await start();
      for (const [method, path] of [
        ["PUT", devicePath("car")],
        ["DELETE", devicePath("car")],
        ["POST", devicePath("car")],
        ["PATCH", `${devicePath("car")}/metrics/latest`],
      ] as const) {
        const { status, json } = await call(simulator, method, path);
        expect(status, `${method} ${path}`).to.equal(405);
        expect(json().error).to.include(method);
      }
    });

    for (const id of ["a/b", "a b", "ä€🚗", "100%", "%2F", "a?b#c", "a+b", "__proto__"]) {
      it(`takes the percent-encoded id ${JSON.stringify(id)}, of a device and of a business`, async () => {
        const simulator = await start();
        simulator.add(id, id, { type: "vehicle" });
        const path = devicePath(id, id);
        expect((await call(simulator, "PATCH", path, { body: '{"max_capacity":70000}' })).status).to.equal(200);
        expect((await call(simulator, "GET", path)).json()).to.include({ id, max_capacity: 70_000 });
        expect(simulator.requests[0]).to.include({ businessId: id, deviceId: id });
      });
    }
  });

  describe("the log", () => {
    it("has each request with its operation, status and a PATCH's body", async () => {
      const simulator = await start({ now: () => Date.UTC(2030, 0, 1) });
      await read(simulator, "car");
      await patch(simulator, "bike", { max_capacity: 1 });
      await call(simulator, "GET", "/elsewhere");
      const time = "2030-01-01T00:00:00.000Z";
      const [first, second, third] = simulator.requests.map(({ latencyMs, ...entry }) => {
        expect(latencyMs).to.be.at.least(0);
        return entry;
      });
      const ids = { businessId: "acme", deviceId: "car" };
      expect(first).to.deep.equal({
        time,
        method: "GET",
        path: devicePath("car"),
        ...ids,
        operation: "read",
        status: 200,
      });
      expect(second).to.deep.include({ operation: "update", status: 404, body: { max_capacity: 1 } });
      expect(third).to.deep.equal({ time, method: "GET", path: "/elsewhere", operation: "other", status: 404 });
    });

    it("never has the token or the header it came in", async () => {
      const simulator = await start();
      await read(simulator, "car");
      await patch(simulator, "car", { max_capacity: 1 });
      await call(simulator, "GET", devicePath("car"), { headers: { authorization: "Bearer wrong-token" } });
      expect(simulator.requests).to.have.length(3);
      expect(JSON.stringify(simulator.requests)).not.to.match(/simulator-token|wrong-token|bearer|authorization/i);
    });

    it("reports each request as it is answered", async () => {
      const told: unknown[] = [];
      const simulator = await start({ onRequest: (entry) => told.push(entry) });
      await read(simulator, "car");
      expect(told).to.deep.equal(simulator.requests).and.to.have.length(1);
    });
  });
});
