import fc from "fast-check";
import type { DriftAnswers, OnDelete } from "../../../provider/settings/declaration";
import { inverter } from "../../../provider/settings/inverter";
import { omit, pick } from "../../../provider/settings/objects";
import { keysOf, toPatch } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { refOf } from "../../support/sites";
import { numbered, vanishOrReturn } from "./commands";
import { otherValue } from "./ledger";
import { CARS, type Declared, FAULTS, kindOf, ROOFS, SITES, type SiteName, type World } from "./siteWorld";

export type Command = fc.AsyncCommand<object, World>;

const anySite = fc.constantFrom<SiteName>(...SITES);
const anyDevice = fc.constantFrom(...CARS, ...ROOFS);
/** Often all values of a device. Without this, hardly any site would be ready. */
export const anyNumbers = fc.oneof(
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

export function command(title: string, run: (world: World) => void | Promise<void>): Command {
  return { check: () => true, run: async (_, world) => run(world), toString: () => title };
}

/** What may happen to two sites, without the end of all faults. */
export const EVENTS = [
  ...[declare, declare, declare, declare, declare, declare, up, up, up, up],
  ...[removeOne, solar, edit, refresh, destroy, fail, fail, stop, vanish],
];

/** Puts the devices of a world into its service, with these values. */
export function begin(world: World, numbers: readonly (readonly (number | undefined)[])[]): void {
  for (const [index, deviceId] of [...CARS, ...ROOFS].entries()) {
    const kind = kindOf(deviceId);
    const fields = toPatch(kind, numbered(kind, numbers[index] ?? []));
    const type = kind.name === "vehicle" ? "Electric vehicle" : "Inverter";
    world.service.put(refOf(deviceId), { dev_type: type, ...fields });
  }
}
