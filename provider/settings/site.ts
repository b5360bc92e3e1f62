import { z } from "zod";
import { type Declaration, ON_DELETE } from "./declaration";
import { didYouMean, typeName } from "./explain";
import { LINT_NAMES } from "./lints";
import { GROUPS, type ReadinessMember } from "./readiness";
import { characterProblem, choiceSchema, idSchema, latitudeSchema, type Problem } from "./schema";
import { type DeviceKind, isObject } from "./setting";

/** The two maps of a site's devices, in the order in which they are applied. */
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** One device of a site: what is declared for it, or that it is only observed. */
export interface SiteDevice extends Declaration {
  readonly group: Group;
  readonly name: string;
  /** Whether it is read and never written. */
  readonly observe: boolean;
  /** Whether the site, and not the program, declares its policy. */
  readonly policyFromSite: boolean;
}

/** Names a device in gaps, messages and outputs: `vehicle/<name>` or `inverter/<name>`. */
export function labelOf({ group, name }: Pick<SiteDevice, "group" | "name">): string {
  return `${kindOf({ group }).name}/${name}`;
}

export function kindOf({ group }: Pick<SiteDevice, "group">): DeviceKind {
  return GROUPS[group];
}

/** A device as readiness sees it. @param values declared values, also ones that are not known yet */
export function asMember(
  device: Omit<SiteDevice, "values" | "businessId" | "deviceId">,
  declared: Readonly<Record<string, unknown>>,
): ReadinessMember {
  const isLeftOut = !device.observe && declared.policy !== undefined && !device.policyFromSite;
  return { kind: kindOf(device), label: labelOf(device), observe: device.observe, isLeftOut, declared };
}

/** Longest name of a device within its site, in characters (our choice). */
const LONGEST_NAME = 256;

const flag = z.boolean({ error: ({ input }) => `has to be true or false, not ${typeName(input)}` }).optional();

/** The keys of a site beside its devices: the same in a program, in every language, and in a manifest. */
export const siteFields = {
  latitude: latitudeSchema.optional(),
  solar: flag,
  requireReady: flag,
  businessId: idSchema.optional(),
  onDelete: choiceSchema(ON_DELETE).optional(),
  ignoreLints: z
    .array(choiceSchema(LINT_NAMES), {
      error: ({ input }) => `has to be a list of names of lints, not ${typeName(input)}`,
    })
    .optional(),
} as const;
export type SiteField = keyof typeof siteFields;

/** All keys of a site. */
export const SITE_KEYS: readonly string[] = ["vehicles", "inverters", ...Object.keys(siteFields)];

/** One thing that is wrong with a site, and the way to it in the site's arguments. */
export interface SiteProblem {
  readonly path: readonly string[];
  readonly reason: string;
}

/** Everything that is wrong with a site's own keys. @param isUnknown whether a value is not known yet: it passes */
export function siteProblems(
  site: Readonly<Record<string, unknown>>,
  isUnknown: (value: unknown) => boolean = () => false,
): SiteProblem[] {
  const problems: SiteProblem[] = [];
  for (const [key, value] of Object.entries(site)) {
    if (!SITE_KEYS.includes(key)) {
      problems.push({ path: [key], reason: `is not a property of SiteSettings${didYouMean(key, SITE_KEYS)}` });
    } else if (key in GROUPS) {
      problems.push(...groupProblems(key as Group, value, isUnknown));
    } else if (value !== undefined && !isUnknown(value)) {
      const { error } = siteFields[key as SiteField].safeParse(value);
      if (error) problems.push({ path: [key], reason: error.issues[0]?.message as string });
    }
  }
  return problems;
}

function groupProblems(group: Group, devices: unknown, isUnknown: (value: unknown) => boolean): SiteProblem[] {
  if (devices === undefined || isUnknown(devices)) return [];
  if (!isObject(devices)) {
    return [{ path: [group], reason: `has to be an object of ${group} by name, not ${typeName(devices)}` }];
  }
  return Object.entries(devices).flatMap(([name, device]): SiteProblem[] => {
    const path = [group, name];
    const nameProblem = problemOfName(name);
    if (nameProblem) return [{ path, reason: nameProblem }];
    if (isObject(device) || isUnknown(device)) return [];
    return [{ path, reason: `has to be an object with deviceId and settings, not ${typeName(device)}` }];
  });
}

function problemOfName(name: string): string | undefined {
  if (name.length === 0 || name.length > LONGEST_NAME) return `needs a name of 1 to ${LONGEST_NAME} characters`;
  // JavaScript has a meaning for it: a device of this name would be lost on its way to the engine.
  if (name === "__proto__") return "needs another name";
  const problem = characterProblem(name);
  return problem && `needs another name, which ${problem}`;
}

/** Whether a site is to be made ready for solar-aware charging: as it says, else if it has inverters. */
export function isSolarSite(solar: unknown, devices: readonly Pick<SiteDevice, "group">[]): boolean {
  return typeof solar === "boolean" ? solar : devices.some(({ group }) => group === "inverters");
}

/** The keys that a device with `observe: true` can have. */
const OBSERVED_KEYS = ["deviceId", "businessId", "observe"];

/**
 * The problems of one device of a site.
 * @param given what the device itself is given
 * @param problems what is wrong with its values, `observe` left out
 */
export function deviceProblems(given: Readonly<Record<string, unknown>>, problems: readonly Problem[]): Problem[] {
  const { observe, latitude } = given;
  if (observe === true) {
    const others = Object.keys(given).filter((key) => given[key] !== undefined && !OBSERVED_KEYS.includes(key));
    const reason = "cannot be declared of a device with observe: true, which is only read";
    const ofKeys = others.map((property) => ({ property, reason }));
    return [...ofKeys, ...problems.filter(({ property }) => OBSERVED_KEYS.includes(property))];
  }
  const isFlag = observe === undefined || typeof observe === "boolean";
  return [
    ...problems,
    ...(latitude === undefined ? [] : [{ property: "latitude", reason: "is the site's: declare it there" }]),
    ...(isFlag ? [] : [{ property: "observe", reason: "has to be true or false, and known in the preview" }]),
  ];
}
