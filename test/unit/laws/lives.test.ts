import { existsSync, rmSync } from "node:fs";
import fc from "fast-check";
import type { OnDelete } from "../../../provider/settings/declaration";
import { omit } from "../../../provider/settings/objects";
import { keysOf, toPatch } from "../../../provider/settings/setting";
import { temporaryFolder } from "../../support/folder";
import { refOf } from "../../support/sites";
import { numbered } from "./commands";
import { otherValue } from "./ledger";
import { type Declared, Lives, PROVIDERS, type Resource, SINGLES, SITES } from "./livesWorld";
import { CARS, FAULTS, kindOf, ROOFS } from "./siteWorld";

/** Number of random histories: `LAW_RUNS=2000 npx mocha dist/test/unit/laws/lives.test.js`. */
const { LAW_RUNS = "50" } = process.env;

type Command = fc.AsyncCommand<object, Lives>;

const DEVICES = [...CARS, ...ROOFS];
const anyDevice = fc.constantFrom(...DEVICES);
const anyName = fc.constantFrom<string>(...SITES, ...SINGLES);
const anyProvider = fc.constantFrom(...PROVIDERS);
const anyNumbers = fc.array(fc.option(fc.nat(2), { nil: undefined }), { minLength: 5, maxLength: 5 });

function command(title: string, run: (lives: Lives) => unknown): Command {
  return {
    check: () => true,
    run: async (_, lives) => {
      await run(lives);
      lives.expectNothingLost();
    },
    toString: () => title,
  };
}

/** Declares a device in one resource, and in no other. A single vehicle's resource then has only this device. */
function put(lives: Lives, name: string, declared: Declared): void {
  const isSingle = SINGLES.some((single) => single === name);
  if (isSingle && (ROOFS.includes(declared.deviceId) || declared.observe)) return;
  const { [name]: own, ...others } = Object.fromEntries(lives.program);
  const without = (resource: Resource): Resource => ({
    ...resource,
    devices: resource.devices.filter(({ deviceId }) => deviceId !== declared.deviceId),
  });
  const before = own ?? { number: 0, provider: "default", devices: [] };
  const kept = isSingle ? [] : without(before).devices.filter(({ name: one }) => one !== declared.name);
  const devices = [...kept, declared];
  const resources = [...Object.entries(others).map(([one, resource]) => [one, without(resource)] as const)];
  lives.program = new Map(
    [...resources, [name, { ...before, devices }] as const].filter(([, one]) => one.devices.length > 0),
  );
}

const declare = fc
  .record({
    name: anyName,
    deviceId: anyDevice,
    numbers: anyNumbers,
    observe: fc.constantFrom(false, false, false, true),
    onDelete: fc.constantFrom<OnDelete | undefined>(undefined, "restore", "restore", "restore", "reset"),
    suffix: fc.constantFrom("", "", "-b"),
  })
  .map(({ name, deviceId, numbers, observe, onDelete, suffix }) => {
    const isCar = CARS.includes(deviceId);
    const all = numbered(kindOf(deviceId), numbers);
    const declared: Declared = {
      deviceId,
      name: `${deviceId}${suffix}`,
      values: observe ? {} : all,
      observe,
      ...(onDelete && { onDelete: onDelete === "reset" && !isCar ? "restore" : onDelete }),
    };
    const title = observe ? "observes" : `declares ${JSON.stringify(all)}, ${onDelete}, of`;
    return command(`${name} ${title} ${declared.name}`, (lives) => put(lives, name, declared));
  });

const move = fc
  .record({ name: anyName, deviceId: anyDevice, isShort: fc.boolean() })
  .map(({ name, deviceId, isShort }) =>
    command(`${deviceId} moves to ${name}${isShort ? ", with one key less" : ""}`, (lives) => {
      const declared = [...lives.program.values()]
        .flatMap(({ devices }) => devices)
        .find((one) => one.deviceId === deviceId);
      if (!declared) return;
      const [first = ""] = Object.keys(declared.values);
      put(lives, name, { ...declared, values: isShort ? omit(declared.values, [first]) : declared.values });
    }),
  );

const swap = fc.tuple(anyDevice, anyDevice).map(([one, other]) =>
  command(`${one} and ${other} change places`, (lives) => {
    if (kindOf(one) !== kindOf(other)) return;
    const named = (deviceId: string) => (deviceId === one ? other : deviceId === other ? one : deviceId);
    const swapped = [...lives.program].map(([name, resource]): [string, Resource] => [
      name,
      { ...resource, devices: resource.devices.map((device) => ({ ...device, deviceId: named(device.deviceId) })) },
    ]);
    lives.program = new Map(swapped);
  }),
);

/** For the engine, another name is another resource. With the same name, another provider is an update in place. */
const rename = fc
  .record({ name: anyName, provider: fc.option(anyProvider, { nil: undefined }), isRenamed: fc.boolean() })
  .map(({ name, provider, isRenamed }) =>
    command(
      `${name}: ${isRenamed ? "another name" : "the same name"}, provider ${provider ?? "as before"}`,
      (lives) => {
        const own = lives.program.get(name);
        if (!own) return;
        const number = own.number + (isRenamed ? 1 : 0);
        lives.program = new Map(lives.program).set(name, { ...own, number, provider: provider ?? own.provider });
      },
    ),
  );

const ignore = fc.record({ name: anyName, isIgnoring: fc.boolean() }).map(({ name, isIgnoring }) =>
  command(`${name} ${isIgnoring ? "ignores changes of its first setting" : "ignores nothing"}`, (lives) => {
    const own = lives.program.get(name);
    if (own) lives.program = new Map(lives.program).set(name, { ...own, isIgnoring });
  }),
);

const alone = fc.constant(
  command("the next run cannot use its shared file", (lives) => {
    lives.isAloneNext = true;
  }),
);

const remove = anyName.map((name) =>
  command(`the program no longer declares ${name}`, (lives) => {
    lives.program = new Map([...lives.program].filter(([one]) => one !== name));
  }),
);

const edit = fc
  .record({ deviceId: anyDevice, index: fc.nat(4), number: fc.option(fc.nat(2), { nil: undefined }) })
  .map(({ deviceId, index, number }) =>
    command(`the owner sets key ${index} of ${deviceId}, ${number ?? "a value of their own"}`, (lives) => {
      const kind = kindOf(deviceId);
      const key = keysOf(kind)[index % keysOf(kind).length] as string;
      lives.edit(deviceId, key, otherValue(kind, key, number ?? 7));
    }),
  );

const fail = fc.record({ fault: fc.constantFrom(...FAULTS), deviceId: anyDevice }).map((fault) =>
  command(`next: ${fault.fault} of ${fault.deviceId}`, (lives) => {
    lives.fault = fault;
  }),
);

/** For this many reads of a device, the cache does not show its update. */
const fallBehind = fc.nat(3).map((reads) =>
  command(`the cache falls ${reads} reads behind`, (lives) => {
    lives.service.staleReads = reads;
  }),
);

/** Only with a ledger: without one, a kill loses the baselines of a first update. */
const kill = fc.constant(
  command("the engine is killed before it saves the next change", (lives) => {
    lives.isKilledNext = lives.ledger !== undefined;
  }),
);

const forget = anyName.map((name) =>
  command(`${name} is removed from state`, (lives) => {
    if (lives.ledger !== undefined) lives.stateDelete(name);
  }),
);

const up = fc
  .record({ reverse: fc.boolean(), checksFirst: fc.boolean() })
  .map((order) => command(`up ${JSON.stringify(order)}`, (lives) => lives.up(order)));
const refresh = fc.constant(command("refresh", (lives) => lives.refresh()));

/** Removes all faults and all declarations. */
const end = async (lives: Lives) => {
  lives.fault = undefined;
  lives.isKilledNext = false;
  lives.isAloneNext = false;
  lives.program = new Map([...lives.program].map(([name, one]) => [name, { ...one, isIgnoring: false }]));
  lives.service.staleReads = 0;
  const succeeds = async (work: Promise<boolean>) => {
    if (!(await work)) throw new Error("an operation fails without a fault");
  };
  await succeeds(lives.up());
  await succeeds(lives.refresh());
  await succeeds(lives.up());
  lives.expectNothingLost();
  lives.program = new Map();
  await succeeds(lives.up());
  lives.expectNothingLost();
};

const anything = [
  ...[declare, declare, declare, declare, declare, up, up, up, up, up, up],
  ...[
    move,
    move,
    swap,
    rename,
    rename,
    rename,
    remove,
    edit,
    edit,
    refresh,
    refresh,
    fail,
    kill,
    forget,
    fallBehind,
    ignore,
    alone,
  ],
];

describe("sites and single devices of three providers, whatever is moved, renamed, edited, lost and killed", () => {
  const path = temporaryFolder();

  for (const withLedger of [true, false]) {
    it(`lose no baseline ${withLedger ? "with" : "without"} a ledger`, async () => {
      const beginning = fc.array(anyNumbers, { minLength: DEVICES.length, maxLength: DEVICES.length });
      // The engine accepts any character in a name; its own names of resources have "::" between their parts.
      const anySuffix = fc.string({ unit: "binary", maxLength: 6 }).map((text) => text.replaceAll(":", "☀️"));
      const life = fc.commands(anything, { maxCommands: 40, size: "max" });
      await fc.assert(
        fc.asyncProperty(beginning, anySuffix, life, async (numbers, suffix, commands) => {
          const ledger = path("ledger.jsonl");
          if (existsSync(ledger)) rmSync(ledger);
          const lives = new Lives(path("store.jsonl"), withLedger ? ledger : undefined, suffix);
          for (const [index, deviceId] of DEVICES.entries()) {
            const kind = kindOf(deviceId);
            const settings = numbered(kind, numbers[index] ?? []);
            const own = Object.entries(settings).map(([key, value]) => [
              key,
              typeof value === "number" ? value + 40 : value,
            ]);
            const type = kind.name === "vehicle" ? "Electric vehicle" : "Inverter";
            lives.service.put(refOf(deviceId), { dev_type: type, ...toPatch(kind, Object.fromEntries(own)) });
          }
          await fc.asyncModelRun(() => ({ model: {}, real: lives }), commands);
          await end(lives);
        }),
        { numRuns: Number(LAW_RUNS) },
      );
    });
  }
});
