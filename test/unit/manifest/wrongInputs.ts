/** The place of a mistake in a manifest that is right otherwise. */
type Place = "car" | "roof" | "plane" | "site" | "fleet" | "wave";

/**
 * One mistake that people make, and the suggestion that they get; null for none. A text that begins with `;` is the end of
 * another advice.
 */
export type WrongInput = readonly [place: Place, written: string, suggestion: string | null];

/** Mistakes with their suggestions: a wrong suggestion is worse than none. golden.md has the whole messages. */
export const WRONG_INPUTS: readonly WrongInput[] = [
  // Points of the compass.
  ["roof", "azimuth: O", "E (O for Ost) or W (O for ouest, oeste, ovest)"],
  ["roof", "azimuth: NO", "NE (O for Ost) or NW (O for ouest, oeste, ovest)"],
  ["roof", "azimuth: SO", "SE (O for Ost) or SW (O for ouest, oeste, ovest)"],
  ["roof", "azimuth: OSO", "ESE (O for Ost) or WSW (O for ouest, oeste, ovest)"],
  ["roof", "azimuth: Ost", "E"],
  ["roof", "azimuth: Est", "E"],
  ["roof", "azimuth: este", "E"],
  ["roof", "azimuth: Süd", "S"],
  ["roof", "azimuth: Sud", "S"],
  ["roof", "azimuth: Süden", "S"],
  ["roof", "azimuth: Südost", "SE"],
  ["roof", "azimuth: Sued-West", "SW"],
  ["roof", "azimuth: Nordwest", "NW"],
  ["roof", "azimuth: sud-ouest", "SW"],
  ["roof", "azimuth: suroeste", "SW"],
  ["roof", "azimuth: noreste", "NE"],
  ["roof", "azimuth: nord-ovest", "NW"],
  ["roof", "azimuth: zuidoost", "SE"],
  ["roof", "azimuth: south", "S"],
  ["roof", "azimuth: south west", "SW"],
  ["roof", "azimuth: ssw", "SSW"],
  ["roof", "azimuth: SES", null],
  ["roof", "azimuth: EW", null],
  ["roof", "azimuth: Z", null],
  ["roof", "azimuth: garden", null],
  ["roof", "azimuth: southish", null],
  // The effect of a delete.
  ["car", "onDelete: revert", "restore"],
  ["car", "onDelete: undo", "restore"],
  ["car", "onDelete: rollback", "restore"],
  ["car", "onDelete: recover", "restore"],
  ["car", "onDelete: original", "restore"],
  ["car", "onDelete: Restore", "restore"],
  ["car", "onDelete: restor", "restore"],
  ["car", "onDelete: keep", "retain"],
  ["car", "onDelete: none", "retain"],
  ["car", "onDelete: leave", "retain"],
  ["car", "onDelete: orphan", "retain"],
  ["car", "onDelete: retian", "retain"],
  ["car", "onDelete: default", null],
  ["car", "onDelete: defaults", null],
  ["car", "onDelete: reste", null],
  ["car", "onDelete: rest", null],
  ["car", "onDelete: delete", null],
  ["car", "onDelete: remove", null],
  ["car", "onDelete: release", null],
  ["car", "onDelete: no", null],
  // Policies.
  ["car", "policy: charge by", "CHARGE BY"],
  ["car", "policy: CHARGE BY FORCAST", "CHARGE BY FORECAST"],
  ["car", "policy: charge_by_forecast", "CHARGE BY FORECAST"],
  ["car", "policy: solar", "CHARGE BY FORECAST"],
  ["car", "policy: forecast", "CHARGE BY FORECAST"],
  ["car", "policy: price", "CHARGE BY"],
  ["car", "policy: fast", null],
  ["car", "policy: CHARGE FAST", null],
  // Keys of a car.
  ["car", "capacity: 60 kWh", "maxCapacity"],
  ["car", "max_capacity: 60 kWh", "maxCapacity"],
  ["car", "maxCapcity: 60 kWh", "maxCapacity"],
  ["car", "minCapacity: 60 kWh", null],
  ["car", "kwh: 60", "maxCapacity: … kWh"],
  ["car", "power: 11 kW", "maxChargePower"],
  ["car", "maxDischargePower: 11 kW", null],
  ["car", "ladeleistung: 11 kW", "maxChargePower"],
  ["car", "mode: solar", "policy"],
  ["car", "vin: WVW1", null],
  ["car", "id: car", "; deviceId is already there: remove id"],
  ["car", "model: ID.4", null],
  ["car", "deletionPolicy: retain", "onDelete"],
  ["car", "customer: acme", "businessId"],
  ["car", "tilt: 30", null],
  // Keys of an inverter and of a plane.
  ["roof", "kwp: 9.8", "peakPower: … kWp"],
  ["roof", "capacity: 9.8 kWp", "peakPower"],
  ["roof", "power: 9.8 kWp", "peakPower"],
  ["roof", "phases: 3", null],
  ["roof", "azimut: 180", "azimuth"],
  ["roof", "azmiuth: 180", "azimuth"],
  ["roof", "orientation: S", "azimuth"],
  ["roof", "slope: 30", "tilt"],
  ["roof", "tlit: 30", "tilt"],
  ["roof", "Neigung: 30", "tilt"],
  ["roof", "grundlast: 400 W", "baseLoad"],
  ["roof", "cutIn: 50 W", "cutInThreshold"],
  ["plane", "kWp: 5", "; peakPower is already there: remove kWp"],
  ["plane", "direction: S", "; azimuth is already there: remove direction"],
  ["plane", "baseLoad: 400 W", null],
  // Keys of a site and of a fleet.
  ["site", "longitude: 11.5", "; it is not needed, because the latitude is enough"],
  ["site", "lon: 11.5", "; it is not needed, because the latitude is enough"],
  ["site", "lat: 48.1", "latitude"],
  ["site", "latidude: 48.1", "latitude"],
  ["site", "cars: {}", "vehicles"],
  ["site", "label: [pilot]", "labels"],
  ["site", "tags: [pilot]", "labels"],
  ["site", "defauls: {}", "defaults"],
  ["site", "roofs: {}", "inverters"],
  ["site", "sun: true", null],
  ["site", "timezone: Europe/Berlin", null],
  ["fleet", "name: acme", "; fleet is already there: remove name"],
  ["fleet", "locations: {}", "; sites is already there: remove locations"],
  ["fleet", "waves: []", "rollout"],
  ["fleet", "shard: 4", "shards"],
  ["fleet", "roll_out: {}", "rollout"],
  ["site", "latitud: 48.1", "latitude"],
  ["roof", "peak_power: 9.8 kWp", "peakPower"],
  ["wave", "tags: [pilot]", "labels"],
];

const wrongAt: Readonly<Record<Place, (written: string) => string>> = {
  car: (written) => `fleet: a\nsites: { b: { vehicles: { c: { deviceId: c, ${written} } } } }`,
  roof: (written) => `fleet: a\nsites: { b: { inverters: { r: { deviceId: r, ${written} } } } }`,
  plane: (written) =>
    `fleet: a\nsites: { b: { inverters: { r: { deviceId: r, planes: [{ peakPower: 5 kWp, azimuth: S, tilt: 30, ${written} }] } } } }`,
  site: (written) => `fleet: a\nsites: { b: { ${written} } }`,
  fleet: (written) => `fleet: a\n${written}\nsites: { b: { vehicles: { c: { deviceId: c } } } }`,
  wave: (written) => `fleet: a\nrollout: { waves: [{ sites: [b], ${written} }] }\nsites: { b: {} }`,
};

/** The manifest with this mistake, and its file's name. */
export function wrongManifest([place, written]: WrongInput): readonly [text: string, file: string] {
  return [wrongAt[place](written), "fleet.yaml"];
}
