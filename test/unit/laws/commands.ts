import fc from "fast-check";
import { PartialError } from "../../../provider/lifecycle/run/errors";
import type { MessageCode } from "../../../provider/messages/codes";
import { MessageError } from "../../../provider/messages/message";
import { ServiceError } from "../../../provider/service/errors";
import type { OnDelete } from "../../../provider/settings/declaration";
import { pick } from "../../../provider/settings/objects";
import { type DeviceKind, keysOf, type Value } from "../../../provider/settings/setting";
import type { FakeService } from "../../support/fakes";
import { refOf } from "../../support/sites";
import { FAULTS, type Ledger, otherValue } from "./ledger";

export const DEVICES = ["one", "two"];
const NAMES = ["a", "b", "c"];

/** The ledger is also the model: it knows what the provider cannot know. */
type Command = fc.AsyncCommand<object, Ledger>;

const anyDevice = fc.constantFrom(...DEVICES);
const anyName = fc.constantFrom(...NAMES);

/** For each key in turn, the number of its value. Kinds with fewer keys use fewer numbers. */
export const anyNumbers = fc.array(fc.option(fc.nat(3), { nil: undefined }), { minLength: 5, maxLength: 5 });

/** The value of a key with this number. Different numbers give different values, if the setting has enough. */
export function numbered(kind: DeviceKind, numbers: readonly (number | undefined)[]): Record<string, Value> {
  const entries = keysOf(kind).flatMap((key, index): [string, Value][] => {
    const [number, setting] = [numbers[index], kind.settings[key]];
    if (number === undefined || !setting) return [];
    if (setting.type === "number") return [[key, setting.minimum + number]];
    const choices = Object.keys(setting.choices);
    return [[key, choices[number % choices.length] as string]];
  });
  return Object.fromEntries(entries);
}

/** The program declares a resource for the first time, or with other values. */
const declare = fc
  .record({
    name: anyName,
    deviceId: anyDevice,
    numbers: anyNumbers,
    onDelete: fc.constantFrom<OnDelete | undefined>(undefined, "retain", "restore", "restore", "reset"),
  })
  .map(({ name, deviceId, numbers, onDelete }) =>
    command(`${name} declares ${numbers.map((n) => n ?? "-").join("")} for ${deviceId}, ${onDelete}`, (ledger) => {
      const { kind, program } = ledger;
      // The check refuses a key that two resources declare for one device, and a reset without defaults.
      const others = [...program].filter(([other, inputs]) => other !== name && inputs.deviceId === deviceId);
      const taken = others.flatMap(([, inputs]) => Object.keys(inputs));
      const values = numbered(kind, numbers);
      const declared = pick(
        values,
        Object.keys(values).filter((key) => !taken.includes(key)),
      );
      const atEnd = onDelete === "reset" && !kind.isDocumented ? "restore" : onDelete;
      const inputs = { businessId: "acme", deviceId, ...(atEnd && { onDelete: atEnd }), ...declared };
      ledger.program = new Map([...program, [name, inputs]]);
    }),
  );

const removeOne = anyName.map((name) =>
  command(`the program lets go of ${name}`, (ledger) => {
    ledger.program = new Map([...ledger.program].filter(([other]) => other !== name));
  }),
);

const rename = fc.tuple(anyName, anyName).map(([from, to]) =>
  command(`the program renames ${from} to ${to}`, (ledger) => {
    if (ledger.program.has(to)) return;
    ledger.program = new Map([...ledger.program].map(([name, inputs]) => [name === from ? to : name, inputs]));
  }),
);

const edit = fc
  .record({ deviceId: anyDevice, index: fc.nat(4), number: fc.option(fc.nat(3)) })
  .map(({ deviceId, index, number }) =>
    command(`somebody sets key ${index} of ${deviceId} to ${number ?? "a value of their own"}`, (ledger) => {
      const { kind } = ledger;
      const key = keysOf(kind)[index % keysOf(kind).length] as string;
      const known = numbered(kind, Array(5).fill(number ?? undefined))[key];
      ledger.edit(deviceId, key, known ?? otherValue(kind, key, ledger.tick()));
    }),
  );

const lag = fc.nat(3).map((reads) =>
  command(`the cache lags ${reads} reads behind`, ({ service }) => {
    service.staleReads = reads;
  }),
);

const fail = fc.constantFrom(...FAULTS).map((fault) =>
  command(`next: ${fault}`, (ledger) => {
    ledger.fault = fault;
  }),
);

const vanish = anyDevice.map((deviceId) =>
  command(`${deviceId} is gone, or is back`, (ledger) => vanishOrReturn(ledger, deviceId)),
);

/** Makes the service forget a device, or know it again. @param world its service, and the fields of what it forgot */
export function vanishOrReturn(
  { gone, service }: Pick<Ledger, "gone"> & { service: FakeService },
  deviceId: string,
): void {
  const fields = service.get(refOf(deviceId));
  if (fields) {
    gone.set(deviceId, fields);
    service.remove(refOf(deviceId));
  } else {
    service.put(refOf(deviceId), gone.get(deviceId) ?? {});
    gone.delete(deviceId);
  }
}

const up = fc.constant(command("up", (ledger) => attempt(ledger, () => ledger.up())));
const refresh = fc.constant(command("refresh", (ledger) => attempt(ledger, () => ledger.stack.refresh())));
const destroy = fc.constant(command("destroy", (ledger) => attempt(ledger, () => ledger.destroy())));

/** All events. Important ones are more frequent. */
export const anything: fc.Arbitrary<Command>[] = [
  ...[declare, declare, declare, up, up, up, up],
  ...[removeOne, rename, edit, edit, refresh, refresh, destroy, fail, lag, vanish],
];

const THEIRS: readonly MessageCode[] = ["noSuchDevice", "uncertain", "uncertainDelete"];

/** Runs an operation. It may fail only because of a fault of the service. */
async function attempt(ledger: Ledger, operation: () => Promise<void>): Promise<void> {
  const mayFail = ledger.fault !== undefined || ledger.gone.size > 0;
  try {
    await operation();
  } catch (error) {
    const isTheirs =
      error instanceof ServiceError ||
      error instanceof PartialError ||
      (error instanceof MessageError && THEIRS.includes(error.problem.code));
    if (!mayFail || !isTheirs) throw error;
  }
}

function command(title: string, run: (ledger: Ledger) => void | Promise<void>): Command {
  return {
    check: () => true,
    run: async (_, ledger) => run(ledger),
    toString: () => title,
  };
}
