import type { Panels } from "../../measure/sky/plane";
import { LINT_CODES } from "../messages/codes";
import type { Message } from "../messages/message";
import { type Found, LINTS } from "./lintTable";
import { type Properties, pick } from "./objects";
import { FOLDED, foldWords } from "./planes";
import type { DeviceKind, Values } from "./setting";

/**
 * The name of a warning, by which `ignoreLints` switches it off. It never changes.
 * @useDeclaredType
 */
export type LintName = (typeof LINT_CODES)[number];

/** The lints that the arguments of a device or a site switch off; none if the arguments are invalid. */
export function ignoredBy({ ignoreLints }: Properties): LintName[] {
  return Array.isArray(ignoreLints) ? ignoreLints.filter((name) => LINT_CODES.includes(name)) : [];
}

interface LintOptions {
  /** Keys with unknown values. A lint that reads one of them finds nothing. */
  readonly unknownKeys: ReadonlySet<string>;
  /** Keys that the program declares as secrets. A lint that reads one of them shows no value. */
  readonly secretKeys?: ReadonlySet<string>;
  /** Latitude of the device, in degrees, north positive. Without it, no lint looks at the azimuth. */
  readonly latitude?: number | undefined;
  /** The planes that the declared peak power, azimuth and tilt replace. */
  readonly planes?: readonly Panels[] | undefined;
  /** Lints that are switched off. */
  readonly ignore?: readonly LintName[] | undefined;
}

/** The lint about the losses of several planes as one. */
export const LINT_OF_FOLD = "planes-as-one";

/** The lints about a single plane. They do not apply to a plane that replaces several: it may be level. */
const OF_PLANE: readonly LintName[] = ["tilt-in-radians", "steep-tilt"];

/** Up to this tilt, in degrees, the azimuth of a plane that replaces several hardly matters. */
const NEARLY_LEVEL = 8;

/**
 * Warnings about values that are in their ranges. A property gets at most one warning, from the first lint of the table
 * with a finding: a second one would repeat it.
 */
export function lint(kind: DeviceKind, declared: Values, options: LintOptions): Message[] {
  const { planes, ignore = [] } = options;
  if (!planes) return lintValues(kind, declared, options);
  const isLevel = Number(declared.tilt) <= NEARLY_LEVEL;
  const ofFold: LintName[] = [
    ...ignore,
    ...OF_PLANE,
    "flat-tilt",
    ...(isLevel ? ["azimuth-off-equator" as const] : []),
  ];
  const others = LINT_CODES.filter((name) => !OF_PLANE.includes(name) || ignore.includes(name));
  return [
    ...lintValues(kind, declared, { ...options, ignore: ofFold }),
    ...planes.flatMap((plane, index) =>
      lintValues(kind, pick({ ...plane }, FOLDED), { ...options, ignore: others }).map((message) => ({
        ...message,
        finding: `planes[${index}]: ${message.finding}`,
        setting: "planes",
      })),
    ),
    ...lintFold(planes, options),
  ];
}

function lintFold(planes: readonly Panels[], { latitude, secretKeys, ignore = [] }: LintOptions): Message[] {
  const words = ignore.includes(LINT_OF_FOLD) ? undefined : foldWords(planes, latitude);
  if (!words?.isCoarse) return [];
  const { finding, advice = "", numbers } = words;
  const isSecret = FOLDED.some((key) => secretKeys?.has(key));
  const message = isSecret ? hiddenLint(LINT_OF_FOLD, "planes") : lintMessage(LINT_OF_FOLD, [finding, advice]);
  return [{ ...message, setting: "planes", ...(!isSecret && { numbers }) }];
}

function lintValues(
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
    warnings.push({ ...(isSecret ? hiddenLint(name, property) : lintMessage(name, found)), setting: property });
  }
  return warnings;
}

/** The finding of a lint, as a message with the way to switch the lint off. */
export function lintMessage(name: LintName, [finding, advice]: Found): Message {
  return { code: name, finding, advice: `${advice} (switch off with ignoreLints: ["${name}"])` };
}

/** The finding for a secret value, which is not shown. */
export function hiddenLint(name: LintName, property: string): Message {
  return lintMessage(name, [
    `${property} may be wrong (lint ${name})`,
    "Check it. The value is secret, so details are hidden",
  ]);
}
