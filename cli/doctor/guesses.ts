import { type DeviceKind, keysOf, type NumberSetting, PLACES } from "../../provider/settings/setting";
import { type Check, ok, skipped } from "./check";
import { DOCUMENTED } from "./interface";
import type { Shown } from "./shape";
import type { Structure } from "./structure";

/** Likely names of the fields of a setting, the likeliest first (our guess: the service documents none). */
const LIKELY: Readonly<Record<string, readonly RegExp[]>> = {
  peakPower: [
    /peak.*power|power.*peak/,
    /peak|kwp|(^|_)wp($|_)/,
    /(installed|rated|nominal|max|pv|solar|panel|array).*(power|capacity)/,
  ],
  azimuth: [/azimuth/, /orientation|bearing|heading|facing|aspect/],
  tilt: [/tilt/, /slope|inclination|pitch|declination/, /angle/],
  cutInThreshold: [/cut.?in/, /(start|min).*(power|threshold)/, /threshold/],
  baseLoad: [/base.*load|load.*base/, /(base|standby|idle|house|home).*(load|power|consumption)/],
};

interface Candidate {
  readonly name: string;
  readonly value: number;
}

/**
 * Which unknown numeric fields of an inverter may be its settings, as the configuration that would say so. By name only, so
 * it is a guess, and shown as one.
 * @param isConfigured whether the user has set wire names
 */
export function guessCheck({ device, kind, structure }: Shown, isConfigured: boolean): Check {
  const name = "inverter fields";
  const candidates = candidatesIn(device, structure);
  if (candidates.length === 0) {
    return skipped(
      name,
      "the object has no numeric field that is not documented",
      "Ask the service for the names, and set SOLAR_CHARGING_INVERTER_FIELDS",
    );
  }
  const found = `numeric fields that are not documented: ${candidates.map((one) => one.name).join(", ")}`;
  if (
    isConfigured &&
    keysOf(kind).every((key) => candidates.some((one) => one.name === kind.settings[key]?.wireName))
  ) {
    return ok(name, `${found}; SOLAR_CHARGING_INVERTER_FIELDS names five of them`);
  }
  const guesses = guessesFor(kind, candidates);
  if (Object.keys(guesses).length === 0) return skipped(name, `${found}. None is called like a setting`);
  const doubts = Object.entries(guesses).flatMap(([key, { name: field, value }]) => doubtOf(key, field, value, kind));
  const names = Object.fromEntries(Object.entries(guesses).map(([key, guess]) => [key, guess.name]));
  return skipped(
    name,
    `${found}. By their names, a guess`,
    [
      `SOLAR_CHARGING_INVERTER_FIELDS='${JSON.stringify(names)}'`,
      ...doubts,
      "Ask the service, or set it and try a name with --identity-patch, before you rely on it",
    ].join("\n    "),
  );
}

/** Numeric fields in the places of settings, without the documented ones. */
function candidatesIn(device: Shown["device"], structure: Structure): Candidate[] {
  const found = PLACES.flatMap((place) => {
    const fields = place === "" ? device : device[place];
    if (typeof fields !== "object" || fields === null) return [];
    return Object.entries(fields).flatMap(([name, value]) => {
      const path = place === "" ? name : `${place}.${name}`;
      // A key that is masked is no path of the structure.
      return typeof value === "number" && !(path in DOCUMENTED) && path in structure ? [{ name, value }] : [];
    });
  });
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

/** For each setting the field whose name is likest, each field for one setting. */
function guessesFor(kind: DeviceKind, candidates: readonly Candidate[]): Record<string, Candidate> {
  const guesses: Record<string, Candidate> = {};
  const taken = new Set<string>();
  const longest = Math.max(...Object.values(LIKELY).map(({ length }) => length));
  // The configured, or documented-by-us, name first; then likely names, the likeliest of all settings before the next.
  for (let rank = -1; rank < longest; rank++) {
    for (const [key, setting] of Object.entries(kind.settings)) {
      if (key in guesses) continue;
      const pattern = LIKELY[key]?.[rank];
      const guess = candidates.find(
        ({ name }) => !taken.has(name) && (rank === -1 ? name === setting.wireName : pattern?.test(name.toLowerCase())),
      );
      if (!guess) continue;
      guesses[key] = guess;
      taken.add(guess.name);
    }
  }
  return guesses;
}

/** A value out of range is reported, and not shown. */
function doubtOf(key: string, field: string, value: number, kind: DeviceKind): string[] {
  const { unit, minimum, maximum } = kind.settings[key] as NumberSetting;
  if (value >= minimum && value <= maximum) return [];
  return [`${field} is not from ${minimum} to ${maximum} ${unit}: it is another thing, or counted in another unit`];
}
