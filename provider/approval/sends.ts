import { z } from "zod";
import { ON_DELETE } from "../settings/declaration";
import type { Value } from "../settings/setting";
import { sealed, sealedSchema } from "./sealed";

/**
 * The reason why a value may be sent. `update`: the change needs it. `repair`: the device already has it, as far as is
 * known, so it is sent only if it drifts. `release`: it is written back to a device that is no longer managed.
 */
const REASONS = ["update", "repair", "release"] as const;
export type SendReason = (typeof REASONS)[number];

/** One value that a change may send. */
export interface Send {
  /** The setting: `maxCapacity`. */
  readonly setting: string;
  /** Its field in the PATCH: `max_capacity`. */
  readonly field: string;
  readonly value: Value;
  readonly why: SendReason;
}

/** All values that a change may send to one device. */
export interface DeviceSends {
  readonly label: string;
  readonly businessId: string;
  readonly deviceId: string;
  /** Its `onDelete`, if the change stops managing it. */
  readonly released?: (typeof ON_DELETE)[number];
  readonly sends: readonly Send[];
  /** The settings, or the id, that are not known before the update: nobody can review them. */
  readonly unknown: readonly string[];
}

/** `DeviceSends` in a file. */
export const deviceSendsSchema = z.strictObject({
  label: z.string(),
  businessId: z.string(),
  deviceId: z.string(),
  released: z.enum(ON_DELETE).optional(),
  sends: z.array(z.strictObject({ setting: z.string(), field: z.string(), value: sealedSchema, why: z.enum(REASONS) })),
});
export type SealedSends = z.infer<typeof deviceSendsSchema>;

/** @param secrets the settings of the device that are secrets */
export function sealedSends({ unknown: _, sends, ...device }: DeviceSends, secrets: ReadonlySet<string>): SealedSends {
  return {
    ...device,
    sends: sends.map((one) => ({ ...one, value: sealed(one.value, { isSecret: secrets.has(one.setting) }) })),
  };
}
