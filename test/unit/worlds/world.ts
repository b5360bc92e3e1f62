import type { Properties } from "../../../provider/settings/objects";

/** The two devices, and the two places of the program that can declare one. */
export const DEVICES = ["x", "y"] as const;
export const PLACES = ["R1", "R2"] as const;
export type DeviceId = (typeof DEVICES)[number];
export type Place = (typeof PLACES)[number];

/**
 * How the program declares its devices: two `VehicleSettings`, two sites with one car each, one site, one of each; or
 * two stacks with one place each. Two stacks of a fleet are its parts.
 */
export const FORMS = ["cars", "sites", "site", "mixed", "stacks"] as const;
export type Form = (typeof FORMS)[number];

/** The files that keep baselines beyond a run: none, a ledger, or the journal of a fleet. */
export const LOGS = ["none", "ledger", "fleet"] as const;
export type Log = (typeof LOGS)[number];

/** The engine's state of a resource. */
export interface Kept {
  readonly name: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly isExplicit: boolean;
  /** Whether the last update failed in part. The engine then updates again, whatever the diff finds. */
  readonly isUnfinished: boolean;
}

/** What only an observer of the device knows: the time from our first write until the value is no longer ours. */
export interface Life {
  /** The value from before our first write. */
  readonly before: number;
  /** The values that the owner has set since. */
  readonly later: readonly number[];
}

/** A value of the owner that a refresh found under `onDrift: keep`, and the value that was declared then. */
interface Choice {
  readonly value: number;
  readonly declared: number;
}

export interface Program {
  readonly devices: Readonly<Record<Place, DeviceId | undefined>>;
  readonly values: Readonly<Record<DeviceId, number>>;
  readonly keeps: boolean;
  readonly onDelete: "restore" | "retain" | "reset";
  /** Whether the resource at R1 ignores changes of its setting. */
  readonly ignores: boolean;
  /** Whether the resource at R1 has an explicit provider, which is a process of its own. */
  readonly isExplicit: boolean;
  /** Whether the car at R1 declares a policy of its own. */
  readonly hasPolicy: boolean;
  /** Whether sites have a complete inverter, so that they give their cars the policy. */
  readonly isSolar: boolean;
}

/** Who set the value of a device: its owner, this program, or one of two stacks. */
export type Author = "owner" | "us" | Place;

/** A device as it is. */
export interface Actual {
  readonly value: number;
  readonly by: Author;
  /** The values that each of two stacks with this device in state has set. Nothing can tell whose they are later. */
  readonly sent?: Readonly<Partial<Record<Author, readonly number[]>>>;
  readonly policy: string;
}

/** All that lasts between two events. */
export interface World {
  readonly form: Form;
  /** Whether a fleet's command starts the runs, which have a journal. */
  readonly isFleet: boolean;
  readonly hasLedger: boolean;
  /** Whether cars report their charge power. Only solar sites need it; it makes a search half as long again. */
  readonly hasPower: boolean;
  readonly program: Program;
  readonly resources: Readonly<Record<string, Kept>>;
  /** Resources that another of the same name has replaced, and that still have to be deleted. */
  readonly replaced: readonly Kept[];
  readonly files: Readonly<Record<"journal" | "ledger", string>>;
  readonly devices: Readonly<Record<DeviceId, Actual>>;
  readonly lives: Readonly<Partial<Record<DeviceId, Life>>>;
  /** The policies of devices from before our first write, until nobody manages them. */
  readonly policies: Readonly<Partial<Record<DeviceId, string>>>;
  /** Devices whose policy from before our first write a run has printed. */
  readonly printedPolicies: readonly DeviceId[];
  readonly choices: Readonly<Partial<Record<DeviceId, Choice>>>;
  /** The declared values of the last update that succeeded, and whether it had `onDrift: keep`. */
  readonly applied: Readonly<Partial<Record<DeviceId, number>>>;
  readonly wasKeeping: boolean;
  /** Baselines of the present lives that a run has printed. */
  readonly printed: readonly number[];
  /**
   * Those of them of which a run has said that their resource stops managing the setting, and does not restore it; and
   * those that neither a state nor a file has, because a run without a log was killed.
   */
  readonly givenUp: readonly number[];
  /** Devices of which a value that the program keeps was overwritten, and no run has said so. */
  readonly overwritten: readonly DeviceId[];
  /** Devices of which a run has said that another value than the declared one stays. */
  readonly kept: readonly DeviceId[];
  /** Devices about which a run has said that a refresh is needed. */
  readonly doubted: readonly DeviceId[];
}

/** The values from before us, and those that a program declares. The service rounds the last one. */
const BEFORE = { x: 41_000, y: 42_000 };
const [FIRST, SECOND, ROUNDED] = [60_000, 70_000, 75_004];
/** The values that a program can declare. */
export const DECLARED: readonly number[] = [FIRST, SECOND, ROUNDED];

const OWNERS = [43_000, 44_000, 45_000, 46_000, 47_000, 48_000, 49_000];

/** What the service keeps of a value. */
export function keptByService(value: number): number {
  return Math.floor(value / 10) * 10;
}

export function firstWorld(form: Form, log: Log, devices: Program["devices"], hasPower: boolean): World {
  return {
    ...{ form, hasPower },
    ...{ isFleet: log === "fleet", hasLedger: log === "ledger" },
    program: {
      devices,
      values: { x: FIRST, y: FIRST },
      ...{ keeps: false, onDelete: "restore", ignores: false, isExplicit: false, hasPolicy: false, isSolar: false },
    },
    resources: {},
    replaced: [],
    files: { journal: "", ledger: "" },
    devices: {
      x: { value: BEFORE.x, by: "owner", policy: "CHARGE BY" },
      y: { value: BEFORE.y, by: "owner", policy: "CHARGE BY" },
    },
    ...{ policies: {}, printedPolicies: [] },
    ...{
      lives: {},
      choices: {},
      applied: {},
      printed: [],
      givenUp: [],
      ...{ overwritten: [], kept: [] },
      doubted: [],
      wasKeeping: false,
    },
  };
}

type Edit = (program: Program) => Partial<Program>;

const other = (device: DeviceId | undefined): DeviceId => (device === "x" ? "y" : "x");

/** The events that change the program. */
const EDITS: Readonly<Record<string, Edit>> = {
  swap: ({ devices: { R1, R2 } }) => ({ devices: { R1: R2, R2: R1 } }),
  dev1: ({ devices }) => (devices.R1 && !devices.R2 ? { devices: { ...devices, R1: other(devices.R1) } } : {}),
  drop1: ({ devices }) => ({ devices: { ...devices, R1: undefined } }),
  add1: ({ devices }) => ({ devices: { ...devices, R1: devices.R1 ?? other(devices.R2) } }),
  add2: ({ devices }) => ({ devices: { ...devices, R2: devices.R2 ?? other(devices.R1) } }),
  valx: ({ values }) => ({ values: { ...values, x: values.x === FIRST ? SECOND : FIRST } }),
  round: ({ values }) => ({ values: { ...values, x: values.x === ROUNDED ? FIRST : ROUNDED } }),
  keep: ({ keeps }) => ({ keeps: !keeps }),
  retain: ({ onDelete }) => ({ onDelete: onDelete === "retain" ? "restore" : "retain" }),
  reset: ({ onDelete }) => ({ onDelete: onDelete === "reset" ? "restore" : "reset" }),
  ignore: ({ ignores }) => ({ ignores: !ignores }),
  provider: ({ isExplicit }) => ({ isExplicit: !isExplicit }),
};

/** The events that only some searches have. With them, all orders of four events would take minutes. */
const RARE_EDITS: Readonly<Record<string, Edit>> = {
  /** Both stacks declare the device of the first. */
  both: ({ devices }) => (devices.R1 ? { devices: { ...devices, R2: devices.R1 } } : {}),
  policy: ({ hasPolicy }) => ({ hasPolicy: !hasPolicy }),
  solar: ({ isSolar }) => ({ isSolar: !isSolar }),
};

/** The owner sets a value that was never there. A device that no state has is theirs again. */
function owned(world: World): World {
  const everything = JSON.stringify(world);
  const value = OWNERS.find((one) => !everything.includes(String(one))) as number;
  const life = world.lives.x;
  const isManaged = devicesInState(world).includes("x");
  const { x: _, ...lives } = world.lives;
  return {
    ...world,
    devices: { ...world.devices, x: { ...world.devices.x, value, by: "owner" } },
    lives: life && isManaged ? { ...world.lives, x: { ...life, later: [...life.later, value] } } : lives,
  };
}

/** The devices that a resource in state manages, once for each resource. */
export function devicesInState({ resources, replaced }: World): DeviceId[] {
  return [...Object.values(resources), ...replaced].flatMap(devicesOf);
}

export function devicesOf({ outputs: { deviceId, devices } }: Kept): DeviceId[] {
  const ofSite = Object.values((devices ?? {}) as Record<string, { deviceId: DeviceId }>);
  const found = deviceId === undefined ? ofSite.map((device) => device.deviceId) : [deviceId as DeviceId];
  return found.filter((id) => DEVICES.includes(id));
}

type Changes = Readonly<Record<string, (world: World) => World>>;

function changesOf(edits: Readonly<Record<string, Edit>>): Changes {
  return Object.fromEntries(
    Object.entries(edits).map(([name, edit]) => [
      name,
      (world: World): World => ({ ...world, program: { ...world.program, ...edit(world.program) } }),
    ]),
  );
}

export const RARE_CHANGES = changesOf(RARE_EDITS);

/** The events that are no run. */
export const CHANGES: Changes = {
  ...changesOf(EDITS),
  owner: owned,
  ledger: (world) => ({ ...world, hasLedger: !world.hasLedger }),
};
