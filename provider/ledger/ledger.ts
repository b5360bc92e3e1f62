import { resolve } from "node:path";
import type { Message } from "../messages/message";
import type { Values } from "../settings/setting";
import type { Verification } from "../settings/verification";
import type { Writer } from "./events";
import { changesOf, Journal } from "./journal";
import type { LedgerDevice, LedgerLine } from "./ledgerLine";
import { ledgerFails } from "./messages";
import type { Origin } from "./origin";

// A host ends immediately when its engine is killed. Without this, the ledger would lack the update in flight.
const underWay = new Set<() => Promise<void>>();
process.on("exit", () => {
  for (const append of underWay) void append();
});

/** An update that is about to be sent. */
export interface PlannedUpdate extends Writer {
  readonly operation: string;
  readonly device: LedgerDevice;
  /** Any resource of the run, if one is known. */
  readonly urnOfRun: string | undefined;
  readonly sent: Values;
  /** The values of the keys, as far as they are known. */
  readonly old: Values;
}

/** An update in progress. The code that sends it reports each step. */
export interface Recording {
  /** The service has accepted it. */
  accepted(): void;
  /** Called after the read-back, or without one. */
  end(verification?: Readonly<Record<string, Verification>>): Promise<void>;
  /** It was not accepted, as far as is known. */
  failed(error: unknown): Promise<void>;
}

/** Records updates, to show later who set a value. */
export type Recorder = Pick<Ledger, "begin">;

/** The journal that also has a line for each PATCH of a run. It shows later who set a value. */
export class Ledger extends Journal {
  /** @param path absolute, or relative to the folder that the process runs in */
  constructor(path: string, origin: Origin, warn: (message: Message) => Promise<void>) {
    super(resolve(path), origin, warn);
  }

  /** Does nothing: the line of the PATCH says it. */
  override async restored(): Promise<void> {}

  /** Call it before the update is sent. @throws Error if it cannot write: then the update must not be sent */
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

/** The end of an update, as far as it is known. */
type Result = Pick<LedgerLine, "outcome" | "status">;

/** The outcome of a failed update; undefined if nothing has reached the service. */
export function resultOf(error: unknown): Result | undefined {
  // An error that is not about a request says nothing of the service.
  const { maybeApplied = true, status }: { maybeApplied?: boolean; status?: number } = Object(error);
  if (!maybeApplied && status === undefined) return undefined;
  return { outcome: maybeApplied ? "unknown" : "refused", status };
}
