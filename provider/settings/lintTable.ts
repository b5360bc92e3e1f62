import type { MessageCode } from "../messages/codes";
import { listed } from "./explain";
import { inverter } from "./inverter";
import { type DeviceKind, keysOf, type NumberSetting, type Values } from "./setting";
import { quantityText } from "./units";
import { ChargePolicy, RECOMMENDED, vehicle } from "./vehicle";

/** A check for doubtful values of a device. */
export interface Lint {
  /** The kind of device that it looks at. */
  readonly of: DeviceKind;
  /** The setting that looks wrong; `deviceId` for the device as a whole. */
  readonly property: string;
  /** The settings that the lint reads. It finds nothing unless all settings that it needs are declared. */
  readonly reads: readonly string[];
  /** Finds a problem in values that are within their ranges. */
  readonly find: (declared: Values, latitude: number | undefined) => Found | false;
}

/** The finding of a lint: the values, the reason why they look wrong, and a suggestion. */
export type Found = readonly [finding: string, advice: string];

/** A lint that needs all of these numbers. It doubts the first one. */
function ofNumbers<K extends string>(
  of: DeviceKind,
  reads: readonly [K, ...K[]],
  find: (numbers: Readonly<Record<K, number>>, latitude: number | undefined) => Found | false,
): Lint {
  return {
    of,
    property: reads[0],
    reads,
    find: (declared, latitude) =>
      reads.every((key) => declared[key] !== undefined) && find(declared as Record<K, number>, latitude),
  };
}

/** A limit of usual values. */
type Limit = { readonly below: number } | { readonly above: number };

/**
 * A lint for a number beyond a limit.
 * @param why the reason why it looks wrong: `more than most sites use`
 */
function beyond<K extends string>(
  of: DeviceKind,
  key: K,
  limit: Limit,
  [why, advice]: readonly [why: string, advice: string | ((value: number) => string)],
): Lint {
  const [side, edge] = "below" in limit ? ["below", limit.below] : ["above", limit.above];
  const { unit } = of.settings[key] as NumberSetting;
  const text = (value: number) => quantityText(unit, value);
  return ofNumbers(of, [key], ({ [key]: value }) => {
    const isBeyond = side === "below" ? value < edge : value > edge;
    const next = typeof advice === "string" ? advice : advice(value);
    return isBeyond && [`${key} ${text(value)} is ${side} ${text(edge)}, ${why}`, next];
  });
}

/**
 * A lint for a value that is exactly what the service assumes for an unknown car.
 * @param what the value in words
 */
function assumed(key: string, what: string): Lint {
  return ofNumbers(vehicle, [key], ({ [key]: value }) => {
    const { unit, default: fallback } = vehicle.settings[key] as NumberSetting;
    const finding = `${key} ${quantityText(unit, value as number)} is exactly what the service assumes for an unknown car`;
    return value === fallback && [finding, `If it was copied from there, declare this car's own ${what}`];
  });
}

/** `maxCapacity 80 kWh`: a value that the service assumes for an unknown car. */
function assumption(key: string): string {
  const { unit, default: value } = vehicle.settings[key] as NumberSetting;
  return `${key} ${quantityText(unit, value as number)}`;
}

/** A power, in a unit that also suits the values beside it: `7.4 kW`. */
const power = (value: number, ...compared: readonly number[]) => quantityText("W", value, compared);

/** An energy: `77 kWh`. */
const energy = (value: number) => quantityText("Wh", value);

/** An angle: `22.5°`. */
const angle = (value: number) => quantityText("degrees", value);

const missing = (keys: readonly string[], declared: Values) => keys.filter((key) => declared[key] === undefined);

/** Up to this latitude, in degrees, the sun is in the north for a part of the year and in the south for the rest. */
const TROPIC = 23.5;

/** Largest deviation from north, in degrees, that is worth a warning if the latitude is unknown. */
const NEAR_NORTH = 45;

const TABLE = {
  "direct-current-power": beyond(vehicle, "maxChargePower", { above: 22_000 }, [
    "more than most cars take from an AC charger",
    "If it is the power for DC fast charging, declare the power for AC. With a value that is too high, plans count on " +
      "more solar power than the car can take",
  ]),
  "power-for-capacity": ofNumbers(
    vehicle,
    ["maxChargePower", "maxCapacity"],
    ({ maxChargePower, maxCapacity }) =>
      maxChargePower / maxCapacity > 1.3 && [
        `maxChargePower ${power(maxChargePower)} would fill maxCapacity ${energy(maxCapacity)} in ` +
          `${Math.round((maxCapacity / maxChargePower) * 60)} minutes, but cars need 46 minutes or more`,
        "Check both values: one may belong to another car, or the power may be that of the charger",
      ],
  ),
  "default-power": assumed("maxChargePower", "power"),
  "small-capacity": beyond(vehicle, "maxCapacity", { below: 8000 }, [
    "less than almost all cars have",
    (capacity) => `A digit may be missing: ${energy(capacity * 10)}`,
  ]),
  "large-capacity": beyond(vehicle, "maxCapacity", { above: 130_000 }, [
    "more than almost all cars have",
    (capacity) => `There may be a digit too many: ${energy(capacity / 10)}`,
  ]),
  "default-capacity": assumed("maxCapacity", "capacity"),
  "ignored-metadata": {
    of: vehicle,
    property: "policy",
    reads: [...RECOMMENDED, "policy"],
    find: (declared) =>
      missing(RECOMMENDED, declared).length < RECOMMENDED.length &&
      declared.policy !== ChargePolicy.ChargeByForecast && [
        `solar-aware charging ignores ${RECOMMENDED.join(" and ")}, because policy is ` +
          (declared.policy ?? `not declared here, and the default is ${ChargePolicy.ChargeBy}`),
        `For solar-aware charging, declare no policy for the car in a site with its inverter: the site sets it. Or declare the policy ${ChargePolicy.ChargeByForecast}`,
      ],
  },
  "forecast-without-metadata": {
    of: vehicle,
    property: "policy",
    reads: [...RECOMMENDED, "policy"],
    find: (declared) => {
      const absent = missing(RECOMMENDED, declared);
      return (
        declared.policy === ChargePolicy.ChargeByForecast &&
        absent.length > 0 && [
          `policy is ${declared.policy} without ${absent.join(" and ")}: unless the car reports its own, the service ` +
            `assumes ${listed(absent.map(assumption))}`,
          "Declare the values of this car",
        ]
      );
    },
  },
  "small-peak-power": beyond(inverter, "peakPower", { below: 300 }, [
    "less than most single panels have",
    "Declare the power of all panels together",
  ]),
  "large-peak-power": beyond(inverter, "peakPower", { above: 100_000 }, [
    "more than the roofs of most sites have",
    (peakPower) =>
      peakPower < 1_000_000
        ? `There may be a digit too many: ${power(peakPower / 10)}`
        : `If it was multiplied by 1000 twice, write ${power(peakPower / 1000)}`,
  ]),
  "flat-tilt": ofNumbers(
    inverter,
    ["tilt"],
    ({ tilt }) =>
      tilt === 0 && ["tilt 0° means that the panels lie flat", "If 0 is a placeholder, declare the tilt of the roof"],
  ),
  "tilt-in-radians": ofNumbers(
    inverter,
    ["tilt"],
    ({ tilt }) =>
      tilt > 0 &&
      tilt < 1.571 && [
        `tilt ${angle(tilt)} is almost flat`,
        `If it is in radians, write ${angle(Number(((tilt * 180) / Math.PI).toFixed(1)))}`,
      ],
  ),
  "steep-tilt": beyond(inverter, "tilt", { above: 60 }, [
    "steeper than most roofs are",
    (tilt) => `If this is not a facade and the tilt was counted from upright, write ${angle(90 - tilt)}`,
  ]),
  "high-cut-in": ofNumbers(
    inverter,
    ["cutInThreshold", "peakPower"],
    ({ cutInThreshold, peakPower }) =>
      cutInThreshold > peakPower / 2 && [
        `cutInThreshold ${power(cutInThreshold, peakPower)} is above half of peakPower (${power(peakPower, cutInThreshold)}): the inverter would ` +
          "rarely deliver",
        "Declare the power at which the inverter starts to deliver: it is a small part of the peak power",
      ],
  ),
  "low-cut-in": beyond(inverter, "cutInThreshold", { below: 1 }, [
    "less than inverters need to start",
    (threshold) =>
      threshold > 0
        ? `If it is in kW, write ${power(threshold * 1000)}`
        : "If 0 is a placeholder, declare the threshold of the inverter",
  ]),
  "base-load-above-peak": ofNumbers(
    inverter,
    ["baseLoad", "peakPower"],
    ({ baseLoad, peakPower }) =>
      baseLoad >= peakPower && [
        `baseLoad ${power(baseLoad, peakPower)} is not below peakPower (${power(peakPower, baseLoad)}): this inverter alone would leave no solar ` +
          "power for a car",
        "Declare the power that the site uses all the time, not its maximum",
      ],
  ),
  "low-base-load": beyond(inverter, "baseLoad", { below: 50 }, [
    "less than most sites use all the time",
    (load) =>
      load > 0 && load <= 5
        ? `If it is in kW, write ${power(load * 1000)}`
        : "Declare what fridges, pumps and standby use together",
  ]),
  "high-base-load": beyond(inverter, "baseLoad", { above: 5000 }, [
    "more than most sites use all the time",
    "Declare the power that the site uses all the time, not its maximum or the energy of a day",
  ]),
  "incomplete-inverter": {
    of: inverter,
    property: "deviceId",
    reads: keysOf(inverter),
    find: (declared) => {
      const keys = keysOf(inverter);
      const absent = missing(keys, declared);
      return (
        absent.length > 0 &&
        absent.length < keys.length && [
          `solar-aware charging needs all five values, and the program does not declare ${listed(absent, "or")}`,
          "Declare them too",
        ]
      );
    },
  },
  "azimuth-off-equator": ofNumbers(inverter, ["azimuth"], ({ azimuth }, latitude) => {
    if (latitude === undefined) {
      return (
        Math.abs(((azimuth + 180) % 360) - 180) <= NEAR_NORTH && [
          `azimuth ${angle(azimuth)} faces north, which is right only in the southern hemisphere and in the tropics`,
          "Declare the latitude, or correct the azimuth",
        ]
      );
    }
    const [side, bearing] = latitude > 0 ? ["south", 180] : ["north", 0];
    const away = Math.abs(((azimuth - bearing + 540) % 360) - 180);
    return (
      Math.abs(latitude) > TROPIC &&
      away > 100 && [
        `azimuth ${angle(azimuth)} faces ${angle(away)} away from ${side}, where the sun stands at this latitude`,
        `If it was counted from south, write ${angle((azimuth + 180) % 360)}`,
      ]
    );
  }),
} satisfies Partial<Record<MessageCode, Lint>>;

/**
 * The name of a lint of one device.
 * @useDeclaredType
 */
export type DeviceLintName = keyof typeof TABLE;

/** The lints of one device by name, in the order in which they are tried. Their limits are our choice. */
export const LINTS: Readonly<Record<DeviceLintName, Lint>> = TABLE;
