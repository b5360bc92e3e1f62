import { type Message, problemOf } from "../messages/message";
import type { DeviceRef } from "../service/device";
import { omit } from "../settings/objects";
import type { Value, Values } from "../settings/setting";
import {
  appliedIn,
  type BaselinesByValue,
  baselinesByValue,
  keptIn,
  type LedgerChange,
  type SettingEvent,
  type Writer,
  writtenIn,
} from "./events";
import { changesOf } from "./journal";
import { addTo } from "./ledgerLine";
import { type Baselines, Logs } from "./logs";
import { PhysicalDevices } from "./physical";
import type { Claim, RunLine, SharedEvent, SharedLines } from "./runFile";

/** A claim, and the process that made it; undefined for this process. */
interface KnownClaim extends Claim {
  readonly pid: number | undefined;
  /** Whether its resource has been checked again, or is gone. */
  isForgotten?: boolean;
}

/** The sources of a store besides its own process. */
interface Sources {
  readonly shared?: SharedLines | undefined;
  /** @throws Error if the configuration cannot be used */
  readonly journal?: () => Baselines;
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
  /** The claims of each resource of a process. */
  readonly #claimsOf = new Map<string, KnownClaim[]>();
  /** The events of this run by device. */
  readonly #events = new Map<string, SharedEvent[]>();
  /** The cars and inverters behind the devices of this run. */
  readonly physical = new PhysicalDevices();
  #urnOfRun: string | undefined;

  constructor(private readonly sources: Sources = {}) {}

  /**
   * Forgets the declarations of a resource. Without this, a replaced resource, which the engine checks twice, would
   * count as declared twice.
   */
  forget(urn: string | undefined): void {
    if (urn !== undefined && this.#claimsOf.has(urn)) this.#share([{ forget: urn }]);
  }

  /**
   * Declares keys of devices.
   * @returns for each claim, the other owner of each key that is already declared. If another owner declares the device
   * as another kind, it stands under `deviceId`. Empty without conflicts
   */
  add(claims: readonly Claim[]): Readonly<Record<string, string>>[] {
    this.#urnOfRun ??= claims[0]?.urn;
    // Write first, then read. Without this order, two processes that declare the same device could miss each other.
    if (claims.length > 0) this.sources.shared?.append(claims.map((claim) => ({ claim: this.#named(claim) })));
    this.#readShared();
    return claims.map((claim) => {
      const others: Record<string, string> = {};
      for (const other of this.#livingClaims(claim)) {
        if (!isOther(claim, other)) continue;
        if (other.kind !== claim.kind) return { deviceId: other.words };
        for (const key of Object.keys(claim.values)) if (Object.hasOwn(other.values, key)) others[key] ??= other.words;
      }
      this.#take({ claim: { ...claim, values: omit<unknown>(claim.values, Object.keys(others)) } });
      return others;
    });
  }

  /** Any resource of the program; undefined if none is known. */
  get urnOfRun(): string | undefined {
    return this.#urnOfRun;
  }

  /** The claim of a setting; undefined if no resource declares it. */
  declared(device: DeviceRef, key: string): KnownClaim | undefined {
    this.#readShared();
    const claims = this.#livingClaims(device).filter(({ values }) => Object.hasOwn(values, key));
    // The claims of this process count first, because a fleet's command has also written the claims of this process's
    // stack.
    return claims.findLast(({ pid }) => pid === undefined) ?? claims.at(-1);
  }

  /** The claims of a device by processes that still run. The file can also contain claims of an earlier run. */
  #livingClaims(device: DeviceRef): readonly KnownClaim[] {
    const claims = this.#claims.get(this.#idOf(device)) ?? [];
    return claims.filter(
      ({ isForgotten, pid }) => !isForgotten && (pid === undefined || this.sources.shared?.isAlive(pid)),
    );
  }

  /**
   * The events of a setting, in order: those in the ledger or in the journals, then those of this run.
   * @throws Error if a source exists and cannot be read
   */
  events(device: DeviceRef, key: string): readonly SettingEvent[] {
    const ofRun = this.eventsOfRun(device);
    return appliedIn([...this.journal.eventsOf(device), ...ofRun].filter((event) => event.key === key));
  }

  /** The events of a device that the processes of this run have shared. @throws MessageError if they cannot be read */
  eventsOfRun(device: DeviceRef): readonly SettingEvent[] {
    this.#readShared();
    return this.#events.get(this.#idOf(device)) ?? [];
  }

  /** The values that we may have written to a setting, each with its baseline. @throws as `events` */
  baselines(device: DeviceRef, key: string): BaselinesByValue {
    return baselinesByValue(this.events(device, key));
  }

  /** See `keptIn`. @throws as `events` */
  kept(device: DeviceRef, key: string, declared: Value): Value | undefined {
    return keptIn(this.events(device, key), declared);
  }

  /** See `writtenIn`. */
  written(device: DeviceRef, by?: "updated"): Values {
    return writtenIn(this.eventsOfRun(device), by);
  }

  /**
   * Remembers that a resource will stop managing settings of a device, or that it keeps somebody else's values. Must be
   * called before another resource adopts the device.
   */
  note(event: "released" | "kept", device: DeviceRef, changes: readonly LedgerChange[]): void {
    const known = new Set(this.#events.get(this.#idOf(device))?.map((one) => JSON.stringify(one)));
    const lines = this.#linesOf(event, device, changes);
    this.#share(lines.filter((line) => !known.has(JSON.stringify(line.event))));
  }

  /**
   * Remembers, also for later runs, that a resource stops managing settings that it did not restore.
   * @returns as of the logs
   */
  async release(device: DeviceRef, changes: readonly LedgerChange[], writer: Writer) {
    this.note("released", device, changes);
    return changes.length > 0 ? await this.journal.release("unmanaged", device, changes, writer) : undefined;
  }

  /**
   * Remembers, also for later runs, the values that a resource wrote when it stopped managing a device. Without this, a
   * resource that is checked later would use the values from before that.
   */
  async restored(device: DeviceRef, values: Values, writer: Writer): Promise<void> {
    this.#afterUpdate("written", device, values);
    await this.journal.release("accepted", device, changesOf(values), writer);
  }

  /** Remembers values that a resource has sent. */
  updated(device: DeviceRef, values: Values): void {
    this.#afterUpdate("updated", device, values);
  }

  /** Only warns if it fails. The device has already been changed, so an error would lose its new state. */
  #afterUpdate(event: "written" | "updated", device: DeviceRef, values: Values): void {
    try {
      // Its order among the events of other processes counts.
      this.#readShared();
      this.#share(this.#linesOf(event, device, changesOf(values)));
    } catch (error) {
      void this.sources.warn?.(problemOf(error));
    }
  }

  /** Ends the use of the files of this run, until a request in flight writes again. */
  end(): void {
    this.sources.shared?.end();
    this.journal.close();
  }

  /**
   * The files that keep baselines beyond the run, if there are some.
   * @throws Error if the configuration cannot be used
   */
  get journal(): Baselines {
    return this.sources.journal?.() ?? NO_LOGS;
  }

  #idOf({ businessId, deviceId }: DeviceRef, service = this.sources.service?.()): string {
    return JSON.stringify([service, businessId, deviceId]);
  }

  /** A line about a device, with its service, because other processes can use another service. */
  #named<Line extends DeviceRef>(line: Line): Line & Pick<Claim, "service"> {
    const service = this.sources.service?.();
    return { ...(service !== undefined && { service }), ...line };
  }

  #linesOf(event: SharedEvent["event"], device: DeviceRef, changes: readonly LedgerChange[]) {
    const { businessId, deviceId } = device;
    return changes.map(({ key, old, new: value }) => ({
      event: this.#named({ businessId, deviceId, key, old, new: value, event }),
    }));
  }

  /** Adds news of this process, and shares them with the others. */
  #share(lines: readonly RunLine[]): void {
    for (const line of lines) this.#take(line);
    if (lines.length > 0) this.sources.shared?.append(lines);
  }

  /** Adds the lines that other processes of the run have written. */
  #readShared(): void {
    for (const { pid, line } of this.sources.shared?.news() ?? []) this.#take(line, pid);
  }

  #take({ claim, forget, event }: RunLine, pid?: number): void {
    if (forget !== undefined) {
      for (const forgotten of this.#claimsOf.get(ownerKey(forget, pid)) ?? []) forgotten.isForgotten = true;
    }
    if (claim) {
      const known: KnownClaim = { ...claim, pid };
      addTo(this.#claims, this.#idOf(claim, claim.service), known);
      if (claim.urn !== undefined) addTo(this.#claimsOf, ownerKey(claim.urn, pid), known);
    }
    if (event) addTo(this.#events, this.#idOf(event, event.service), event);
  }
}

const NO_LOGS = new Logs({});

function ownerKey(urn: string, pid: number | undefined): string {
  return pid === undefined ? urn : `${pid} ${urn}`;
}

function isOther(claim: Claim, other: Claim): boolean {
  if (claim.urn === undefined || other.urn === undefined) return false;
  return other.urn !== claim.urn || other.words !== claim.words;
}
