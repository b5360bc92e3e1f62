import type { Charger } from "./chargingBay";

/** A model's usable battery capacity, and the charger in the car. */
interface Model extends Charger {
  maxCapacity: string;
}

const MODELS = {
  eVito: { maxCapacity: "60 kWh", maxPower: 11_000, phases: 3 },
  "e-NV200": { maxCapacity: "38 kWh", maxPower: 6600, phases: 1 },
  "ID. Buzz": { maxCapacity: "77 kWh", maxPower: 11_000, phases: 3 },
  Kangoo: { maxCapacity: "45 kWh", maxPower: 11_000, phases: 3 },
  Zoe: { maxCapacity: "52 kWh", maxPower: 22_000, phases: 3 },
} satisfies Record<string, Model>;

/** Each vehicle's model, its bay at night, and the fuse of the bay's wall box in A. */
const VEHICLES: Record<string, { model: keyof typeof MODELS; bay: string; amperes: number }> = {
  "van-1": { model: "ID. Buzz", bay: "A1", amperes: 16 },
  "van-2": { model: "ID. Buzz", bay: "A2", amperes: 16 },
  "van-3": { model: "eVito", bay: "A3", amperes: 16 },
  "van-4": { model: "eVito", bay: "A4", amperes: 16 },
  "van-5": { model: "Kangoo", bay: "A5", amperes: 16 },
  "van-6": { model: "Kangoo", bay: "A6", amperes: 16 },
  "van-7": { model: "Kangoo", bay: "A7", amperes: 16 },
  "van-8": { model: "e-NV200", bay: "B1", amperes: 32 },
  "car-1": { model: "Zoe", bay: "B2", amperes: 32 },
  "car-2": { model: "Zoe", bay: "B3", amperes: 16 },
};

/** The vehicles of the depot, each with its name and the data of its model. */
export const FLEET = Object.entries(VEHICLES).map(([name, vehicle]) => ({
  name,
  ...vehicle,
  ...MODELS[vehicle.model],
}));
