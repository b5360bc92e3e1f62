import { z } from "zod";
import { ON_DELETE } from "../settings/declaration";
import type { Value } from "../settings/setting";

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

const valueSchema = z.union([z.number(), z.string()]);

/** `DeviceSends` in an approved set. */
export const deviceSendsSchema = z.strictObject({
  label: z.string(),
  businessId: z.string(),
  deviceId: z.string(),
  released: z.enum(ON_DELETE).optional(),
  sends: z.array(z.strictObject({ setting: z.string(), field: z.string(), value: valueSchema, why: z.enum(REASONS) })),
});

/** `DeviceSends` without secret values, and with the settings that change and are secrets: no review shows them. */
export const notedSendsSchema = deviceSendsSchema.extend({ unknown: z.array(z.string()), secret: z.array(z.string()) });
export type NotedSends = z.infer<typeof notedSendsSchema>;

/** @param secrets the settings of the device that are secrets */
export function withoutSecrets({ sends, unknown, ...device }: DeviceSends, secrets: ReadonlySet<string>): NotedSends {
  const secret = sends.flatMap(({ setting, why }) => (secrets.has(setting) && why !== "repair" ? [setting] : []));
  return { ...device, sends: sends.filter(({ setting }) => !secrets.has(setting)), unknown: [...unknown], secret };
}
