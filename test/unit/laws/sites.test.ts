import { expect } from "chai";
import fc from "fast-check";
import { inverter } from "../../../provider/settings/inverter";
import { omit, pick } from "../../../provider/settings/objects";
import { keysOf } from "../../../provider/settings/setting";
import { RECOMMENDED, vehicle } from "../../../provider/settings/vehicle";
import { FORECAST, refOf } from "../../support/sites";
import { otherValue } from "./ledger";
import { anyNumbers, begin, command, EVENTS } from "./siteCommands";
import { CARS, type Declared, kindOf, ROOFS, SITES, type SiteName, World } from "./siteWorld";

const { LAW_RUNS = "100" } = process.env;

/**
 * After the faults end, one update makes all differences disappear, and one update after a refresh brings everything to
 * its declaration.
 */
const converge = fc.constant(
  command("all is well again", async (world) => {
    world.fault = undefined;
    world.stopAfter = undefined;
    for (const [deviceId, fields] of world.gone) world.service.put(refOf(deviceId), fields);
    world.gone.clear();
    await world.up();
    await expectNoDifference(world);
    await world.refresh();
    await world.up();
    await expectNoDifference(world);
    for (const site of SITES) {
      for (const [deviceId, { values, observe }] of world.program[site]) {
        if (observe) continue;
        const kept = world.keptKeys(deviceId);
        const repaired = omit(values, kept);
        expect(pick(world.settings(deviceId), Object.keys(repaired)), deviceId).to.deep.equal(repaired);
        const isGiven = CARS.includes(deviceId) && values.policy === undefined && !kept.includes("policy");
        if (isGiven && isReady(world, site, deviceId)) {
          expect(world.settings(deviceId).policy, `the policy of ${deviceId}`).to.equal(FORECAST);
        }
      }
    }
    await expectKept(world);
  }),
);

/** Somebody's values of settings with `onDrift: keep` stay, and nothing is sent for them. */
async function expectKept(world: World): Promise<void> {
  const edited = [...CARS, ...ROOFS].map((deviceId) => {
    const values = world.keptKeys(deviceId).map((key) => [key, otherValue(kindOf(deviceId), key, 1)]);
    return { deviceId, values: Object.fromEntries(values) };
  });
  for (const { deviceId, values } of edited) world.edit(deviceId, values);
  await world.refresh();
  const { updates } = world;
  await world.up();
  await world.refresh();
  await expectNoDifference(world);
  for (const { deviceId, values } of edited) {
    expect(pick(world.settings(deviceId), Object.keys(values)), `kept of ${deviceId}`).to.deep.equal(values);
  }
  expect(world.updates, "updates for kept values").to.equal(updates);
}

async function expectNoDifference(world: World): Promise<void> {
  for (const site of SITES) {
    expect(await world.sites[site].differs(world.argumentsOf(site)), `${site} differs`).to.equal(false);
  }
}

/** Whether a car has all values that it needs, according to the declarations and the observed devices. */
function isReady(world: World, site: SiteName, car: string): boolean {
  const roofs = ROOFS.filter((roof) => world.program[site].has(roof));
  const has = (deviceId: string, keys: readonly string[]) => {
    const { observe, values } = world.program[site].get(deviceId) as Declared;
    const reported = world.settings(deviceId);
    // A car that reports exactly the service's assumption, for example after a reset, counts as one that reports
    // nothing.
    const isItsOwn = (key: string) => RECOMMENDED.includes(key) && reported[key] !== vehicle.settings[key]?.default;
    const isReported = (key: string) => key in reported && (observe || isItsOwn(key));
    return keys.every((key) => isReported(key) || (!observe && values[key] !== undefined));
  };
  return (
    world.solar[site] !== false &&
    roofs.length > 0 &&
    has(car, RECOMMENDED) &&
    roofs.every((roof) => has(roof, keysOf(inverter)))
  );
}

const anything = [...EVENTS, converge];

describe("a stack of two sites, whatever is declared, edited, lost, stopped and in doubt", () => {
  it("holds every law after every step, and converges", async () => {
    const beginning = fc.array(anyNumbers, { minLength: 5, maxLength: 5 });
    const life = fc.commands(anything, { maxCommands: 40, size: "max" });
    await fc.assert(
      fc.asyncProperty(beginning, life, converge, async (numbers, commands, end) => {
        const world = new World();
        begin(world, numbers);
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
        await end.run({}, world);
      }),
      { numRuns: Number(LAW_RUNS) },
    );
  });
});
