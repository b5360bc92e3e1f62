import { z } from "zod";
import { SECRET } from "../messages/message";
import type { DeviceRef } from "../service/device";
import { jsonIn } from "./lineFile";

/** The value of a setting in a file. */
export const settingValue = z.union([z.number(), z.string()]);

/** One line of the change ledger: the changes of one PATCH, and its outcome. Later versions may add fields. */
export const ledgerLine = z.looseObject({
  /** The time at which it was sent, ISO 8601 in UTC. */
  time: z.iso.datetime(),
  /** The run that sent it. All stacks of a fleet's run share it. */
  run: z.string(),
  project: z.string().optional(),
  stack: z.string().optional(),
  /** Address of the service: device ids are unique only within one service. */
  service: z.string().optional(),
  urn: z.string().optional(),
  /** The address of the pipeline run that sent it; otherwise `user@host`. */
  by: z.string(),
  /** The digest of the approved set of the run. Absent if the run has none. */
  approved: z.string().optional(),
  /** The engine's operation: create, update or delete; `identity` for the doctor. */
  operation: z.string(),
  businessId: z.string(),
  deviceId: z.string(),
  changes: z.array(
    z.looseObject({
      key: z.string(),
      /** The last accepted or reported value of the key, if it is known. */
      old: settingValue.optional(),
      new: settingValue,
      /** Whether the program declared the setting as a secret. Default: no. */
      secret: z.boolean().optional(),
      /** The result of the read-back; absent if nothing was read back. */
      verification: z.string().optional(),
    }),
  ),
  /**
   * `planned`: the line was written before the first update of a device, so that a kill cannot lose its baseline.
   * `unmanaged`: a resource stopped managing the settings and did not restore them; `new` is our value, `old` the
   * baseline.
   */
  outcome: z.enum(["planned", "unmanaged", "accepted", "refused", "unknown"]),
  /** HTTP status of an update that was not accepted, if there was an answer. */
  status: z.number().optional(),
});

export type LedgerLine = z.infer<typeof ledgerLine>;

/** The line in a text; undefined if it has another form, for example because a kill cut it short. */
export function ledgerLineIn(text: string): LedgerLine | undefined {
  return jsonIn(ledgerLine, text);
}

/** The line with secret values hidden. */
export function withSecretsHidden<L extends Pick<LedgerLine, "changes">>(line: L): L {
  const changes = line.changes.map((change) =>
    change.secret ? { ...change, ...(change.old !== undefined && { old: SECRET }), new: SECRET } : change,
  );
  return { ...line, changes };
}

/** Whether a line can be about a device of a service: device ids are unique only within one. */
export function isOfService({ service }: Pick<LedgerLine, "service">, known: string | undefined): boolean {
  return known === undefined || service === undefined || service === known;
}

/** The identity of a device, as it stands in a line. */
export function idOf({ businessId, deviceId }: DeviceRef): string {
  return JSON.stringify({ businessId, deviceId }).slice(1, -1);
}

/** Adds to the list of an id, such as that of a device. */
export function addTo<T>(lists: Map<string, T[]>, id: string, item: T): void {
  const known = lists.get(id);
  if (known) known.push(item);
  else lists.set(id, [item]);
}
