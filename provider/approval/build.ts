import type { ApprovedSet } from "./approved";
import type { PlanLine } from "./planFile";

/** A planned resource, with the stack that it is in. */
export interface PlannedResource extends Pick<PlanLine, "devices"> {
  readonly project: string;
  readonly stack: string;
  readonly service: string;
}

type SetDevice = ApprovedSet["stacks"][number]["devices"][number];

/**
 * The closed set of a change. It does not depend on the order of the lines.
 * @param options `repair`: whether declared values may also be sent to repair drift
 */
export function setOf(resources: readonly PlannedResource[], { repair }: { readonly repair: boolean }): ApprovedSet {
  const stacks = new Map<string, PlannedResource[]>();
  for (const one of resources) {
    const key = JSON.stringify([one.project, one.stack, one.service]);
    stacks.set(key, [...(stacks.get(key) ?? []), one]);
  }
  return {
    approval: 1,
    stacks: inOrder([...stacks]).map(([, all]) => {
      const { project, stack, service } = all[0] as PlannedResource;
      const devices = all.flatMap((one) =>
        one.devices.map(({ unknown: _, secret: __, sends, ...device }) => {
          return { ...device, sends: sends.filter(({ why }) => repair || why !== "repair") };
        }),
      );
      return { project, stack, service, devices: mergedDevices(devices) };
    }),
  };
}

/** The devices, each once for each kind of its change. Those without anything to send or release are left out. */
function mergedDevices(devices: readonly SetDevice[]): SetDevice[] {
  const merged = new Map<string, SetDevice>();
  for (const { sends, ...device } of devices) {
    if (sends.length === 0 && !device.released) continue;
    const key = JSON.stringify([device.businessId, device.deviceId, device.label, device.released ?? ""]);
    const known = merged.get(key)?.sends ?? [];
    const all = new Map([...known, ...sends].map((one) => [JSON.stringify([one.field, one.value, one.why]), one]));
    merged.set(key, { ...device, sends: inOrder([...all]).map(([, one]) => one) });
  }
  return inOrder([...merged]).map(([, device]) => device);
}

function inOrder<T>(entries: readonly (readonly [key: string, value: T])[]): (readonly [key: string, value: T])[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}
