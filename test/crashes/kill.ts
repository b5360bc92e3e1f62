import { expect } from "chai";
import { all, type CrashSite, pick, type Settings, SITES } from "./site";

/** What a kill has left, and what became of it. */
export interface Kill {
  /** How many devices were in state, with their baselines. */
  readonly recorded: number;
  /** How many sites the engine was at work on. */
  readonly pending: number;
  /** The devices whose baseline is lost: their first update was applied, and their site was not in state. */
  readonly lost: readonly string[];
  /** Those of them whose baseline the killed run had printed. The engine prints some time after it is asked to. */
  readonly printed: readonly string[];
  /** What the devices were before, as far as it is known: to this a destroy restores them. */
  readonly baselines: Settings;
}

/**
 * Kills an `up` of this capacity with its process group at a moment, recovers as docs/reliability.md describes, and checks
 * everything that it promises: with a ledger no baseline is lost, without one those of the sites that were being created.
 * @returns undefined when the `up` ended before the moment
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
  // Pulumi's host loads our code, which ends it, when it is first asked for something.
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
  expect(logged, text).to.deep.equal(pick(truth, Object.keys(logged)));

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

/** The baselines that the output of a run without a ledger names, by device. */
function loggedIn(text: string): Settings {
  const lines = text.matchAll(/before the first update: (\{.*\})/g);
  const labelled = Object.assign({}, ...[...lines].map(([, json = ""]) => JSON.parse(json)));
  return Object.fromEntries(
    Object.entries<Settings[string]>(labelled).map(([label, values]) => [label.split("/")[1], values]),
  );
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

/** Every device is as declared, and so is the state, with these baselines; nothing is pending. */
export function expectRecovered(site: CrashSite, capacity: number, baselines: Settings): void {
  expect(site.settings).to.deep.equal(all(capacity));
  expect(site.state).to.deep.equal({ declared: all(capacity), baselines, pending: {} });
}

/** A destroy gives back every device as it was before, as far as that is known. */
export async function expectRestored(site: CrashSite, baselines: Settings): Promise<void> {
  await site.project.destroy();
  expect(site.settings).to.deep.equal(baselines);
}
