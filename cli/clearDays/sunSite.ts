import { FOLDED, foldOf } from "../../provider/settings/planes";
import type { Gap } from "../../provider/settings/readiness";
import { ChargePolicy, vehicle } from "../../provider/settings/vehicle";
import type { SunInverter, SunSite } from "../../sky/days";
import type { Panels } from "../../sky/plane";

/** A device of a site with its declared settings, or its reported ones if it is only observed. */
export interface SunDevice {
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The planes of an inverter, if peak power, azimuth and tilt stand for them. */
  readonly planes?: readonly Panels[] | undefined;
}

/** The values that the sun of a site depends on: declared ones, or reported ones of a device that is only observed. */
export interface SunSide {
  /** In degrees; undefined or not a number if it is not known. */
  readonly latitude: unknown;
  readonly devices: readonly SunDevice[];
  /** The reason why the cars do not charge by the forecast. Absent if they do, or if it is not known yet. */
  readonly byPrice?: ByPrice | undefined;
}

/** The reasons why cars charge by price: the site lacks something, or the program switches solar-aware charging off. */
export type ByPrice = "notReady" | "off";

/**
 * The reason why the cars of a site charge by price, according to its readiness.
 * @param missing the gaps, or their number
 */
export function byPriceOf(ready: boolean | undefined, missing: { readonly length: number }): ByPrice | undefined {
  if (ready !== false) return undefined;
  return missing.length > 0 ? "notReady" : "off";
}

/** The sun's site, or the values that are still missing. */
export type SunSiteOrGaps =
  | { readonly site: SunSite; readonly assumed: readonly string[]; readonly gaps?: never }
  | { readonly site?: never; readonly gaps: readonly Pick<Gap, "device" | "setting">[] };

/** The service's assumptions about an unknown car: a charge power in W, and a capacity in Wh. */
const ASSUMED = {
  chargePower: vehicle.settings.maxChargePower?.default as number,
  capacity: vehicle.settings.maxCapacity?.default as number,
};

/**
 * The site whose sun can be estimated. A value that is not known yet is not a number, and counts as missing.
 * @returns the site, and the names of the cars whose capacity the service assumes
 */
export function sunSiteOf({ latitude, devices, byPrice }: SunSide): SunSiteOrGaps {
  const roofs = ofKind(devices, "inverter");
  const gaps = [
    ...(isNumber(latitude) ? [] : [{ device: "site", setting: "latitude" }]),
    ...(roofs.length > 0 ? [] : [{ device: "site", setting: "inverters" }]),
    ...roofs.flatMap(({ label, values }) =>
      FOLDED.filter((key) => !isNumber(values[key])).map((setting) => ({ device: label, setting })),
    ),
  ];
  if (gaps.length > 0) return { gaps };
  const cars = ofKind(devices, "vehicle").filter(
    ({ values: { policy = ChargePolicy.ChargeByForecast } }) =>
      policy === ChargePolicy.ChargeByForecast && byPrice === undefined,
  );
  return {
    site: {
      latitude: latitude as number,
      inverters: Object.fromEntries(roofs.map((roof) => [roof.name, inverterOf(roof, latitude)])),
      cars: cars.map(({ values: { maxChargePower, maxCapacity } }) => ({
        chargePower: isNumber(maxChargePower) ? maxChargePower : ASSUMED.chargePower,
        capacity: isNumber(maxCapacity) ? maxCapacity : ASSUMED.capacity,
      })),
    },
    assumed: cars.filter(({ values }) => !isNumber(values.maxCapacity)).map(({ name }) => name),
  };
}

/**
 * Adds the values of unmanaged settings: a device keeps the value that it had when the program stopped declaring it.
 */
export function withKept(after: SunSide, before: SunSide | undefined): SunSide {
  const known = new Map(before?.devices.map(({ label, values }) => [label, values]));
  const devices = after.devices.map((device) => ({
    ...device,
    values: { ...known.get(device.label), ...device.values },
  }));
  return { ...after, devices };
}

/** A missing base load or cut-in threshold counts as none. */
function inverterOf({ values, planes }: SunDevice, latitude: unknown): SunInverter {
  const { peakPower, azimuth, tilt, baseLoad, cutInThreshold } = values;
  // If the values do not match the planes, somebody else set them, and the planes do not count.
  const folded = planes && foldOf(planes, latitude);
  const isOfPlanes = folded && FOLDED.every((key) => folded[key] === values[key]);
  return {
    ...({ peakPower, azimuth, tilt } as SunInverter),
    ...(isOfPlanes && { planes }),
    ...(isNumber(baseLoad) && { baseLoad }),
    ...(isNumber(cutInThreshold) && { cutInThreshold }),
  };
}

function ofKind(devices: readonly SunDevice[], kind: string): (SunDevice & { readonly name: string })[] {
  return devices
    .filter(({ label }) => label.startsWith(`${kind}/`))
    .map((device) => ({ ...device, name: device.label.slice(kind.length + 1) }));
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
