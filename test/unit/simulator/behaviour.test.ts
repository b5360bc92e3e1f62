import { expect } from "chai";
import type { Simulator } from "solar-charging-simulator";
import { failure, patch, read, simulators } from "../../support/simulators";

describe("simulator: behaviour", () => {
  const start = simulators();
  const capacity = async (simulator: Simulator) => (await read(simulator, "car")).json().max_capacity;

  describe("reports", () => {
    for (const place of ["config", "metadata"] as const) {
      it(`shows the numeric settings in ${place} and the policy at top level`, async () => {
        const device = (await read(await start({ behaviour: { reports: place } }), "car")).json();
        expect(device[place]).to.include({ max_capacity: 60_000 });
        expect(device[place]).not.to.have.property("policy");
        expect(device).to.include({ policy: "CHARGE BY" }).and.not.to.have.property("max_capacity");
      });
    }

    it("can show the numeric settings nowhere", async () => {
      const { text, json } = await read(await start({ behaviour: { reports: "nowhere" } }), "car");
      expect(text).not.to.include("max_capacity");
      expect(json()).to.include({ policy: "CHARGE BY" });
    });
  });

  describe("cacheLagReads", () => {
    it("shows the old values for so many reads after a PATCH", async () => {
      const simulator = await start({ behaviour: { cacheLagReads: 2 } });
      expect(await capacity(simulator)).to.equal(60_000);
      await patch(simulator, "car", { max_capacity: 70_000 });
      expect(simulator.device("acme", "car")).to.include({ max_capacity: 70_000 });
      const shown = [await capacity(simulator), await capacity(simulator), await capacity(simulator)];
      expect(shown).to.deep.equal([60_000, 60_000, 70_000]);
    });

    it("starts again at the next PATCH, from what is shown then", async () => {
      const simulator = await start({ behaviour: { cacheLagReads: 1 } });
      await patch(simulator, "car", { max_capacity: 70_000 });
      await patch(simulator, "car", { max_capacity: 80_000 });
      expect([await capacity(simulator), await capacity(simulator)]).to.deep.equal([60_000, 80_000]);
    });
  });

  describe("cacheLagSeconds", () => {
    it("shows the values of that long ago", async () => {
      let now = 0;
      const simulator = await start({ behaviour: { cacheLagSeconds: 10 }, now: () => now });
      now = 1_000;
      await patch(simulator, "car", { max_capacity: 70_000 });
      now = 5_000;
      simulator.appUserSets("acme", "car", { max_capacity: 80_000 });
      const shown: unknown[] = [];
      for (now of [10_999, 11_000, 14_999, 15_000]) shown.push(await capacity(simulator));
      expect(shown).to.deep.equal([60_000, 70_000, 70_000, 80_000]);
    });
  });

  describe("latencySeconds", () => {
    it("delays the answer", async () => {
      const simulator = await start({ behaviour: { latencySeconds: 0.03 } });
      await read(simulator, "car");
      expect(simulator.requests[0]?.latencyMs).to.be.at.least(29);
    });

    it("does not delay the end of the simulator, which applies nothing of what still waits", async () => {
      // The simulator reads its clock when a request arrives.
      let arrives = () => 0;
      const simulator = await start({ behaviour: { latencySeconds: 3_600 }, now: () => arrives() });
      const arrived = new Promise<void>((resolve) => {
        arrives = () => {
          resolve();
          return 0;
        };
      });
      const answer = failure(patch(simulator, "car", { max_capacity: 70_000 }));
      await arrived;
      await simulator.close();
      expect(await answer).to.equal("UND_ERR_SOCKET");
      expect(simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
      expect(simulator.requests.map(({ status }) => status)).to.deep.equal(["reset"]);
    });
  });

  describe("ignoresPatches", () => {
    it("answers 200 and applies nothing, but still refuses what is wrong", async () => {
      const simulator = await start({ behaviour: { ignoresPatches: true } });
      expect((await patch(simulator, "car", { max_capacity: 70_000 })).status).to.equal(200);
      expect(simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
      expect((await patch(simulator, "car", { max_capacity: 1 })).status).to.equal(422);
    });
  });

  describe("what it is set for", () => {
    it("can change for all devices while it runs", async () => {
      const simulator = await start();
      simulator.behave({ reports: "nowhere" });
      expect((await read(simulator, "car")).json()).not.to.have.property("max_capacity");
      expect((await read(simulator, "roof")).json()).not.to.have.property("peak_power");
    });

    it("can change for one device, which goes before what is set for all", async () => {
      const simulator = await start();
      simulator.behave({ reports: "config" }, "acme", "car");
      simulator.behave({ reports: "nowhere" });
      expect((await read(simulator, "car")).json().config).to.include({ max_capacity: 60_000 });
      expect((await read(simulator, "roof")).json()).not.to.have.property("peak_power");
    });

    it("can stand in the fleet", async () => {
      const car = { type: "vehicle", settings: { max_capacity: 1 }, behaviour: { reports: "nowhere" } } as const;
      const simulator = await start({ fleet: { businesses: { acme: { car } } } });
      expect((await read(simulator, "car")).json()).not.to.have.property("max_capacity");
    });
  });

  describe("what happens behind the client's back", () => {
    it("shows what the app user set", async () => {
      const simulator = await start();
      simulator.appUserSets("acme", "car", { policy: "CHARGE BY FORECAST" });
      expect((await read(simulator, "car")).json()).to.include({ policy: "CHARGE BY FORECAST", max_capacity: 60_000 });
    });

    it("no longer finds a device that was removed, and finds one that was added", async () => {
      const simulator = await start();
      simulator.remove("acme", "car");
      simulator.add("acme", "bike", { type: "vehicle" });
      expect((await read(simulator, "car")).status).to.equal(404);
      expect((await read(simulator, "bike")).status).to.equal(200);
    });

    it("refuses to act on a device that is not there", async () => {
      const simulator = await start();
      for (const act of [
        () => simulator.device("acme", "bike"),
        () => simulator.appUserSets("acme", "bike", {}),
        () => simulator.behave({}, "acme", "bike"),
        () => simulator.remove("acme", "bike"),
      ]) {
        expect(act).to.throw('business "acme" has no device "bike"');
      }
    });
  });
});
