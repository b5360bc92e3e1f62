import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type LedgerLine, ledgerLineIn } from "../../provider/ledger/ledgerLine";
import { reasonOf } from "../../provider/ledger/lineFile";
import { toId } from "../../provider/lifecycle/run/ids";
import { type DeviceRef, deviceName } from "../../provider/service/device";
import { quoted } from "../words";

/** The choice of the lines to show. */
interface Question {
  /** A device's id, or `business/device`, plain or URI-encoded. Default: show the last run. */
  readonly device?: string | undefined;
  /** Lines before this are left out. */
  readonly since?: Date | undefined;
  /** If no device is named: the number of latest lines of each device, over all runs. */
  readonly latest?: number;
}

export interface FoundLines {
  /** By time, newest last. */
  readonly lines: readonly LedgerLine[];
  /** Number of lines that are not valid ledger lines. */
  readonly notUnderstood: number;
  /** The files whose last line is incomplete. */
  readonly cutShort: readonly string[];
  /** Devices in the ledgers, to suggest one for a misspelled name. */
  readonly devices: readonly DeviceRef[];
}

/** The first bytes of a gzip file, as text. */
const GZIP = "\u001f\ufffd";

/** Maximum number of devices that are remembered (our choice): a ledger may be of any size. */
const MOST_DEVICES = 100_000;

/** Searches ledgers of any size, and keeps only the matching lines. @throws Error that names an unreadable file */
export async function readLedgers(files: readonly string[], question: Question): Promise<FoundLines> {
  try {
    return await search(files, question);
  } catch (error) {
    const { path = files } = error as NodeJS.ErrnoException;
    throw new Error(`the ledger ${path} cannot be read (${reasonOf(error)})`);
  }
}

async function search(files: readonly string[], question: Question): Promise<FoundLines> {
  const answer = selectionFor(question);
  const cutShort: string[] = [];
  const devices = new Map<string, DeviceRef>();
  let notUnderstood = 0;
  for (const file of files) {
    const stream = createReadStream(file, "utf8");
    let end = "\n";
    stream.on("data", (chunk) => {
      end = String(chunk).slice(-1);
    });
    let isLastUnderstood = true;
    let [understood, others] = [0, 0];
    for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (text === "") continue;
      if (text.startsWith(GZIP))
        throw unusable(
          file,
          `it is compressed: run gunzip -c ${quoted(file)} | npx solar-charging ledger --file /dev/stdin`,
        );
      const line = ledgerLineIn(text);
      isLastUnderstood = line !== undefined;
      if (!line) {
        others += 1;
        continue;
      }
      understood += 1;
      const { businessId, deviceId } = line;
      if (devices.size < MOST_DEVICES) devices.set(deviceName(line), { businessId, deviceId });
      if (isAskedFor(line, question)) answer.add(line);
    }
    if (!isLastUnderstood && end !== "\n") {
      cutShort.push(file);
      others -= 1;
    }
    // Without this, a manifest would be a ledger without a change.
    if (understood === 0 && others > 0)
      throw unusable(file, "none of its lines is one of a ledger, or a newer version wrote it");
    notUnderstood += others;
  }
  const lines = answer.lines.sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
  return { lines, notUnderstood, cutShort, devices: [...devices.values()] };
}

interface LineSelection {
  readonly lines: LedgerLine[];
  add(line: LedgerLine): void;
}

function selectionFor({ device, since, latest }: Question): LineSelection {
  const isBounded = [device, since, latest].some((bound) => bound !== undefined);
  return isBounded ? new LatestOfEach(latest ?? Number.POSITIVE_INFINITY) : new LastRun();
}

/**
 * Collects the lines of the run that began last. Drops those of earlier runs immediately, because a ledger can be of
 * any size.
 */
class LastRun implements LineSelection {
  lines: LedgerLine[] = [];
  readonly #seen = new Set<string>();
  #run: string | undefined;
  #began = Number.NEGATIVE_INFINITY;

  add(line: LedgerLine): void {
    if (line.run !== this.#run) {
      const began = Date.parse(line.time);
      const isLast = !this.#seen.has(line.run) && began >= this.#began;
      this.#seen.add(line.run);
      if (!isLast) return;
      this.#run = line.run;
      this.#began = began;
      this.lines = [];
    }
    this.lines.push(line);
  }
}

/** Collects the last lines of each device. Drops earlier ones immediately, because a ledger can be of any size. */
class LatestOfEach implements LineSelection {
  readonly #lines = new Map<string, LedgerLine[]>();

  constructor(private readonly count: number) {}

  get lines(): LedgerLine[] {
    return [...this.#lines.values()].flatMap((lines) => this.#latest(lines));
  }

  add(line: LedgerLine): void {
    const device = deviceName(line);
    const lines = this.#lines.get(device) ?? [];
    lines.push(line);
    // The files are not ordered by time.
    this.#lines.set(device, lines.length > 2 * this.count ? this.#latest(lines) : lines);
  }

  #latest(lines: readonly LedgerLine[]): LedgerLine[] {
    return [...lines].sort((a, b) => Date.parse(a.time) - Date.parse(b.time)).slice(-this.count);
  }
}

/** Whether a text means this device. */
export function isNamed(device: DeviceRef, text: string): boolean {
  return device.deviceId === text || deviceName(device) === text || toId(device) === text;
}

function unusable(path: string, reason: string): Error {
  return Object.assign(new Error(reason), { path });
}

/** Whether a line matches. A line about baselines does not: the change itself has its own line. */
function isAskedFor(line: LedgerLine, { device, since }: Question): boolean {
  return (
    !["planned", "unmanaged"].includes(line.outcome) &&
    (device === undefined || isNamed(line, device)) &&
    (since === undefined || Date.parse(line.time) >= since.getTime())
  );
}
