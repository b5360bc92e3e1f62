import type { SunInverter, SunSite } from "../../measure/sky/days";
import type { Panels } from "../../measure/sky/plane";
import { shortName } from "../../provider/settings/groups";
import { FOLDED, foldOf } from "../../provider/settings/planes";
import type { Gap } from "../../provider/settings/readiness";
import type { Values } from "../../provider/settings/setting";
import { ChargePolicy, vehicle } from "../../provider/settings/vehicle";
import type { DeviceView, SiteView } from "../view/model";

/** The reasons why cars charge by price: the site lacks something, or the program switches solar-aware charging off. */
export type ByPrice = "notReady" | "off";

/** The reason why the cars of a site do not charge by the forecast. Undefined if they do, or if it is not known yet. */
export function byPriceOf({ ready, solar }: SiteView): ByPrice | undefined {
  if (ready !== false) return undefined;
  return solar ? "notReady" : "off";
}

/** The sun's site, or the values that are still missing. */
type SunSiteOrGaps =
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
export function sunSiteOf(view: SiteView): SunSiteOrGaps {
  const { latitude } = view;
  const byPrice = byPriceOf(view);
  const roofs = ofGroup(view, "inverters");
  const gaps = [
    ...(isNumber(latitude) ? [] : [{ device: "site", setting: "latitude" }]),
    ...(roofs.length > 0 ? [] : [{ device: "site", setting: "inverters" }]),
    ...roofs.flatMap(({ label, values }) =>
      FOLDED.filter((key) => !isNumber(values[key])).map((setting) => ({ device: label, setting })),
    ),
  ];
  if (gaps.length > 0) return { gaps };
  const cars = ofGroup(view, "vehicles").filter(
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
export function withKept(after: SiteView, before: SiteView | undefined): SiteView {
  const known = new Map(before?.devices.map((device) => [device.label, valuesNow(device)]));
  const devices = after.devices.map((device) => ({
    ...device,
    reported: { ...known.get(device.label), ...device.reported },
  }));
  return { ...after, devices };
}

/** The site with the reported values in place of the declared ones, as after drift. */
export function withReportedValues(site: SiteView): SiteView {
  const devices = site.devices.map((device) => ({ ...device, declared: { ...device.declared, ...device.reported } }));
  return { ...site, devices };
}

/** The values of a device: the declared ones, and the reported ones of settings that are not declared. */
function valuesNow({ observe, reported, declared }: DeviceView): Values {
  return observe ? reported : { ...reported, ...declared };
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

/** A device with the values that the sun depends on. */
interface SunDevice {
  readonly name: string;
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly planes?: readonly Panels[] | undefined;
}

function ofGroup({ devices }: SiteView, group: DeviceView["group"]): SunDevice[] {
  return devices
    .filter((device) => device.group === group)
    .map((device) => {
      const { label, planes } = device;
      return { name: shortName(label), label, values: valuesNow(device), planes };
    });
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
