import { expect } from "chai";
import fc from "fast-check";
import type { DriftAnswers, OnDelete } from "../../../provider/settings/declaration";
import { inverter } from "../../../provider/settings/inverter";
import { keysOf, omit, pick, toPatch } from "../../../provider/settings/setting";
import { RECOMMENDED, vehicle } from "../../../provider/settings/vehicle";
import { FORECAST, refOf } from "../../support/sites";
import { numbered, vanishOrReturn } from "./commands";
import { otherValue } from "./ledger";
import { CARS, type Declared, FAULTS, kindOf, ROOFS, SITES, type SiteName, World } from "./siteWorld";

const { LAW_RUNS = "100" } = process.env;

type Command = fc.AsyncCommand<object, World>;

const anySite = fc.constantFrom<SiteName>(...SITES);
const anyDevice = fc.constantFrom(...CARS, ...ROOFS);
/** Often all values of a device. Without this, hardly any site would be ready. */
const anyNumbers = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.nat(2), { minLength: 5, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(fc.option(fc.nat(2), { nil: undefined }), { minLength: 5, maxLength: 5 }) },
);

/** The program declares a device in one site: for the first time, with other values, or moved from the other site. */
const declare = fc
  .record({
    site: anySite,
    deviceId: anyDevice,
    numbers: anyNumbers,
    hasPolicy: fc.boolean(),
    observe: fc.constantFrom(false, false, false, true),
    onDelete: fc.constantFrom<OnDelete | undefined>(undefined, "retain", "restore", "restore", "reset"),
    onDrift: fc.constantFrom<DriftAnswers | undefined>(undefined, undefined, "keep", { policy: "keep", tilt: "keep" }),
    suffix: fc.constantFrom("", "", "-b"),
  })
  .map(({ site, deviceId, numbers, hasPolicy, observe, onDelete, onDrift, suffix }) => {
    const isCar = CARS.includes(deviceId);
    const all = numbered(kindOf(deviceId), numbers);
    const values = isCar && (!hasPolicy || numbers[0] !== 0) ? omit(all, ["policy"]) : all;
    const declared: Declared = {
      name: `${deviceId}${suffix}`,
      values,
      ...(observe && { observe }),
      ...(onDrift && { onDrift: answersFor(isCar, onDrift) }),
      ...(onDelete && { onDelete: onDelete === "reset" && !isCar ? "restore" : onDelete }),
    };
    const title = observe ? "observes" : `declares ${JSON.stringify({ ...values, onDelete, onDrift })} of`;
    return command(`${site} ${title} ${declared.name}`, (world) => {
      for (const one of SITES) world.program[one].delete(deviceId);
      world.program[site].set(deviceId, declared);
    });
  });

/** The answers for the settings that a device of this kind has. */
function answersFor(isCar: boolean, answers: DriftAnswers): DriftAnswers {
  return typeof answers === "string" ? answers : pick(answers, keysOf(isCar ? vehicle : inverter));
}

const removeOne = anyDevice.map((deviceId) =>
  command(`the program no longer declares ${deviceId}`, (world) => {
    for (const one of SITES) world.program[one].delete(deviceId);
  }),
);

const solar = fc.tuple(anySite, fc.constantFrom(true, false, undefined)).map(([site, is]) =>
  command(`${site} is solar: ${is}`, (world) => {
    world.solar[site] = is;
  }),
);

const edit = fc
  .record({ deviceId: anyDevice, index: fc.nat(4), number: fc.nat(3) })
  .map(({ deviceId, index, number }) =>
    command(`somebody sets key ${index} of ${deviceId} to number ${number}`, (world) => {
      const key = keysOf(kindOf(deviceId))[index % keysOf(kindOf(deviceId)).length] as string;
      world.edit(deviceId, { [key]: otherValue(kindOf(deviceId), key, number) });
    }),
  );

const fail = fc.record({ fault: fc.constantFrom(...FAULTS), deviceId: anyDevice }).map((fault) =>
  command(`next: ${fault.fault} of ${fault.deviceId}`, (world) => {
    world.fault = fault;
  }),
);

const stop = fc.nat(12).map((after) =>
  command(`the next run is stopped after ${after} requests`, (world) => {
    world.stopAfter = after;
  }),
);

const vanish = anyDevice.map((deviceId) =>
  command(`${deviceId} is gone, or is back`, (world) => vanishOrReturn(world, deviceId)),
);

const up = fc.boolean().map((reverse) =>
  command(reverse ? "up, west first" : "up", async (world) => {
    await world.up(reverse ? [...SITES].reverse() : SITES);
    world.stopAfter = undefined;
  }),
);
const refresh = fc.constant(command("refresh", (world) => world.refresh()));
const destroy = anySite.map((site) => command(`${site} is destroyed`, (world) => world.destroy(site)));

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

function command(title: string, run: (world: World) => void | Promise<void>): Command {
  return { check: () => true, run: async (_, world) => run(world), toString: () => title };
}

const anything = [
  ...[declare, declare, declare, declare, declare, declare, up, up, up, up],
  ...[removeOne, solar, edit, refresh, destroy, fail, fail, stop, vanish, converge],
];

describe("a stack of two sites, whatever is declared, edited, lost, stopped and in doubt", () => {
  it("holds every law after every step, and converges", async () => {
    const beginning = fc.array(anyNumbers, { minLength: 5, maxLength: 5 });
    const life = fc.commands(anything, { maxCommands: 40, size: "max" });
    await fc.assert(
      fc.asyncProperty(beginning, life, converge, async (numbers, commands, end) => {
        const world = new World();
        for (const [index, deviceId] of [...CARS, ...ROOFS].entries()) {
          const kind = kindOf(deviceId);
          const fields = toPatch(kind, numbered(kind, numbers[index] ?? []));
          const type = kind.name === "vehicle" ? "Electric vehicle" : "Inverter";
          world.service.put(refOf(deviceId), { dev_type: type, ...fields });
        }
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
        await end.run({}, world);
      }),
      { numRuns: Number(LAW_RUNS) },
    );
  });
});
