import { expect } from "chai";
import { call, devicePath, patch, read, simulators } from "../../support/simulators";

describe("simulator: the PATCH (interface 4.3)", () => {
  const start = simulators();

  it("answers 200 with an empty body", async () => {
    const { status, text } = await patch(await start(), "car", { max_capacity: 77_000 });
    expect({ status, text }).to.deep.equal({ status: 200, text: "" });
  });

  it("changes only the fields sent", async () => {
    const simulator = await start();
    await patch(simulator, "car", { max_charge_power: 11_000.5 });
    await patch(simulator, "car", { policy: "CHARGE BY FORECAST" });
    const expected = { max_capacity: 60_000, max_charge_power: 11_000.5, policy: "CHARGE BY FORECAST" };
    expect(simulator.device("acme", "car")).to.deep.equal(expected);
    expect((await read(simulator, "car")).json()).to.include(expected);
  });

  it("takes the ends of each range", async () => {
    const simulator = await start();
    for (const changes of [
      { max_capacity: 1_000, max_charge_power: 1_000 },
      { max_capacity: 300_000, max_charge_power: 350_000 },
    ]) {
      expect((await patch(simulator, "car", changes)).status).to.equal(200);
      expect(simulator.device("acme", "car")).to.include(changes);
    }
  });

  it("knows the inverter's fields by the names it is given, at start or while running, and only these", async () => {
    const simulator = await start({ behaviour: { inverterFields: { tilt: "pitch" } } });
    expect((await patch(simulator, "roof", { peak_power: 10, pitch: 30 })).status).to.equal(200);
    simulator.behave({ inverterFields: { peakPower: "kwp" } });
    expect((await patch(simulator, "roof", { kwp: 10, tilt: 30 })).status).to.equal(200);
    expect((await patch(simulator, "roof", { peak_power: 10 })).status).to.equal(422);
  });

  for (const [deviceId, changes, named] of [
    ["car", { max_capacity: 999 }, "max_capacity"],
    ["car", { max_capacity: 300_001 }, "max_capacity"],
    ["car", { max_capacity: "60000" }, "max_capacity"],
    ["car", { max_capacity: null }, "max_capacity"],
    ["car", { max_charge_power: 999.9 }, "max_charge_power"],
    ["car", { max_charge_power: 350_001 }, "max_charge_power"],
    ["car", { policy: "charge by" }, "policy"],
    ["car", { target_soc: 80 }, "target_soc"],
    ["car", { azimuth: 180 }, "azimuth"],
    ["roof", { policy: "CHARGE BY" }, "policy"],
    ["roof", { max_capacity: 60_000 }, "max_capacity"],
    ["roof", { tilt: true }, "tilt"],
    ["car", ["max_capacity"], "object"],
    ["car", "max_capacity", "object"],
    ["car", null, "object"],
  ] as const) {
    it(`answers 422 for ${JSON.stringify(changes)} on ${deviceId} and names what is wrong`, async () => {
      const { status, json } = await patch(await start(), deviceId, changes);
      expect(status).to.equal(422);
      expect(json().error).to.include(named);
    });
  }

  it("applies nothing when one field is wrong", async () => {
    const simulator = await start();
    await patch(simulator, "car", { max_charge_power: 11_000, max_capacity: 1 });
    expect(simulator.device("acme", "car")).to.deep.equal({ max_capacity: 60_000, policy: "CHARGE BY" });
  });

  for (const [what, body] of [
    ["no body", ""],
    ["invalid JSON", '{"max_capacity": 60'],
  ] as const) {
    it(`answers 400 for ${what}`, async () => {
      const { status, json } = await call(await start(), "PATCH", devicePath("car"), { body });
      expect(status).to.equal(400);
      expect(json().error).to.include("JSON");
    });
  }

  it("needs the content type application/json, with or without parameters", async () => {
    const simulator = await start();
    const send = (type: string) =>
      call(simulator, "PATCH", devicePath("car"), { body: "{}", headers: { "content-type": type } });
    expect((await send("text/plain")).status).to.equal(415);
    expect((await send("application/jsonp")).status).to.equal(415);
    expect((await send("application/json; charset=utf-8")).status).to.equal(200);
  });

  for (const size of [64 * 1024 + 1, 16 * 1024 * 1024]) {
    it(`answers 413 for a body of ${size} bytes`, async () => {
      const body = '{"max_capacity":70000}'.padEnd(size);
      const { status, json } = await call(await start(), "PATCH", devicePath("car"), { body });
      expect(status).to.equal(413);
      expect(json().error).to.include("65536");
    });
  }
});
