import type { LedgerLine } from "../../provider/ledger/ledgerLine";
import { reasonOf } from "../../provider/ledger/lineFile";
import { fullNameOf } from "../fullName";
import { readLedgers } from "../ledger/read";
import type { Change } from "./model";

/** Changes of a device that are shown (our choice). `solar-charging ledger` shows all. */
const SHOWN = 10;

/**
 * The last changes of each device, newest first, by `business/device`.
 * @param files ledgers. One that is not there yet has no changes
 * @throws Error if one cannot be read
 */
export async function historyOf(files: readonly string[]): Promise<Map<string, Change[]>> {
  const { lines } = await readLedgers(files, { latest: SHOWN }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return { lines: [] };
    throw new Error(`the ledger ${error.path ?? files} cannot be read (${reasonOf(error)})`);
  });
  const changes = new Map<string, Change[]>();
  for (const line of lines) {
    const device = fullNameOf(line);
    changes.set(device, [changeOf(line), ...(changes.get(device) ?? [])]);
  }
  return changes;
}

function changeOf({ time, by, operation, outcome, run, changes }: LedgerLine): Change {
  const settings = changes.map(({ key, old, new: value }) => ({
    key,
    ...(old !== undefined && { from: old }),
    to: value,
  }));
  return { time, by, operation, outcome, run, settings };
}
