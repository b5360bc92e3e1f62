import { LINT_CODES } from "../messages/codes";
import type { Message } from "../messages/message";
import { type Found, LINTS } from "./lintTable";
import type { DeviceKind, Values } from "./setting";

/**
 * The name of a warning, by which `ignoreLints` switches it off. It never changes.
 * @useDeclaredType
 */
export type LintName = (typeof LINT_CODES)[number];

/** The names of all lints. */
export const LINT_NAMES: readonly LintName[] = LINT_CODES;

export interface LintOptions {
  /** Keys that have a value which is not known yet: a lint that reads one of them is silent. */
  readonly unknownKeys: ReadonlySet<string>;
  /** Keys that the program declares as secrets: a lint that reads one of them shows no value. */
  readonly secretKeys?: ReadonlySet<string>;
  /** Where the device stands, in degrees, north positive. Nothing is said of the azimuth without it. */
  readonly latitude?: number | undefined;
  /** Lints that are switched off. */
  readonly ignore?: readonly LintName[] | undefined;
}

/**
 * Warnings of values that are in their ranges. A property gets one warning at most, of the first lint in the
 * table that finds something: a second one would say the same of the same value.
 */
export function lint(
  kind: DeviceKind,
  declared: Values,
  { unknownKeys, secretKeys = new Set(), latitude, ignore = [] }: LintOptions,
): Message[] {
  const warnings: Message[] = [];
  for (const [key, { of, property, reads, find }] of Object.entries(LINTS)) {
    const name = key as LintName;
    if (of.name !== kind.name || ignore.includes(name) || reads.some((key) => unknownKeys.has(key))) continue;
    if (warnings.some((earlier) => earlier.setting === property)) continue;
    const found = find(declared, latitude);
    if (!found) continue;
    const isSecret = reads.some((key) => secretKeys.has(key) && declared[key] !== undefined);
    warnings.push({ ...lintMessage(name, isSecret ? hidden(property, name) : found), setting: property });
  }
  return warnings;
}

/** The finding of a lint, as a message with the way to switch the lint off. */
export function lintMessage(name: LintName, [finding, advice]: Found): Message {
  return { code: name, finding, advice: `${advice} (switch off with ignoreLints: ["${name}"])` };
}

/** The finding for a secret value, which is not shown. */
export function hidden(property: string, name: LintName): Found {
  return [
    `${property} looks wrong, by the lint ${name}`,
    "As a value is a secret, no more is shown: look at the value",
  ];
}
