import { isRetained, remove } from "./delete";
import { forEachDevice, type SiteCall } from "./siteCall";
import type { KeptDevice, SiteState } from "./siteState";

/** Whether a delete of the site sends nothing. */
export function isSiteRetained({ devices }: SiteState): boolean {
  return devices.every(({ role, state }) => role.observe || isRetained(state));
}

/** The engine keeps what was before a delete that fails. */
const BEGUN =
  'the other devices may be given back already, which state does not show: delete again, or run "pulumi refresh" before ' +
  'the next "pulumi up"';

/**
 * Deletes a site: gives back its vehicles, then its inverters.
 * @throws Error if a device could not be given back; the next delete tries again
 */
export async function removeSite(call: SiteCall, site: SiteState): Promise<void> {
  let isBegun = false;
  for (const group of ["vehicles", "inverters"] as const) {
    const own = site.devices.filter(({ role }) => role.group === group && !role.observe);
    const failed: KeptDevice[] = [];
    await leave(call, own, (kept) => failed.push(kept));
    isBegun ||= failed.length < own.length;
    // The inverters' values stay as long as a car may still charge by them.
    if (call.failures.count > 0) throw new Error([...call.failures.reasons(), ...(isBegun ? [BEGUN] : [])].join("\n"));
  }
}

/** Gives back devices that a site no longer declares. @param onFailure gets those that stay as they are */
export async function leave(
  call: SiteCall,
  devices: readonly KeptDevice[],
  onFailure: (device: KeptDevice) => void,
): Promise<void> {
  const managed = devices.filter(({ role }) => !role.observe);
  const left = managed.map((kept) => ({ ...kept.role, kept }));
  await forEachDevice(call, "given back", left, async ({ group, kept }) => {
    try {
      await remove(call.of(group), kept.state);
    } catch (error) {
      onFailure(kept);
      throw error;
    }
  });
}
