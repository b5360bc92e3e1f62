import { z } from "zod";

const value = z.union([z.number(), z.string()]);

/** One line of the change ledger: what one PATCH was to change, and what became of it. Later versions may say more. */
export const ledgerLine = z.looseObject({
  /** When it was sent, ISO 8601 in UTC. */
  time: z.iso.datetime(),
  /** The run that sent it: the same for all stacks of a fleet's run. */
  run: z.string(),
  project: z.string().optional(),
  stack: z.string().optional(),
  urn: z.string().optional(),
  /** The address of the run of the pipeline that sent it, else `user@host`. */
  by: z.string(),
  /** The operation of the engine, create, update or delete; the doctor's is identity. */
  operation: z.string(),
  businessId: z.string(),
  deviceId: z.string(),
  changes: z.array(
    z.looseObject({
      key: z.string(),
      /** The last accepted or reported value of the key, if it is known. */
      old: value.optional(),
      new: value,
      /** How it was read back; absent if it was not. */
      verification: z.string().optional(),
    }),
  ),
  /** `planned`: written down before the first update of a device, so that a kill cannot take its baseline. */
  outcome: z.enum(["planned", "accepted", "refused", "unknown"]),
  /** HTTP status of what was not accepted, if there was an answer. */
  status: z.number().optional(),
});

export type LedgerLine = z.infer<typeof ledgerLine>;

/** The device of a line. */
export type LedgerDevice = Pick<LedgerLine, "businessId" | "deviceId">;
