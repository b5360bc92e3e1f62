import { z } from "zod";
import { type Message, MessageError } from "../messages/message";
import type { DeviceRef } from "../service/device";
import type { LedgerChange, SettingEvent, Writer } from "./events";
import { changesInLine, eventsIn, Journal, type Recording, type StartedUpdate } from "./journal";
import { idOf } from "./ledgerLine";
import { jsonIn } from "./lineFile";
import { journalUnreadable } from "./messages";
import type { Origin } from "./origin";

/** The variable with the files of baselines of a fleet, as a list in JSON. */
export const JOURNALS = "SOLAR_CHARGING_JOURNALS";

/**
 * The variable that names a fleet's journals to its providers.
 * @param files the first is for this run's baselines. The provider only reads the others
 */
export function journalVariables(files: readonly string[]): Record<string, string> {
  return { [JOURNALS]: JSON.stringify(files) };
}

interface Files {
  /** The one that the next run of a fleet shows. */
  readonly journal?: Journal | undefined;
  readonly ledger?: Journal | undefined;
  /** Those of earlier runs, which this run only reads. */
  readonly earlier?: readonly Journal[];
}

/**
 * All files with baselines: those that this run writes, and those of earlier runs. Without the latter, a run with a
 * ledger would not know the baselines of a killed run without a ledger, and would record our own values as baselines.
 */
export class Logs {
  readonly #events = new Map<string, readonly SettingEvent[]>();
  readonly #written: readonly Journal[];

  constructor(private readonly files: Files) {
    this.#written = [files.journal, files.ledger].filter((log) => log !== undefined);
  }

  /** Whether the next run shows baselines that this run could not finish. */
  get isShownNext(): boolean {
    return this.files.journal !== undefined;
  }

  /**
   * Records the values that are about to be sent.
   * @throws MessageError if it cannot write. Then nothing may be sent
   */
  plan(updates: readonly Pick<StartedUpdate, "device" | "changes">[], urn: string | undefined): void {
    if (updates.length === 0) return;
    const entries = updates.map((update) => ({ ...update, operation: "create", outcome: "planned" as const }));
    for (const log of this.#written) log.plan(entries, urn);
  }

  /**
   * Begins the record of an update in the ledger, if there is one, before it is sent.
   * @throws MessageError if it cannot write. Then the update must not be sent
   */
  begin(update: StartedUpdate): Recording | undefined {
    return this.files.ledger?.begin(update);
  }

  /**
   * Records settings that are no longer managed (`unmanaged`, with their baselines), or that were restored (`accepted`).
   * Without the latter, the next owner's value could count as ours. Warns if it cannot.
   * @returns the file that has them, if there is one: messages name it
   */
  async release(
    outcome: "unmanaged" | "accepted",
    device: DeviceRef,
    released: readonly LedgerChange[],
    { urn, isSecret }: Writer,
  ): Promise<string | undefined> {
    const changes = changesInLine(released, isSecret);
    let path: string | undefined;
    for (const log of this.#written) {
      // In a ledger, the PATCH that restores a setting has a line.
      if (outcome === "accepted" && log === this.files.ledger) continue;
      if (await log.append({ operation: "delete", device, changes, outcome }, urn)) path = log.path;
    }
    return path;
  }

  /** The events of a device that earlier runs recorded, in order. @throws MessageError if one of the files cannot be read */
  eventsOf(device: DeviceRef): readonly SettingEvent[] {
    const id = idOf(device);
    const known = this.#events.get(id);
    if (known) return known;
    const logs = [...(this.files.earlier ?? []), ...this.#written];
    const lines = logs.flatMap((log) => log.linesOf(device));
    // The lines of one file are in order.
    if (logs.length > 1) lines.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
    const events = lines.flatMap(eventsIn);
    this.#events.set(id, events);
    return events;
  }

  /** Closes the files until the next line. */
  close(): void {
    for (const log of this.#written) log.close();
  }
}

/**
 * The logs of a run.
 * @throws MessageError if the variable with the journals is no list
 */
export function logsOf(
  { [JOURNALS]: list }: NodeJS.ProcessEnv,
  ledger: Journal | undefined,
  origin: () => Origin,
  warn: (message: Message) => Promise<void>,
): Logs {
  const files = list ? jsonIn(z.array(z.string()), list) : [];
  if (!files) throw new MessageError(journalUnreadable(JOURNALS, "it is no list in JSON"));
  const [journal, ...earlier] = files.map((path, index) => new Journal(path, origin(), warn, { isThere: index > 0 }));
  return new Logs({ journal, ledger, earlier });
}

/** The part of the logs that a store needs. */
export type Baselines = Pick<Logs, keyof Logs>;
