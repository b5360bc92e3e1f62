import { createHash } from "node:crypto";
import { z } from "zod";

/** Identifies a device at the service. */
export interface DeviceRef {
  readonly businessId: string;
  readonly deviceId: string;
}

// A field of an unexpected type counts as missing. A deviation from the documentation must not stop a run.
const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const numeric = z.number().nullable().optional().catch(undefined);

const connector = { title: text, display_name: text, location_aware: flag };
const config = {
  opt_out: flag,
  opt_out_until: text,
  charge_by: text,
  charge_from: text,
  guaranteed_max_price: numeric,
  guaranteed_soc: numeric,
  target_soc: numeric,
};

/** The documented fields of two parts of the device object. */
export const DOCUMENTED = { connector_data: Object.keys(connector), config: Object.keys(config) };

/**
 * The device object of the cached read. Every field may be missing, and other fields are kept: the service documents
 * neither the structure of an inverter nor the place of a reported capacity or power.
 */
export const deviceSchema = z.looseObject({
  __typename: text,
  id: text,
  dev_make: text,
  phys_id: text,
  dev_type: text,
  policy: text,
  setup_complete: flag,
  metadata: z
    .looseObject({
      id: text,
      dev_id: text,
      dev_type: text,
      dev_make: text,
      phys_id: text,
      setup_complete: flag,
    })
    .optional()
    .catch(undefined),
  connector_data: z.looseObject(connector).optional().catch(undefined),
  config: z.looseObject(config).optional().catch(undefined),
});

export type Device = z.infer<typeof deviceSchema>;

/** The answer of the latest read as it was sent: the service documents none of its fields. */
export type Metrics = Readonly<Record<string, unknown>>;

/** The type that a device reports, from any of its possible places; undefined if the answer has none. */
export function deviceTypeOf(device: Device): string | undefined {
  const typename = device.__typename === "Vehicle" ? "Electric vehicle" : device.__typename;
  return [device.dev_type, device.metadata?.dev_type, typename].find(Boolean);
}

/**
 * The fingerprint of the car or inverter behind a device, from its `phys_id`; undefined if the service shows none.
 * State contains the fingerprint, and a `phys_id` can be a vehicle identification number. So the fingerprint has only
 * 36 bits: many numbers share one, but two devices of a business hardly ever do.
 */
export function fingerprintOf({ businessId }: Pick<DeviceRef, "businessId">, device: Device): string | undefined {
  const physicalId = [device.phys_id, device.metadata?.phys_id].find(Boolean);
  if (physicalId === undefined) return undefined;
  const hash = createHash("sha256").update(JSON.stringify([businessId, physicalId]));
  return hash.digest("base64url").slice(0, 6);
}

/** A device in the words of a message. */
export function nameOf({ businessId, deviceId }: DeviceRef): string {
  return `device '${deviceId}' of business '${businessId}'`;
}

/**
 * The short name of a device: `business/device`, or its id alone if the business is not known. A slash in the id of a
 * business is encoded. Without this, two devices could have the same name, and a run would lose one of them.
 */
export function deviceName({
  businessId,
  deviceId,
}: {
  readonly businessId?: string | undefined;
  readonly deviceId: string;
}): string {
  return businessId ? `${businessId.replace(/[%/]/g, encodeURIComponent)}/${deviceId}` : deviceId;
}

/** Path of a device below the base URL. */
export function devicePath({ businessId, deviceId }: DeviceRef): string {
  return `${businessPath({ businessId })}/devices/${encodeURIComponent(deviceId)}`;
}

/** Path of a business below the base URL. */
export function businessPath({ businessId }: Pick<DeviceRef, "businessId">): string {
  return `/api/v1/businesses/${encodeURIComponent(businessId)}`;
}
