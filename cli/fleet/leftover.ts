import { closeSync, existsSync, openSync } from "node:fs";
import { ledgerLine } from "../../provider/ledger/ledgerLine";
import { jsonIn, linesOf } from "../../provider/ledger/lineFile";
import { valueInWords } from "../../provider/lifecycle/run/valueWords";
import { deviceName } from "../../provider/service/device";
import { shortened } from "../shortened";
import { printable } from "../terminal";

/** Maximum number of devices that a notice names (our choice). */
const MOST_NAMED = 20;

/** Longest text that is shown of a journal, in characters (our choice). */
const LONGEST = 200;

/** Largest difference between the clocks of two machines of a fleet, in milliseconds (our choice): an hour. */
const CLOCKS = 3_600_000;

/**
 * The baselines that earlier runs have left in journals, for the user to see before they are used: one line a device.
 * Without it, a journal that came with a checkout or a cache would have its values written to devices without a word.
 * @param files of the journals
 * @throws Error if a journal has a line from the future, which no run of ours can have written
 */
export function leftBaselines(files: readonly string[], now = Date.now()): string[] {
  return files.filter((file) => existsSync(file)).flatMap((file) => linesAbout(file, baselinesIn(file, now)));
}

function linesAbout(file: string, devices: ReadonlyMap<string, readonly string[]>): string[] {
  if (devices.size === 0) return [];
  const named = [...devices].slice(0, MOST_NAMED).map(([device, values]) => `  ${device}: ${values.join(", ")}`);
  const more = devices.size > MOST_NAMED ? [`  and ${devices.size - MOST_NAMED} more devices`] : [];
  return [
    `An earlier run that did not finish has left baselines in ${file}. This run uses them; if no run of yours left ` +
      "them, stop it now, and remove the file:",
    ...named,
    ...more,
  ];
}

/** By device, the baselines of a journal in words, each setting once. */
function baselinesIn(path: string, now: number): Map<string, string[]> {
  const devices = new Map<string, Map<string, string>>();
  const file = openSync(path, "r");
  try {
    for (const { text } of linesOf(file)) {
      const line = jsonIn(ledgerLine, text);
      if (!line) continue;
      if (Date.parse(line.time) > now + CLOCKS) {
        throw new Error(
          `${path} has a line of ${line.time}, which is in the future: correct the clock of this machine, or remove the file`,
        );
      }
      for (const { key, old } of line.changes) {
        if (old === undefined) continue;
        const name = shortened(printable(deviceName(line)), LONGEST);
        const settings = devices.get(name) ?? new Map<string, string>();
        devices.set(name, settings.set(key, shortened(printable(`${key} was ${valueInWords(key, old)}`), LONGEST)));
      }
    }
  } finally {
    closeSync(file);
  }
  return new Map([...devices].map(([name, settings]) => [name, [...settings.values()]]));
}
