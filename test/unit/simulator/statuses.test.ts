import { expect } from "chai";
import type { Fleet, startSimulator } from "solar-charging-simulator";
import { ChargingStatus, SERVICE_STATUSES } from "../../../provider/status/vocabulary";
import { patch, read, simulators } from "../../support/simulators";

const INVERTER = { peak_power: 9800, azimuth: 180, tilt: 30, cut_in_threshold: 0, base_load: 400 };
const FLEET: Fleet = {
  businesses: { acme: { car: { type: "vehicle" }, roof: { type: "inverter", settings: { peak_power: 9800 } } } },
};

describe("simulator: statuses", () => {
  const start = simulators();
  const statuses = async (simulator: Awaited<ReturnType<typeof startSimulator>>) => {
    const { service_status, charging_status } = (await read(simulator, "car")).json();
    return [service_status, charging_status];
  };

  it("shows no defaults unless asked to", async () => {
    expect(await statuses(await start({ fleet: FLEET }))).to.deep.equal([undefined, undefined]);
  });

  it("charges with the sun once the inverter and then the policy are set", async () => {
    const simulator = await start({ fleet: FLEET, behaviour: { serviceStatus: "derived" } });
    await patch(simulator, "car", { policy: "CHARGE BY FORECAST" });
    expect(await statuses(simulator)).to.deep.equal(["active_scheduled", "plugged_in_stopped"]);
    await patch(simulator, "roof", INVERTER);
    expect(await statuses(simulator)).to.deep.equal(["active_solar_charging", "plugged_in_charging"]);
    expect((await read(simulator, "roof")).json()).not.to.have.property("service_status");
  });

  it("pairs each documented service status with the documented charging statuses", async () => {
    const simulator = await start({ fleet: FLEET });
    for (const [serviceStatus, { appearsWith }] of Object.entries(SERVICE_STATUSES)) {
      for (const chargingStatus of Object.values(ChargingStatus)) {
        simulator.behave({ serviceStatus: serviceStatus as keyof typeof SERVICE_STATUSES, chargingStatus });
        const [service, charging] = await statuses(simulator);
        expect(service).to.equal(serviceStatus);
        expect(appearsWith).to.include(charging as ChargingStatus);
        if ((appearsWith as readonly string[]).includes(chargingStatus)) expect(charging).to.equal(chargingStatus);
      }
    }
  });

  it("can show what the service assumes of a car", async () => {
    const simulator = await start({ fleet: FLEET, behaviour: { showsDefaults: true } });
    expect((await read(simulator, "car")).json()).to.include({ max_capacity: 80_000, max_charge_power: 7200 });
    await patch(simulator, "car", { max_capacity: 60_000 });
    expect((await read(simulator, "car")).json()).to.include({ max_capacity: 60_000, max_charge_power: 7200 });
  });
});
