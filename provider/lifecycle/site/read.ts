import { loseDevice, type Read, refreshDevice } from "../device/read";
import { notRead } from "../run/messages";
import { forEachDevice, type SiteCall } from "./call";
import { type KeptDevice, type SiteState, toSiteInputs, toSiteOutputs } from "./state";

/**
 * Shows live values of a site's devices. A device that cannot be read keeps its last known values; a warning names it.
 * @throws Error if no device could be read
 */
export async function readSite(call: SiteCall, id: string, site: SiteState): Promise<Read> {
  const found = new Map<KeptDevice, KeptDevice | undefined>();
  const devices = site.devices.map((kept) => ({ ...kept.role, kept }));
  await forEachDevice(call, "read", devices, async ({ group, kept }) => {
    const state = await refreshDevice(call.of(group), kept.state);
    found.set(kept, state && { ...kept, state });
  });
  // Decide after all reads: if most devices are unknown, the address is wrong, and none is gone.
  const unknown = devices.filter(({ kept }) => found.has(kept) && !found.get(kept));
  await forEachDevice(call, "read", unknown, async ({ group, kept }) => {
    found.delete(kept);
    await loseDevice(call.of(group), kept.state);
    found.set(kept, undefined);
  });
  const reasons = call.failures.reasons();
  if (reasons.length > 0 && found.size === 0) throw new Error(reasons.join("\n"));
  for (const reason of reasons) await call.warn(notRead(reason));
  const refreshed = site.devices.flatMap((kept) => (found.has(kept) ? (found.get(kept) ?? []) : kept));
  const state = { ...site, devices: refreshed };
  return { id, inputs: toSiteInputs(state), outputs: toSiteOutputs(state) };
}
