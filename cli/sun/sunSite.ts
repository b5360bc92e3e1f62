import type { Gap } from "../../provider/settings/readiness";
import { ChargePolicy, vehicle } from "../../provider/settings/vehicle";
import type { SunInverter, SunSite } from "./site";

/** A device of a site, with the settings that are declared, or reported if it is only observed. */
export interface SunDevice {
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What decides about the sun of a site: what is declared, or reported of a device that is only observed. */
export interface SunSide {
  /** In degrees, as far as it is known. */
  readonly latitude: unknown;
  readonly devices: readonly SunDevice[];
}

/** The sun's site, or what has to be known before there is one. */
export type SunSiteOrGaps =
  | { readonly site: SunSite; readonly gaps?: never }
  | { readonly site?: never; readonly gaps: readonly Pick<Gap, "device" | "setting">[] };

/** What the sun on a roof depends on. Without a base load or a cut-in threshold, none is supposed. */
const NEEDED = ["peakPower", "azimuth", "tilt"] as const;

/** The charge power that the service assumes for an unknown car, in W. */
const ASSUMED_POWER = vehicle.settings.maxChargePower?.default as number;

/** The site whose sun can be estimated. A value that is not known yet is no number, and counts as missing. */
export function sunSiteOf(latitude: unknown, devices: readonly SunDevice[]): SunSiteOrGaps {
  const roofs = ofKind(devices, "inverter");
  const gaps = [
    ...(isNumber(latitude) ? [] : [{ device: "site", setting: "latitude" }]),
    ...(roofs.length > 0 ? [] : [{ device: "site", setting: "inverters" }]),
    ...roofs.flatMap(({ label, values }) =>
      NEEDED.filter((key) => !isNumber(values[key])).map((setting) => ({ device: label, setting })),
    ),
  ];
  if (gaps.length > 0) return { gaps };
  const cars = ofKind(devices, "vehicle").filter(
    ({ values: { policy = ChargePolicy.ChargeByForecast } }) => policy === ChargePolicy.ChargeByForecast,
  );
  return {
    site: {
      latitude: latitude as number,
      inverters: Object.fromEntries(roofs.map(({ name, values }) => [name, inverterOf(values)])),
      chargePowers: cars.map(({ values: { maxChargePower } }) =>
        isNumber(maxChargePower) ? maxChargePower : ASSUMED_POWER,
      ),
    },
  };
}

function inverterOf({ peakPower, azimuth, tilt, baseLoad, cutInThreshold }: SunDevice["values"]): SunInverter {
  return {
    ...({ peakPower, azimuth, tilt } as SunInverter),
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
