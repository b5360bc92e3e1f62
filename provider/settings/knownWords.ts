/**
 * Words of other systems and languages, by the name or value that they stand for, in lower case without accents and
 * signs. Without them, a suggestion by similarity would be wrong: `revert` looks like `reset`, which writes the service's
 * defaults over the customer's values.
 */
const WORDS: Readonly<Record<string, string>> = {
  // Values of onDelete.
  restore:
    "revert undo rollback recover original originals previous before wiederherstellen restaurer restaurar ripristinare",
  retain: "keep none leave preserve abandon orphan nothing noop behalten garder conserver mantener mantenere",
  reset: "factory factorydefaults factoryreset",
  // Values of onDrift.
  keep: "accept allow tolerate ignore retain leave",
  repair: "fix heal correct enforce overwrite reset revert restore",
  // Flags.
  true: "yes on ja oui si y j 1",
  false: "no off nein non nee n 0",
  // Policies.
  "CHARGE BY FORECAST": "forecast solar pv chargebysolar chargebypv solarforecast",
  "CHARGE BY": "price cheap cheapest chargebyprice default",
  // Conventions of an azimuth.
  "south-zero": "pvgis forecastsolar openmeteo",
  "north-zero": "compass bearing",
  // Settings, and the other keys of a device.
  maxCapacity:
    "capacity battery batterysize batterycapacity kwh capacitykwh akku akkukapazitat batteriekapazitat kapazitat capaciteit accucapaciteit capacite",
  maxChargePower:
    "power maxpower chargepower chargingpower maxcharge maxchargingpower chargerate ladeleistung leistung laadvermogen vermogen puissance kw",
  policy: "mode chargemode chargingmode chargepolicy chargingpolicy strategy",
  peakPower:
    "kwp kwpeak wp peak power capacity size pvpower nominalpower ratedpower installedpower leistung nennleistung spitzenleistung vermogen piekvermogen puissance",
  azimuth: "direction orientation facing bearing heading aspect ausrichtung himmelsrichtung orientatie",
  tilt: "slope inclination angle pitch declination neigung dachneigung neigungswinkel helling hellingshoek inclinaison",
  cutInThreshold: "cutin threshold startpower startuppower minpower schwelle einschaltschwelle drempel seuil",
  baseLoad: "load houseload homeload consumption standby baseconsumption grundlast basislast chargedebase",
  planes: "roofs strings arrays orientations",
  deviceId: "id device devid device vehicleid carid inverterid",
  businessId: "business customer customerid organization organizationid org tenant tenantid company companyid",
  onDelete: "delete deletionpolicy deletepolicy ondestroy onremove",
  onDrift: "drift driftpolicy ondrifted ignoredrift keepdrift",
  ignoreLints: "ignore ignorewarnings lints",
  observe: "readonly observed readonlydevice",
  // A site and a fleet.
  latitude: "lat breite breitengrad breedtegraad",
  solar: "sun solarcharging",
  vehicles: "car cars ev evs auto autos fahrzeug fahrzeuge",
  inverters: "pv roof roofs panels wechselrichter",
  sites: "location locations standort standorte",
  site: "location standort locatie lieu",
  fleet: "name",
  labels: "tags region regions country area",
  rollout: "waves",
  vehicle: "car ev auto fahrzeug",
  inverter: "pv roof panels wechselrichter",
  // The configuration.
  baseUrl: "url apiurl endpoint host",
  accessToken: "token apikey apitoken",
};

/** Words for values that are not needed, each with the key that is enough. */
const NOT_NEEDED: ReadonlyMap<string, string> = new Map(
  ["longitude", "lon", "lng", "long", "langengrad"].map((word) => [word, "latitude"]),
);

/** Parts of words with opposite meanings. No suggestion replaces one by the other. */
const OPPOSITES = [
  ["min", "max"],
  ["discharge", "charge"],
  ["north", "south"],
  ["east", "west"],
  ["longitude", "latitude"],
  ["export", "import"],
  ["disable", "enable"],
] as const;

const MEANINGS: ReadonlyMap<string, readonly string[]> = meanings();

/** A word in lower case without accents and signs: names that differ only in these are the same for a person. */
export function bareWord(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/ø/g, "o")
    .replace(/[^a-z0-9]/g, "");
}

/**
 * The candidate that a word of another system or language means. Null if the word is known, but means none or several
 * of the candidates; undefined if it is not known.
 */
export function meaningOf(bare: string, candidates: readonly string[]): string | null | undefined {
  const known = MEANINGS.get(bare);
  if (!known) return undefined;
  const fitting = candidates.filter((one) => known.some((meaning) => bareWord(meaning) === bareWord(one)));
  return fitting.length === 1 ? fitting[0] : null;
}

/** The candidate that makes the word unnecessary, such as the latitude for `longitude`; undefined if there is none. */
export function neededInstead(bare: string, candidates: readonly string[]): string | undefined {
  const needed = NOT_NEEDED.get(bare);
  return candidates.find((one) => one === needed);
}

/** Whether one word has the opposite of a part of the other one. */
export function areOpposite(one: string, other: string): boolean {
  return OPPOSITES.some(([first, second]) => {
    const side = (word: string) => (word.includes(first) ? first : word.includes(second) ? second : undefined);
    const [left, right] = [side(one), side(other)];
    return left !== undefined && right !== undefined && left !== right;
  });
}

function meanings(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [meaning, words] of Object.entries(WORDS)) {
    for (const word of words.split(" ")) found.set(word, [...(found.get(word) ?? []), meaning]);
  }
  return found;
}
