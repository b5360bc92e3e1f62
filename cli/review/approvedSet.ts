import type { ApprovedSet } from "../../provider/lifecycle/approval/approved";
import type { DeviceRef } from "../../provider/service/device";
import type { Value } from "../../provider/settings/setting";
import type { ResourceSends } from "./sends";

/** A planned resource, with the stack that it is in. */
export interface PlannedResource extends Omit<ApprovedSet["stacks"][number], "devices"> {
  readonly devices: readonly ResourceSends["devices"][number][];
}

/**
 * The closed set of a change. It does not depend on the order of the resources. A review does not show the values of a
 * device that only gets another resource. Without `moved`, the set would allow to overwrite a later value of somebody
 * else, or a later change to release the device.
 * @param options `repair`: whether declared values may also be sent to repair drift
 */
export function setOf(resources: readonly PlannedResource[], { repair }: { readonly repair: boolean }): ApprovedSet {
  const markOf = (service: string, { businessId, deviceId }: DeviceRef, setting: string, value?: Value) =>
    JSON.stringify([service, businessId, deviceId, setting, value]);
  const marks = new Set(
    resources.flatMap(({ service, devices }) =>
      devices.flatMap((device) =>
        device.sends.flatMap(({ setting, value, why }) =>
          why === "release" ? [] : markOf(service, device, setting, why === "moved" ? value : undefined),
        ),
      ),
    ),
  );
  const stacks = resources.map(({ devices, ...stack }) => {
    const allowed = devices.flatMap(({ unknown: _, drifted: __, sends: all, ...device }) => {
      const found = all.flatMap((one) => {
        const isRelease = one.why === "release";
        const isMoved = marks.has(markOf(stack.service, device, one.setting, isRelease ? undefined : one.value));
        if (one.why === "moved" || (!repair && one.why === "repair")) return [];
        return isMoved && (isRelease || !repair) ? { ...one, why: "moved" as const } : one;
      });
      const sends = inOrder(found);
      return sends.length > 0 || device.released ? { ...device, sends } : [];
    });
    return { ...stack, devices: inOrder(allowed) };
  });
  return { approval: 1, stacks: inOrder(stacks) };
}

/** Each value once, in an order that does not depend on the given one. */
function inOrder<T>(all: readonly T[]): T[] {
  const texts = new Map(all.map((one) => [JSON.stringify(one), one]));
  return [...texts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

/** The text of a set in a file. Equal sets have equal texts, and so equal digests. */
export function textOfSet(set: ApprovedSet): string {
  return `${JSON.stringify(set, undefined, 2)}\n`;
}
