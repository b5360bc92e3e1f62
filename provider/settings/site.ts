import { z } from "zod";
import { type Declaration, ON_DELETE } from "./declaration";
import { didYouMean, typeName } from "./explain";
import { LINT_NAMES } from "./lints";
import { GROUPS, type ReadinessMember } from "./readiness";
import { choiceSchema, idSchema, latitudeSchema, type Problem } from "./schema";
import { type DeviceKind, isObject, type Values } from "./setting";

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

/** Everything that is wrong with a site's own keys. @param isUnknown whether a value is not known yet: it passes */
export function siteProblems(
  site: Readonly<Record<string, unknown>>,
  isUnknown: (value: unknown) => boolean = () => false,
): Problem[] {
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(site)) {
    if (!SITE_KEYS.includes(key)) {
      problems.push({ property: key, reason: `is not a property of SiteSettings${didYouMean(key, SITE_KEYS)}` });
    } else if (key in GROUPS) {
      problems.push(...groupProblems(key as Group, value, isUnknown));
    } else if (value !== undefined && !isUnknown(value)) {
      const { error } = siteFields[key as SiteField].safeParse(value);
      if (error) problems.push({ property: key, reason: error.issues[0]?.message as string });
    }
  }
  return problems;
}

function groupProblems(group: Group, devices: unknown, isUnknown: (value: unknown) => boolean): Problem[] {
  if (devices === undefined || isUnknown(devices)) return [];
  if (!isObject(devices)) {
    return [{ property: group, reason: `has to be an object of ${group} by name, not ${typeName(devices)}` }];
  }
  return Object.entries(devices).flatMap(([name, device]): Problem[] => {
    const property = `${group}.${name}`;
    if (!isName(name)) {
      return [{ property, reason: `needs a name of 1 to ${LONGEST_NAME} characters, without control characters` }];
    }
    if (isObject(device) || isUnknown(device)) return [];
    return [{ property, reason: `has to be an object with deviceId and settings, not ${typeName(device)}` }];
  });
}

function isName(name: string): boolean {
  return name.length > 0 && name.length <= LONGEST_NAME && name.isWellFormed() && !/\p{Cc}/u.test(name);
}

/** Whether a site is to be made ready for solar-aware charging: as it says, else if it has inverters. */
export function isSolarSite(solar: unknown, devices: readonly Pick<SiteDevice, "group">[]): boolean {
  return typeof solar === "boolean" ? solar : devices.some(({ group }) => group === "inverters");
}

/** What is wrong with the keys of a device that is only observed: it takes no settings. */
export function observedProblems(given: Readonly<Record<string, unknown>>): Problem[] {
  const known = ["deviceId", "businessId", "observe"];
  return Object.keys(given)
    .filter((key) => given[key] !== undefined && !known.includes(key))
    .map((property) => ({ property, reason: "cannot be declared of a device with observe: true, which is only read" }));
}

/** Values of several devices, by label: what lints of a whole site look at. */
export type ValuesByLabel = ReadonlyMap<string, Values>;
