/** `10,000`. */
export function numbered(count: number): string {
  return count.toLocaleString("en");
}

/** `1 device`, `2 devices`, `10,000 devices`. */
export function counted(count: number, noun: string): string {
  return `${numbered(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * A text of at most this many characters, and `…` for the rest. It ends with a whole word: half of a name would look like
 * another name. A single long word is cut.
 */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = text.lastIndexOf(" ", longest - 1);
  return `${text.slice(0, end > 0 ? end : longest - 1).toWellFormed()}…`;
}

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

/** A word for a shell, quoted if the shell would change it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
