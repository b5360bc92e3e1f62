import { readFileSync } from "node:fs";
import type { DeviceRef } from "../service/device";
import type { Values } from "../settings/setting";
import { type LedgerLine, ledgerLine } from "./ledgerLine";
import { LineFile, reasonOf } from "./lineFile";

/** The variable that names a file for baselines to a provider, if there is no ledger. */
export const JOURNAL_FILE = "SOLAR_CHARGING_JOURNAL_FILE";

/** What a device was before its first update, and what that update sends. */
export interface JournalEntry {
  readonly device: DeviceRef;
  /** How its site calls it. */
  readonly label?: string;
  readonly baseline: Values;
  readonly sent: Values;
}

/** Writes baselines down before they can be lost, and finds them again. */
export interface Journal {
  /** @throws Error if they cannot be written: then nothing may be sent */
  record(entries: readonly JournalEntry[], urn: string | undefined): void;
  /**
   * The baseline of a device whose first update was written down by an earlier run that could not save its state.
   * @param values what the device has now: a key that has not what that run sent has what it had before, or another's value
   * @returns undefined if nothing was written down of it
   */
  recall(device: DeviceRef, values: Values): Values | undefined;
}

/** The lines of a ledger, or of a file of their own, that tell what devices were before their first update. */
export class FileJournal implements Journal {
  readonly #file: LineFile;
  #known: Map<string, Map<string, LedgerLine["changes"][number]>> | undefined;

  constructor(
    readonly path: string,
    private readonly origin: (urn: string | undefined) => Readonly<Record<string, string | undefined>>,
  ) {
    this.#file = new LineFile(path);
  }

  record(entries: readonly JournalEntry[], urn: string | undefined): void {
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
      throw new Error(
        `nothing is sent, because ${this.path}, where baselines are kept, cannot be written (${reasonOf(error)}): ` +
          "look at the file's folder and disk, then try again",
      );
    }
  }

  recall({ businessId, deviceId }: DeviceRef, values: Values): Values | undefined {
    this.#known ??= this.#read();
    const changes = this.#known.get(JSON.stringify([businessId, deviceId]));
    if (!changes) return undefined;
    const baseline = { ...values };
    for (const [key, change] of changes) {
      if (!(key in values) || values[key] !== change.new) continue;
      if (change.old === undefined) delete baseline[key];
      else baseline[key] = change.old;
    }
    return baseline;
  }

  #read(): Map<string, Map<string, LedgerLine["changes"][number]>> {
    const known = new Map<string, Map<string, LedgerLine["changes"][number]>>();
    for (const line of linesOf(this.path)) {
      if (!line.includes('"planned"')) continue;
      const parsed = ledgerLine.safeParse(parsedLine(line));
      if (!parsed.success || parsed.data.outcome !== "planned") continue;
      const { businessId, deviceId, changes } = parsed.data;
      const id = JSON.stringify([businessId, deviceId]);
      const keys = known.get(id) ?? new Map();
      known.set(id, keys);
      for (const change of changes) keys.set(change.key, change);
    }
    return known;
  }
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
export class LoggedJournal implements Journal {
  constructor(private readonly info: (message: string, urn?: string) => Promise<void>) {}

  record(entries: readonly JournalEntry[], urn: string | undefined): void {
    const before = Object.fromEntries(entries.map(({ label = "", baseline, sent }) => [label, pickOf(baseline, sent)]));
    void this.info(`before the first update: ${JSON.stringify(before)}`, urn);
  }

  recall(): undefined {
    return undefined;
  }
}

function pickOf(baseline: Values, sent: Values): Values {
  return Object.fromEntries(Object.entries(baseline).filter(([key]) => key in sent));
}
