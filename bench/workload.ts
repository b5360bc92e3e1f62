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

/** A device at the service: settings by their wire names. */
export interface Device {
  readonly type: "vehicle" | "inverter";
  readonly settings: Readonly<Record<string, string | number>>;
}

export const BUSINESS = "acme";

/** The vehicle whose capacity `one change` changes. Before `drift repair`, somebody else changes it. */
export const CHANGED = "car-0";

/** Its capacity in Wh, as first declared, and as somebody else sets it. */
export const CAPACITY = 77_000;
export const DRIFTED_CAPACITY = 70_000;

const VEHICLES_OF_SITE = 4;
const VEHICLE = { maxCapacity: CAPACITY, maxChargePower: 11_000 };
const INVERTER = { peakPower: 9800, azimuth: 202.5, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
const POLICY = "CHARGE BY FORECAST";

/** The settings of the devices before anything is declared. */
const BEFORE = {
  vehicle: { max_capacity: 60_000, max_charge_power: 7400 },
  inverter: { peak_power: 5000, azimuth: 180, tilt: 30, cut_in_threshold: 100, base_load: 300 },
} as const;

export function deviceCount(sites: number): number {
  return sites * (VEHICLES_OF_SITE + 1);
}

/** The arguments of each site, by its name. @param capacity of the changed vehicle */
export function sitesOf(count: number, capacity = CAPACITY): Record<string, Site> {
  const sites = Array.from({ length: count }, (_, index) => {
    const cars = Array.from({ length: VEHICLES_OF_SITE }, (_, car) => index * VEHICLES_OF_SITE + car);
    const vehicles = Object.fromEntries(cars.map((car) => [`car-${car}`, vehicle(`car-${car}`, capacity)]));
    const inverters = { roof: { deviceId: `roof-${index}`, ...INVERTER } };
    return [`site-${index}`, { latitude: 48.1, vehicles, inverters }];
  });
  return Object.fromEntries(sites);
}

function vehicle(deviceId: string, capacity: number): Declared {
  return { deviceId, ...VEHICLE, ...(deviceId === CHANGED && { maxCapacity: capacity }) };
}

/** The declared settings of the devices, by id. A vehicle of a solar site has the policy. */
export function devicesOf(sites: number, capacity = CAPACITY): Record<string, Device> {
  const devices: Record<string, Device> = {};
  const add = (type: Device["type"], { deviceId, ...declared }: Declared, policy = {}) => {
    devices[deviceId] = { type, settings: { ...wireOf(declared), ...policy } };
  };
  for (const { vehicles, inverters } of Object.values(sitesOf(sites, capacity))) {
    for (const one of Object.values(inverters)) add("inverter", one);
    for (const one of Object.values(vehicles)) add("vehicle", one, { policy: POLICY });
  }
  return devices;
}

/** The devices before anything is declared. */
export function devicesBefore(sites: number): Record<string, Device> {
  const devices = Object.entries(devicesOf(sites));
  return Object.fromEntries(devices.map(([id, { type }]) => [id, { type, settings: BEFORE[type] }]));
}

/** The settings by their wire names, which are the keys in snake_case. */
function wireOf(settings: Readonly<Record<string, string | number>>): Device["settings"] {
  const entries = Object.entries(settings);
  return Object.fromEntries(entries.map(([key, value]) => [key.replace(/[A-Z]/g, "_$&").toLowerCase(), value]));
}
