import { resolve } from "node:path";
import type { Message } from "../messages/message";
import type { Values } from "../settings/setting";
import type { Verification } from "../settings/verification";
import type { Writer } from "./events";
import { changesOf, Journal } from "./journal";
import type { LedgerDevice, LedgerLine } from "./ledgerLine";
import { ledgerFails } from "./messages";
import type { Origin } from "./origin";

// A host ends at once when its engine is killed. Without this, the ledger would lack the update in flight.
const underWay = new Set<() => Promise<void>>();
process.on("exit", () => {
  for (const append of underWay) void append();
});

/** An update that is about to be sent. */
export interface PlannedUpdate extends Writer {
  readonly operation: string;
  readonly device: LedgerDevice;
  /** The URN of any resource of the run, if one is known. */
  readonly urnOfRun: string | undefined;
  readonly sent: Values;
  /** The known values of the keys before the update. */
  readonly old: Values;
}

/** An update in progress. The code that sends it reports each step. */
export interface Recording {
  /** The service has accepted the update. */
  accepted(): void;
  /** Ends the record, after the read-back if there is one. */
  end(verification?: Readonly<Record<string, Verification>>): Promise<void>;
  /** The request failed: the update was refused, or its outcome is unknown. */
  failed(error: unknown): Promise<void>;
}

/** Records updates, to show later who set a value. */
export type Recorder = Pick<Ledger, "begin" | "linesOf">;

/** A journal that also has a line for each PATCH of a run. It shows later who set a value. */
export class Ledger extends Journal {
  /** @param path the file: absolute, or relative to the folder of the process */
  constructor(path: string, origin: Origin, warn: (message: Message) => Promise<void>) {
    super(resolve(path), origin, warn);
  }

  /** Does nothing, because the PATCH that restores a setting has a line. */
  override async restored(): Promise<void> {}

  /**
   * Begins the record of an update, before it is sent.
   * @throws Error if it cannot write. Then the update must not be sent
   */
  begin({ operation, device, urn, urnOfRun, sent, old, isSecret }: PlannedUpdate): Recording {
    this.orRefuse(ledgerFails);
    const time = new Date().toISOString();
    let result: Result = { outcome: "unknown" };
    const append = async (verification: Readonly<Record<string, Verification>> = {}) => {
      underWay.delete(append);
      const changes = changesOf(sent, old, isSecret).map((change) => ({
        ...change,
        verification: verification[change.key],
      }));
      await this.append({ time, operation, device, changes, ...result }, this.origin(urn, urnOfRun));
    };
    underWay.add(append);
    return {
      accepted: () => {
        result = { outcome: "accepted" };
      },
      end: append,
      failed: async (error) => {
        const failure = resultOf(error);
        if (!failure) return void underWay.delete(append);
        result = failure;
        await append();
      },
    };
  }
}

/** The known outcome of an update. */
type Result = Pick<LedgerLine, "outcome" | "status">;

/** The outcome of a failed update; undefined if nothing has reached the service. */
export function resultOf(error: unknown): Result | undefined {
  // An error that is not about a request shows nothing about the service.
  const { maybeApplied = true, status }: { maybeApplied?: boolean; status?: number } = Object(error);
  if (!maybeApplied && status === undefined) return undefined;
  return { outcome: maybeApplied ? "unknown" : "refused", status };
}
