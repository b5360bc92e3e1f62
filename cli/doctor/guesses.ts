import { listed } from "../../provider/settings/explain";
import { isEmpty } from "../../provider/settings/objects";
import { type DeviceKind, keysOf, type NumberSetting, PLACES } from "../../provider/settings/setting";
import { quantityText } from "../../provider/settings/units";
import { vehicle } from "../../provider/settings/vehicle";
import { type Check, ok, skipped } from "./check";
import { at, DOCUMENTED, type ExaminedDevice } from "./shape";
import type { Structure } from "./structure";

/** Patterns of likely field names of a setting, the likeliest first (our guess). */
const LIKELY: Readonly<Record<string, readonly RegExp[]>> = {
  peakPower: [
    /^(?=.*peak).*power/,
    /peak|kwp|(^|_)wp($|_)/,
    /^(?=.*(?:installed|rated|nominal|max|pv|solar|panel|array)).*(?:power|capacity)/,
  ],
  azimuth: [/azimuth/, /orientation|bearing|heading|facing|aspect/],
  tilt: [/tilt/, /slope|inclination|pitch|declination/, /angle/],
  cutInThreshold: [/cut.?in/, /^(?=.*(?:start|min)).*(?:power|threshold)/, /threshold/],
  baseLoad: [/^(?=.*base).*load/, /^(?=.*(?:base|standby|idle|house|home)).*(?:load|power|consumption)/],
};

interface Candidate {
  readonly name: string;
  readonly value: number;
}

/**
 * Guesses which unknown numeric fields of an inverter are its settings, as a value of the configuration. It looks at
 * names only, so the finding is shown as a guess.
 * @param isConfigured whether the user has set wire names
 */
export function guessCheck(
  { device, kind, structure }: ExaminedDevice,
  { isConfigured }: { readonly isConfigured: boolean },
): Check {
  const candidates = candidatesIn(device, structure);
  if (candidates.length === 0) {
    return skipped(
      "inverter fields",
      "the answer has no undocumented field with a number",
      "Ask the operator of the service for the names, and set SOLAR_CHARGING_INVERTER_FIELDS",
    );
  }
  const found = `undocumented fields with numbers: ${listed(candidates.map((one) => one.name))}`;
  if (
    isConfigured &&
    keysOf(kind).every((key) => candidates.some((one) => one.name === kind.settings[key]?.wireName))
  ) {
    return ok("inverter fields", `${found}; all five of SOLAR_CHARGING_INVERTER_FIELDS are among them`);
  }
  const guesses = guessesFor(kind, candidates);
  if (isEmpty(guesses)) return skipped("inverter fields", `${found}. No name looks like that of a setting`);
  const doubts = Object.entries(guesses).flatMap(([key, { name: field, value }]) => doubtOf(key, field, value, kind));
  const names = Object.fromEntries(Object.entries(guesses).map(([key, guess]) => [key, guess.name]));
  return skipped(
    "inverter fields",
    `${found}. A guess from their names`,
    [
      `SOLAR_CHARGING_INVERTER_FIELDS='${JSON.stringify(names)}'`,
      ...doubts,
      "This is a guess. Before you rely on it, ask the operator of the service, or set it and test each name with --identity-patch",
    ].join("\n    "),
  );
}

/** The fields of a vehicle's settings, which the configuration refuses for an inverter. */
const OF_VEHICLES = Object.values(vehicle.settings).map(({ wireName }) => wireName);

/** Undocumented numeric fields in the places of settings. */
function candidatesIn(device: ExaminedDevice["device"], structure: Structure): Candidate[] {
  const found = PLACES.flatMap((place) => {
    const fields = place === "" ? device : device[place];
    if (typeof fields !== "object" || fields === null) return [];
    return Object.entries(fields).flatMap(([name, value]) => {
      const path = at(place, name);
      // A masked key is not a path of the structure.
      const isTaken = path in DOCUMENTED || OF_VEHICLES.includes(name);
      return typeof value === "number" && !isTaken && path in structure ? [{ name, value }] : [];
    });
  });
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

/** The likeliest field for each setting; each field is used once. */
function guessesFor(kind: DeviceKind, candidates: readonly Candidate[]): Record<string, Candidate> {
  const guesses: Record<string, Candidate> = {};
  const used = new Set<string>();
  const longest = Math.max(...Object.values(LIKELY).map(({ length }) => length));
  // The configured name or our default comes first. Then the likeliest name of every setting, then the second
  // likeliest, and so on.
  for (let rank = -1; rank < longest; rank++) {
    for (const [key, setting] of Object.entries(kind.settings)) {
      if (key in guesses) continue;
      const pattern = LIKELY[key]?.[rank];
      const guess = candidates.find(
        ({ name }) => !used.has(name) && (rank === -1 ? name === setting.wireName : pattern?.test(name.toLowerCase())),
      );
      if (!guess) continue;
      guesses[key] = guess;
      used.add(guess.name);
    }
  }
  return guesses;
}

/** The doubt about a value out of range, without the value. */
function doubtOf(key: string, field: string, value: number, kind: DeviceKind): string[] {
  const { unit, minimum, maximum } = kind.settings[key] as NumberSetting;
  if (value >= minimum && value <= maximum) return [];
  const [least, most] = [minimum, maximum].map((limit) => quantityText(unit, limit));
  return [`${field} is outside of ${least} to ${most}: it has another unit, or is not ${key}`];
}
