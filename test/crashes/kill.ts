import { expect } from "chai";
import { all, type CrashSite, pick, type Settings, SITES } from "./site";

/** The traces of a kill, and the result of the recovery. */
export interface Kill {
  /** Number of devices that were in state with their baselines. */
  readonly recorded: number;
  /** Number of sites with an operation that was in progress. */
  readonly pending: number;
  /** The devices whose baseline is lost: their first update was applied, and their site was not in state. */
  readonly lost: readonly string[];
  /** The lost devices whose baseline the killed run had printed. The engine prints a message with a delay. */
  readonly printed: readonly string[];
  /** The values from before the first update, as far as they are known. A destroy restores them. */
  readonly baselines: Settings;
}

/**
 * Kills an `up` of this capacity with its process group, recovers as docs/recovery.md describes, and checks its
 * promises: with a ledger no baseline is lost; without one, only those of sites that were being created.
 * @returns undefined if the `up` ended before the moment
 * @throws AssertionError
 */
export async function kill(site: CrashSite, capacity: number, moment: Promise<unknown>): Promise<Kill | undefined> {
  const truth = { ...site.settings, ...site.state.baselines };
  const { requests } = site;
  site.declare(capacity);
  const up = site.startUp();
  await Promise.race([moment, up.output]);
  up.signal("SIGKILL");
  const { code, text } = await up.output;
  if (code !== null) return undefined;
  // The host loads our code at its first request, and only our code ends it.
  if (site.requests > requests) await up.hostEnded();
  else up.killHost();
  await site.quiet();

  const { baselines: recorded, pending } = site.state;
  expect(recorded).to.deep.equal(pick(truth, Object.keys(recorded)));
  const creating = Object.keys(pending).filter((name) => pending[name] === "creating");
  const found = pick(
    site.settings,
    creating.flatMap((name) => SITES[name] ?? []),
  );
  const changed = Object.keys(found).filter((id) => !isSame(found[id], truth[id]));
  const lost = site.hasLedger ? [] : changed;
  const baselines = { ...truth, ...pick(found, lost) };
  const logged = loggedIn(text);
  // A device that was adopted as it is has only the settings that this run overwrites first.
  const known = Object.entries(logged).map(([id, own]) => [id, pick(truth[id] ?? {}, Object.keys(own))]);
  expect(logged, text).to.deep.equal(Object.fromEntries(known));

  const recovery = await recover(site);
  expectRecovered(site, capacity, baselines);
  for (const name of creating) expect(recovery).to.contain(`${name}, interrupted while creating`);
  return {
    recorded: Object.keys(recorded).length,
    pending: Object.keys(pending).length,
    lost,
    printed: lost.filter((id) => id in logged),
    baselines,
  };
}

/**
 * The baselines in the output of a run without a ledger, by device:
 * `vehicle/car: maxCapacity was 60 kWh, policy CHARGE BY; vehicle/van: …`.
 */
function loggedIn(text: string): Settings {
  const lines = [...text.matchAll(/before the first update: (.*)/g)].map(([, line = ""]) => line);
  const devices = lines.flatMap((line) => [...line.matchAll(/\w+\/([^:;]+): ([^;]*)/g)]);
  return Object.fromEntries(
    devices.map(([, name = "", settings = ""]) => [
      name,
      Object.fromEntries(settings.split(", ").map((one) => settingIn(one.replace(" was ", " ")))),
    ]),
  );
}

/** A setting in words, such as `maxCapacity 60 kWh`. */
function settingIn(words: string): [key: string, value: number | string] {
  const [, key = "", value = ""] = /^(\w+) (.*)$/.exec(words) ?? [];
  const [, number, kilo] = /^([\d.]+)(?: (k?)Wh?|°.*)$/.exec(value) ?? [];
  // Without this, 60.035 kWh would be 60034.99999999999 Wh.
  return [key, number === undefined ? value : Number((Number(number) * (kilo ? 1000 : 1)).toFixed(6))];
}

function isSame(settings: Settings[string] = {}, other: Settings[string] = {}): boolean {
  return Object.keys(other).every((key) => settings[key] === other[key]);
}

async function recover(site: CrashSite): Promise<string> {
  try {
    return await site.recover("The engine was killed");
  } catch (error) {
    if (!(error as Error).message.includes("failed to load checkpoint: EOF")) throw error;
    await site.recover("failed to load checkpoint: EOF");
    return await site.recover("The engine was killed");
  }
}

/** Expects that devices and state are as declared, with these baselines, and that nothing is pending. */
export function expectRecovered(site: CrashSite, capacity: number, baselines: Settings): void {
  expect(site.settings).to.deep.equal(all(capacity));
  expect(site.state).to.deep.equal({ declared: all(capacity), baselines, pending: {} });
}

/** Expects that a destroy restores every device, as far as its earlier values are known. */
export async function expectRestored(site: CrashSite, baselines: Settings): Promise<void> {
  await site.project.destroy();
  expect(site.settings).to.deep.equal(baselines);
}
