import { LINTS } from "./lintTable";
import type { DeviceKind, Values } from "./setting";
import { PROGRAM_LINTS, SITE_LINTS } from "./siteLints";

/** A value that is accepted but looks wrong. */
export interface Warning {
  readonly lint: LintName;
  /** The property that looks wrong; `deviceId` for what concerns the device as a whole. */
  readonly property: string;
  /** What the value is, why it looks wrong, what was probably meant, and how to switch the lint off. */
  readonly message: string;
}

/** The name of a lint, by which a program switches it off: it never changes. */
export type LintName = DeviceLintName | keyof typeof SITE_LINTS | (typeof PROGRAM_LINTS)[number];

type DeviceLintName = keyof typeof LINTS;

const DEVICE_LINT_NAMES = Object.keys(LINTS) as DeviceLintName[];

/** The names of all lints, in the order in which they speak. */
export const LINT_NAMES: readonly LintName[] = [
  ...DEVICE_LINT_NAMES,
  ...(Object.keys(SITE_LINTS) as LintName[]),
  ...PROGRAM_LINTS,
];

export interface LintOptions {
  /** Keys that have a value which is not known yet: a lint that reads one of them is silent. */
  readonly unknownKeys: ReadonlySet<string>;
  /** Where the device stands, in degrees, north positive. Nothing is said of the azimuth without it. */
  readonly latitude?: number | undefined;
  /** Lints that are switched off. */
  readonly ignore?: readonly LintName[] | undefined;
}

/**
 * What looks wrong with values that are in their ranges. A property gets one warning at most, of the first lint in the
 * table that finds something: a second one would say the same of the same value.
 */
export function lint(
  kind: DeviceKind,
  declared: Values,
  { unknownKeys, latitude, ignore = [] }: LintOptions,
): Warning[] {
  const warnings: Warning[] = [];
  for (const name of DEVICE_LINT_NAMES) {
    const { of, property, reads, find } = LINTS[name];
    if (of.name !== kind.name || ignore.includes(name) || reads.some((key) => unknownKeys.has(key))) continue;
    if (warnings.some((earlier) => earlier.property === property)) continue;
    const finding = find(declared, latitude);
    if (finding) {
      warnings.push({ lint: name, property, message: `${finding} (switch off with ignoreLints: ["${name}"])` });
    }
  }
  return warnings;
}
