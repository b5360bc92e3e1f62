import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOfService, type LedgerLine, ledgerLineIn } from "../../provider/ledger/ledgerLine";
import { linesIn } from "../../provider/ledger/lineFile";
import { journalVariables } from "../../provider/ledger/logs";
import { toId } from "../../provider/lifecycle/run/ids";
import { SECRET } from "../../provider/messages/message";
import { deviceName } from "../../provider/service/device";
import { valueInWords } from "../../provider/settings/valueWords";
import { replaceFile } from "../files";
import { type Claim, type Part, suffixOf } from "../stacks/plan";
import { printable } from "../terminal";
import { shortened } from "../words";

/**
 * The file in which the provider keeps the values of devices from before their first update, until the state has them.
 */
export interface JournalFile {
  /** The file of this run, then those of other parts of the fleet, which are only read. */
  readonly files: readonly string[];
  /** The variables that name them to the engines' providers. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Removes from the files that this run has worked on what is in a state now. The baselines of settings that are no
   * longer managed, or whose update is not in state, stay.
   * @param applied called only if there is a journal
   */
  settle(applied: () => Applied): void;
}

/** The settings that are in state after a run. */
export interface Applied {
  readonly claims: readonly Claim[];
  /** If not all is applied: the id of the run, and the stacks whose states have all that it sent. */
  readonly part?: { readonly run: string; readonly saved: ReadonlySet<string | undefined> };
  /** Address of the service; undefined for any. */
  readonly service?: string | undefined;
}

/** The names of journals: that of the whole fleet, and those of parts such as 2/4. */
const JOURNAL = /^baselines(-\d+-of-\d+)?\.jsonl$/;

/**
 * The journals of the runs of a fleet. They outlive a killed run, and the next `up` reads all, even if it runs
 * another `--shard`. Without this, it would keep the values of the killed run as baselines.
 */
export function journalOf(folder: string, part: Part | undefined): JournalFile {
  const file = join(folder, `baselines${suffixOf(part)}.jsonl`);
  const names = readdirSync(folder).filter((name) => JOURNAL.test(name));
  const files = [...new Set([file, ...names.map((name) => join(folder, name))])];
  const settle = (applied: () => Applied) => {
    // A part does not complete the devices of another division.
    const completed = (part ? [file] : files).filter((one) => existsSync(one));
    if (completed.length === 0) return;
    const { part: some, ...all } = applied();
    const isManaged = managedBy(all);
    // The run saved the stack's state. If state lacks a planned update, the service refused it.
    const isRefused = ({ run, stack, outcome }: LedgerLine) =>
      outcome === "planned" && run === some?.run && some.saved.has(stack);
    for (const one of completed) {
      const isKept: IsManaged = (line, key) => isManaged(line, key) || isRefused(line);
      const lines = openLines(one, isKept, { isWhole: some === undefined });
      // A provider of another part that runs now has been told to read the file.
      if (lines.length === 0 && !part) rmSync(one, { force: true });
      else replaceFile(one, lines.map((line) => `${line}\n`).join(""));
    }
  };
  return { files, env: journalVariables(files), settle };
}

/**
 * The lines of a journal that a later run needs, each with one setting: baselines that no state has and nobody has
 * restored.
 * @param isKept whether a state now has the baseline of a setting, or our value never reached the device
 * @param run `isWhole`: whether the run is complete. Then a planned update that no state has counts as unmanaged
 */
export function openLines(path: string, isKept: IsManaged, { isWhole }: { readonly isWhole: boolean }): string[] {
  const open = new Map<string, string[]>();
  for (const { text } of linesIn(path)) {
    const line = ledgerLineIn(text);
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
}

type IsManaged = (line: LedgerLine, key: string) => boolean;

function managedBy({ claims, service }: Omit<Applied, "part">): IsManaged {
  const values = new Map(claims.map(([device, own]) => [toId(device), own]));
  return (line, key) => isOfService(line, service) && Object.hasOwn(values.get(toId(line)) ?? {}, key);
}

/** Maximum number of devices that a notice names (our choice). */
const MOST_NAMED = 20;

/** Longest text that is shown of a journal, in characters (our choice). */
const LONGEST = 200;

/** Largest difference between the clocks of two machines of a fleet, in milliseconds (our choice): an hour. */
const CLOCKS = 3_600_000;

/**
 * The baselines in journals that this run will use, for the user to see before: those of a run that did not finish, and
 * those of settings that are managed again. Without it, a journal that came with a checkout or a cache would have its
 * values written to devices without a word.
 * @param files of the journals
 * @param declared returns the settings that the manifest declares. Called only if there is a journal
 * @throws Error if a journal has a line from the future, which no run of ours can have written
 */
export function leftBaselines(files: readonly string[], declared: () => readonly Claim[], now = Date.now()): string[] {
  const left = files.filter((file) => existsSync(file));
  if (left.length === 0) return [];
  const isDeclared = managedBy({ claims: declared() });
  return left.flatMap((file) => {
    const devices = baselinesIn(file, isDeclared, now);
    if (devices.size === 0) return [];
    const named = [...devices]
      .slice(0, MOST_NAMED)
      .map(([device, settings]) => `  ${device}: ${[...settings.values()].join(", ")}`);
    const more = devices.size > MOST_NAMED ? [`  and ${devices.size - MOST_NAMED} more devices`] : [];
    const advice = "This run uses them; if no run of yours left them, stop it now, and remove the file:";
    return [`An earlier run has left baselines in ${file}. ${advice}`, ...named, ...more];
  });
}

/** By device, the baseline of each setting in words. */
type Baselines = Map<string, Map<string, string>>;

function baselinesIn(path: string, isDeclared: IsManaged, now: number): Baselines {
  const devices: Baselines = new Map();
  for (const { text } of linesIn(path)) {
    const line = ledgerLineIn(text);
    if (!line) continue;
    if (Date.parse(line.time) > now + CLOCKS) {
      throw new Error(
        `${path} has a line of ${line.time}, which is in the future: correct the clock of this machine, or remove the file`,
      );
    }
    for (const { key, old, secret } of line.changes) {
      if (old === undefined || (line.outcome === "unmanaged" && !isDeclared(line, key))) continue;
      const name = shortened(printable(deviceName(line)), LONGEST);
      const settings = devices.get(name) ?? new Map<string, string>();
      devices.set(
        name,
        settings.set(key, shortened(printable(`${key} was ${secret ? SECRET : valueInWords(key, old)}`), LONGEST)),
      );
    }
  }
  return devices;
}
