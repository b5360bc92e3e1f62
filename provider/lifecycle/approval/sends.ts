import { z } from "zod";
import { OnDelete } from "../../settings/declaration";

/**
 * The reason why a value may be sent. `update`: the change needs it. `repair`: the device already has it, as far as is
 * known, so it is sent only if it drifts. `release`: it is written back to a device that is no longer managed. `moved`: in
 * a set, it may be planned, and not sent, because the device only gets another resource; before, a released device has it.
 */
const whySchema = z.enum(["update", "repair", "release", "moved"]);

const sendSchema = z.strictObject({
  /** The setting: `maxCapacity`. */
  setting: z.string(),
  /** Its field in the PATCH: `max_capacity`. */
  field: z.string(),
  value: z.union([z.number(), z.string()]),
  why: whySchema,
});
/** One value that a change may send. */
export type Send = z.infer<typeof sendSchema>;

/** The values that an approved set allows for one device. */
export const allowedSchema = z.strictObject({
  label: z.string(),
  businessId: z.string(),
  deviceId: z.string(),
  /** Its `onDelete`, if the change stops managing it. */
  released: z.enum(OnDelete).optional(),
  sends: z.array(sendSchema),
});
export type Allowed = z.infer<typeof allowedSchema>;

/** All values that a change may send to one device, and the settings that nobody can review. */
export interface DeviceSends extends Allowed {
  /** Those that are not known before the update, also ids. */
  readonly unknown: readonly string[];
  /** Those that only get our value back, because somebody has changed it. */
  readonly drifted?: readonly string[];
}
