import { z } from "zod";
import { type Message, MessageError } from "../messages/message";
import type { Values } from "../settings/setting";
import type { PlannedDevice, ReleasedSetting, SettingEvent, Writer } from "./events";
import { eventsIn, JOURNAL_FILE, Journal, OTHER_JOURNALS } from "./journal";
import { idOf, type LedgerDevice } from "./ledgerLine";
import { jsonIn } from "./lineFile";
import { journalUnreadable } from "./messages";
import type { Origin } from "./origin";

/**
 * All files with baselines: those that this run writes, and those of earlier runs, which it only reads. Without this, a
 * run with a ledger would not know the baselines of a killed run without a ledger, and would record our own values as
 * baselines.
 */
export class Logs {
  readonly #events = new Map<string, readonly SettingEvent[]>();

  /** @param written the files that this run writes. Messages name the last one */
  constructor(
    private readonly written: readonly Journal[],
    private readonly earlier: readonly Journal[] = [],
    private readonly shown: { readonly isNext?: boolean } = {},
  ) {}

  /** Whether the next run shows baselines that this run could not finish. */
  get isShownNext(): boolean {
    return this.shown.isNext === true;
  }

  get path(): string | undefined {
    return this.written.at(-1)?.path;
  }

  /**
   * Records the values that are about to be sent.
   * @throws MessageError if it cannot write. Then nothing may be sent
   */
  plan(updates: readonly PlannedDevice[], urn: string | undefined): void {
    for (const log of this.written) log.plan(updates, urn);
  }

  /** Records the baselines of settings that are no longer managed. Warns if it cannot. */
  async release(device: LedgerDevice, settings: readonly ReleasedSetting[], writer: Writer): Promise<void> {
    for (const log of this.written) await log.release(device, settings, writer);
  }

  /** Records restored settings. Without this, the next owner's value could count as ours. */
  async restored(device: LedgerDevice, sent: Values, writer: Writer): Promise<void> {
    for (const log of this.written) await log.restored(device, sent, writer);
  }

  /** The events of a device that earlier runs recorded, in order. @throws MessageError if one of the files cannot be read */
  eventsOf(device: LedgerDevice): readonly SettingEvent[] {
    const id = idOf(device);
    const known = this.#events.get(id);
    if (known) return known;
    const logs = [...this.earlier, ...this.written];
    const lines = logs.flatMap((log) => log.linesOf(device));
    // The lines of one file are in order.
    if (logs.length > 1) lines.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
    const events = lines.flatMap(eventsIn);
    this.#events.set(id, events);
    return events;
  }

  /** Closes the files until the next line. */
  close(): void {
    for (const log of this.written) log.close();
  }
}

/**
 * The logs of a run; undefined if it has none.
 * @throws MessageError if the variable with the earlier files is no list
 */
export function logsOf(
  { [JOURNAL_FILE]: journal, [OTHER_JOURNALS]: earlier }: NodeJS.ProcessEnv,
  ledger: Journal | undefined,
  origin: () => Origin,
  warn: (message: Message) => Promise<void>,
): Logs | undefined {
  const written = [...(journal ? [new Journal(journal, origin(), warn)] : []), ...(ledger ? [ledger] : [])];
  const others = earlier ? jsonIn(z.array(z.string()), earlier) : [];
  if (!others) throw new MessageError(journalUnreadable(OTHER_JOURNALS, "it is no list in JSON"));
  if (written.length === 0) return undefined;
  return new Logs(
    written,
    others.map((path) => new Journal(path, origin(), warn, { isThere: true })),
    { isNext: Boolean(journal) },
  );
}

/** The part of the logs that a store needs. */
export type Baselines = Pick<Logs, keyof Logs>;
