import { pick } from "./objects";
import type { Choices, DeviceKind, Values } from "./setting";

/** Charging policies of a vehicle. */
export const ChargePolicy = {
  /** Price-optimized charging; the solar forecast is ignored. The service's default. */
  ChargeBy: "CHARGE BY",
  /** Solar-aware charging: the next-day PV forecast feeds the overnight charge plan. */
  ChargeByForecast: "CHARGE BY FORECAST",
} as const;
/**
 * A value of `ChargePolicy`.
 * @useDeclaredType
 */
export type ChargePolicy = (typeof ChargePolicy)[keyof typeof ChargePolicy];

const POLICIES: Choices<ChargePolicy> = {
  [ChargePolicy.ChargeBy]: "by price alone",
  [ChargePolicy.ChargeByForecast]: "by price and solar forecast",
};

/** The type that the service gives a vehicle. */
export const VEHICLE_TYPE = "Electric vehicle";

/** The settings that need no declaration if the car's own integration reports them. */
export const RECOMMENDED: readonly string[] = ["maxCapacity", "maxChargePower"];

/** The settings of a vehicle. */
export const vehicle: DeviceKind = {
  name: "vehicle",
  resource: "VehicleSettings",
  isDocumented: true,
  expects: `'${VEHICLE_TYPE}'`,
  accepts: (deviceType) => deviceType === VEHICLE_TYPE,
  settings: {
    maxCapacity: {
      type: "number",
      wireName: "max_capacity",
      description: "Battery capacity, which caps how much energy a plan can target.",
      examples: ["77 kWh"],
      unit: "Wh",
      minimum: 1000,
      maximum: 300_000,
      default: 80_000,
      source: "documented",
    },
    maxChargePower: {
      type: "number",
      wireName: "max_charge_power",
      description: "Maximum charge power, which caps the solar power that the service credits to the car per hour.",
      examples: ["11 kW"],
      unit: "W",
      minimum: 1000,
      maximum: 350_000,
      default: 7200,
      source: "documented",
    },
    policy: {
      type: "choice",
      wireName: "policy",
      description: "Charging policy: CHARGE BY goes by price alone, CHARGE BY FORECAST by the solar forecast too.",
      choices: POLICIES,
      default: ChargePolicy.ChargeBy,
      source: "documented",
    },
  },
};

/**
 * The recommended values that a car reports of itself. A value that is exactly what the service assumes for an unknown car
 * may be that assumption, and does not count.
 * @param reported the values that the device shows, by setting: Wh, W
 * @example
 * reportedByCar({ maxCapacity: 60_000, maxChargePower: 7200 }); // { maxCapacity: 60_000 }
 */
export function reportedByCar(reported: Values): Values {
  const isOwn = (key: string) => reported[key] !== vehicle.settings[key]?.default;
  return pick(reported, RECOMMENDED.filter(isOwn));
}
