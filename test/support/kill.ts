import { expect } from "chai";
import { all, type Capacities, type CrashSite } from "./crashSite";

/** What a kill has left, and what became of it. */
export interface Kill {
  /** How many vehicles were in state, with their baselines. */
  readonly recorded: number;
  /** How many vehicles the engine was at work on. */
  readonly pending: number;
  /** The vehicles whose baseline is lost: their first update was applied, and not in state. */
  readonly lost: readonly string[];
}

/**
 * Kills an `up` of this capacity with its process group at a moment, recovers as docs/recovery.md tells, and checks
 * everything that it promises.
 * @returns undefined when the `up` ended before the moment
 * @throws AssertionError
 */
export async function kill(site: CrashSite, capacity: number, moment: Promise<unknown>): Promise<Kill | undefined> {
  const truth = { ...site.capacities, ...site.state.baselines };
  const { requests } = site;
  site.declare(capacity);
  const up = site.startUp();
  await Promise.race([moment, up.output]);
  up.signal("SIGKILL");
  if ((await up.output).code !== null) return undefined;
  // Pulumi's host loads our code, which ends it, when it is first asked for something.
  if (site.requests > requests) await up.hostEnded();
  else up.killHost();
  await site.quiet();

  const { baselines, pending } = site.state;
  const creating = Object.keys(pending).filter((id) => pending[id] === "creating");
  const found = pick(site.capacities, creating);
  expect(baselines).to.deep.equal(pick(truth, Object.keys(baselines)));

  const recovery = await recover(site);
  expectRecovered(site, capacity, { ...truth, ...found });
  for (const id of creating) expect(recovery).to.contain(`${id}, interrupted while creating`);
  const lost = creating.filter((id) => found[id] !== truth[id]);
  return { recorded: Object.keys(baselines).length, pending: Object.keys(pending).length, lost };
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

/** Every vehicle is as declared, and so is the state, with these baselines; nothing is pending. */
export function expectRecovered(site: CrashSite, capacity: number, baselines: Capacities): void {
  expect(site.capacities).to.deep.equal(all(capacity));
  expect(site.state).to.deep.equal({ declared: all(capacity), baselines, pending: {} });
}

function pick(capacities: Capacities, ids: readonly string[]): Capacities {
  return Object.fromEntries(ids.map((id) => [id, capacities[id] as number]));
}
