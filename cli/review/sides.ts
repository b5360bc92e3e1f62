import { keysOf, pick } from "../../provider/settings/setting";
import { type Group, kindOf, labelOf } from "../../provider/settings/site";
import type { DeviceChange, SettingChange } from "./review";

type Fields = Readonly<Record<string, unknown>>;

/** A device on one side of a change. */
export interface DeviceSide {
  readonly group: Group;
  readonly name: string;
  /** Its inputs: ids, settings, `onDelete`, `observe`. */
  readonly inputs: Fields;
}

/** The placeholder of a secret in the engine's output. */
export const SECRET = "[secret]";

/** The effect of an engine's preview on the devices of a site. A device without a visible change is `same`. */
export function deviceChanges(before: readonly DeviceSide[], after: readonly DeviceSide[]): DeviceChange[] {
  const known = new Map(before.map((device) => [identityOf(device), device]));
  const stay = after.map((device) => {
    const old = known.get(identityOf(device));
    known.delete(identityOf(device));
    return changeOf(device, old);
  });
  const leave = [...known.values()].map(
    (device): DeviceChange => ({
      label: labelOf(device),
      kind: "leaves",
      settings: [],
      onDelete: onDeleteOf(device),
    }),
  );
  return [...stay, ...leave];
}

function changeOf(device: DeviceSide, old: DeviceSide | undefined): DeviceChange {
  const label = labelOf(device);
  const isObserved = device.inputs.observe === true;
  if (!old || (old.inputs.observe === true) !== isObserved) {
    return { label, kind: "new", settings: differences({}, settingsOf(device)) };
  }
  const settings = isObserved ? [] : differences(settingsOf(old), settingsOf(device));
  const was = old.name === device.name ? undefined : labelOf(old);
  const onDelete = isObserved ? [] : differences({ onDelete: onDeleteOf(old) }, { onDelete: onDeleteOf(device) });
  const all = [...settings, ...onDelete];
  const kind = all.length > 0 || was !== undefined ? "changed" : "same";
  return { label, kind, settings: all, ...(was !== undefined && { was }) };
}

/** The settings of a device that is declared; of one that is only observed none. */
export function settingsOf({ group, inputs }: DeviceSide): Fields {
  return pick(inputs, keysOf(kindOf({ group })));
}

export function hasSecret(device: DeviceSide): boolean {
  return Object.values(settingsOf(device)).includes(SECRET);
}

/** The differences of two sets of values. */
export function differences(before: Fields, after: Fields): SettingChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((setting) => JSON.stringify(before[setting]) !== JSON.stringify(after[setting]))
    .map((setting) => ({
      setting,
      ...(before[setting] !== undefined && { from: before[setting] }),
      ...(after[setting] !== undefined && { to: after[setting] }),
    }));
}

function onDeleteOf({ inputs }: DeviceSide): string {
  if (inputs.observe === true) return "observe";
  return typeof inputs.onDelete === "string" ? inputs.onDelete : "retain";
}

/** Tells devices apart, whatever they are called. */
function identityOf({ group, inputs: { businessId, deviceId } }: DeviceSide): string {
  return JSON.stringify([group, businessId, deviceId]);
}
