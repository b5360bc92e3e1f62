import { resolve } from "node:path";
import { type Message, MessageError } from "../messages/message";
import type { Values } from "../settings/setting";
import type { Verification } from "../settings/verification";
import type { LedgerDevice, LedgerLine } from "./ledgerLine";
import { LineFile, reasonOf } from "./lineFile";
import { ledgerFails, ledgerLineMissing } from "./messages";
import type { Origin } from "./origin";

// A host ends immediately when its engine is killed. Without this, the ledger would lack the update in flight.
const underWay = new Set<() => void>();
process.on("exit", () => {
  for (const abandon of underWay) abandon();
});

/** An update that is about to be sent. */
export interface PlannedUpdate {
  readonly operation: string;
  readonly device: LedgerDevice;
  /** The resource, if it is known. */
  readonly urn: string | undefined;
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

/** The file with a line for each PATCH of a run. It shows later who set a value. */
export class Ledger {
  readonly #file: LineFile;
  /** Lines that could not be written yet. */
  readonly #owed: string[] = [];

  /** @param path absolute, or relative to the folder that the process runs in */
  constructor(
    path: string,
    private readonly origin: Origin,
    private readonly warn: (message: Message) => Promise<void>,
  ) {
    this.#file = new LineFile(resolve(path));
  }

  get path(): string {
    return this.#file.path;
  }

  /** Call it before the update is sent. @throws Error if it cannot write: then the update must not be sent */
  begin(update: PlannedUpdate): Recording {
    try {
      this.#file.open();
      this.#pay();
    } catch (error) {
      throw new MessageError(ledgerFails(this.#file.path, reasonOf(error)));
    }
    const time = new Date().toISOString();
    let result: Pick<LedgerLine, "outcome" | "status"> = { outcome: "unknown" };
    const lineWith = (verification: Readonly<Record<string, Verification>>) =>
      JSON.stringify({
        time,
        ...this.origin(update.urn, update.urnOfRun),
        ...described(update, verification),
        ...result,
      });
    const abandon = () => void this.#append(lineWith({}));
    underWay.add(abandon);
    return {
      accepted: () => {
        result = { outcome: "accepted" };
      },
      end: async (verification = {}) => {
        underWay.delete(abandon);
        await this.#append(lineWith(verification));
      },
      failed: async (error) => {
        underWay.delete(abandon);
        const failure = resultOf(error);
        if (!failure) return;
        result = failure;
        await this.#append(lineWith({}));
      },
    };
  }

  /** Closes the file until the next update. */
  close(): void {
    this.#file.close();
  }

  /** Appends a line, after earlier unwritten ones. Warns if it cannot write, because the device has been changed. */
  async #append(line: string): Promise<void> {
    this.#owed.push(line);
    try {
      this.#pay();
    } catch (error) {
      await this.warn(ledgerLineMissing(this.#file.path, reasonOf(error), line));
    }
  }

  #pay(): void {
    for (let [line] = this.#owed; line !== undefined; [line] = this.#owed) {
      this.#file.append(line);
      this.#owed.shift();
    }
  }
}

function described(
  { operation, device: { businessId, deviceId }, sent, old }: PlannedUpdate,
  verification: Readonly<Record<string, Verification>>,
): Pick<LedgerLine, "operation" | "businessId" | "deviceId" | "changes"> {
  const changes = Object.entries(sent).map(([key, value]) => ({
    key,
    old: old[key],
    new: value,
    verification: verification[key],
  }));
  return { operation, businessId, deviceId, changes };
}

/** The outcome of a failed update; undefined if nothing has reached the service. */
function resultOf(error: unknown): Pick<LedgerLine, "outcome" | "status"> | undefined {
  if (!isFailedRequest(error)) return { outcome: "unknown" };
  const { maybeApplied, status } = error;
  if (!maybeApplied && status === undefined) return undefined;
  return { outcome: maybeApplied ? "unknown" : "refused", status };
}

/** The outcome of a failed request. */
interface FailedRequest {
  /** Whether it may have changed the device. */
  readonly maybeApplied: boolean;
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;
}

function isFailedRequest(error: unknown): error is FailedRequest {
  return error instanceof Error && "maybeApplied" in error;
}
