import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type LedgerLine, ledgerLine } from "../../provider/ledger/ledgerLine";
import { toId } from "../../provider/lifecycle/state";
import type { DeviceRef } from "../../provider/service/device";
import { fullNameOf } from "../fullName";
import { quoted } from "../shell";

/** Which lines are asked for. */
export interface Question {
  /**
   * A device's id, or `business/device`, as summaries show it or URI-encoded as the id of a resource. Default: the last
   * run.
   */
  readonly device?: string | undefined;
  /** Default: every business. */
  readonly businessId?: string | undefined;
  /** Lines before this are left out. */
  readonly since?: Date | undefined;
  /** The latest so many lines of each device, of all runs, if no device is named. */
  readonly latest?: number;
}

export interface Found {
  /** By time, newest last. */
  readonly lines: readonly LedgerLine[];
  /** How many lines are not those of a ledger. */
  readonly notUnderstood: number;
  /** The files whose last line ends in its middle. */
  readonly cutShort: readonly string[];
  /** Devices that the ledgers are about, as many as are worth a look for one that is misspelled. */
  readonly devices: readonly DeviceRef[];
}

/** How a file that gzip has made begins, as text. */
const GZIP = "\u001f\ufffd";

/** Most devices that are remembered (our choice): a ledger may be of any size. */
const MOST_DEVICES = 100_000;

/**
 * Looks through ledgers of any size, keeping what is asked for only. @throws Error with the `path` of one that cannot
 * be read
 */
export async function readLedgers(files: readonly string[], question: Question): Promise<Found> {
  const answer = answerOf(question);
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
    for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (text === "") continue;
      if (text.startsWith(GZIP)) throw compressed(file);
      const line = parse(text);
      isLastUnderstood = line !== undefined;
      if (!line) {
        notUnderstood += 1;
        continue;
      }
      const { businessId, deviceId } = line;
      if (devices.size < MOST_DEVICES) devices.set(fullNameOf(line), { businessId, deviceId });
      if (isAskedFor(line, question)) answer.add(line);
    }
    if (isLastUnderstood || end === "\n") continue;
    cutShort.push(file);
    notUnderstood -= 1;
  }
  const lines = answer.lines.sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
  return { lines, notUnderstood, cutShort, devices: [...devices.values()] };
}

interface Answer {
  readonly lines: LedgerLine[];
  add(line: LedgerLine): void;
}

function answerOf({ device, latest }: Question): Answer {
  if (device !== undefined) return new AllRuns();
  return latest === undefined ? new LastRun() : new LatestOfEach(latest);
}

/** The lines of all runs. */
class AllRuns implements Answer {
  readonly lines: LedgerLine[] = [];

  add(line: LedgerLine): void {
    this.lines.push(line);
  }
}

/** The lines of the run that began last. Those of earlier runs are dropped at once: a ledger may be of any size. */
class LastRun implements Answer {
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

/** The last lines of each device. Those before are dropped on the way: a ledger may be of any size. */
class LatestOfEach implements Answer {
  readonly #lines = new Map<string, LedgerLine[]>();

  constructor(private readonly count: number) {}

  get lines(): LedgerLine[] {
    return [...this.#lines.values()].flatMap((lines) => this.#latest(lines));
  }

  add(line: LedgerLine): void {
    const device = fullNameOf(line);
    const lines = this.#lines.get(device) ?? [];
    lines.push(line);
    // Files come in any order.
    this.#lines.set(device, lines.length > 2 * this.count ? this.#latest(lines) : lines);
  }

  #latest(lines: readonly LedgerLine[]): LedgerLine[] {
    return [...lines].sort((a, b) => Date.parse(a.time) - Date.parse(b.time)).slice(-this.count);
  }
}

/** Whether a text means this device. */
export function isNamed(device: DeviceRef, text: string): boolean {
  return device.deviceId === text || fullNameOf(device) === text || toId(device) === text;
}

function compressed(path: string): Error {
  const command = `gunzip -c ${quoted(path)} | npx solar-charging ledger … --file /dev/stdin`;
  return Object.assign(new Error(`it is compressed: read what it holds, by ${command}`), { path });
}

function parse(text: string): LedgerLine | undefined {
  try {
    return ledgerLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A planned line is not a change: the change itself has a line of its own. */
function isAskedFor(line: LedgerLine, { device, businessId, since }: Question): boolean {
  return (
    line.outcome !== "planned" &&
    (device === undefined || isNamed(line, device)) &&
    (businessId === undefined || line.businessId === businessId) &&
    (since === undefined || Date.parse(line.time) >= since.getTime())
  );
}
