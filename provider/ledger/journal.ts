import { closeSync, readSync } from "node:fs";
import { type Message, MessageError } from "../messages/message";
import type { DeviceRef } from "../service/device";
import type { Values } from "../settings/setting";
import { isInRange, isOfSetting } from "../settings/valueOf";
import type { LedgerChange, SettingEvent, Writer } from "./events";
import { addTo, idOf, isOfService, type LedgerLine, ledgerLineIn, withSecretsHidden } from "./ledgerLine";
import { LineFile, linesOf, openToRead, type PlacedLine, reasonOf } from "./lineFile";
import { journalFails, journalUnreadable, ledgerFails, ledgerLineMissing } from "./messages";
import type { Origin } from "./origin";

// A host ends at once when its engine is killed. Without this, the ledger would lack the update in flight.
const underWay = new Set<() => Promise<void>>();
process.on("exit", () => {
  for (const append of underWay) void append();
});

/** The error if an update is not sent because its file cannot record it. */
class NotWrittenError extends MessageError {
  readonly maybeApplied = false;
}

/** A line without its origin. */
interface Entry extends Pick<LedgerLine, "operation" | "changes" | "outcome" | "status"> {
  readonly device: DeviceRef;
  /** Default: now. */
  readonly time?: string;
}

/** An update that its resource begins now. */
export type StartedUpdate = Pick<Entry, "device" | "changes" | "operation"> & Pick<Writer, "urn">;

/** An update in progress. The code that sends it reports each step. */
export interface Recording {
  /** The service has accepted the update. */
  accepted(): void;
  /** Ends the record, after the read-back if there is one. */
  end(verification?: Readonly<Record<string, string>>): Promise<void>;
  /** The request failed: the update was refused, or its outcome is unknown. */
  failed(error: unknown): Promise<void>;
}

/**
 * A log in a file: the values of settings before our first update, and the end of our management. A ledger also has a
 * line for each PATCH.
 */
export class Journal {
  readonly #file: LineFile;
  /** Lines that could not be written yet. */
  readonly #owed: string[] = [];
  /** The places of the lines of each device. Without this, lines of other devices would be parsed too. */
  #places: ReturnType<typeof placesIn> | undefined;

  /** @param made whether an earlier run has made the file, so that it must exist */
  constructor(
    readonly path: string,
    private readonly origin: Origin,
    private readonly warn: (message: Message) => Promise<void>,
    private readonly made = { isThere: false },
  ) {
    this.#file = new LineFile(path);
  }

  /**
   * Records updates that are about to be sent, in one write.
   * @throws MessageError if it cannot write. Then nothing may be sent
   */
  plan(entries: readonly Entry[], urn: string | undefined): void {
    const lines = entries.map((entry) => lineOf(entry, this.origin(urn)));
    this.#orRefuse(journalFails, () => this.#file.append(lines.join("\n")));
  }

  /**
   * Begins the record of an update in a ledger, before it is sent.
   * @throws MessageError if it cannot write. Then the update must not be sent
   */
  begin({ urn, changes: planned, ...update }: StartedUpdate): Recording {
    this.#orRefuse(ledgerFails);
    const time = new Date().toISOString();
    let result: Result = { outcome: "unknown" };
    const append = async (verification: Readonly<Record<string, string>> = {}) => {
      underWay.delete(append);
      const changes = planned.map((change) => ({ ...change, verification: verification[change.key] }));
      await this.append({ time, ...update, changes, ...result }, urn);
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

  /**
   * The lines of a device, in order.
   * @throws MessageError if the file cannot be read. Without this, our own value would count as a baseline
   */
  linesOf(device: DeviceRef): LedgerLine[] {
    try {
      const file = openToRead(this.path);
      try {
        this.#places ??= placesIn(file);
        const places = this.#places.get(idOf(device)) ?? [];
        return places.flatMap((place) => this.#understood(textAt(file, place), device));
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && !this.made.isThere) return [];
      throw new MessageError(journalUnreadable(this.path, reasonOf(error)));
    }
  }

  /** The line of a device of this service; empty if a kill cut it short, or if it is damaged. */
  #understood(text: string, device: DeviceRef): LedgerLine[] {
    const line = ledgerLineIn(text);
    if (line?.businessId !== device.businessId || line.deviceId !== device.deviceId) return [];
    return isOfService(line, this.origin(undefined).service) ? [line] : [];
  }

  /** Closes the file until the next line. */
  close(): void {
    this.#file.close();
  }

  /**
   * Appends a line, after the lines that could not be written before. If it cannot write, it warns instead of failing,
   * because the device has already been changed.
   * @returns whether the line is written
   */
  async append(entry: Entry, urn: string | undefined): Promise<boolean> {
    const origin = this.origin(urn);
    const dated = { time: new Date().toISOString(), ...entry };
    this.#owed.push(lineOf(dated, origin));
    try {
      this.#pay();
      return true;
    } catch (error) {
      const isWhole = entry.changes.every(({ secret }) => !secret);
      await this.warn(
        ledgerLineMissing(this.path, reasonOf(error), lineOf(withSecretsHidden(dated), origin), { isWhole }),
      );
      return false;
    }
  }

  /**
   * Opens the file, and writes the lines that could not be written before.
   * @throws Error if it cannot
   */
  #pay(): void {
    this.#file.open();
    for (let [line] = this.#owed; line !== undefined; [line] = this.#owed) {
      this.#file.append(line);
      this.#owed.shift();
    }
  }

  /** @throws MessageError if it cannot write. Then the update must not be sent */
  #orRefuse(message: (path: string, reason: string) => Message, write = () => {}): void {
    try {
      this.#pay();
      write();
    } catch (error) {
      throw new NotWrittenError(message(this.path, reasonOf(error)));
    }
  }
}

function lineOf({ device: { businessId, deviceId }, ...entry }: Entry, origin: ReturnType<Origin>): string {
  const { operation, changes, outcome, status, time = new Date().toISOString() } = entry;
  return JSON.stringify({ time, ...origin, operation, businessId, deviceId, changes, outcome, status });
}

/** Sent values as changes. @param old the values before them, as far as they are known */
export function changesOf(sent: Values, old: Values = {}, isSecret?: Writer["isSecret"]): LedgerLine["changes"] {
  return changesInLine(
    Object.entries(sent).map(([key, value]) => ({ key, old: old[key], new: value })),
    isSecret,
  );
}

/** Changes as they stand in a line. */
export function changesInLine(
  changes: readonly LedgerChange[],
  isSecret: Writer["isSecret"] = () => false,
): LedgerLine["changes"] {
  return changes.map((change) => ({ ...change, ...(isSecret(change.key) && { secret: true }) }));
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

/** The ids in a line, in the order in which this provider writes them. */
const IDS = /"businessId":"(?:[^"\\]|\\.)*","deviceId":"(?:[^"\\]|\\.)*"/;

function placesIn(file: number) {
  const places = new Map<string, Omit<PlacedLine, "text">[]>();
  for (const { text, start, end } of linesOf(file)) {
    // Without this, a manifest in the place of a ledger would get lines, and would count as one without baselines.
    if (places.size === 0 && !text.startsWith('{"')) throw new Error("it is something else than a ledger");
    const [id] = IDS.exec(text) ?? [];
    if (id) addTo(places, id, { start, end });
  }
  return places;
}

function textAt(file: number, { start, end }: Omit<PlacedLine, "text">): string {
  const bytes = Buffer.alloc(end - start);
  readSync(file, bytes, 0, bytes.length, start);
  return bytes.toString("utf8");
}

/** The events in a line. Only known settings, and values of their types, count: the file is untrusted. */
export function eventsIn({ operation, changes, outcome }: LedgerLine): SettingEvent[] {
  // The doctor sends a device the value that it has: this value is somebody else's, not ours.
  if (operation === "identity") return [];
  const event = eventOf(operation, outcome);
  return changes.flatMap(({ key, old, new: value }): SettingEvent[] => {
    const isKnown = isInRange(key, value) && (old === undefined || isOfSetting(key, old));
    return isKnown ? [{ key, old, new: value, event }] : [];
  });
}

function eventOf(operation: string, outcome: LedgerLine["outcome"]): SettingEvent["event"] {
  if (outcome === "planned" || outcome === "refused") return outcome;
  if (outcome === "unmanaged") return "released";
  return operation === "delete" && outcome === "accepted" ? "restored" : "sent";
}
