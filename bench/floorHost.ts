import { setTimeout } from "node:timers/promises";

type Properties = Record<string, unknown>;

const KEYS = ["businessId", "deviceId", "maxCapacity", "maxChargePower", "policy"];

/** What the state of a vehicle has, beside its inputs, after `up`. */
const OUTPUTS = {
  baseline: { maxCapacity: 60_000, maxChargePower: 7400, policy: "CHARGE BY" },
  reported: { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" },
  verification: { maxCapacity: "verified", maxChargePower: "verified", policy: "verified" },
};

const inputsOf = (properties: Properties) => Object.fromEntries(KEYS.map((key) => [key, properties[key]]));
const outputsOf = (properties: Properties) => ({ ...inputsOf(properties), ...OUTPUTS });

/** An empty dynamic provider, with the properties of ours: what the engine takes for itself. */
export const vehicle = {
  check: async (_olds: Properties, news: Properties) => ({ inputs: inputsOf(news), failures: [] }),
  diff: async (_id: string, olds: Properties, news: Properties) => ({
    changes: KEYS.some((key) => olds[key] !== news[key]),
  }),
  create: async (inputs: Properties) => ({ id: `acme/${inputs.deviceId}`, outs: outputsOf(inputs) }),
  update: async (_id: string, _olds: Properties, news: Properties) => ({ outs: outputsOf(news) }),
  async read(id: string, props: Properties) {
    await setTimeout(Number(process.env.BENCH_READ_MS));
    return { id, props: outputsOf(props), inputs: inputsOf(props) };
  },
  delete: async () => {},
};
