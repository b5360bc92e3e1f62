import type { PolicyConfigSchema, PolicyResource } from "@pulumi/policy";
import {
  type DeviceKind,
  type Gap,
  GROUPS,
  inverter,
  keysOf,
  type LintedDevice,
  type Value,
  vehicle,
} from "pulumi-solar-charging/rules";

type Properties = PolicyResource["props"];

/** What a stack declares for one device. Several resources can declare it, each other keys of it. */
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
  /** Where its site is, in degrees, north positive, if the site declares it. */
  readonly latitude: number | undefined;
  /** Whether its site judges whether it is ready. A vehicle that declares its policy is not judged by its site. */
  readonly isJudgedBySite: boolean;
}

/** What a stack declares for one site. */
export interface Site {
  readonly urn: string;
  /** What keeps the site from being ready, as far as it is known. Empty if the site is not solar. */
  readonly gaps: readonly Gap[];
  /** The devices that it declares, with the values that are known. */
  readonly devices: readonly LintedDevice[];
}

/** What a stack declares of ours. */
export interface Stack {
  readonly devices: readonly Device[];
  readonly sites: readonly Site[];
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

/** One device as one resource declares it. */
interface Declared {
  readonly kind: DeviceKind;
  readonly props: Properties;
  /** Its name in its site: `vehicle/<name>` or `inverter/<name>`. */
  readonly label?: string;
}

/** How the devices of a resource are found, by the name of its class. */
const CLASSES: Readonly<Record<string, (props: Properties) => Declared[]>> = {
  [vehicle.resource]: (props) => [{ kind: vehicle, props }],
  [inverter.resource]: (props) => [{ kind: inverter, props }],
  SiteSettings: devicesOfSite,
};

/** The same by type token: that of a dynamic resource, and that of the native plugin. */
const TYPES = new Map(
  Object.entries(CLASSES).flatMap(([name, find]) =>
    ["pulumi-nodejs:dynamic/solar-charging", "solar-charging:index"].map((module) => [`${module}:${name}`, find]),
  ),
);

/**
 * What the resources declare, without the devices that are to be left out.
 * @throws the policy SDK's error if the id of a device is known only in the update: nothing is judged before.
 */
export function readStack(resources: readonly PolicyResource[], { ignoreDevices }: DeviceConfig): Stack {
  const isIgnored = ({ props: { businessId, deviceId } }: Declared) =>
    [deviceId, `${businessId}/${deviceId}`].some((name) => ignoreDevices.includes(name));
  const devices = new Map<string, Device>();
  const sites: Site[] = [];
  for (const { type, props, urn } of resources) {
    const declared = TYPES.get(type)?.(props) ?? [];
    const ignored = declared.filter(isIgnored);
    const judged = declared.filter((device) => !ignored.includes(device) && device.props.observe !== true);
    const isSite = TYPES.get(type) === devicesOfSite;
    for (const device of judged) addDevice(devices, device, urn, isSite ? props : undefined);
    if (isSite) sites.push(siteOf(props, urn, judged, ignored));
  }
  return { devices: [...devices.values()], sites };
}

/**
 * The devices of a site, also those that it only observes. Before an update they are in its arguments, by group and name; the state of a stack
 * has them in the output `devices`, by label.
 */
function devicesOfSite(props: Properties): Declared[] {
  return Object.entries(GROUPS).flatMap(([group, kind]) => {
    const prefix = `${kind.name}/`;
    if (group in props) {
      return Object.keys(props[group]).map((name) => ({ kind, label: prefix + name, props: props[group][name] }));
    }
    const labels = Object.keys(props.devices ?? {}).filter((label) => label.startsWith(prefix));
    return labels.map((label) => ({ kind, label, props: props.devices[label] }));
  });
}

function siteOf(props: Properties, urn: string, judged: readonly Declared[], ignored: readonly Declared[]): Site {
  const gaps = isSolar(props) ? (knownOf<Gap[]>(props, "gaps") ?? []) : [];
  return {
    urn,
    gaps: gaps.filter(({ device }) => ignored.every(({ label }) => label !== device)),
    devices: judged.map(({ kind, label = "", props: declared }) => ({
      label,
      inputs: Object.fromEntries(keysOf(kind).map((key) => [key, knownOf<Value>(declared, key)])),
    })),
  };
}

/** One that is not known before the update counts as solar. */
function isSolar(site: Properties): boolean {
  return knownOf<boolean>(site, "solar") !== false;
}

/** @param site the properties of the site that declares the device, if one does */
function addDevice(devices: Map<string, Device>, { kind, props }: Declared, urn: string, site?: Properties): void {
  const { businessId, deviceId } = props;
  const id = JSON.stringify([kind.name, businessId, deviceId]);
  const isLeftOut = "policy" in props && props.policyFromSite !== true;
  const device: Device = devices.get(id) ?? {
    ...{ kind, businessId, deviceId, urn },
    values: {},
    unknownKeys: new Set<string>(),
    urns: new Map<string, string>(),
    latitude: site && knownOf<number>(site, "latitude"),
    isJudgedBySite: site !== undefined && isSolar(site) && !isLeftOut,
  };
  devices.set(id, device);
  for (const key of keysOf(kind).filter((candidate) => candidate in props)) {
    device.urns.set(key, urn);
    const value = knownOf<Value>(props, key);
    if (value === undefined) device.unknownKeys.add(key);
    else device.values[key] = value;
  }
}

/** The value of a property; undefined if it is known only in the update. */
function knownOf<T>(props: Properties, key: string): T | undefined {
  try {
    return props[key];
  } catch {
    return undefined; // The policy SDK throws at what is not known.
  }
}
