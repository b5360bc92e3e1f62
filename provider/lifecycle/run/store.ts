import { type Message, problemOf } from "../../messages/message";
import type { DeviceRef } from "../../service/device";
import { type DeviceKind, omit, pick, type Value, type Values } from "../../settings/setting";
import { type Former, formersIn } from "./formers";
import { toId } from "./ids";
import { baselinesBeforeUpdate } from "./messages";
import type { Claim, Journal, LeftSetting, PlannedDevice, SettingEvent, SharedLine, SharedLines } from "./records";
import { stackIn } from "./urn";

/** The owner of a declaration: a resource, or one device of a site's resource. */
export interface Owner {
  /** The engine's name of the resource. If it is undefined, no duplicate declaration is refused. */
  readonly urn: string | undefined;
  /** The name of the owner in messages: `VehicleSettings 'car'`, `vehicle/car of SiteSettings 'berlin'`. */
  readonly words: string;
  readonly kind: DeviceKind;
}

/** A claim, and the process that checked the resource; undefined for this process. */
type KnownClaim = Claim & { readonly pid: number | undefined };

/** A declaration of a setting. */
export interface Declared {
  readonly value: unknown;
  readonly by: "this stack" | "another stack";
}

/** The sources of a store besides its own process. */
export interface Sources {
  readonly shared?: SharedLines | undefined;
  /** @throws Error if the configuration cannot be used */
  readonly journal?: () => Journal | undefined;
  /** Address of the service; undefined if it is not known. */
  readonly service?: () => string | undefined;
  readonly warn?: (message: Message) => Promise<void>;
}

/**
 * The owners of settings in this run, and the values from before our first update. Resources, sites, stacks and
 * provider processes share it. Without it, two resources would overwrite each other in turn. A delete would reset a
 * device that another resource has adopted. Two resources that swap devices would use each other's values as
 * baselines.
 */
export class Store {
  readonly #claims = new Map<string, KnownClaim[]>();
  /** By owner, the devices that it declares. */
  readonly #devicesOf = new Map<string, Set<string>>();
  /** By device, the settings that resources of this run stopped managing. */
  readonly #left = new Map<string, SettingEvent[]>();
  /** By device, the values that resources of this run wrote when they stopped managing it. */
  readonly #restored = new Map<string, Record<string, Value>>();
  #anyUrn: string | undefined;

  constructor(private readonly sources: Sources = {}) {}

  /**
   * Forgets the declarations of a resource. Without this, a replaced resource, which the engine checks twice, would
   * count as declared twice.
   */
  release(urn: string | undefined): void {
    if (urn === undefined || !this.#devicesOf.has(urn)) return;
    this.#share([{ release: urn }]);
  }

  #release(urn: string, pid: number | undefined): void {
    const owner = ownerKey(urn, pid);
    for (const id of this.#devicesOf.get(owner) ?? []) {
      const left = (this.#claims.get(id) ?? []).filter((claim) => claim.urn !== urn || claim.pid !== pid);
      this.#claims.set(id, left);
    }
    this.#devicesOf.delete(owner);
  }

  /**
   * Declares keys of a device.
   * @param values an unknown value equals no other value
   * @returns the other owner of each key that is declared already; under `deviceId`, the owner that declares the
   * device as another kind. Empty without conflicts
   */
  add(device: DeviceRef, values: Readonly<Record<string, unknown>>, owner: Owner): Readonly<Record<string, string>> {
    this.#anyUrn ??= owner.urn;
    const { urn, words, kind } = owner;
    const claim = { urn, words, kind: kind.name, values: values as Values };
    // Write first, then read. Without this order, two processes that declare the same device could miss each other.
    this.sources.shared?.append([{ claim: { ...this.#named(device), ...claim } }]);
    const others: Record<string, string> = {};
    for (const other of this.#claimsOf(device)) {
      if (!isOther(owner, other)) continue;
      if (other.kind !== kind.name) return { deviceId: other.words };
      for (const key of Object.keys(values)) if (Object.hasOwn(other.values, key)) others[key] ??= other.words;
    }
    this.#addClaim(this.#idOf(device), { ...claim, values: omit(claim.values, Object.keys(others)), pid: undefined });
    return others;
  }

  #addClaim(id: string, claim: KnownClaim): void {
    const claims = this.#claims.get(id);
    if (claims) claims.push(claim);
    else this.#claims.set(id, [claim]);
    if (claim.urn === undefined) return;
    const owner = ownerKey(claim.urn, claim.pid);
    this.#devicesOf.set(owner, (this.#devicesOf.get(owner) ?? new Set()).add(id));
  }

  /** Any resource of the program; undefined if none is known. */
  get anyUrn(): string | undefined {
    return this.#anyUrn;
  }

  /** The owner of a setting and its declared value; undefined if no resource declares it. */
  declared(device: DeviceRef, key: string): Declared | undefined {
    const claims = this.#claimsOf(device).filter(({ values }) => Object.hasOwn(values, key));
    // The claims of this process count first: a fleet's driver declares the same for its stack.
    const claim = claims.findLast(({ pid }) => pid === undefined) ?? claims.at(-1);
    if (!claim) return undefined;
    const { pid, urn } = claim;
    const isHere = pid === undefined || (urn !== undefined && isOneStack(urn, this.#anyUrn));
    return { value: claim.values[key], by: isHere ? "this stack" : "another stack" };
  }

  /** The claims of a device by processes that still run: the file can contain claims of an earlier run. */
  #claimsOf(device: DeviceRef): readonly KnownClaim[] {
    this.#readShared();
    const claims = this.#claims.get(this.#idOf(device)) ?? [];
    return claims.filter(({ pid }) => pid === undefined || this.sources.shared?.isAlive(pid));
  }

  /**
   * Remembers that a resource stops managing settings of a device. Call it before another resource adopts the device.
   */
  giveUp(device: DeviceRef, settings: readonly LeftSetting[]): void {
    const known = new Set(this.#left.get(this.#idOf(device))?.map((event) => JSON.stringify(event)));
    const news = settings.filter((setting) => !known.has(JSON.stringify(leftEvent(setting))));
    this.#share(news.map((setting) => ({ former: { ...this.#named(device), ...setting } })));
  }

  /**
   * Remembers the values that a resource wrote when it stopped managing a device. Without this, a resource that is
   * checked later would use the values from before.
   */
  restore(device: DeviceRef, values: Values): void {
    this.#afterUpdate(() => this.#share([{ restored: { ...this.#named(device), values } }]));
  }

  /**
   * Remembers values that a resource wrote after another one restored the device. Without this, a device that moves
   * between two sites would count as drifted to its restored values.
   */
  rewrite(device: DeviceRef, values: Values): void {
    this.#afterUpdate(() => {
      const written = pick(values, Object.keys(this.restoredOf(device)));
      if (Object.keys(written).length > 0) this.restore(device, written);
    });
  }

  /** Warns instead of failing: the device is changed already, so an error would lose its new state. */
  #afterUpdate(work: () => void): void {
    try {
      work();
    } catch (error) {
      void this.sources.warn?.(problemOf(error));
    }
  }

  /** Removes what this run has shared with others. Call it at the end of the run. */
  end(): void {
    this.sources.shared?.remove();
  }

  /** The values that resources of this run wrote when they stopped managing a device, or after that. */
  restoredOf(device: DeviceRef): Values {
    this.#readShared();
    return this.#restored.get(this.#idOf(device)) ?? {};
  }

  /**
   * * By each of our values: the value that the setting had before our first update, as far as this run or an earlier
   * one recorded it.
   * @throws Error if the ledger exists and cannot be read
   */
  formersOf(device: DeviceRef, key: string): ReadonlyMap<Value, Former> {
    this.#readShared();
    const earlier = this.sources.journal?.()?.eventsOf(device) ?? [];
    const ofRun = this.#left.get(this.#idOf(device)) ?? [];
    const own = [...earlier, ...ofRun].filter((event) => event.key === key);
    return own.length === 0 ? NONE : formersIn(own);
  }

  /**
   * Records the baselines of devices before their first update. @throws Error if it cannot write: then nothing may be
   * sent
   */
  async plan(
    devices: readonly PlannedDevice[],
    urn: string | undefined,
    info: (message: Message) => Promise<void>,
  ): Promise<void> {
    const file = this.journal;
    if (file) return file.plan(devices, urn ?? this.#anyUrn);
    // The engine saves a single device immediately. Only the devices of a site can be lost together.
    const ofSite = devices.flatMap(({ label, baseline, sent }) => {
      const before = Object.entries(baseline).filter(([key]) => key in sent);
      return label === undefined ? [] : [[label, Object.fromEntries(before)]];
    });
    if (ofSite.length > 0) await info(baselinesBeforeUpdate(Object.fromEntries(ofSite)));
  }

  /**
   * The file that keeps baselines beyond the run; undefined if there is none.
   * @throws Error if the configuration cannot be used
   */
  get journal(): Journal | undefined {
    return this.sources.journal?.();
  }

  #idOf(device: DeviceRef, service = this.sources.service?.()): string {
    return `${service ?? ""} ${toId(device)}`;
  }

  /** The identity of a device in a line, with its service, because other processes can use another service. */
  #named({ businessId, deviceId }: DeviceRef) {
    const service = this.sources.service?.();
    return { ...(service !== undefined && { service }), businessId, deviceId };
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

  #take({ claim, release, former, restored }: SharedLine, pid?: number): void {
    if (release !== undefined) this.#release(release, pid);
    if (claim) this.#addClaim(this.#idOf(claim, claim.service), { ...claim, pid });
    if (former) {
      const id = this.#idOf(former, former.service);
      this.#left.set(id, [...(this.#left.get(id) ?? []), leftEvent(former)]);
    }
    if (restored) {
      const id = this.#idOf(restored, restored.service);
      this.#restored.set(id, { ...this.#restored.get(id), ...restored.values });
    }
  }
}

const NONE: ReadonlyMap<Value, Former> = new Map();

function leftEvent({ key, ours, before }: LeftSetting): SettingEvent {
  return { key, event: "left", ours, before };
}

function ownerKey(urn: string, pid: number | undefined): string {
  return pid === undefined ? urn : `${pid} ${urn}`;
}

function isOther(owner: Owner, other: KnownClaim): boolean {
  if (owner.urn === undefined || other.urn === undefined) return false;
  return other.urn !== owner.urn || other.words !== owner.words;
}

function isOneStack(urn: string, other: string | undefined): boolean {
  return other === undefined || stackIn(urn) === stackIn(other);
}
