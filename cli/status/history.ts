import type { LedgerLine } from "../../provider/ledger/ledgerLine";
import { deviceName } from "../../provider/service/device";
import { defined } from "../../provider/settings/objects";
import { readLedgers } from "../ledger/read";
import type { SiteView, Update } from "../view/model";

/** Updates of a device that are shown (our choice). `solar-charging ledger` shows all. */
const SHOWN = 10;

/**
 * The last updates of each device, newest first, by `business/device`.
 * @throws Error if one cannot be read
 */
export async function historyOf(files: readonly string[]): Promise<Map<string, Update[]>> {
  const { lines } = await readLedgers(files, { latest: SHOWN });
  const updates = new Map<string, Update[]>();
  for (const line of lines) {
    const device = deviceName(line);
    updates.set(device, [updateOf(line), ...(updates.get(device) ?? [])]);
  }
  return updates;
}

/** The site with the last updates of its devices. */
export function withUpdates(site: SiteView, updates: ReadonlyMap<string, readonly Update[]>): SiteView {
  const devices = site.devices.map((one) => ({ ...one, updates: updates.get(one.device) ?? [] }));
  return { ...site, devices };
}

function updateOf({ time, by, operation, outcome, run, changes }: LedgerLine): Update {
  const settings = changes.map(({ key, old, new: to, secret }) =>
    secret ? { key } : { key, ...defined({ from: old }), to },
  );
  return { time, by, operation, outcome, run, settings };
}
