import { expect } from "chai";
import type { Simulator } from "solar-charging-simulator";
import { call, devicePath, read, simulators } from "../../support/simulators";

describe("simulator: the control API", () => {
  const start = simulators();

  /** A request to the control API, without a token. */
  async function control({ url }: Simulator, method: string, path: string, body?: unknown) {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(`${url}/simulator${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  it("reports that it is up", async () => {
    const answer = await control(await start(), "GET", "/health");
    expect(answer).to.deep.equal({ status: 200, body: { status: "ok" } });
  });

  it("gives the log and empties it, and does not stand in it", async () => {
    const simulator = await start();
    await call(simulator, "GET", `${devicePath("car")}/metrics/latest`);
    expect((await control(simulator, "GET", "/requests")).body)
      .to.deep.equal(simulator.requests)
      .and.to.have.length(1);
    expect((await control(simulator, "DELETE", "/requests")).status).to.equal(204);
    expect(simulator.requests).to.deep.equal([]);
    expect(simulator.latestReads).to.equal(0);
  });

  it("gives and changes the true settings of a device", async () => {
    const simulator = await start({ behaviour: { reports: "nowhere" } });
    expect((await control(simulator, "PATCH", "/devices/acme/car", { max_capacity: 70_000 })).status).to.equal(204);
    const settings = { max_capacity: 70_000, policy: "CHARGE BY" };
    expect((await control(simulator, "GET", "/devices/acme/car")).body).to.deep.equal(settings);
    expect(simulator.device("acme", "car")).to.deep.equal(settings);
  });

  it("adds and removes a device", async () => {
    const simulator = await start();
    const path = `/devices/${encodeURIComponent("b/1")}/${encodeURIComponent("d/1")}`;
    expect((await control(simulator, "PUT", path, { type: "vehicle" })).status).to.equal(204);
    expect(simulator.device("b/1", "d/1")).to.deep.equal({ policy: "CHARGE BY" });
    expect((await control(simulator, "DELETE", path)).status).to.equal(204);
    expect((await control(simulator, "GET", path)).status).to.equal(404);
  });

  it("changes the behaviour of all devices and of one", async () => {
    const simulator = await start();
    await control(simulator, "PATCH", "/behaviour", { reports: "nowhere" });
    await control(simulator, "PATCH", "/behaviour/acme/car", { reports: "config" });
    expect((await read(simulator, "car")).json().config).to.include({ max_capacity: 60_000 });
    expect((await read(simulator, "roof")).text).not.to.include("peak_power");
  });

  it("adds faults to the script and empties it", async () => {
    const simulator = await start();
    expect((await control(simulator, "POST", "/faults", [{ status: 503, times: 9 }])).status).to.equal(204);
    expect((await read(simulator, "car")).status).to.equal(503);
    expect((await control(simulator, "DELETE", "/faults")).status).to.equal(204);
    expect((await read(simulator, "car")).status).to.equal(200);
  });

  for (const [method, path, body, named] of [
    ["PATCH", "/devices/acme/car", [], "record"],
    ["PUT", "/devices/acme/x", { type: "boat" }, "type"],
    ["PUT", "/devices/acme/x", { type: "vehicle", behaviour: { lag: 1 } }, "lag"],
    ["PATCH", "/behaviour", { reports: "everywhere" }, "reports"],
    ["PATCH", "/behaviour", { cacheLagSeconds: -1 }, "cacheLagSeconds"],
    ["PATCH", "/behaviour/acme/car", { cacheLagReads: 0.5 }, "cacheLagReads"],
    ["POST", "/faults", { status: 503 }, "array"],
    ["POST", "/faults", [{ status: 503 }, { kind: "explode" }], "1.kind"],
    ["POST", "/faults", [{ statsu: 503 }], "statsu"],
  ] as const) {
    it(`refuses ${method} ${path} ${JSON.stringify(body)} and names what is wrong`, async () => {
      const answer = await control(await start(), method, path, body);
      expect(answer.status).to.equal(422);
      expect(answer.body.error).to.include(named);
    });
  }

  it("refuses a body that is not JSON", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/simulator/behaviour`, { method: "PATCH", body: "{" });
    expect(response.status).to.equal(400);
    expect(await response.json()).to.deep.equal({ error: "not valid JSON" });
  });

  for (const [method, path] of [
    ["GET", "/devices/acme/bike"],
    ["PATCH", "/behaviour/acme/bike"],
    ["DELETE", "/devices/other/car"],
    ["GET", "/elsewhere"],
    ["POST", "/health"],
  ] as const) {
    it(`answers 404 for ${method} ${path}`, async () => {
      const answer = await control(await start(), method, path, method === "PATCH" ? {} : undefined);
      expect(answer.status).to.equal(404);
      expect(answer.body.error).to.be.a("string");
    });
  }
});
