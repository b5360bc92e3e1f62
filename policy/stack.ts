import type { PolicyConfigSchema, PolicyResource } from "@pulumi/policy";
import {
  type DeviceKind,
  declaredValues,
  FOLDED,
  type Gap,
  GROUPS,
  inverter,
  keysOf,
  type LintedDevice,
  RECOMMENDED,
  reportedByCar,
  type Value,
  type Values,
  vehicle,
} from "pulumi-solar-charging/rules";

type Properties = PolicyResource["props"];

/** The declaration of one device in a stack. Several resources can declare it, each with other keys. */
export interface Device {
  readonly kind: DeviceKind;
  readonly businessId: string;
  readonly deviceId: string;
  /** Declared values, as far as they are known. */
  readonly values: Record<string, Value>;
  /**
   * The capacity and charge power that a car reports and the program does not declare; undefined before the first read.
   */
  reported: Values | undefined;
  /** Declared keys whose values are known only in the update. */
  readonly unknownKeys: Set<string>;
  /** URN of the first resource of the device. */
  readonly urn: string;
  /** URN of the resource that declares a key, by key. */
  readonly urns: Map<string, string>;
  /** Latitude of the device or its site, in degrees, north positive, if it is declared and known. */
  readonly latitude: number | undefined;
  /**
   * Whether its site decides whether it is ready. A vehicle that declares its own policy is left out of its site's
   * readiness.
   */
  readonly isJudgedBySite: boolean;
}

/** The declaration of one site in a stack. */
export interface Site {
  readonly urn: string;
  /** The known gaps of the site. Empty if the site is not solar. */
  readonly gaps: readonly Gap[];
  /** The devices that it declares, with the values that are known. */
  readonly devices: readonly LintedDevice[];
}

/** The resources of ours that a stack declares. */
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
    description: "Devices to skip, each as deviceId or businessId/deviceId",
  },
};

/** One device as one resource declares it. */
interface Declared {
  readonly kind: DeviceKind;
  readonly props: Properties;
  /** Its name in its site: `vehicle/<name>` or `inverter/<name>`. */
  readonly label?: string;
  /** The business of its site, if the device itself has none. */
  readonly business?: string;
  /** The policy that its site gives it. */
  readonly policyOfSite?: Value;
}

/** Readers of the devices of a resource, by the name of its class. */
const CLASSES: Readonly<Record<string, (props: Properties) => Declared[]>> = {
  [vehicle.resource]: (props) => [{ kind: vehicle, props }],
  [inverter.resource]: (props) => [{ kind: inverter, props }],
  SiteSettings: devicesOfSite,
};

/** `CLASSES` by type token, dynamic and native. */
const TYPES = new Map(
  Object.entries(CLASSES).flatMap(([name, find]) =>
    ["pulumi-nodejs:dynamic/solar-charging", "solar-charging:index"].map((module) => [`${module}:${name}`, find]),
  ),
);

/**
 * The declarations of the resources, without the excluded devices.
 * @throws the policy SDK's error if the id of a device is known only in the update: no rule is applied before.
 */
export function readStack(resources: readonly PolicyResource[], { ignoreDevices }: DeviceConfig): Stack {
  const isIgnored = ({ props: { businessId, deviceId }, business }: Declared) =>
    [deviceId, `${businessId ?? business}/${deviceId}`].some((name) => ignoreDevices.includes(name));
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
 * The devices of a site, including those that it only observes. Before an update they are in its arguments, by group
 * and name; the state of a stack has them in the output `devices`, by label.
 */
function devicesOfSite(props: Properties): Declared[] {
  const policies = knownOf<Readonly<Record<string, Value>>>(props, "policies") ?? {};
  const hasArguments = Object.keys(GROUPS).some((group) => group in props);
  return Object.entries(GROUPS).flatMap(([group, kind]) => {
    const prefix = `${kind.name}/`;
    const names = hasArguments
      ? Object.keys(props[group] ?? {})
      : labelsIn(props).flatMap((label) => (label.startsWith(prefix) ? [label.slice(prefix.length)] : []));
    return names.map((name): Declared => {
      const label = prefix + name;
      const device: Properties = hasArguments ? props[group][name] : props.devices[label];
      const policy = kind.name === vehicle.name && !("policy" in device) ? policies[name] : undefined;
      return { kind, label, props: device, business: props.businessId, ...(policy && { policyOfSite: policy }) };
    });
  });
}

function labelsIn(props: Properties): string[] {
  return Object.keys(props.devices ?? {});
}

function siteOf(props: Properties, urn: string, judged: readonly Declared[], ignored: readonly Declared[]): Site {
  const gaps = isSolar(props) ? (knownOf<Gap[]>(props, "gaps") ?? []) : [];
  return {
    urn,
    gaps: gaps.filter(({ device }) => ignored.every(({ label }) => label !== device)),
    devices: judged.map(({ kind, label = "", props: declared, policyOfSite }) => ({
      label,
      inputs: {
        ...valuesIn(kind, declared, knownOf<number>(props, "latitude")),
        ...(policyOfSite && { policy: policyOfSite }),
      },
    })),
  };
}

/**
 * Whether a site is made solar-aware: its argument decides, otherwise whether it has inverters. An unknown argument
 * counts as true.
 */
function isSolar(site: Properties): boolean {
  if ("solar" in site) return knownOf<boolean>(site, "solar") !== false;
  return devicesOfSite(site).some(({ kind }) => kind.name === inverter.name);
}

/** @param site the properties of the site that declares the device, if one does */
function addDevice(
  devices: Map<string, Device>,
  { kind, props, business, policyOfSite }: Declared,
  urn: string,
  site?: Properties,
): void {
  const { businessId = business, deviceId } = props;
  const id = JSON.stringify([kind.name, businessId, deviceId]);
  const isLeftOut = "policy" in props;
  const device: Device = devices.get(id) ?? {
    ...{ kind, businessId, deviceId, urn },
    values: {},
    reported: undefined,
    unknownKeys: new Set<string>(),
    urns: new Map<string, string>(),
    latitude: knownOf<number>(site ?? props, "latitude"),
    isJudgedBySite: site !== undefined && isSolar(site) && !isLeftOut,
  };
  devices.set(id, device);
  device.reported ??= reportedIn(props);
  const values = valuesIn(kind, props, device.latitude);
  for (const [key, value] of Object.entries(values)) {
    device.urns.set(key, urn);
    if (value === undefined) device.unknownKeys.add(key);
    else device.values[key] = value;
  }
  if (policyOfSite !== undefined) {
    device.urns.set("policy", urn);
    device.values.policy = policyOfSite;
  }
}

/**
 * The declared values of a device; undefined ones are known only in the update. Planes count as the one plane that is
 * sent for them.
 */
function valuesIn(
  kind: DeviceKind,
  props: Properties,
  latitude: number | undefined,
): Record<string, Value | undefined> {
  const keys = keysOf(kind).filter((key) => key in props);
  const own = Object.fromEntries(keys.map((key) => [key, knownOf<Value>(props, key)]));
  if (kind.name !== inverter.name || !("planes" in props)) return own;
  const folded = declaredValues(kind, { planes: knownOf(props, "planes") }, latitude);
  return { ...Object.fromEntries(FOLDED.map((key) => [key, folded[key]])), ...own };
}

/**
 * The recommended values in the records of a device that was read; undefined if it has none, as before its first
 * update.
 */
function reportedIn(props: Properties): Values | undefined {
  const records = knownOf<Readonly<Record<string, { readonly reported?: Value }>>>(props, "settings");
  if (records === undefined) return undefined;
  const shown = RECOMMENDED.flatMap((key) => {
    const value = records[key]?.reported;
    return value === undefined ? [] : [[key, value] as const];
  });
  return reportedByCar(Object.fromEntries(shown));
}

/** The value of a property; undefined if a part of it is known only in the update. */
function knownOf<T>(props: Properties, key: string): T | undefined {
  try {
    JSON.stringify(props[key]);
    return props[key];
  } catch {
    return undefined; // The policy SDK throws for unknown values.
  }
}
