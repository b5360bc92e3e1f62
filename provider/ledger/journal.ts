import { closeSync, openSync, readSync } from "node:fs";
import { type Message, MessageError } from "../messages/message";
import type { Value, Values } from "../settings/setting";
import { isInRange, isOfSetting } from "../settings/valueOf";
import type { PlannedDevice, ReleasedSetting, SettingEvent, Writer } from "./events";
import { idOf, isOfService, type LedgerDevice, type LedgerLine, ledgerLine, withSecretsHidden } from "./ledgerLine";
import { jsonIn, LineFile, linesOf, reasonOf } from "./lineFile";
import { journalFails, journalUnreadable, ledgerLineMissing } from "./messages";
import type { Origin } from "./origin";

/** The variable with the file for baselines of a fleet's run. */
export const JOURNAL_FILE = "SOLAR_CHARGING_JOURNAL_FILE";

/**
 * The variable with the files of baselines of a fleet's other parts, as a list in JSON. The provider only reads them.
 */
export const OTHER_JOURNALS = "SOLAR_CHARGING_OTHER_JOURNALS";

/** The error if an update is not sent because its file cannot record it. */
class NotWrittenError extends MessageError {
  readonly maybeApplied = false;
}

/** A line without its origin. */
interface Entry extends Pick<LedgerLine, "operation" | "changes" | "outcome" | "status"> {
  readonly device: LedgerDevice;
  /** Default: now. */
  readonly time?: string;
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
  #places: Map<string, number[]> | undefined;

  /** @param made whether an earlier run has made the file, so that it must exist */
  constructor(
    readonly path: string,
    protected readonly origin: Origin,
    private readonly warn: (message: Message) => Promise<void>,
    private readonly made: { readonly isThere: boolean } = { isThere: false },
  ) {
    this.#file = new LineFile(path);
  }

  /**
   * Records the values that are about to be sent.
   * @throws MessageError if it cannot write. Then nothing may be sent
   */
  plan(updates: readonly PlannedDevice[], urn: string | undefined): void {
    const lines = updates.map(({ device, baseline, sent, isSecret }) => {
      const changes = changesOf(sent, baseline, isSecret);
      return lineOf({ operation: "create", device, changes, outcome: "planned" }, this.origin(urn));
    });
    this.orRefuse(journalFails, () => {
      this.#pay();
      this.#file.append(lines.join("\n"));
    });
  }

  /** Records the baselines of settings that are no longer managed. Warns if it cannot. */
  async release(device: LedgerDevice, settings: readonly ReleasedSetting[], { urn, isSecret }: Writer): Promise<void> {
    const changes = settings.flatMap(({ key, ours, before }) =>
      ours.map((value) => changeOf(key, before, value, isSecret)),
    );
    await this.append({ operation: "delete", device, changes, outcome: "unmanaged" }, this.origin(urn));
  }

  /** Records restored settings. Without this, the next owner's value could count as ours. */
  async restored(device: LedgerDevice, sent: Values, { urn, isSecret }: Writer): Promise<void> {
    const changes = changesOf(sent, {}, isSecret);
    await this.append({ operation: "delete", device, changes, outcome: "accepted" }, this.origin(urn));
  }

  /**
   * The lines of a device, in order.
   * @throws MessageError if the file cannot be read. Without this, our own value would count as a baseline
   */
  linesOf(device: LedgerDevice): LedgerLine[] {
    try {
      const file = openSync(this.path, "r");
      try {
        this.#places ??= placesIn(file);
        const places = this.#places.get(idOf(device)) ?? [];
        return linesAt(file, places).flatMap((text) => this.#understood(text, device));
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && !this.made.isThere) return [];
      throw new MessageError(journalUnreadable(this.path, reasonOf(error)));
    }
  }

  /** The line of a device of this service; empty if a kill cut it short, or if it is damaged. */
  #understood(text: string, device: LedgerDevice): LedgerLine[] {
    const line = jsonIn(ledgerLine, text);
    if (line?.businessId !== device.businessId || line.deviceId !== device.deviceId) return [];
    return isOfService(line, this.origin(undefined).service) ? [line] : [];
  }

  /** Closes the file until the next line. */
  close(): void {
    this.#file.close();
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

  /**
   * Opens the file for the record of an update.
   * @throws MessageError if it cannot. Then the update must not be sent
   */
  protected orRefuse(message: (path: string, reason: string) => Message, write = () => this.#pay()): void {
    try {
      write();
    } catch (error) {
      throw new NotWrittenError(message(this.path, reasonOf(error)));
    }
  }

  /**
   * Appends a line, after the lines that could not be written before. If it cannot write, it warns instead of failing,
   * because the device has already been changed.
   */
  protected async append(entry: Entry, origin: ReturnType<Origin>): Promise<void> {
    const dated = { time: new Date().toISOString(), ...entry };
    this.#owed.push(lineOf(dated, origin));
    try {
      this.#pay();
    } catch (error) {
      const isWhole = entry.changes.every(({ secret }) => !secret);
      await this.warn(
        ledgerLineMissing(this.path, reasonOf(error), lineOf(withSecretsHidden(dated), origin), { isWhole }),
      );
    }
  }
}

function lineOf({ device: { businessId, deviceId }, ...entry }: Entry, origin: ReturnType<Origin>): string {
  const { operation, changes, outcome, status, time = new Date().toISOString() } = entry;
  return JSON.stringify({ time, ...origin, operation, businessId, deviceId, changes, outcome, status });
}

/** The sent values, each with the value before it. */
export function changesOf(sent: Values, old: Values, isSecret: Writer["isSecret"]): LedgerLine["changes"] {
  return Object.entries(sent).map(([key, value]) => changeOf(key, old[key], value, isSecret));
}

function changeOf(key: string, old: Value | undefined, value: Value, isSecret: Writer["isSecret"]) {
  return { key, old, new: value, ...(isSecret(key) && { secret: true }) };
}

/**
 * The lines of a journal that a later run needs, each with one setting: baselines that no state has and nobody has
 * restored.
 * @param isKept whether a state now has the baseline of a setting, or our value never reached the device
 * @param run `isWhole`: whether the run is complete. Then a planned update that no state has counts as unmanaged
 */
export function openLines(
  path: string,
  isKept: (line: LedgerLine, key: string) => boolean,
  { isWhole }: { readonly isWhole: boolean },
): string[] {
  const open = new Map<string, string[]>();
  const file = openSync(path, "r");
  try {
    for (const { text } of linesOf(file)) {
      const line = jsonIn(ledgerLine, text);
      // Another version may have written this line. A line that a kill cut short has no outcome.
      if (!line && text.includes('"outcome"')) open.set(text, [text]);
      for (const change of line?.changes ?? []) {
        const { service, businessId, deviceId, outcome } = line as LedgerLine;
        const id = JSON.stringify([service, businessId, deviceId, change.key]);
        const own = open.get(id) ?? [];
        const left = { ...line, changes: [change], ...(isWhole && outcome === "planned" && { outcome: "unmanaged" }) };
        if (outcome === "accepted") open.delete(id);
        else if (!isKept(line as LedgerLine, change.key)) open.set(id, [...own, JSON.stringify(left)]);
      }
    }
    return [...open.values()].flat();
  } finally {
    closeSync(file);
  }
}

/** The ids in a line, in the order in which this provider writes them. */
const DEVICE = /"businessId":("(?:[^"\\]|\\.)*"),"deviceId":("(?:[^"\\]|\\.)*")/;

function placesIn(file: number): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const { text, start, end } of linesOf(file)) {
    // Without this, a manifest in the place of a ledger would get lines, and would count as one without baselines.
    if (places.size === 0 && !text.startsWith('{"')) throw new Error("it is something else than a ledger");
    const [, business, device] = DEVICE.exec(text) ?? [];
    if (!business) continue;
    const id = `[${business},${device}]`;
    const own = places.get(id);
    if (own) own.push(start, end);
    else places.set(id, [start, end]);
  }
  return places;
}

function linesAt(file: number, places: readonly number[]): string[] {
  const lines: string[] = [];
  for (let index = 0; index < places.length; index += 2) {
    const [start = 0, end = 0] = places.slice(index, index + 2);
    const bytes = Buffer.alloc(end - start);
    readSync(file, bytes, 0, bytes.length, start);
    lines.push(bytes.toString("utf8"));
  }
  return lines;
}

/** The events in a line. Only known settings, and values of their types, count: the file is untrusted. */
export function eventsIn({ operation, changes, outcome }: LedgerLine): SettingEvent[] {
  // The doctor sends a device the value that it has: this value is somebody else's, not ours.
  if (outcome === "refused" || operation === "identity") return [];
  const event = eventOf(operation, outcome);
  return changes.flatMap(({ key, old: before, new: value }): SettingEvent[] => {
    const isKnown = isInRange(key, value) && (before === undefined || isOfSetting(key, before));
    if (!isKnown) return [];
    return [{ key, event, ours: [value], before }];
  });
}

function eventOf(operation: string, outcome: LedgerLine["outcome"]): SettingEvent["event"] {
  if (outcome === "planned") return "planned";
  if (outcome === "unmanaged") return "released";
  return operation === "delete" && outcome === "accepted" ? "restored" : "sent";
}
