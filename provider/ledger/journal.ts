import { readFileSync } from "node:fs";
import { type Message, MessageError } from "../messages/message";
import type { Value, Values } from "../settings/setting";
import { type LedgerDevice, ledgerLine } from "./ledgerLine";
import { LineFile, reasonOf } from "./lineFile";
import { baselines, journalFails } from "./messages";
import type { Origin } from "./origin";

/** The variable that names a file for baselines to a provider, if there is no ledger. */
export const JOURNAL_FILE = "SOLAR_CHARGING_JOURNAL_FILE";

/** The values of a device before its first update, and the values of that update. */
export interface JournalEntry {
  readonly device: LedgerDevice;
  /** The name in its site, if it has one. */
  readonly label?: string;
  readonly baseline: Values;
  readonly sent: Values;
}

/** The value of a key before the first update, and the values that were sent since. */
interface Planned {
  readonly old: Value | undefined;
  readonly sent: ReadonlySet<Value>;
}

/**
 * The lines of a ledger, or of a file of their own, from which it follows what devices were before their first update.
 */
export class FileJournal {
  readonly #file: LineFile;
  /** The lines of each device, as text: only those of devices that are new to a stack are ever looked at. */
  #lines: Map<string, string[]> | undefined;

  constructor(
    readonly path: string,
    private readonly origin: Origin,
  ) {
    this.#file = new LineFile(path);
  }

  /** Ends when they are written. @throws MessageError if they cannot be: then nothing may be sent */
  async record(entries: readonly JournalEntry[], urn: string | undefined): Promise<void> {
    const time = new Date().toISOString();
    const lines = entries.map(({ device: { businessId, deviceId }, baseline, sent }) => {
      const changes = Object.entries(sent).map(([key, value]) => ({ key, old: baseline[key], new: value }));
      return JSON.stringify({
        ...{ time, ...this.origin(urn), operation: "create", businessId, deviceId, changes, outcome: "planned" },
      });
    });
    try {
      this.#file.append(lines.join("\n"));
    } catch (error) {
      throw new MessageError(journalFails(this.path, reasonOf(error)));
    }
  }

  /**
   * The baseline of a device whose first update was written down by an earlier run that could not save its state.
   * @param values what the device has now: a key that has not what that run sent has what it had before, or another's value
   * @returns undefined if nothing was written down of it
   */
  recall({ businessId, deviceId }: LedgerDevice, values: Values): Values | undefined {
    this.#lines ??= linesByDevice(this.path);
    const planned = plannedIn(this.#lines.get(JSON.stringify([businessId, deviceId])) ?? []);
    if (planned.size === 0) return undefined;
    const baseline = { ...values };
    for (const [key, { old, sent }] of planned) {
      const value = values[key];
      if (value === undefined || !sent.has(value)) continue;
      if (old === undefined) delete baseline[key];
      else baseline[key] = old;
    }
    return baseline;
  }
}

/** The keys of a device that were written down before an update, and whose update no state need know of. */
function plannedIn(lines: readonly string[]): ReadonlyMap<string, Planned> {
  const planned = new Map<string, Planned>();
  for (const line of lines) {
    const { changes = [], outcome } = ledgerLine.safeParse(parsedLine(line)).data ?? {};
    for (const { key, old, new: value } of changes) {
      const known = planned.get(key);
      if (outcome === "planned") {
        // Behind a run that was killed comes another that is killed too: both have sent something.
        planned.set(key, { old, sent: new Set([...(known && known.old === old ? known.sent : []), value]) });
      } else if (outcome !== "refused" && !known?.sent.has(value)) {
        // Who writes another value has the device in a state, with its baseline, or has given it back.
        planned.delete(key);
      }
    }
  }
  return planned;
}

/** As a line has them: the order of its fields is ours. */
const DEVICE = /"businessId":("(?:[^"\\]|\\.)*"),"deviceId":("(?:[^"\\]|\\.)*")/;

function linesByDevice(path: string): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const line of linesOf(path)) {
    const [, business, device] = DEVICE.exec(line) ?? [];
    if (!business) continue;
    const id = `[${business},${device}]`;
    const own = lines.get(id);
    if (own) own.push(line);
    else lines.set(id, [line]);
  }
  return lines;
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return []; // There is none yet; one that cannot be written stops the update.
  }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // A line that a kill cut short.
  }
}

/** The journal of a run without a file: one line of the log. Nobody can take it up but a person. */
export class LoggedJournal {
  constructor(private readonly info: (message: Message, urn?: string) => Promise<void>) {}

  async record(entries: readonly JournalEntry[], urn: string | undefined): Promise<void> {
    // The engine saves a single device at once: only a site's devices can be lost together.
    const ofSite = entries.filter(({ label }) => label !== undefined);
    if (ofSite.length === 0) return;
    const before = Object.fromEntries(ofSite.map(({ label, baseline, sent }) => [label, pickOf(baseline, sent)]));
    await this.info(baselines(before), urn);
  }

  recall(): undefined {
    return undefined;
  }
}

function pickOf(baseline: Values, sent: Values): Values {
  return Object.fromEntries(Object.entries(baseline).filter(([key]) => key in sent));
}
