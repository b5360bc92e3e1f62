import type { MessageCode } from "../messages/codes";
import { type Message, problemOf } from "../messages/message";
import { type DeviceKind, omit, pick, type Value, type Values } from "../settings/setting";
import { baselinesByValue, keptIn, writtenIn } from "./baseline";
import type { ReleasedSetting, SettingEvent, Writer } from "./events";
import type { LedgerDevice } from "./ledgerLine";
import type { Baselines } from "./logs";
import { PhysicalDevices } from "./physical";
import type { SharedClaim, SharedLine, SharedLines } from "./sharedFile";

/** The owner of a declaration: a resource, or one device of a site's resource. */
export interface Owner {
  /** The engine's name of the resource. If it is undefined, no duplicate declaration is refused. */
  readonly urn: string | undefined;
  /** The name of the owner in messages: `VehicleSettings 'car'`, `vehicle/car of SiteSettings 'berlin'`. */
  readonly words: string;
  readonly kind: DeviceKind;
}

/** A claim, and the process that made it; undefined for this process. */
type KnownClaim = SharedClaim & { readonly pid: number | undefined };

/** The keys of a device that a resource declares. An unknown value equals no other value. */
export interface Declaration {
  readonly device: LedgerDevice;
  readonly values: Readonly<Record<string, unknown>>;
  readonly owner: Owner;
}

/** A declaration of a setting. */
interface Declared extends Pick<KnownClaim, "words" | "pid"> {
  readonly value: unknown;
}

/** The sources of a store besides its own process. */
interface Sources {
  readonly shared?: SharedLines | undefined;
  /** @throws Error if the configuration cannot be used */
  readonly journal?: () => Baselines | undefined;
  /** Address of the service; undefined if it is not known. */
  readonly service?: () => string | undefined;
  readonly warn?: (message: Message) => Promise<void>;
}

/**
 * The owners of settings in this run, and the log of their events. Resources, sites, stacks and provider processes
 * share it. Without it, two resources would overwrite each other in turn; a delete would reset a device that another
 * resource has adopted; and two resources that swap devices would use each other's values as baselines.
 */
export class Store {
  readonly #claims = new Map<string, KnownClaim[]>();
  /** The devices that each owner declares. */
  readonly #devicesOf = new Map<string, Set<string>>();
  /** The events of this run by device. */
  readonly #events = new Map<string, SettingEvent[]>();
  /** The cars and inverters behind the devices of this run. */
  readonly physical = new PhysicalDevices();
  /** The processes that have each warning about the whole run, in the order in which they wrote it. */
  readonly #warned = new Map<MessageCode, number[]>();
  /** The warnings about the whole run that this process has. */
  readonly #ownWarnings = new Set<MessageCode>();
  #urnOfRun: string | undefined;

  constructor(private readonly sources: Sources = {}) {}

  /**
   * Forgets the declarations of a resource. Without this, a replaced resource, which the engine checks twice, would
   * count as declared twice.
   */
  forget(urn: string | undefined): void {
    if (urn === undefined || !this.#devicesOf.has(urn)) return;
    this.#share([{ forget: urn }]);
  }

  #forget(urn: string, pid: number | undefined): void {
    const owner = ownerKey(urn, pid);
    for (const id of this.#devicesOf.get(owner) ?? []) {
      const left = (this.#claims.get(id) ?? []).filter((claim) => claim.urn !== urn || claim.pid !== pid);
      this.#claims.set(id, left);
    }
    this.#devicesOf.delete(owner);
  }

  /**
   * Declares keys of devices.
   * @returns for each declaration, the other owner of each key that is already declared. If another owner declares the
   * device as another kind, it stands under `deviceId`. Empty without conflicts
   */
  add(declarations: readonly Declaration[]): Readonly<Record<string, string>>[] {
    this.#urnOfRun ??= declarations[0]?.owner.urn;
    const claims = declarations.map(({ device, values, owner: { urn, words, kind } }) => {
      return { ...this.#named(device), urn, words, kind: kind.name, values: values as Values };
    });
    // Write first, then read. Without this order, two processes that declare the same device could miss each other.
    if (claims.length > 0) this.sources.shared?.append(claims.map((claim) => ({ claim })));
    this.#readShared();
    return claims.map((claim, index) => {
      const { device, owner } = declarations[index] as Declaration;
      const others: Record<string, string> = {};
      for (const other of this.#livingClaims(device)) {
        if (!isOther(owner, other)) continue;
        if (other.kind !== claim.kind) return { deviceId: other.words };
        for (const key of Object.keys(claim.values)) if (Object.hasOwn(other.values, key)) others[key] ??= other.words;
      }
      this.#addClaim(this.#idOf(device), { ...claim, values: omit(claim.values, Object.keys(others)), pid: undefined });
      return others;
    });
  }

  #addClaim(id: string, claim: KnownClaim): void {
    const claims = this.#claims.get(id);
    if (claims) claims.push(claim);
    else this.#claims.set(id, [claim]);
    if (claim.urn === undefined) return;
    const owner = ownerKey(claim.urn, claim.pid);
    this.#devicesOf.set(owner, (this.#devicesOf.get(owner) ?? new Set()).add(id));
  }

  /**
   * Whether this process should show a warning about the whole run: it is the first one that has it, and has not shown
   * it yet. Without this, each explicit provider, which is a process of its own, would show it again.
   */
  warnsFirst(code: MessageCode): boolean {
    if (this.#ownWarnings.has(code)) return false;
    this.#ownWarnings.add(code);
    const { shared } = this.sources;
    // Write first, then read. If two processes write at the same time, the order of their lines decides.
    shared?.append([{ warned: code }]);
    this.#readShared();
    const first = this.#warned.get(code)?.find((pid) => shared?.isAlive(pid));
    return first === undefined || first === shared?.own;
  }

  /** Any resource of the program; undefined if none is known. */
  get urnOfRun(): string | undefined {
    return this.#urnOfRun;
  }

  /** The owner of a setting and its declared value; undefined if no resource declares it. */
  declared(device: LedgerDevice, key: string): Declared | undefined {
    this.#readShared();
    const claims = this.#livingClaims(device).filter(({ values }) => Object.hasOwn(values, key));
    // The claims of this process count first, because a fleet's command has also written the claims of this process's
    // stack.
    const claim = claims.findLast(({ pid }) => pid === undefined) ?? claims.at(-1);
    return claim && { value: claim.values[key], words: claim.words, pid: claim.pid };
  }

  /** The claims of a device by processes that still run. The file can also contain claims of an earlier run. */
  #livingClaims(device: LedgerDevice): readonly KnownClaim[] {
    const claims = this.#claims.get(this.#idOf(device)) ?? [];
    return claims.filter(({ pid }) => pid === undefined || this.sources.shared?.isAlive(pid));
  }

  /**
   * The events of a setting, in order: those in the ledger or in the journals, then those of this run.
   * @throws Error if a source exists and cannot be read
   */
  events(device: LedgerDevice, key: string): readonly SettingEvent[] {
    const ofRun = this.eventsOfRun(device);
    return [...(this.journal?.eventsOf(device) ?? []), ...ofRun].filter((event) => event.key === key);
  }

  /** The events of a device that the processes of this run have shared. @throws MessageError if they cannot be read */
  eventsOfRun(device: LedgerDevice): readonly SettingEvent[] {
    this.#readShared();
    return this.#events.get(this.#idOf(device)) ?? [];
  }

  /** The values that we may have written to a setting, each with its baseline. @throws as `events` */
  baselines(device: LedgerDevice, key: string): ReturnType<typeof baselinesByValue> {
    return baselinesByValue(this.events(device, key));
  }

  /** See `keptIn`. @throws as `events` */
  kept(device: LedgerDevice, key: string, declared: Value): Value | undefined {
    return keptIn(this.events(device, key), declared);
  }

  /** See `writtenIn`. */
  written(device: LedgerDevice, by?: "updated"): Values {
    return writtenIn(this.eventsOfRun(device), by);
  }

  /**
   * Remembers that a resource will stop managing settings of a device, or that it keeps somebody else's values. Must be
   * called before another resource adopts the device.
   */
  note(event: "released" | "kept", device: LedgerDevice, settings: readonly ReleasedSetting[]): void {
    const known = new Set(this.#events.get(this.#idOf(device))?.map((one) => JSON.stringify(one)));
    const events = settings.map((setting) => eventOf(event, setting));
    this.#add(
      device,
      events.filter((event) => !known.has(JSON.stringify(event))),
    );
  }

  /** Remembers, also for later runs, that a resource stops managing settings that it did not restore. */
  async release(device: LedgerDevice, settings: readonly ReleasedSetting[], writer: Writer): Promise<void> {
    this.note("released", device, settings);
    if (settings.length > 0) await this.journal?.release(device, settings, this.#known(writer));
  }

  /**
   * Remembers, also for later runs, the values that a resource wrote when it stopped managing a device. Without this, a
   * resource that is checked later would use the values from before that.
   */
  async restored(device: LedgerDevice, values: Values, writer: Writer): Promise<void> {
    this.#afterUpdate(() => this.#addValues("written", device, values));
    await this.journal?.restored(device, values, this.#known(writer));
  }

  /** The writer. If its resource is not known, it gets any resource of the run, so that its line has the stack. */
  #known({ urn = this.#urnOfRun, isSecret }: Writer): Writer {
    return { urn, isSecret };
  }

  /**
   * Remembers values that a resource sends. They replace those of a resource that restored the device: without this, a
   * device that moves between two sites would count as drifted to its restored values.
   */
  updated(device: LedgerDevice, values: Values): void {
    this.#afterUpdate(() => {
      this.#addValues("updated", device, values);
      this.#addValues("written", device, pick(values, Object.keys(this.written(device))));
    });
  }

  /** Warns if the work fails. The device has already been changed, so an error would lose its new state. */
  #afterUpdate(work: () => void): void {
    try {
      work();
    } catch (error) {
      void this.sources.warn?.(problemOf(error));
    }
  }

  /** Ends the use of the files of this run, until a request in flight writes again. */
  end(): void {
    this.sources.shared?.end();
    this.journal?.close();
  }

  /**
   * The files that keep baselines beyond the run; undefined if there is none.
   * @throws Error if the configuration cannot be used
   */
  get journal(): Baselines | undefined {
    return this.sources.journal?.();
  }

  #idOf({ businessId, deviceId }: LedgerDevice, service = this.sources.service?.()): string {
    return JSON.stringify([service, businessId, deviceId]);
  }

  /** The identity of a device in a line, with its service, because other processes can use another service. */
  #named({ businessId, deviceId }: LedgerDevice) {
    const service = this.sources.service?.();
    return { ...(service !== undefined && { service }), businessId, deviceId };
  }

  #addValues(event: "written" | "updated", device: LedgerDevice, values: Values): void {
    this.#add(
      device,
      Object.entries(values).map(([key, value]) => eventOf(event, { key, ours: [value] })),
    );
  }

  #add(device: LedgerDevice, events: readonly SharedEvent[]): void {
    this.#share(events.map((event) => ({ event: { ...this.#named(device), ...event } })));
  }

  /** Adds news of this process, and shares them with the others. */
  #share(lines: readonly SharedLine[]): void {
    for (const line of lines) this.#take(line);
    if (lines.length > 0) this.sources.shared?.append(lines);
  }

  /** Adds the lines that other processes of the run have written. */
  #readShared(): void {
    for (const { pid, line } of this.sources.shared?.news() ?? []) this.#take(line, pid);
  }

  #take({ claim, forget, warned, event }: SharedLine, pid?: number): void {
    if (forget !== undefined) this.#forget(forget, pid);
    if (warned !== undefined && pid !== undefined) {
      this.#warned.set(warned, [...(this.#warned.get(warned) ?? []), pid]);
    }
    if (claim) this.#addClaim(this.#idOf(claim, claim.service), { ...claim, pid });
    if (!event) return;
    const id = this.#idOf(event, event.service);
    const own = this.#events.get(id);
    if (own) own.push(eventOf(event.event, event));
    else this.#events.set(id, [eventOf(event.event, event)]);
  }
}

/** An event that the processes of a run share. */
type SharedEvent = SettingEvent & Pick<NonNullable<SharedLine["event"]>, "event">;

function eventOf(event: SharedEvent["event"], { key, ours, before }: ReleasedSetting): SharedEvent {
  return { key, event, ours, before };
}

function ownerKey(urn: string, pid: number | undefined): string {
  return pid === undefined ? urn : `${pid} ${urn}`;
}

function isOther(owner: Owner, other: KnownClaim): boolean {
  if (owner.urn === undefined || other.urn === undefined) return false;
  return other.urn !== owner.urn || other.words !== owner.words;
}
