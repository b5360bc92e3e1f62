import type { Fleet } from "./types";

/** What the CLI serves without a fleet file. The capacity is one that a program will want to correct. */
export const DEMO_FLEET: Fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", title: "Demo car", settings: { max_capacity: 60_000 } },
      roof: { type: "inverter", title: "Demo roof" },
    },
  },
};
