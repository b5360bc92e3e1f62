import type { Values } from "./setting";

export const ON_DELETE = ["retain", "restore", "reset"] as const;
/**
 * What a delete does to a device: `retain`, its values stay; `restore`, the values from before we first wrote them are written back;
 * `reset`, the service's defaults are written.
 * @useDeclaredType
 */
export type OnDelete = (typeof ON_DELETE)[number];

/** The declarations of a program for one device. */
export interface Declaration {
  readonly businessId: string;
  readonly deviceId: string;
  readonly onDelete?: OnDelete;
  /** The declared keys and their values. */
  readonly values: Values;
}
