import type { Fleet } from "./types";

/** The devices that the command simulates without a fleet file. A program will probably correct the capacity. */
export const DEMO_FLEET: Fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", title: "Demo car", settings: { max_capacity: 60_000 } },
      roof: { type: "inverter", title: "Demo roof" },
    },
  },
};
