/** What is measured: so many solar sites, or so many vehicles without one. */
export interface Workload {
  readonly job: "sites" | "vehicles";
  readonly count: number;
}

/** Arguments of a `VehicleSettings` or an `InverterSettings`. */
export interface Declared {
  readonly deviceId: string;
  readonly [setting: string]: string | number;
}

/** Arguments of a `SiteSettings`. */
export interface Site {
  readonly latitude: number;
  readonly vehicles: Readonly<Record<string, Declared>>;
  readonly inverters: Readonly<Record<string, Declared>>;
}

/** A device as the service has it: settings by their wire names. */
export interface Device {
  readonly type: "vehicle" | "inverter";
  readonly settings: Readonly<Record<string, string | number>>;
}

export const BUSINESS = "acme";

/** The vehicle whose capacity `one change` declares anew, and which somebody else changes before `drift repair`. */
export const CHANGED = "car-0";

/** Its capacity in Wh: declared at first, and what somebody else sets it to. */
export const CAPACITY = 77_000;
export const DRIFTED_CAPACITY = 70_000;

const VEHICLES_OF_SITE = 4;
const VEHICLE = { maxCapacity: CAPACITY, maxChargePower: 11_000 };
const INVERTER = { peakPower: 9800, azimuth: 202.5, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
const POLICY = "CHARGE BY FORECAST";

/** What the devices are set to before anything is declared. */
const BEFORE = {
  vehicle: { max_capacity: 60_000, max_charge_power: 7400 },
  inverter: { peak_power: 5000, azimuth: 180, tilt: 30, cut_in_threshold: 100, base_load: 300 },
} as const;

export function deviceCount({ job, count }: Workload): number {
  return job === "sites" ? count * (VEHICLES_OF_SITE + 1) : count;
}

/** The arguments of each resource, by its name. @param capacity of the changed vehicle */
export function resourcesOf(workload: Workload, capacity = CAPACITY): Record<string, Site | Declared> {
  return workload.job === "sites" ? sitesOf(workload.count, capacity) : vehiclesOf(workload.count, capacity);
}

export function sitesOf(count: number, capacity = CAPACITY): Record<string, Site> {
  const sites = Array.from({ length: count }, (_, index) => {
    const cars = Array.from({ length: VEHICLES_OF_SITE }, (_, car) => index * VEHICLES_OF_SITE + car);
    const vehicles = Object.fromEntries(cars.map((car) => [`car-${car}`, vehicle(`car-${car}`, capacity)]));
    const inverters = { roof: { deviceId: `roof-${index}`, ...INVERTER } };
    return [`site-${index}`, { latitude: 48.1, vehicles, inverters }];
  });
  return Object.fromEntries(sites);
}

function vehiclesOf(count: number, capacity: number): Record<string, Declared> {
  const ids = Array.from({ length: count }, (_, index) => `car-${index}`);
  return Object.fromEntries(ids.map((id) => [id, { ...vehicle(id, capacity), policy: POLICY }]));
}

function vehicle(deviceId: string, capacity: number): Declared {
  return { deviceId, ...VEHICLE, ...(deviceId === CHANGED && { maxCapacity: capacity }) };
}

/** The devices with what is declared of them, by id: what a solar site's vehicle gets has the policy. */
export function devicesOf(workload: Workload, capacity = CAPACITY): Record<string, Device> {
  const devices: Record<string, Device> = {};
  const add = (type: Device["type"], { deviceId, ...declared }: Declared, policy = {}) => {
    devices[deviceId] = { type, settings: { ...wireOf(declared), ...policy } };
  };
  if (workload.job === "vehicles") {
    for (const one of Object.values(vehiclesOf(workload.count, capacity))) add("vehicle", one);
    return devices;
  }
  for (const { vehicles, inverters } of Object.values(sitesOf(workload.count, capacity))) {
    for (const one of Object.values(inverters)) add("inverter", one);
    for (const one of Object.values(vehicles)) add("vehicle", one, { policy: POLICY });
  }
  return devices;
}

/** The devices as they are before. */
export function devicesBefore(workload: Workload): Record<string, Device> {
  const devices = Object.entries(devicesOf(workload));
  return Object.fromEntries(devices.map(([id, { type }]) => [id, { type, settings: BEFORE[type] }]));
}

/** The settings by their wire names, which are the keys in snake_case. */
function wireOf(settings: Readonly<Record<string, string | number>>): Device["settings"] {
  const entries = Object.entries(settings);
  return Object.fromEntries(entries.map(([key, value]) => [key.replace(/[A-Z]/g, "_$&").toLowerCase(), value]));
}
