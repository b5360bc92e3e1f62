import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { engineEnvironment, findOrFetchEngine } from "../../scripts/engine";
import { reason } from "../../scripts/execute";
import { killFleets } from "./fleet";
import { expectRecovered, expectRestored, kill } from "./kill";
import { CrashSite, SITES, UNTOUCHED } from "./site";

const USAGE = "npm run crashes -- [--kills <number>] [--fleets <number>] [--seed <number>]";

const DEVICES = Object.keys(UNTOUCHED).length;

/** The capacities, in Wh, of a first and a later `up`. */
const CAPACITIES = [77_000, 79_000];

/**
 * `npm run crashes`: the long form of test/long/crash.test.ts. Kills updates of eight solar sites at random moments: a
 * first and a later one, with and without a ledger, in turn. Recovers from each as docs/recovery.md describes,
 * destroys the stack, and checks that each device has its earlier values. With `--fleets`, it kills rollouts of a fleet
 * instead.
 */
async function main(): Promise<void> {
  const { kills, fleets, seed } = options();
  Object.assign(process.env, engineEnvironment(await findOrFetchEngine()));
  if (fleets > 0) {
    const moments = fc.sample(fc.noBias(fc.integer({ min: 0, max: 999 })), { seed, numRuns: 4 * fleets });
    const { kills, baselines } = await killFleets(fleets, moments);
    console.log(
      `${kills} kills of rollouts, seed ${seed}: each recovered and restored; all ${baselines} baselines kept`,
    );
    return;
  }
  const durations = await measure();
  console.log(`${kills} kills of ${DEVICES} devices in ${Object.keys(SITES).length} sites, seed ${seed}`);
  console.log(`without a kill, from the first request: first up ${durations[0]} ms, later up ${durations[1]} ms`);
  row("kill", "up", "ledger", "killed after", "in state", "pending", "baselines lost", "killed and recovered in");

  // In thousandths of an `up`. More than needed, because an `up` can end before its moment.
  const moments = fc.sample(fc.noBias(fc.integer({ min: 0, max: 999 })), { seed, numRuns: 4 * kills });
  const totals = { kills: 0, pending: 0, lost: 0, most: 0, printed: 0 };
  for (let hasLedger = true; totals.kills < kills; hasLedger = !hasLedger) {
    await onSite(hasLedger, async (site) => {
      let baselines = UNTOUCHED;
      for (const [index, capacity] of CAPACITIES.entries()) {
        const after = Math.round(((moments.pop() ?? 0) * (durations[index] ?? 0)) / 1_000);
        const start = Date.now();
        const killed = await kill(
          site,
          capacity,
          site.begun().then(() => setTimeout(after)),
        );
        if (!killed) continue;
        const { recorded, pending, lost } = killed;
        baselines = killed.baselines;
        totals.kills += 1;
        totals.pending += pending;
        totals.lost += lost.length;
        totals.printed += killed.printed.length;
        totals.most = Math.max(totals.most, lost.length);
        const cells = [totals.kills, index === 0 ? "first" : "later", hasLedger ? "yes" : "no", `${after} ms`];
        row(...cells, recorded, pending, lost.length, `${Date.now() - start} ms`);
      }
      await expectRestored(site, baselines);
    });
  }
  console.log(
    `${totals.kills} kills: each recovered and restored as documented; ${totals.pending} sites were pending; with a ledger ` +
      `no baseline was lost, without one ${totals.lost}, at most ${totals.most} by one kill, ${totals.printed} of them printed by the killed run`,
  );
  await onSite(true, unwritableState);
}

function options(): { kills: number; fleets: number; seed: number } {
  const { values } = parseArgs({
    options: { kills: { type: "string" }, fleets: { type: "string" }, seed: { type: "string" } },
  });
  const kills = Number(values.kills ?? 30);
  const fleets = Number(values.fleets ?? 0);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (!(Number.isInteger(kills) && kills > 0 && Number.isInteger(fleets) && fleets >= 0 && Number.isInteger(seed)))
    throw new Error(`usage: ${USAGE}`);
  return { kills, fleets, seed };
}

/** Duration of each `up` from its first request, in ms. */
async function measure(): Promise<number[]> {
  const durations: number[] = [];
  await onSite(true, async (site) => {
    for (const capacity of CAPACITIES) {
      site.declare(capacity);
      let start = 0;
      void site.begun().then(() => {
        start = Date.now();
      });
      await site.project.up();
      durations.push(Date.now() - start);
    }
  });
  return durations;
}

async function unwritableState(site: CrashSite): Promise<void> {
  site.declare(77_000);
  const start = Date.now();
  const up = site.startUp("--parallel", "2");
  await site.patched(20);
  const allowWriting = site.preventWriting();
  const { text } = await up.output;
  if (!text.includes("failed to save snapshot")) throw new Error(text);
  const duration = Date.now() - start;
  allowWriting();
  await site.recover("The state could not be written");
  expectRecovered(site, 77_000, UNTOUCHED);
  await expectRestored(site, UNTOUCHED);
  console.log(
    `A state that cannot be written, 2 operations at once: the up failed after ${duration} ms; ` +
      "recovered and restored as documented; no baseline lost",
  );
}

async function onSite(hasLedger: boolean, work: (site: CrashSite) => Promise<void>): Promise<void> {
  const site = await CrashSite.create(hasLedger);
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

function row(...cells: (string | number)[]): void {
  console.log(cells.map((cell, index) => String(cell).padStart(index < 3 ? 6 : 14)).join("  "));
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
