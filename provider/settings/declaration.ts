import type { Values } from "./setting";

/** What happens to the device when the resource is deleted. */
export const ON_DELETE = ["retain", "restore", "reset"] as const;
export type OnDelete = (typeof ON_DELETE)[number];

/** What a program declares for one device. */
export interface Declaration {
  readonly businessId: string;
  readonly deviceId: string;
  readonly onDelete?: OnDelete;
  /** The declared keys and their values. */
  readonly values: Values;
}
