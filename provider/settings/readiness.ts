import type { Message } from "../messages/message";
import { inverter } from "./inverter";
import { type DeviceKind, keysOf, type NumberSetting } from "./setting";
import { tidy } from "./units";
import { ChargePolicy, RECOMMENDED, vehicle } from "./vehicle";

/**
 * The kinds of devices of a site, by the name of their map. Inverters come first, because the service needs their
 * values before a car's.
 */
export const GROUPS = {
  /** The site's inverters. */
  inverters: inverter,
  /** The site's vehicles. */
  vehicles: vehicle,
} as const;

/** The reasons of gaps, by name. */
export const GapReason = {
  /** The program does not declare the setting. */
  NotDeclared: "notDeclared",
  /** A device that is only observed does not report the setting. */
  NotReported: "notReported",
  /** Neither the program nor the car gives the value, so the service assumes one. */
  Assumed: "assumed",
  /** The service has not accepted the declared value. */
  NotAccepted: "notAccepted",
  /** The car's policy is not CHARGE BY FORECAST. */
  OtherPolicy: "otherPolicy",
  /** The site has no such device. */
  None: "none",
  /** The program switches solar-aware charging off. */
  Off: "off",
  /** The id belongs to a device of another kind. */
  OtherDevice: "otherDevice",
} as const;
/**
 * The reason of a gap.
 *
 * - `notDeclared`: the program does not declare the setting
 * - `notReported`: a device that is only observed does not report the setting
 * - `assumed`: the program does not declare a car's capacity or charge power, and the car does not report its own. The
 * service then assumes a value
 * - `notAccepted`: the setting is declared, and the service has not accepted it
 * - `otherPolicy`: the car's policy is not CHARGE BY FORECAST
 * - `none`: the site has no such device
 * - `off`: the program switches solar-aware charging off
 * - `otherDevice`: the id belongs to a device of another kind
 *
 * @useDeclaredType
 */
export type GapReason = (typeof GapReason)[keyof typeof GapReason];

/** One thing that keeps a site from being ready for solar-aware charging. */
export interface Gap {
  /** `vehicle/<name>` or `inverter/<name>`; `site` for the site as a whole. */
  readonly device: string;
  /** The setting, such as `maxCapacity`; `vehicles`, `inverters` or `solar` of a site; `deviceId` of a device. */
  readonly setting: string;
  /** The reason why it is missing. */
  readonly reason: GapReason;
}

const WORDS: Readonly<Record<GapReason, (name: string, setting: string) => string>> = {
  notDeclared: (name) => `${name} is not declared`,
  notReported: (name) => `${name} is not reported`,
  assumed: (name, setting) =>
    `${name} is not declared, and the car reports none, so the service assumes ${assumedOf(setting)}`,
  notAccepted: (name) => `${name} is not accepted yet`,
  otherPolicy: () => `policy is not ${ChargePolicy.ChargeByForecast}`,
  none: (name) => `it has no ${name}`,
  off: () => "solar is false",
  otherDevice: () => "its id is that of another kind of device",
};

/** The value that the service assumes for a car that does not report the setting: `80 kWh`. */
function assumedOf(setting: string): string {
  const { default: value, unit } = vehicle.settings[setting] as NumberSetting;
  return `${tidy(Number(value) / 1000)} k${unit}`;
}

/**
 * The reason of a gap in words, without the device. @param name the name of the setting in the text: `maxCapacity`,
 * `capacity`
 */
export function reasonOfGap({ reason, setting }: Pick<Gap, "reason" | "setting">, name = setting): string {
  return WORDS[reason](name, setting);
}

/**
 * A gap in words.
 * @example
 * gapInWords({ device: "vehicle/car", setting: "maxCapacity", reason: "notDeclared" });
 * // vehicle/car: maxCapacity is not declared
 */
export function gapInWords(gap: Gap): string {
  return `${gap.device}: ${reasonOfGap(gap)}`;
}

/** Whether only a read can find this gap. */
export function isFoundByRead({ reason }: Gap): boolean {
  return reason === "assumed" || reason === "notReported" || reason === "otherPolicy";
}

/** The warning about a site that lacks something. */
export function notReady(site: string, gaps: readonly Gap[]): Message {
  const words = gaps.map(gapInWords).join("; ");
  return { code: "notReady", finding: `site '${site}' is not ready for solar-aware charging: ${words}` };
}

/** The readiness of a site for solar-aware charging, and its gaps, also in words. */
export function readinessOf(gaps: readonly Gap[]) {
  return { ready: gaps.length === 0, gaps, missing: gaps.map(gapInWords) };
}

/** A device of a site with the facts that readiness needs. */
export interface ReadinessMember {
  /** Whether it is a vehicle or an inverter. */
  readonly kind: DeviceKind;
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  /** Whether it is only read. */
  readonly observe: boolean;
  /** Whether the program declares the vehicle's policy, which leaves it out of readiness. */
  readonly isLeftOut: boolean;
  /** The declared keys; none for an observed device. */
  readonly declared: Readonly<Record<string, unknown>>;
}

/** A site with the facts that readiness needs. */
interface ReadinessSite<Member> {
  /** All devices of the site. */
  readonly members: readonly Member[];
  /** Whether the site is made ready for solar-aware charging. */
  readonly isSolar: boolean;
}

/**
 * The values of a device that count for readiness: the accepted ones, and a car's reported capacity and charge power;
 * for an observed device, the reported ones. Undefined: all values count as present.
 */
export type Counted<Member = ReadinessMember> = (member: Member) => Readonly<Record<string, unknown>> | undefined;

/** The gaps of a site; empty if it is ready. */
export function gapsOf<Member extends ReadinessMember>(site: ReadinessSite<Member>, counted: Counted<Member>): Gap[] {
  return [...gapsAsAWhole(site), ...site.members.flatMap((member) => gapsOfDevice(member, counted(member)))];
}

function gapsAsAWhole({ members, isSolar }: ReadinessSite<ReadinessMember>): Gap[] {
  const absent = Object.entries(GROUPS).flatMap(([setting, kind]): Gap[] =>
    members.some((member) => member.kind.name === kind.name) ? [] : [{ device: "site", setting, reason: "none" }],
  );
  return isSolar || absent.length > 0 ? absent : [{ device: "site", setting: "solar", reason: "off" }];
}

/**
 * The gaps of one device.
 * @param values its values that count; `undefined`: it has all
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
  if (RECOMMENDED.includes(setting) && declared[setting] === undefined) return "assumed";
  if (observe) return "notReported";
  // A policy from the site is no gap, because a car gets it once its declared values are accepted.
  return setting === "policy" || declared[setting] !== undefined ? "notAccepted" : "notDeclared";
}

/**
 * The gaps that prevent CHARGE BY FORECAST for a car of a site: its own, and those of every inverter of the site. The
 * car's policy is not one of them, because it waits for all of them.
 */
export function gapsBeforePolicy<Member extends ReadinessMember>(
  site: ReadinessSite<Member>,
  counted: Counted<Member>,
): (car: Member) => readonly [ofSite: readonly Gap[], ofCar: readonly Gap[]] {
  const inverters = site.members.filter(({ kind }) => kind.name === inverter.name);
  // Computed once for all cars: a depot has hundreds.
  const shared = [...gapsAsAWhole(site), ...inverters.flatMap((member) => gapsOfDevice(member, counted(member)))];
  // Two lists. With one list, each of thousands of cars would get its own copy of the gaps of thousands of inverters.
  return (car) => [shared, gapsOfDevice(car, counted(car)).filter(({ setting }) => setting !== "policy")];
}
