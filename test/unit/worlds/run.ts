import { leftBaselines, openLines } from "../../../cli/fleet/journal";
import type { Claim } from "../../../cli/stacks/plan";
import { journalVariables } from "../../../provider/ledger/logs";
import { RUN_ID } from "../../../provider/ledger/origin";
import { RunFile, writeClaims } from "../../../provider/ledger/runFile";
import { Store } from "../../../provider/ledger/store";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import type { Operations } from "../../../provider/lifecycle/operations";
import { PartialError } from "../../../provider/lifecycle/run/errors";
import type { Report } from "../../../provider/lifecycle/run/run";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import { type Message, textOf } from "../../../provider/messages/message";
import { type EngineRun, startRun } from "../../../provider/run";
import type { DeviceService } from "../../../provider/service/client";
import { deviceSchema } from "../../../provider/service/device";
import { failureOfTimeout, ServiceError } from "../../../provider/service/errors";
import type { Properties } from "../../../provider/settings/objects";
import { valueInWords } from "../../../provider/settings/valueWords";
import { vehicle } from "../../../provider/settings/vehicle";
import { COMPLETE, contextOf } from "../../support/fakes";
import { Disk } from "./disk";
import {
  type Actual,
  type Author,
  DECLARED,
  DEVICES,
  type DeviceId,
  devicesInState,
  devicesOf,
  type Kept,
  keptByService,
  type Life,
  PLACES,
  type Place,
  type World,
} from "./world";

/** What happens at the first update of a run. */
export type Fault = "refused" | "lost" | "answer lost" | "killed before" | "killed after";

export interface RunOptions {
  readonly refreshes?: boolean;
  /** Whether only the refresh runs. */
  readonly onlyRefreshes?: boolean;
  /** The only stack, or part of a fleet, that runs. */
  readonly only?: Place;
  /** Whether the resource at R2 is registered first. */
  readonly isReversed?: boolean;
  /** Whether a resource is checked only after the one before it was applied. */
  readonly isSequential?: boolean;
  /** Whether the run fails before its deletes. */
  readonly failsBeforeDeletes?: boolean;
  readonly fault?: Fault;
}

/** A run, and what it did that it must not do. */
export interface Ran {
  readonly world: World;
  readonly succeeded: boolean;
  readonly broken: readonly string[];
  /** Numbers of its updates of devices, its deletes, all its operations on resources, and its registered resources. */
  readonly did: Readonly<Record<"updates" | "deletes" | "operations" | "registrations", number>>;
  /** Its updates and its messages, in order. */
  readonly story: readonly string[];
}

class KilledError extends Error {}

const FORECAST = "CHARGE BY FORECAST";

/** An inverter that a solar site observes. It has all that readiness needs. */
const ROOF = { peak_power: 9800, azimuth: 180, tilt: 35, cut_in_threshold: 150, base_load: 400 };

const KEY = "maxCapacity";
const FIELD = "max_capacity";

/** The service's default, which `onDelete: reset` writes whatever the value is. */
const DEFAULT = 80_000;

/** A resource of the program, and the places in it. */
interface Resource {
  readonly name: string;
  readonly isSite: boolean;
  readonly places: readonly Place[];
}

function resourcesOf({ form, isFleet }: Pick<World, "form" | "isFleet">): Resource[] {
  if (form === "site") return [{ name: "R", isSite: true, places: PLACES }];
  const isSite = (place: Place) =>
    form === "sites" || (form === "mixed" && place === "R2") || (form === "stacks" && isFleet);
  return PLACES.map((place) => ({ name: place, isSite: isSite(place), places: [place] }));
}

const disk = new Disk();
const SHARED = "shared";

type Files = World["files"];

function filesOnDisk(): Files {
  return { journal: disk.read("journal"), ledger: disk.read("ledger") };
}

const BEGIN = 1.6e12;

/** The id of the present run in its lines. */
const RUN = "now";

/** Files whose lines have numbers in place of their times. Without it, equal worlds would not be equal. */
function dated({ journal, ledger }: Files): Files {
  const linesOf = (content: string) =>
    content
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const logs = { journal: linesOf(journal), ledger: linesOf(ledger) };
  const times = [...new Set([...logs.journal, ...logs.ledger].map(({ time }) => time as string))].sort();
  const textOf = (lines: readonly { readonly time: string }[]) =>
    lines
      .map(
        (line) =>
          `${JSON.stringify({ ...line, run: "earlier", time: new Date(BEGIN + times.indexOf(line.time) * 1000) })}\n`,
      )
      .join("");
  return { journal: textOf(logs.journal), ledger: textOf(logs.ledger) };
}

/** Runs the engine on a world. Stacks without a fleet run one after the other, and know nothing of each other. */
export async function run(world: World, options: RunOptions = {}): Promise<Ran> {
  if (world.form !== "stacks" || world.isFleet || options.only) {
    return await disk.during(() => new Engine(world, options).run());
  }
  const first = await run(world, { ...options, only: "R1" });
  const second = await run(first.world, { ...options, only: "R2" });
  const sum = (of: keyof Ran["did"]) => first.did[of] + second.did[of];
  return {
    world: second.world,
    succeeded: first.succeeded && second.succeeded,
    broken: [...first.broken, ...second.broken],
    did: {
      ...{ updates: sum("updates"), deletes: sum("deletes") },
      ...{ operations: sum("operations"), registrations: sum("registrations") },
    },
    story: [...first.story, ...second.story],
  };
}

/** An engine with a provider process for each provider, and the observer who knows what must hold. */
class Engine {
  #world: { -readonly [K in keyof World]: World[K] };
  readonly #broken = new Set<string>();
  readonly #story: string[] = [];
  readonly #resources: readonly Resource[];
  /** The names of the resources that run one after the other, each list in an engine and a provider of its own. */
  readonly #parts: readonly (readonly string[])[];
  /** Who sets values in this run. */
  readonly #author: Author;
  readonly #runs: readonly EngineRun[];
  readonly #shared: RunFile[] = [];
  #updates = 0;
  #deletes = 0;
  #operationCount = 0;
  #filesAtKill: Files | undefined;
  #hasFailed = false;
  /** The devices with a policy that the program declares in this run, as far as the provider can know. */
  readonly #policies = new Set<DeviceId>();
  /** The values that the program declares in this run, as far as the provider can know. */
  readonly #declared = new Map<DeviceId, number>();

  constructor(
    world: World,
    private readonly options: RunOptions,
  ) {
    this.#world = { ...world };
    const { form, isFleet } = world;
    const isParted = form === "stacks";
    const names = resourcesOf(world).map(({ name }) => name);
    const ran = names.filter((name) => !options.only || name === options.only);
    this.#parts = isParted ? ran.map((name) => [name]) : [names];
    this.#author = isParted && !isFleet && options.only ? options.only : "us";
    // A stack without a fleet does not know what others declare.
    const known = isFleet ? names : ran;
    this.#resources = resourcesOf(world)
      .filter(({ name }) => known.includes(name))
      .filter(({ places }) => places.some((place) => world.program.devices[place]));
    const environment = {
      ...COMPLETE,
      ...{ SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0", [RUN_ID]: RUN, CI_JOB_URL: "https://ci.example.com/1" },
      ...(world.isFleet && journalVariables([disk.path("journal")])),
      ...(world.hasLedger && { SOLAR_CHARGING_LEDGER_FILE: disk.path("ledger") }),
    };
    const service = this.#service();
    const isOne = [world.program, ...this.#kept()].every(({ isExplicit }) => !isExplicit) && !(isParted && isFleet);
    this.#runs = (isOne ? [1] : [1, 2]).map((own) => {
      const silent = async () => {};
      const started = startRun(() => undefined, environment, { warn: silent, info: silent, progress: silent });
      const report: Report = async (message) => this.#hear(message);
      const processes = { own, isAlive: () => true };
      const shared = isOne
        ? undefined
        : new RunFile(() => disk.path(SHARED), processes, { isMade: this.#isFleetOfParts() });
      if (shared) this.#shared.push(shared);
      const store = new Store({
        ...{ shared, warn: report },
        journal: () => started.store.journal,
        service: () => COMPLETE.SOLAR_CHARGING_BASE_URL,
      });
      return {
        ...{ ...started, store, service: () => service },
        report: { ...started.report, warn: report, info: report },
      };
    });
  }

  #isFleetOfParts(): boolean {
    return this.#world.form === "stacks" && this.#world.isFleet;
  }

  async run(): Promise<Ran> {
    for (const [name, content] of Object.entries(this.#world.files)) disk.write(name, content);
    disk.write(SHARED, "");
    const { refreshes, onlyRefreshes } = this.options;
    const claims = () =>
      [...this.#declared].map(([id, value]): Claim => [{ businessId: "acme", deviceId: id }, { [KEY]: value }]);
    for (const resource of this.#resources) this.#noteDeclared(resource);
    if (this.#world.isFleet) this.#tell(leftBaselines([disk.path("journal")], claims).join("\n"));
    if (this.options.isSequential) {
      this.#declared.clear();
      this.#policies.clear();
    }
    try {
      if (this.#isFleetOfParts()) writeClaims(disk.path(SHARED), claims());
      for (const part of this.#parts) {
        if (refreshes || onlyRefreshes) await this.#refresh(part);
        if (!onlyRefreshes && !this.#hasFailed) await this.#update(part);
      }
    } catch (error) {
      if (!this.#filesAtKill) throw error;
    } finally {
      for (const one of this.#runs) one.end();
      for (const file of this.#shared) file.close();
    }
    const succeeded = !this.#hasFailed && !this.#filesAtKill;
    if (this.#world.isFleet && !this.#filesAtKill && !onlyRefreshes) this.#settle(succeeded && !this.options.only);
    this.#endLives();
    this.#world.files = dated(this.#filesAtKill ?? filesOnDisk());
    if (succeeded && !onlyRefreshes) this.#expectDeclared();
    return {
      ...{ world: this.#world, succeeded, broken: [...this.#broken], story: this.#story },
      did: {
        ...{ updates: this.#updates, deletes: this.#deletes },
        ...{ operations: this.#operationCount, registrations: this.#resources.length },
      },
    };
  }

  /** Removes from a fleet's journal what is in state, as its command does after a run. */
  #settle(isWhole: boolean): void {
    if (!disk.read("journal")) return;
    const whole = Object.values(this.#world.resources).filter(({ isUnfinished }) => !isUnfinished);
    const saved = new Set<string>(isWhole ? this.#declared.keys() : whole.flatMap(devicesOf));
    const lines = openLines(
      disk.path("journal"),
      ({ deviceId, outcome, run: id }) => saved.has(deviceId) || (!isWhole && outcome === "planned" && id === RUN),
      { isWhole },
    );
    disk.write("journal", lines.map((line) => `${line}\n`).join(""));
  }

  /** A device that no resource manages, and that has its earlier value or a later one of its owner, is theirs again. */
  #endLives(): void {
    const managed = devicesInState(this.#world);
    const isOurs = ([id, { before, later }]: [string, Life]) =>
      managed.includes(id as DeviceId) || ![before, ...later].includes(this.#world.devices[id as DeviceId].value);
    const lives = Object.entries(this.#world.lives).filter(isOurs);
    this.#world.lives = Object.fromEntries(lives);
    const { devices, policies } = this.#world;
    const changed = Object.entries(policies).filter(
      ([id, before]) => managed.includes(id as DeviceId) || devices[id as DeviceId].policy !== before,
    );
    this.#world.policies = Object.fromEntries(changed);
    this.#world.printedPolicies = this.#world.printedPolicies.filter((id) => id in this.#world.policies);
    this.#world.devices = { x: this.#withSenders("x"), y: this.#withSenders("y") };
    // Nobody needs any other value. Without this, worlds would differ that nothing can tell apart.
    const befores = new Set(lives.map(([, { before }]) => before));
    this.#world.printed = this.#world.printed.filter((value) => befores.has(value));
    this.#world.givenUp = this.#world.givenUp.filter((value) => befores.has(value));
  }

  /** The device without the values of a stack that no longer has it in state. */
  #withSenders(id: DeviceId): Actual {
    const { sent, ...device } = this.#world.devices[id];
    const has = ([name]: [string, unknown]) =>
      this.#kept().some((kept) => kept.name === name && devicesOf(kept).includes(id));
    const left = Object.entries(sent ?? {})
      .filter(has)
      .sort();
    return { ...device, ...(left.length > 0 && { sent: Object.fromEntries(left) }) };
  }

  #kept(): Kept[] {
    return [...Object.values(this.#world.resources), ...this.#world.replaced];
  }

  #operations({ isExplicit, name }: Pick<Kept, "isExplicit" | "name">): Operations {
    const isSecond = this.#isFleetOfParts() ? name === "R2" : isExplicit;
    const started = this.#runs[isSecond ? 1 : 0] as EngineRun;
    return this.#isSite(name) ? siteOperations(() => started) : deviceOperations(vehicle, () => started);
  }

  #isSite(name: string): boolean {
    return resourcesOf(this.#world).some((one) => one.name === name && one.isSite);
  }

  #context(name: string) {
    const type = this.#isSite(name) ? "SiteSettings" : "VehicleSettings";
    return contextOf(`urn:pulumi:dev::home::solar-charging:index:${type}::${name}`);
  }

  #keptIn(part: readonly string[]): Kept[] {
    return Object.values(this.#world.resources).filter(({ name }) => part.includes(name));
  }

  async #refresh(part: readonly string[]): Promise<void> {
    for (const kept of this.#keptIn(part)) {
      const id = this.#isSite(kept.name) ? kept.name : `acme/${kept.outputs.deviceId}`;
      const found = await this.#attempt(() => this.#operations(kept).read(this.#context(kept.name), id, kept.outputs));
      if (found) this.#keep({ ...kept, inputs: found.inputs, outputs: found.outputs });
    }
    this.#observeChoices();
    const found = new Set(this.#keptIn(part).flatMap(devicesOf));
    this.#world.doubted = this.#world.doubted.filter((id) => !found.has(id));
  }

  async #update(part: readonly string[]): Promise<void> {
    const registered = this.#resources.filter(({ name }) => part.includes(name));
    const order = this.options.isReversed ? [...registered].reverse() : registered;
    const checked = new Map<string, Properties>();
    if (!this.options.isSequential) {
      for (const resource of order) checked.set(resource.name, await this.#check(resource));
    }
    for (const resource of order) {
      if (this.#hasFailed) break;
      // Until then, nobody can know that it declares a device which another resource releases.
      this.#noteDeclared(resource);
      await this.#register(resource, checked.get(resource.name) ?? (await this.#check(resource)));
    }
    if (this.options.failsBeforeDeletes) this.#hasFailed = true;
    const names = new Set(order.map(({ name }) => name));
    const leaving = this.#keptIn(part).filter(({ name }) => !names.has(name));
    const replaced = this.#world.replaced.filter(({ name }) => part.includes(name));
    for (const kept of [...leaving, ...replaced]) if (!this.#hasFailed) await this.#delete(kept);
  }

  #argumentsOf({ isSite, places }: Resource): Properties {
    const { devices, values, keeps, onDelete, hasPolicy, isSolar } = this.#world.program;
    const options = { ...(onDelete !== "retain" && { onDelete }), ...(keeps && { onDrift: "keep" }) };
    const cars = places.flatMap((place) => {
      const deviceId = devices[place];
      const policy = hasPolicy && place === "R1" && { policy: FORECAST };
      return deviceId ? [[place, { deviceId, [KEY]: values[deviceId], ...policy }] as const] : [];
    });
    if (!isSite) return { ...options, ...cars[0]?.[1] };
    const roofs = isSolar && { inverters: { roof: { deviceId: "roof", observe: true } } };
    return { ...options, vehicles: Object.fromEntries(cars), ...roofs };
  }

  /** The arguments with the old value of an ignored setting, as the engine gives them. It compares paths only. */
  #withIgnored(resource: Resource): Properties {
    const args = structuredClone(this.#argumentsOf(resource)) as Record<string, unknown>;
    if (!this.#world.program.ignores || !resource.places.includes("R1")) return args;
    const at = (properties: Properties): Record<string, unknown> | undefined =>
      (resource.isSite ? (properties.vehicles as Properties | undefined)?.R1 : properties) as Record<string, unknown>;
    const old = at(this.#world.resources[resource.name]?.inputs ?? {})?.[KEY];
    const declared = at(args);
    if (old !== undefined && declared) declared[KEY] = old;
    return args;
  }

  #noteDeclared(resource: Resource): void {
    const { vehicles, ...own } = this.#withIgnored(resource);
    const cars = resource.isSite ? Object.values(vehicles as Record<string, Properties>) : [own];
    for (const { deviceId, [KEY]: value } of cars) {
      this.#declared.set(deviceId as DeviceId, value as number);
    }
    const { program } = this.#world;
    for (const place of resource.places) {
      const { [place]: id } = program.devices;
      const isPolicyDeclared = (resource.isSite && program.isSolar) || (program.hasPolicy && place === "R1");
      if (id && isPolicyDeclared) this.#policies.add(id);
    }
  }

  async #check(resource: Resource): Promise<Properties> {
    const { name } = resource;
    const { isExplicit } = this.#world.program;
    const olds = this.#world.resources[name]?.inputs ?? {};
    const operations = this.#operations({ name, isExplicit: isExplicit && name === "R1" });
    const { inputs, problems } = await operations.check(this.#context(name), olds, this.#withIgnored(resource));
    if (problems.length > 0) this.#broken.add(`the check refuses: ${problems.map(({ reason }) => reason).join(", ")}`);
    return JSON.parse(JSON.stringify(inputs));
  }

  async #register({ name }: Resource, inputs: Properties): Promise<void> {
    const isExplicit = this.#world.program.isExplicit && name === "R1";
    const old = this.#world.resources[name];
    const now = { name, inputs, isExplicit };
    const [operations, context] = [this.#operations(now), this.#context(name)];
    const create = () => this.#apply(now, async () => (await operations.create(context, inputs)).outputs, old);
    if (!old) return await create();
    const { changes, replaces } = await operations.diff(context, old.outputs, inputs);
    if (replaces.length > 0) return await create();
    if (changes.length === 0 && !old.isUnfinished) return this.#keep({ ...old, ...now });
    await this.#apply(now, () => operations.update(context, old.outputs, inputs));
  }

  /** Keeps the result of an operation, even a partial one. */
  async #apply(
    now: Omit<Kept, "outputs" | "isUnfinished">,
    work: () => Promise<Properties>,
    replaced?: Kept,
  ): Promise<void> {
    this.#operationCount += 1;
    const result = await this.#attempt(async () => {
      try {
        return { outputs: await work(), isUnfinished: false };
      } catch (error) {
        if (!(error instanceof PartialError) || this.#filesAtKill) throw error;
        this.#fail(error);
        return { outputs: error.outputs, isUnfinished: true };
      }
    });
    if (!result) return;
    if (replaced) this.#world.replaced = [...this.#world.replaced, replaced];
    this.#keep({ ...now, ...result });
  }

  async #delete(kept: Kept): Promise<void> {
    this.#deletes += 1;
    this.#operationCount += 1;
    const isDone = await this.#attempt(async () => {
      await this.#operations(kept).delete(this.#context(kept.name), kept.outputs);
      return true;
    });
    if (!isDone) return;
    const { [kept.name]: own, ...others } = this.#world.resources;
    if (own === kept) this.#world.resources = others;
    this.#world.replaced = this.#world.replaced.filter((one) => one !== kept);
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      if (this.#filesAtKill) throw new KilledError();
      return result;
    } catch (error) {
      if (this.#filesAtKill) throw new KilledError();
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#hear({ code: "internal", finding: (error as Error).message });
  }

  #keep(kept: Kept): void {
    this.#world.resources = { ...this.#world.resources, [kept.name]: JSON.parse(JSON.stringify(kept)) };
  }

  #service(): DeviceService {
    const alive = () => {
      if (this.#filesAtKill) throw new KilledError();
    };
    const kill = (id: DeviceId) => {
      // The engine's next run says that the operation was interrupted, and to refresh.
      this.#world.doubted = [...new Set([...this.#world.doubted, id])].sort();
      this.#filesAtKill = filesOnDisk();
      if (!this.#world.isFleet && !this.#world.hasLedger) this.#giveUpUnsaved();
      this.#story.push("the run is killed");
      throw new KilledError();
    };
    return {
      readDevice: async ({ deviceId }) => {
        alive();
        if (deviceId === "roof") return deviceSchema.parse({ id: deviceId, dev_type: "Inverter", ...ROOF });
        const { value, policy } = this.#world.devices[deviceId as DeviceId];
        const power = this.#world.hasPower && { max_charge_power: 11_000 };
        return deviceSchema.parse({ id: deviceId, dev_type: "Electric vehicle", ...power, policy, [FIELD]: value });
      },
      readObject: async () => undefined,
      confirmGone: async () => {},
      readLatestMetrics: async () => {
        this.#broken.add("a latest read");
        return undefined;
      },
      updateDevice: async ({ businessId, deviceId }, fields) => {
        alive();
        this.#updates += 1;
        const fault = this.#updates === 1 ? this.options.fault : undefined;
        const id = deviceId as DeviceId;
        if (fault === "killed before") kill(id);
        this.#story.push(`PATCH ${id} ${JSON.stringify(fields)}${fault ? `: ${fault}` : ""}`);
        const failure = failureOfTimeout(30);
        const fails = (maybeApplied: boolean) =>
          new ServiceError("update", { businessId, deviceId }, failure, { maybeApplied });
        if (fault === "refused") throw fails(false);
        if (fault === "lost") throw fails(true);
        this.#observe(id, fields);
        if (fault === "killed after") kill(id);
        if (fault === "answer lost") throw fails(true);
      },
    };
  }

  /** Without a log, the next run cannot know the baselines of devices that no state has. The killed run has printed them. */
  #giveUpUnsaved(): void {
    const { lives, givenUp, printed } = this.#world;
    const inState = devicesInState(this.#world);
    const unsaved = DEVICES.flatMap((id) => (inState.includes(id) ? [] : (lives[id]?.before ?? [])));
    this.#world.givenUp = [...new Set([...givenUp, ...unsaved.filter((one) => printed.includes(one))])].sort();
  }

  /** A message: the baselines that it prints, and the devices that it says need a refresh. */
  #hear(message: Message): void {
    const text = textOf(message);
    this.#tell(text);
    if (message.code === "keptOverwritten") {
      this.#world.overwritten = this.#world.overwritten.filter((id) => !text.includes(`'${id}'`));
    }
    if (message.code === "kept") this.#world.kept = DEVICES.filter((id) => text.includes(`'${id}'`));
    if (message.code === "restored") this.#doubtElsewhere(text);
    if (message.code !== "unmanaged") return;
    const { givenUp, lives } = this.#world;
    const shown = DEVICES.flatMap((id) => lives[id]?.before ?? []).filter((one) =>
      text.includes(valueInWords(KEY, one)),
    );
    this.#world.givenUp = [...new Set([...givenUp, ...shown])].sort();
  }

  /**
   * The device that has its earlier value again, although another part of the fleet, which does not run, has it in state.
   * That part finds out by reading, which `fleet up` does first unless it is told not to.
   */
  #doubtElsewhere(text: string): void {
    const others = this.#kept().filter(({ name }) => this.#isFleetOfParts() && !this.#parts.flat().includes(name));
    const ids = others.flatMap(devicesOf).filter((id) => text.includes(`'${id}'`));
    this.#world.doubted = [...new Set([...this.#world.doubted, ...ids])].sort();
  }

  #tell(text: string): void {
    if (text) this.#story.push(text);
    const { printed, doubted, lives, devices } = this.#world;
    const known = DEVICES.flatMap((id) => [lives[id]?.before, devices[id].value]).filter((one) => one !== undefined);
    const shown = known.filter((value) => text.includes(valueInWords(KEY, value)));
    this.#world.printed = [...new Set([...printed, ...shown])].sort();
    const isPolicyShown = /policy (was )?CHARGE BY(?! FORECAST)/.test(text);
    const isDoubt = text.includes("pulumi refresh");
    const about = DEVICES.filter((id) => text.includes(`'${id}'`) || text.includes("vehicle/"));
    if (isPolicyShown) this.#world.printedPolicies = [...new Set([...this.#world.printedPolicies, ...about])].sort();
    if (isDoubt) this.#world.doubted = [...new Set([...doubted, ...about])].sort();
  }

  /** An update of a policy. Only we set policies. */
  #observePolicy(id: DeviceId, sent: string): void {
    const { devices, policies } = this.#world;
    const before = policies[id];
    if (this.#policies.has(id)) {
      if (sent !== FORECAST) this.#broken.add("sends another policy than the declared one");
      this.#world.policies = { ...policies, [id]: before ?? devices[id].policy };
    } else if (sent !== before && !this.#kept().some(({ inputs }) => inputs.onDelete === "reset")) {
      this.#broken.add(before ? "restores a wrong policy" : "restores a policy that was not ours");
    }
    this.#world.devices = { ...devices, [id]: { ...devices[id], policy: sent } };
  }

  /** An update of a device. */
  #observe(id: DeviceId, { policy, ...fields }: Readonly<Record<string, unknown>>): void {
    if (policy !== undefined) this.#observePolicy(id, policy as string);
    if (!(FIELD in fields)) return;
    const { devices, lives, choices, program, wasKeeping } = this.#world;
    const { [id]: device } = devices;
    const declared = this.#declared.get(id);
    const life = lives[id];
    const choice = choices[id];
    const { [FIELD]: sent, ...rest } = fields as { [FIELD]: number };
    if (Object.keys(rest).length > 0) this.#broken.add(`touches what nobody declares: ${Object.keys(rest)}`);
    const kept = keptByService(sent);
    const isChosen = choice !== undefined && choice.value === device.value;
    if (declared !== undefined) {
      if (sent !== declared) this.#broken.add("sends another value than the declared one");
      if (isChosen && program.keeps && choice.declared === declared) {
        this.#world.overwritten = [...new Set([...this.#world.overwritten, id])].sort();
      }
      this.#world.lives = { ...lives, [id]: life ?? { before: device.value, later: [] } };
    } else {
      const isTheirs = life ? [life.before, ...life.later].includes(kept) : device.value === kept;
      // Nothing can tell the new owner of a setting what its earlier one has printed: then the user has to restore it.
      const isGivenUp = life !== undefined && this.#world.givenUp.includes(life.before);
      const isReset = kept === DEFAULT && this.#kept().some(({ inputs }) => inputs.onDelete === "reset");
      // Without a log, a stack takes the value of another one for the owner's. The other one prints the baseline.
      const isOfStack = this.#author !== "us" && !this.#world.hasLedger && DECLARED.map(keptByService).includes(kept);
      if (!isTheirs && !isGivenUp && !isReset && !isOfStack)
        this.#broken.add(life ? "restores a wrong baseline" : "restores what was not ours");
      const isOurs =
        device.by === this.#author ||
        device.sent?.[this.#author]?.includes(device.value) ||
        this.#kept().some(({ inputs }) => isValueOf(inputs, device.value));
      const isTheirOwn = device.by === "owner" || !isOurs;
      if (isTheirOwn && device.value !== kept && !wasKeeping && !isReset)
        this.#broken.add(`restores over the value of ${device.by === "owner" ? "the owner" : "another stack"}`);
    }
    const { [id]: now } = this.#world.devices;
    const own = [...new Set([...(now.sent?.[this.#author] ?? []), kept])].sort();
    const isOfStacks = this.#author !== "us" && declared !== undefined;
    const sentBy = { ...(isOfStacks && { sent: { ...now.sent, [this.#author]: own } }) };
    this.#world.devices = { ...this.#world.devices, [id]: { ...now, value: kept, by: this.#author, ...sentBy } };
    this.#world.kept = this.#world.kept.filter((one) => one !== id);
    const { [id]: _, ...others } = choices;
    this.#world.choices = others;
  }

  /** The values that the owner has set and that stay, because the program declares `onDrift: keep`. */
  #observeChoices(): void {
    const { devices, wasKeeping, applied } = this.#world;
    for (const id of devicesInState(this.#world)) {
      const { value, by } = devices[id];
      const declared = applied[id];
      if (wasKeeping && by === "owner" && declared !== undefined && value !== declared) {
        this.#world.choices = { ...this.#world.choices, [id]: { value, declared } };
      }
    }
  }

  /** After an update that succeeded. */
  #expectDeclared(): void {
    if (this.#world.overwritten.length > 0) this.#broken.add("overwrites a kept value, and does not say so");
    this.#world.overwritten = [];
    const { devices, program, doubted, kept } = this.#world;
    for (const id of this.#policies) {
      if (devices[id].policy !== FORECAST && !doubted.includes(id))
        this.#broken.add("exit 0, and a policy is not sent");
    }
    const ran = new Set(
      this.#resources
        .filter(({ name }) => this.#parts.flat().includes(name))
        .flatMap(({ places }) => places.map((place) => program.devices[place])),
    );
    for (const [id, value] of this.#declared) {
      if (!ran.has(id)) continue;
      const device = devices[id];
      const isSeen = this.options.refreshes && !program.keeps;
      const isKept = program.keeps && kept.includes(id);
      if (device.value === keptByService(value) || doubted.includes(id) || isKept) continue;
      if (device.by !== this.#author) {
        if (isSeen) this.#broken.add("does not repair drift");
      } else this.#broken.add("exit 0, and a declared value is not on the device");
    }
    this.#world.applied = program.keeps ? Object.fromEntries(this.#declared) : {};
    this.#world.wasKeeping = program.keeps;
    const isKept = ([id]: [string, unknown]) => program.keeps && this.#declared.has(id as DeviceId);
    this.#world.choices = Object.fromEntries(Object.entries(this.#world.choices).filter(isKept));
  }
}

/** Whether inputs of a resource declare this value, as the service keeps it. */
function isValueOf({ vehicles, ...own }: Properties, value: number): boolean {
  const cars = [own, ...Object.values((vehicles ?? {}) as Record<string, Properties>)];
  return cars.some(({ [KEY]: declared }) => typeof declared === "number" && keptByService(declared) === value);
}
