import { shortName } from "../../provider/settings/groups";
import { defined } from "../../provider/settings/objects";
import { changeInWords, valueInWords, valuesInWords } from "../../provider/settings/valueWords";
import { counted } from "../counted";
import { grouped } from "../grouped";
import type { DeviceChange, DeviceView, SettingChange } from "./model";

/** The drift of one device. */
export interface DriftedDevice {
  /** Absent outside of a site. */
  readonly site?: string;
  readonly change: DeviceChange;
}

/**
 * Drift that several devices share: the same setting of the same kind of device has the same new value. Probably one
 * person or one campaign has changed them all.
 */
export interface SharedDrift {
  readonly setting: string;
  /** Absent if the devices had different values. */
  readonly from?: unknown;
  readonly to: unknown;
  /** The largest value, if many new devices have different ones; `to` is then the smallest. */
  readonly most?: unknown;
  /** With different values, first those with the smallest and the largest one. */
  readonly devices: readonly DriftedDevice[];
}

/** Minimum number of devices that share a drift (our choice): two can have the same value by chance. */
const LEAST_DEVICES = 3;

/** The same of a planned change: a reader wants to see the devices of a site, and not 359 equal lines. */
export const LEAST_CHANGES = 5;

/** Numbers of new devices and of their values from which a range replaces the values (our choice). */
const MANY_NEW = 20;
const MANY_VALUES = 5;

/** Drift by cause. */
export interface DriftByCause<Device extends DriftedDevice> {
  /** The most devices first. */
  readonly shared: readonly SharedDrift[];
  /** The devices with drift that is not shared. */
  readonly others: readonly Device[];
}

/** Drift by cause, or changes by value. Secret values are never compared. @param least the devices that make a line */
export function driftByCause<Device extends DriftedDevice>(
  drifted: readonly Device[],
  least = LEAST_DEVICES,
): DriftByCause<Device> {
  const settings = drifted.flatMap((device) =>
    device.change.settings.flatMap((setting) =>
      !setting.secret && setting.to !== undefined ? [{ device, setting }] : [],
    ),
  );
  const bySetting = grouped(settings, ({ device: { change }, setting: { setting } }) =>
    JSON.stringify([kindIn(change.label), change.kind, setting]),
  );
  const alike = [...bySetting.values()].flatMap((some) => {
    const byValue = [...grouped(some, ({ setting: { to } }) => JSON.stringify(to)).values()];
    // Without this, the first preview of a fleet would have a line for almost each device.
    const isRange =
      some.every(({ device, setting: { to } }) => device.change.kind === "new" && typeof to === "number") &&
      some.length >= MANY_NEW &&
      byValue.length > MANY_VALUES;
    return isRange ? [some] : byValue;
  });
  const groups = alike.filter((group) => group.length >= least);
  const isShared = new Set(groups.flatMap((group) => group.map(({ setting }) => setting)));
  const others = drifted.flatMap((device): Device[] => {
    const left = device.change.settings.filter((setting) => !isShared.has(setting));
    if (left.length === device.change.settings.length) return [device];
    const { kind } = device.change;
    return left.length === 0 && kind !== "leaves" ? [] : [{ ...device, change: { ...device.change, settings: left } }];
  });
  const shared = groups.map((group): SharedDrift => {
    const [{ setting, from, to }] = group.map((one) => one.setting) as [SettingChange];
    const devices = group.map(({ device }) => device);
    if (group.some((one) => JSON.stringify(one.setting.to) !== JSON.stringify(to))) {
      const inOrder = group.toSorted((a, b) => Number(a.setting.to) - Number(b.setting.to));
      const ends = [inOrder[0], inOrder.at(-1)].flatMap((one) => one ?? []);
      const [least, most] = ends.map((one) => one.setting.to);
      return { setting, to: least, most, devices: [...new Set([...ends.map((one) => one.device), ...devices])] };
    }
    const isSame = group.every((one) => JSON.stringify(one.setting.from) === JSON.stringify(from));
    return { setting, ...(isSame && from !== undefined && { from }), to, devices };
  });
  return { shared: shared.sort((a, b) => b.devices.length - a.devices.length), others };
}

/** `vehicle` or `inverter`. */
function kindIn(label: string): string {
  return label.slice(0, label.indexOf("/"));
}

/** `38 cars: policy CHARGE BY FORECAST → CHARGE BY`. */
export function sharedWords({ setting, from, to, most, devices: [first, ...rest] }: SharedDrift): string {
  const values = most === undefined ? valueInWords(setting, to) : valuesInWords(setting, [to, most]).join(" to ");
  const change = from === undefined ? `→ ${values}` : changeInWords(setting, from, to);
  const { label = "", kind } = first?.change ?? {};
  return `${countedKind(rest.length + 1, kindIn(label))}: ${{ leaves: "restored ", new: "new, " }[kind as string] ?? ""}${setting} ${change}`;
}

/** `38 cars`. @param kind `vehicle` or `inverter` */
export function countedKind(count: number, kind: string): string {
  return counted(count, kind === "vehicle" ? "car" : kind);
}

/** `berlin van-3`, or the name alone outside of a site. */
export function driftedName({ site, change: { label } }: DriftedDevice): string {
  const name = shortName(label);
  return site === undefined ? name : `${site} ${name}`;
}

/** The drift of devices, from declared to reported values. @param site absent outside of a site */
export function driftOfDevices(devices: readonly DeviceView[], site?: string) {
  return devices.flatMap((of): (DriftedDevice & { readonly of: DeviceView })[] => {
    const { label, drift, declared, reported, secret } = of;
    const settings = drift.map((setting): SettingChange => {
      const [from, to] = [declared[setting], reported[setting]];
      return secret.includes(setting) ? { setting, secret: true } : { setting, from, to };
    });
    return settings.length === 0 ? [] : [{ ...defined({ site }), change: { label, kind: "changed", settings }, of }];
  });
}
