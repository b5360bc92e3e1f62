import type { PolicyConfigSchema, PolicyResource } from "@pulumi/policy";
import { type DeviceKind, inverter, keysOf, type Value, vehicle } from "pulumi-solar-charging/rules";

/** What the resources of a stack together declare for one device: each may stand for other keys of it. */
export interface Device {
  readonly kind: DeviceKind;
  readonly businessId: string;
  readonly deviceId: string;
  /** Declared values, as far as they are known. */
  readonly values: Record<string, Value>;
  /** Declared keys whose values are known only in the update. */
  readonly unknownKeys: Set<string>;
  /** URN of the first resource of the device. */
  readonly urn: string;
  /** URN of the resource that declares a key, by key. */
  readonly urns: Map<string, string>;
}

/** Configuration that every rule takes. */
export interface DeviceConfig {
  readonly ignoreDevices: readonly string[];
}

/** Schema of `DeviceConfig`. */
export const deviceConfigProperties: PolicyConfigSchema["properties"] = {
  ignoreDevices: {
    type: "array",
    items: { type: "string" },
    default: [],
    description: "Devices that are left out, each as deviceId or businessId/deviceId",
  },
};

const kinds = new Map(
  [vehicle, inverter].map((kind) => [`pulumi-nodejs:dynamic/solar-charging:${kind.resource}`, kind]),
);

/**
 * The devices that the resources declare, but for those that are to be left out.
 * @throws the policy SDK's error where the id of a device is known only in the update: nothing is judged before.
 */
export function devicesOf(resources: readonly PolicyResource[], { ignoreDevices }: DeviceConfig): Device[] {
  const devices = new Map<string, Device>();
  for (const { type, props, urn } of resources) {
    const kind = kinds.get(type);
    if (!kind) continue;
    const { businessId, deviceId } = props;
    if ([deviceId, `${businessId}/${deviceId}`].some((name) => ignoreDevices.includes(name))) continue;
    const place = JSON.stringify([kind.name, businessId, deviceId]);
    const device = devices.get(place) ?? {
      kind,
      businessId,
      deviceId,
      values: {},
      unknownKeys: new Set<string>(),
      urn,
      urns: new Map<string, string>(),
    };
    devices.set(place, device);
    addDeclared(device, props, urn);
  }
  return [...devices.values()];
}

function addDeclared(device: Device, props: PolicyResource["props"], urn: string): void {
  for (const key of keysOf(device.kind).filter((candidate) => candidate in props)) {
    device.urns.set(key, urn);
    const value = knownOf<Value>(props, key);
    if (value === undefined) device.unknownKeys.add(key);
    else device.values[key] = value;
  }
}

/** The value of a property; undefined where it is known only in the update. */
export function knownOf<T>(props: PolicyResource["props"], key: string): T | undefined {
  try {
    return props[key];
  } catch {
    return undefined; // The policy SDK throws at what is not known.
  }
}
