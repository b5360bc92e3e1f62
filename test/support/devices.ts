import type { Fleet } from "solar-charging-simulator";

/** The settings of the fleet's devices before anything is declared. */
export const CAR = { max_capacity: 60_000, max_charge_power: 7_400, policy: "CHARGE BY" };
export const VAN = { max_capacity: 61_000, max_charge_power: 7_300, policy: "CHARGE BY" };
export const ROOF = { peak_power: 5_000, azimuth: 90, tilt: 10, cut_in_threshold: 20, base_load: 100 };

/** Three cars, two inverters, and one more car of another business. */
export const FLEET: Fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", settings: CAR },
      van: { type: "vehicle", settings: VAN },
      bus: { type: "vehicle", settings: CAR },
      roof: { type: "inverter", settings: ROOF },
      barn: { type: "inverter", settings: ROOF },
    },
    north: { car: { type: "vehicle", settings: CAR } },
  },
};

/** A program of a car and a site. */
export const carAndSite = (maxCapacity: number, maxChargePower: number, opts = "{}") => `
  new VehicleSettings("car", {
    deviceId: "car", maxCapacity: ${maxCapacity}, maxChargePower: 7400, policy: "CHARGE BY", onDelete: "restore",
  }, ${opts});
  const home = new SiteSettings("home", {
    onDelete: "restore",
    vehicles: { van: { deviceId: "van", maxCapacity: 70000, maxChargePower: ${maxChargePower} } },
    inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 } },
  });
  exports.ready = home.ready;`;
