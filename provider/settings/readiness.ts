import type { Message } from "../messages/message";
import { inverter } from "./inverter";
import { type DeviceKind, keysOf } from "./setting";
import { ChargePolicy, vehicle } from "./vehicle";

/** The kinds of devices of a site, by the name of their map. The service needs inverters' values before a car's. */
export const GROUPS = {
  /** The site's inverters. */
  inverters: inverter,
  /** The site's vehicles. */
  vehicles: vehicle,
} as const;

export const GAP_REASONS = [
  "notDeclared",
  "notReported",
  "notAccepted",
  "otherPolicy",
  "none",
  "off",
  "otherDevice",
] as const;
/**
 * Why a setting, a device or a whole site is a gap: `notDeclared`, the program does not declare it; `notReported`, a
 * device that is only observed does not report it; `notAccepted`, it is declared and the service has not accepted it;
 * `otherPolicy`, the car's policy is not CHARGE BY FORECAST; `none`, the site has no such device; `off`, the program
 * switches solar-aware charging off; `otherDevice`, the id is not one of a device of this kind.
 * @useDeclaredType
 */
export type GapReason = (typeof GAP_REASONS)[number];

/** One thing that keeps a site from being ready for solar-aware charging. */
export interface Gap {
  /** `vehicle/<name>` or `inverter/<name>`; `site` for the site as a whole. */
  readonly device: string;
  /** The setting, such as `maxCapacity`; `vehicles`, `inverters` or `solar` of a site; `deviceId` of a device. */
  readonly setting: string;
  /** Why it is missing. */
  readonly reason: GapReason;
}

const WORDS: Readonly<Record<GapReason, (setting: string) => string>> = {
  notDeclared: (setting) => `${setting} is not declared`,
  notReported: (setting) => `${setting} is not reported`,
  notAccepted: (setting) => `${setting} is not accepted yet`,
  otherPolicy: () => `policy is not ${ChargePolicy.ChargeByForecast}`,
  none: (setting) => `it has no ${setting}`,
  off: () => "solar is false",
  otherDevice: () => "its id is that of another kind of device",
};

/** Why something is a gap, without the device. @param setting as it is to be called: `maxCapacity`, `capacity` */
export function reasonOfGap(reason: GapReason, setting: string): string {
  return WORDS[reason](setting);
}

/**
 * A gap in words.
 * @example
 * gapInWords({ device: "vehicle/car", setting: "maxCapacity", reason: "notDeclared" });
 * // vehicle/car: maxCapacity is not declared
 */
export function gapInWords({ device, setting, reason }: Gap): string {
  return `${device}: ${reasonOfGap(reason, setting)}`;
}

/** The warning about a site that lacks something. */
export function notReady(site: string, gaps: readonly Gap[]): Message {
  const words = gaps.map(gapInWords).join("; ");
  return { code: "notReady", finding: `site '${site}' is not ready for solar-aware charging: ${words}` };
}

/** Whether a site is ready for solar-aware charging, and what keeps it from being so. */
export interface Readiness {
  readonly ready: boolean;
  readonly gaps: readonly Gap[];
  /** The gaps in words. */
  readonly missing: readonly string[];
}

export function readinessOf(gaps: readonly Gap[]): Readiness {
  return { ready: gaps.length === 0, gaps, missing: gaps.map(gapInWords) };
}

/** A device of a site, as far as readiness goes. */
export interface ReadinessMember {
  /** The kind of device. */
  readonly kind: DeviceKind;
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  /** Whether it is only read. */
  readonly observe: boolean;
  /** Whether the program declares the vehicle's policy, which leaves it out of readiness. */
  readonly isLeftOut: boolean;
  /** The declared keys; of an observed device none. */
  readonly declared: Readonly<Record<string, unknown>>;
}

/**
 * The values of a device that count: the accepted ones, or the reported ones if it is observed. Undefined: all count as
 * present.
 */
export type Counted = (member: ReadinessMember) => Readonly<Record<string, unknown>> | undefined;

/** The gaps of a site; empty if it is ready. */
export function gapsOf(members: readonly ReadinessMember[], isSolar: boolean, counted: Counted): Gap[] {
  return [...gapsAsAWhole(members, isSolar), ...members.flatMap((member) => gapsOfDevice(member, counted(member)))];
}

function gapsAsAWhole(members: readonly ReadinessMember[], isSolar: boolean): Gap[] {
  const absent = Object.entries(GROUPS).flatMap(([setting, kind]): Gap[] =>
    members.some((member) => member.kind.name === kind.name) ? [] : [{ device: "site", setting, reason: "none" }],
  );
  return isSolar || absent.length > 0 ? absent : [{ device: "site", setting: "solar", reason: "off" }];
}

/**
 * The gaps of one device. @param values its values that count; `undefined` supposes that it has all
 * @example
 * const car = { kind: vehicle, label: "vehicle/car", observe: false, isLeftOut: false, declared: {} };
 * const gaps = gapsOfDevice(car, {}); // maxCapacity, maxChargePower and policy
 */
export function gapsOfDevice(member: ReadinessMember, values: ReturnType<Counted>): Gap[] {
  if (member.isLeftOut || values === undefined) return [];
  return keysOf(member.kind).flatMap((setting): Gap[] => {
    const reason = reasonOf(member, setting, values[setting]);
    return reason ? [{ device: member.label, setting, reason }] : [];
  });
}

function reasonOf({ observe, declared }: ReadinessMember, setting: string, value: unknown): GapReason | undefined {
  if (value !== undefined) {
    return setting === "policy" && value !== ChargePolicy.ChargeByForecast ? "otherPolicy" : undefined;
  }
  if (observe) return "notReported";
  // The policy is the site's: a car whose own values are declared has it once they are accepted.
  return setting === "policy" || declared[setting] !== undefined ? "notAccepted" : "notDeclared";
}

/**
 * Gives what keeps a car of a site from CHARGE BY FORECAST: what it lacks itself, and what any inverter of the site lacks.
 * A car's policy is no gap of this sort, as it is what comes of it.
 * @param members all devices of the site
 */
export function gapsBeforePolicy(
  members: readonly ReadinessMember[],
  isSolar: boolean,
  counted: Counted,
): (car: ReadinessMember) => Gap[] {
  const inverters = members.filter(({ kind }) => kind.name === inverter.name);
  // Once for all cars: a depot has hundreds.
  const shared = [
    ...gapsAsAWhole(members, isSolar),
    ...inverters.flatMap((member) => gapsOfDevice(member, counted(member))),
  ];
  return (car) => [...shared, ...gapsOfDevice(car, counted(car)).filter(({ setting }) => setting !== "policy")];
}
