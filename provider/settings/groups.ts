import { GROUPS } from "./readiness";
import type { DeviceKind } from "./setting";

/** The two maps of a site's devices, in the order in which they are applied. */
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** The place of a device in its site. */
export interface Place {
  readonly group: Group;
  readonly name: string;
}

/** The label of a device in gaps, messages and outputs: `vehicle/<name>` or `inverter/<name>`. */
export function labelOf({ group, name }: Place): string {
  return `${kindOf({ group }).name}/${name}`;
}

/** The place of a device with a label that `labelOf` returned. Undefined for a site as a whole. */
export function placeOf(label: string): Place | undefined {
  const group = GROUP_NAMES.find((one) => label.startsWith(`${GROUPS[one].name}/`));
  return group && { group, name: label.slice(GROUPS[group].name.length + 1) };
}

/** The name in a label, without the kind: `van-3`. */
export function shortName(label: string): string {
  return label.slice(label.indexOf("/") + 1);
}

export function kindOf({ group }: Pick<Place, "group">): DeviceKind {
  return GROUPS[group];
}
