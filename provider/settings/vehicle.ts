import type { DeviceKind } from "./setting";

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

/** The type that the service gives a vehicle. */
export const VEHICLE_TYPE = "Electric vehicle";

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
      choices: Object.values(ChargePolicy),
      default: ChargePolicy.ChargeBy,
      source: "documented",
    },
  },
};
