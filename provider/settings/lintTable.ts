import type { MessageCode } from "../messages/codes";
import { inverter } from "./inverter";
import { type DeviceKind, keysOf, type NumberSetting, type Values } from "./setting";
import { tidy } from "./units";
import { ChargePolicy, vehicle } from "./vehicle";

/** A check that finds something that looks wrong with the values of a device. */
export interface Lint {
  /** The kind of device that it looks at. */
  readonly of: DeviceKind;
  /** The setting that looks wrong; `deviceId` for the device as a whole. */
  readonly property: string;
  /** The settings that it looks at. It finds nothing unless all that it needs of them are declared. */
  readonly reads: readonly string[];
  /** Values are in their ranges. */
  readonly find: (declared: Values, latitude: number | undefined) => Found | false;
}

/** The finding of a lint: the values and why they look wrong, and a suggestion. */
export type Found = readonly [finding: string, advice: string];

const found = (finding: string, advice: string): Found => [finding, advice];

/** A lint of numbers, silent unless all of them are declared. The first is what looks wrong. */
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

/** Those of the keys that are declared, with value and unit. */
function shown(kind: DeviceKind, keys: readonly string[], declared: Values): string {
  return keys
    .filter((key) => declared[key] !== undefined)
    .map((key) => `${key} ${declared[key]} ${(kind.settings[key] as NumberSetting).unit}`)
    .join(", ");
}

const missing = (keys: readonly string[], declared: Values) => keys.filter((key) => declared[key] === undefined);

const METADATA = ["maxCapacity", "maxChargePower"];

/** The values that the service assumes if a car does not report them. */
const ASSUMED = Object.fromEntries(METADATA.map((key) => [key, vehicle.settings[key]?.default as number]));

/** Up to this latitude, in degrees, the sun stands on either side in the course of a year. */
const TROPIC = 23.5;

const TABLE = {
  "direct-current-power": ofNumbers(
    vehicle,
    ["maxChargePower"],
    ({ maxChargePower: power }) =>
      power > 22_000 &&
      found(
        `maxChargePower ${power} W is above 22000 W, more than most cars take from alternating current`,
        "If it is the direct-current rating, give the alternating-current one: more solar power is credited than the car " +
          "can take",
      ),
  ),
  "power-for-capacity": ofNumbers(
    vehicle,
    ["maxChargePower", "maxCapacity"],
    ({ maxChargePower: power, maxCapacity: capacity }) =>
      power / capacity > 1.3 &&
      found(
        `maxChargePower ${power} W would fill maxCapacity ${capacity} Wh in ${Math.round((capacity / power) * 60)} ` +
          "minutes, more than 1.3 times per hour",
        "Probably one of them is another car's, or the power is a charger's",
      ),
  ),
  "default-power": ofNumbers(
    vehicle,
    ["maxChargePower"],
    ({ maxChargePower: power }) =>
      power === ASSUMED.maxChargePower &&
      found(
        `maxChargePower ${power} W is exactly what the service assumes of a car it knows nothing about`,
        "If it was copied from there, give this car's own power",
      ),
  ),
  "small-capacity": ofNumbers(
    vehicle,
    ["maxCapacity"],
    ({ maxCapacity: capacity }) =>
      capacity < 8000 &&
      found(
        `maxCapacity ${capacity} Wh is below 8000 Wh, less than almost all cars have`,
        `Perhaps a digit is missing: ${tidy(capacity * 10)} Wh`,
      ),
  ),
  "large-capacity": ofNumbers(
    vehicle,
    ["maxCapacity"],
    ({ maxCapacity: capacity }) =>
      capacity > 130_000 &&
      found(
        `maxCapacity ${capacity} Wh is above 130000 Wh, more than almost all cars have`,
        `Perhaps there is a digit too many: ${tidy(capacity / 10)} Wh`,
      ),
  ),
  "default-capacity": ofNumbers(
    vehicle,
    ["maxCapacity"],
    ({ maxCapacity: capacity }) =>
      capacity === ASSUMED.maxCapacity &&
      found(
        `maxCapacity ${capacity} Wh is exactly what the service assumes of a car it knows nothing about`,
        "If it was copied from there, give this car's own capacity",
      ),
  ),
  "ignored-metadata": {
    of: vehicle,
    property: "policy",
    reads: [...METADATA, "policy"],
    find: (declared) =>
      missing(METADATA, declared).length < METADATA.length &&
      declared.policy !== ChargePolicy.ChargeByForecast &&
      found(
        `solar-aware charging ignores ${shown(vehicle, METADATA, declared)}, because policy is ` +
          `${declared.policy ?? `not declared here, and ${ChargePolicy.ChargeBy} by default`}`,
        "If solar-aware charging is meant, declare the car in a SiteSettings with its inverter, or " +
          `${ChargePolicy.ChargeByForecast} here`,
      ),
  },
  "forecast-without-metadata": {
    of: vehicle,
    property: "policy",
    reads: [...METADATA, "policy"],
    find: (declared) => {
      const absent = missing(METADATA, declared);
      return (
        declared.policy === ChargePolicy.ChargeByForecast &&
        absent.length > 0 &&
        found(
          `policy ${declared.policy} without ${absent.join(", ")}: for a car that does not report it, the service ` +
            `assumes ${shown(vehicle, absent, ASSUMED)}`,
          "Declare what this car has",
        )
      );
    },
  },
  "small-peak-power": ofNumbers(
    inverter,
    ["peakPower"],
    ({ peakPower }) =>
      peakPower < 300 &&
      found(
        `peakPower ${peakPower} W is below 300 W, less than most single panels have`,
        "Give the power of all panels together",
      ),
  ),
  "large-peak-power": ofNumbers(
    inverter,
    ["peakPower"],
    ({ peakPower }) =>
      peakPower > 100_000 &&
      found(
        `peakPower ${peakPower} W is above 100000 W, more than the roofs of most sites have`,
        `Perhaps there is a digit too many: ${tidy(peakPower / 10)} W`,
      ),
  ),
  "flat-tilt": ofNumbers(
    inverter,
    ["tilt"],
    ({ tilt }) =>
      tilt === 0 &&
      found(
        "tilt 0 degrees means that the panels lie flat",
        "If it only stands for a tilt that was not known, give the roof's",
      ),
  ),
  "tilt-in-radians": ofNumbers(
    inverter,
    ["tilt"],
    ({ tilt }) =>
      tilt > 0 &&
      tilt < 1.6 &&
      found(
        `tilt ${tilt} degrees is almost flat`,
        `If it is in radians, write ${((tilt * 180) / Math.PI).toFixed(1)} degrees`,
      ),
  ),
  "steep-tilt": ofNumbers(
    inverter,
    ["tilt"],
    ({ tilt }) =>
      tilt > 60 &&
      found(
        `tilt ${tilt} degrees is above 60 degrees, steeper than most roofs are`,
        `If it is no facade and was counted from upright, write ${tidy(90 - tilt)} degrees`,
      ),
  ),
  "high-cut-in": ofNumbers(
    inverter,
    ["cutInThreshold", "peakPower"],
    ({ cutInThreshold, peakPower }) =>
      cutInThreshold > peakPower / 2 &&
      found(
        `cutInThreshold ${cutInThreshold} W is above half of peakPower, which is ${peakPower} W: the inverter would ` +
          "rarely deliver",
        "Give the power from which it starts, a small part of the peak",
      ),
  ),
  "low-cut-in": ofNumbers(
    inverter,
    ["cutInThreshold"],
    ({ cutInThreshold }) =>
      cutInThreshold < 1 &&
      found(
        `cutInThreshold ${cutInThreshold} W is below 1 W, less than inverters need to start`,
        cutInThreshold > 0
          ? `If it is in kW, write ${tidy(cutInThreshold * 1000)} W`
          : "If it only stands for one that was not known, give the inverter's",
      ),
  ),
  "base-load-above-peak": ofNumbers(
    inverter,
    ["baseLoad", "peakPower"],
    ({ baseLoad, peakPower }) =>
      baseLoad >= peakPower &&
      found(
        `baseLoad ${baseLoad} W is not below peakPower, which is ${peakPower} W: this inverter alone would leave no solar ` +
          "power for a car",
        "Give what the site uses all the time, not the most it uses",
      ),
  ),
  "low-base-load": ofNumbers(
    inverter,
    ["baseLoad"],
    ({ baseLoad }) =>
      baseLoad < 50 &&
      found(
        `baseLoad ${baseLoad} W is below 50 W, less than most sites use all the time`,
        baseLoad > 0 && baseLoad <= 5
          ? `If it is in kW, write ${tidy(baseLoad * 1000)} W`
          : "Give what fridges, pumps and standby use together",
      ),
  ),
  "high-base-load": ofNumbers(
    inverter,
    ["baseLoad"],
    ({ baseLoad }) =>
      baseLoad > 5000 &&
      found(
        `baseLoad ${baseLoad} W is above 5000 W, more than most sites use all the time`,
        "Give what always runs, not the most that the site uses, nor the energy of a day",
      ),
  ),
  "incomplete-inverter": {
    of: inverter,
    property: "deviceId",
    reads: keysOf(inverter),
    find: (declared) => {
      const keys = keysOf(inverter);
      const absent = missing(keys, declared);
      return (
        absent.length > 0 &&
        absent.length < keys.length &&
        found(
          `only ${shown(inverter, keys, declared)} is declared: solar-aware charging needs all five values`,
          `Declare ${absent.join(", ")} too`,
        )
      );
    },
  },
  "azimuth-off-equator": ofNumbers(inverter, ["azimuth"], ({ azimuth }, latitude = 0) => {
    const [side, bearing] = latitude > 0 ? ["south", 180] : ["north", 0];
    const away = Math.abs(((azimuth - bearing + 540) % 360) - 180);
    const signed = azimuth > 180 ? azimuth - 360 : azimuth;
    return (
      Math.abs(latitude) > TROPIC &&
      away > 100 &&
      found(
        `azimuth ${azimuth} degrees faces ${tidy(away)} degrees away from ${side}, where the sun stands at latitude ` +
          `${latitude} degrees`,
        `If it was counted from south, write { degrees: ${tidy(signed)}, convention: "south-zero" }`,
      )
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
