import { grouped } from "../../measure/sky/numbers";
import { shortName } from "../../provider/settings/groups";
import { changeInWords, valuesInWords } from "../../provider/settings/valueWords";
import { counted } from "../words";
import type { DeviceChange } from "./model";

/** The drift of one device. */
export interface DriftedDevice {
  /** Absent outside of a site. */
  readonly site?: string;
  readonly change: DeviceChange;
}

/** Minimum number of devices that share a drift (our choice): two can have the same value by chance. */
const LEAST_DEVICES = 3;

/** Numbers of new devices and of their values from which a range replaces the values (our choice). */
const MANY_NEW = 20;
const MANY_VALUES = 5;

/**
 * Drift by cause: the same setting of the same kind of device has the same new value, probably because one person or one
 * campaign has changed them all. Secret values are never compared.
 * @param least the devices that make a line
 * @returns `shared`, with the most devices first: `38 cars: policy CHARGE BY FORECAST → CHARGE BY`, or the range if many
 * new devices have different values, with the devices at its ends first; `others`: the devices with drift of their own
 */
export function driftByCause<Device extends DriftedDevice>(drifted: readonly Device[], least = LEAST_DEVICES) {
  const settings = drifted.flatMap((device) =>
    device.change.settings.flatMap((setting) =>
      !setting.secret && setting.to !== undefined ? [{ device, setting }] : [],
    ),
  );
  const bySetting = grouped(settings, ({ device: { change }, setting: { setting } }) =>
    JSON.stringify([nounOf(change.label), change.kind, setting]),
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
  const shared = groups
    .sort((a, b) => b.length - a.length)
    .map((group) => {
      const [first] = group as [(typeof group)[number]];
      const { setting, from, to } = first.setting;
      const { label, kind } = first.device.change;
      const isSame = (key: "from" | "to") =>
        group.every((one) => JSON.stringify(one.setting[key]) === JSON.stringify(first.setting[key]));
      const inOrder = group.toSorted((a, b) => Number(a.setting.to) - Number(b.setting.to));
      const ends = isSame("to") ? [] : [inOrder[0], inOrder.at(-1)].flatMap((one) => one ?? []);
      const values = ends.length > 0 ? ends.map((one) => one.setting.to) : [to];
      const change =
        ends.length > 0 || from === undefined || !isSame("from")
          ? `→ ${valuesInWords(setting, values).join(" to ")}`
          : changeInWords(setting, from, to);
      return {
        words: `${counted(group.length, nounOf(label))}: ${PREFIXES.get(kind) ?? ""}${setting} ${change}`,
        names: [...new Set([...ends, ...group])].map(({ device }) => driftedName(device)),
      };
    });
  return { shared, others };
}

const PREFIXES = new Map(Object.entries({ leaves: "restored ", new: "new, " }));

/** `car` or `inverter`, from the name of a device; `site` without one. */
export function nounOf(device = "site"): string {
  const [kind = ""] = device.split("/");
  return kind === "vehicle" ? "car" : kind;
}

/** `berlin van-3`, or the name alone outside of a site. */
export function driftedName({ site, change: { label } }: DriftedDevice): string {
  const name = shortName(label);
  return site === undefined ? name : `${site} ${name}`;
}
