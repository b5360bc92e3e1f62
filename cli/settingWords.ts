/** The names of settings in sentences, for readers who do not program. */
const NAMES = {
  maxCapacity: "capacity",
  maxChargePower: "charge power",
  policy: "policy",
  peakPower: "peak power",
  azimuth: "azimuth",
  tilt: "tilt",
  cutInThreshold: "cut-in threshold",
  baseLoad: "base load",
  onDelete: "on delete",
  onDrift: "on drift",
};

/** The name of a setting in a sentence: `charge power`. */
export function settingInWords(key: string): string {
  return Object.hasOwn(NAMES, key) ? NAMES[key as keyof typeof NAMES] : key;
}
