import { textOf } from "../../messages/message";
import { UncertainError } from "../device/call";
import { isRetained, remove } from "../device/delete";
import { DELETE_BEGUN } from "../run/messages";
import { forEachDevice, type SiteCall } from "./call";
import type { SiteState, StoredDevice } from "./state";

/** Whether a delete of the site sends nothing. */
export function isSiteRetained({ devices }: SiteState): boolean {
  return devices.every((stored) => stored.observe || isRetained(stored));
}

/**
 * Deletes a site: releases its vehicles, then its inverters.
 * @throws Error if a device could not be restored; the next delete tries again
 */
export async function removeSite(call: SiteCall, site: SiteState): Promise<void> {
  let isBegun = false;
  for (const group of ["vehicles", "inverters"] as const) {
    const own = site.devices.filter((stored) => stored.group === group && !stored.observe);
    const { hasSent } = await releaseDevices(call, own);
    isBegun ||= hasSent;
    // The inverters keep their values while the policy of a car may still use them.
    const reasons = call.failures.reasons();
    if (reasons.length > 0) throw new Error([...reasons, ...(isBegun ? [textOf(DELETE_BEGUN)] : [])].join("\n"));
  }
}

/** The devices that a site stops managing, after the attempt. */
interface Released {
  /** The devices that failed or were not started. */
  readonly failed: readonly StoredDevice[];
  /** Whether a device was changed, or may have been. */
  readonly hasSent: boolean;
}

/** Stops managing devices of a site. @param devices managed ones */
export async function releaseDevices(call: SiteCall, devices: readonly StoredDevice[]): Promise<Released> {
  const results = await forEachDevice(call, "released", devices, (stored) => remove(call.of(stored), stored));
  const failed = [...results].flatMap(([stored, { error }]) => {
    if (error === undefined) return [];
    return error instanceof UncertainError ? { ...stored, settings: error.state.settings } : stored;
  });
  const hasSent = [...results.values()].some(({ value, error }) => value || error instanceof UncertainError);
  return { failed, hasSent };
}
