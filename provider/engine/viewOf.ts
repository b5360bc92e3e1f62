import { type Device, type DeviceRef, DOCUMENTED, deviceTypeOf } from "../service/device";
import { inverter } from "../settings/inverter";
import { type Properties, pick } from "../settings/objects";
import { fromDevice, toPatch, withWireNames } from "../settings/setting";
import { vehicle } from "../settings/vehicle";
import { statusOf } from "../status/find";
import type { GetDeviceResult } from "./deviceView";

/**
 * The view of a device from the answer of the cached read.
 * @param inverterFields wire names of inverter settings, if they are configured
 */
export function viewOf(
  ref: DeviceRef,
  device: Device,
  inverterFields: Readonly<Record<string, string>>,
): GetDeviceResult {
  const { metadata, connector_data, config } = device;
  const devType = deviceTypeOf(device);
  const kinds = [vehicle, withWireNames(inverter, inverterFields)].filter((kind) => !devType || kind.accepts(devType));
  const identity = {
    dev_type: devType,
    dev_make: device.dev_make ?? metadata?.dev_make,
    setup_complete: device.setup_complete ?? metadata?.setup_complete,
  };
  const physicalId = { phys_id: device.phys_id ?? metadata?.phys_id };
  const ofConfig = pick<unknown>(config ?? {}, DOCUMENTED.config);
  const ofConnector = pick<unknown>(connector_data ?? {}, DOCUMENTED.connector_data);
  const { location_aware, ...names } = ofConnector;
  const view = {
    businessId: ref.businessId,
    deviceId: ref.deviceId,
    ...camelCased({ ...identity, location_aware }),
    reported: Object.assign({}, ...kinds.map((kind) => fromDevice(kind, device))),
    ...(config && { config: camelCased(ofConfig) }),
    ...statusOf(device),
  };

  // Settings can be in three places of the object, the identity in two.
  const settings = Object.assign({}, ...kinds.map((kind) => toPatch(kind, fromDevice(kind, device))));
  const shared = { ...identity, ...physicalId, ...settings };
  const raw = {
    ...without(device, shared),
    ...(metadata && { metadata: without(metadata, shared) }),
    ...(config && { config: without(config, { ...ofConfig, ...settings }) }),
    ...(connector_data && { connector_data: without(connector_data, ofConnector) }),
  };
  const personal = camelCased({ ...names, ...physicalId });
  return Object.defineProperties<Partial<GetDeviceResult>>(view, {
    personal: { value: personal },
    raw: { value: raw },
  }) as GetDeviceResult;
}

/** The fields with a value, under their SDK names. */
function camelCased(fields: Properties): Properties {
  const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[camelCase(name), value]])),
  );
}

/** The fields whose value is not the shown one. */
function without(fields: Properties, shown: Properties): Properties {
  const isLeft = ([name, value]: [string, unknown]) => value !== undefined && value !== shown[name];
  return Object.fromEntries(Object.entries(fields).filter(isLeft));
}
