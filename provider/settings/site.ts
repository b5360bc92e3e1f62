import type { z } from "zod";
import type { Declaration } from "./declaration";
import { choicesText, meantBy, typeName } from "./explain";
import { type Group, kindOf, labelOf } from "./groups";
import { notAKey, OF_SITE } from "./keys";
import { isObject, type Properties } from "./objects";
import { GROUPS } from "./readiness";
import {
  characterProblem,
  deleteSchema,
  driftSchema,
  flagSchema,
  idSchema,
  keysOfDevice,
  latitudeSchema,
  lintNamesSchema,
  type Problem,
} from "./schema";
import { type DeviceKind, keysOf, LONGEST_TEXT } from "./setting";

/** One device of a site: declared, or only observed. */
export interface DeclaredDevice extends Declaration {
  readonly group: Group;
  readonly name: string;
  /** Whether it is read and never written. */
  readonly observe: boolean;
  /** Whether the site, rather than the program, declares its policy. */
  readonly policyFromSite: boolean;
  /**
   * Whether a gap keeps the site from setting its policy. The policy then stays, and does not count as a difference,
   * even after an update of unknown outcome.
   */
  readonly isPolicyHeld?: boolean;
  /** Whether a read decides whether the car gets a policy from the site: the car has no other gaps. */
  readonly isPolicyOpen?: boolean;
  /** The arguments of the device as the program gives them, without those from its site. */
  readonly given: Properties;
}

/**
 * The device with the facts that readiness needs.
 * @param values declared values, including unknown ones
 */
export function asMember<Device extends Pick<DeclaredDevice, "group" | "name" | "observe" | "policyFromSite">>(
  device: Device,
  declared: Properties,
) {
  const isLeftOut = !device.observe && declared.policy !== undefined && !device.policyFromSite;
  return { kind: kindOf(device), label: labelOf(device), observe: device.observe, isLeftOut, declared, device };
}

/** The keys of a site besides its devices, in programs of all languages and in manifests. */
const siteFields = {
  latitude: latitudeSchema.optional(),
  solar: flagSchema({
    true: "makes the site ready for solar-aware charging",
    false: "leaves the policies of its cars alone",
  }).optional(),
  requireReady: flagSchema({
    true: "a preview fails if the site lacks something",
    false: "it only warns",
  }).optional(),
  businessId: idSchema.optional(),
  onDelete: deleteSchema.optional(),
  onDrift: driftSchema(Object.values(GROUPS).flatMap(keysOf)).optional(),
  ignoreLints: lintNamesSchema().optional(),
} as const;
type SiteField = keyof typeof siteFields;

/** The values of a site's keys besides its devices. */
export type SiteOptions = { readonly [Field in SiteField]?: z.infer<(typeof siteFields)[Field]> };

/** The names of `SiteOptions`. */
export const SITE_OPTIONS = Object.keys(siteFields) as SiteField[];

/** The declarations of a program for one site. */
export interface SiteDeclaration {
  readonly options: SiteOptions;
  /** The devices, inverters first, each with the options from its site. Only declared policies are included. */
  readonly devices: readonly DeclaredDevice[];
  /** The groups whose devices are not known before the update. */
  readonly unknownGroups: readonly Group[];
}

export const SITE_KEYS: readonly string[] = ["vehicles", "inverters", ...Object.keys(siteFields)];

/** One problem of a site, and its path in the site's arguments. */
interface SiteProblem {
  readonly path: readonly string[];
  readonly reason: string;
}

/**
 * The problems of a site's own keys.
 * @param isUnknown whether a value is not known yet. Such values are accepted
 * @param known the keys to suggest. A manifest has more of them
 */
export function siteProblems(
  site: Properties,
  isUnknown: (value: unknown) => boolean = () => false,
  known: readonly string[] = SITE_KEYS,
): SiteProblem[] {
  const problems: SiteProblem[] = [];
  for (const [key, value] of Object.entries(site)) {
    if (!SITE_KEYS.includes(key)) {
      problems.push({ path: [key], reason: notAKey(key, "a site", known, site) });
    } else if (key in GROUPS) {
      problems.push(...groupProblems(key as Group, value, isUnknown));
    } else if (!isUnknown(value)) {
      const { error } = siteFields[key as SiteField].safeParse(value);
      if (error) problems.push({ path: [key], reason: error.issues[0]?.message as string });
    }
  }
  return problems;
}

function groupProblems(group: Group, devices: unknown, isUnknown: (value: unknown) => boolean): SiteProblem[] {
  if (devices === undefined || isUnknown(devices)) return [];
  if (!isObject(devices)) {
    const example = `{ ${kindOf({ group }).name}-1: { deviceId: … } }`;
    return [{ path: [group], reason: `must be ${group} by name, such as ${example}, not ${typeName(devices)}` }];
  }
  return Object.entries(devices).flatMap(([name, device]): SiteProblem[] => {
    const path = [group, name];
    const nameProblem = problemOfName(name);
    if (nameProblem) return [{ path, reason: nameProblem }];
    if (isObject(device) || isUnknown(device)) return [];
    return [{ path, reason: `must be of the form { deviceId: … }, not ${typeName(device)}` }];
  });
}

/**
 * Whether JavaScript objects already have a property of this name, such as `__proto__` or `constructor`. A device of
 * this name would be lost on its way to the engine.
 */
export function isReserved(name: string): boolean {
  return name in {};
}

function problemOfName(name: string): string | undefined {
  if (name.length === 0 || name.length > LONGEST_TEXT) return `needs a name of 1 to ${LONGEST_TEXT} characters`;
  if (isReserved(name)) return "choose another name: every JavaScript object has a property of this name";
  const problem = characterProblem(name);
  return problem && `needs another name: a name ${problem}`;
}

/** Whether a site is made ready for solar-aware charging. Default: whether it has inverters. */
export function isSolarSite(solar: unknown, devices: readonly Pick<DeclaredDevice, "group">[]): boolean {
  return typeof solar === "boolean" ? solar : devices.some(({ group }) => group === "inverters");
}

/** The keys that a device with `observe: true` can have. */
const OBSERVED_KEYS = ["deviceId", "businessId", "observe"];

/** The keys that a device of a site can have. */
export function keysInSite(kind: DeviceKind): string[] {
  return [...keysOfDevice(kind).filter((key) => !OF_SITE.includes(key)), "observe"];
}

/**
 * The problem of a value of `observe`. The value is not shown, because it may be a placeholder.
 */
function notObserve(given: unknown): string {
  const choices = { true: "the device is only read", false: "its settings are managed" };
  return `must be ${choicesText(choices)}, and known in the preview${meantBy(given, Object.keys(choices))}`;
}

/**
 * The problems of one device of a site.
 * @param given the arguments of the device itself
 * @param problems the problems of its values, without `observe`
 */
export function deviceProblems(given: Properties, problems: readonly Problem[]): Problem[] {
  const { observe } = given;
  if (observe === true) {
    const others = Object.keys(given).filter((key) => given[key] !== undefined && !OBSERVED_KEYS.includes(key));
    const reason =
      "cannot be declared for a device with observe: true, which is only read: remove it, or remove observe";
    const ofKeys = others.map((property) => ({ property, reason }));
    return [...ofKeys, ...problems.filter(({ property }) => OBSERVED_KEYS.includes(property))];
  }
  const isFlag = observe === undefined || typeof observe === "boolean";
  const misplaced = OF_SITE.filter((key) => given[key] !== undefined);
  return [
    ...problems.filter(({ property }) => !misplaced.includes(property)),
    ...misplaced.map((property) => ({ property, reason: "is a key of a site, not of a device: move it there" })),
    ...(isFlag ? [] : [{ property: "observe", reason: notObserve(observe) }]),
  ];
}
