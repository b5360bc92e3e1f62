import type { Fleet } from "./types";

/** The devices that the command simulates without a fleet file. A program will probably correct its values. */
export const DEMO_FLEET: Fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", title: "Demo car", settings: { max_capacity: 60_000, max_charge_power: 7400 } },
      roof: {
        type: "inverter",
        title: "Demo roof",
        settings: { peak_power: 9000, azimuth: 180, tilt: 30, cut_in_threshold: 100, base_load: 300 },
      },
    },
  },
};
