import { textOf } from "../messages/message";
import { isRetained, remove } from "./delete";
import { UncertainError } from "./errors";
import { deleteBegun } from "./messages";
import { forEachDevice, type SiteCall } from "./siteCall";
import type { KeptDevice, SiteState } from "./siteModel";

/** Whether a delete of the site sends nothing. */
export function isSiteRetained({ devices }: SiteState): boolean {
  return devices.every(({ role, state }) => role.observe || isRetained(state));
}

/**
 * Deletes a site: gives back its vehicles, then its inverters.
 * @throws Error if a device could not be given back; the next delete tries again
 */
export async function removeSite(call: SiteCall, site: SiteState): Promise<void> {
  let isBegun = false;
  for (const group of ["vehicles", "inverters"] as const) {
    const own = site.devices.filter(({ role }) => role.group === group && !role.observe);
    const failed = await leave(call, own);
    isBegun ||= failed.length < own.length;
    // The inverters' values stay as long as a car may still charge by them.
    if (call.failures.count > 0)
      throw new Error([...call.failures.reasons(), ...(isBegun ? [textOf(deleteBegun())] : [])].join("\n"));
  }
}

/** Gives back devices that a site no longer declares. @returns those that stay: it failed, or was not begun */
export async function leave(call: SiteCall, devices: readonly KeptDevice[]): Promise<KeptDevice[]> {
  const left = new Map(devices.filter(({ role }) => !role.observe).map((kept) => [kept, kept]));
  const named = [...left.keys()].map((kept) => ({ ...kept.role, kept }));
  await forEachDevice(call, "given back", named, async ({ group, kept }) => {
    try {
      await remove(call.of(group), kept.state);
      left.delete(kept);
    } catch (error) {
      if (error instanceof UncertainError) left.set(kept, { ...kept, state: error.state });
      throw error;
    }
  });
  return [...left.values()];
}
