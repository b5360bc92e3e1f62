/** The name of an owner. No output may contain it. */
export const OWNER = "Ada's canary 4f1d";

/** The devices of the doctor's tests. */
export const fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", title: OWNER, settings: { max_capacity: 60_000 } },
      roof: { type: "inverter", title: OWNER, settings: { peak_power: 9800 } },
      "b/c d": { type: "vehicle" },
    },
    "a b": { "c/d": { type: "vehicle" }, "é e": { type: "vehicle" } },
  },
} as const;
