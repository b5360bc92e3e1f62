import { readFileSync, writeFileSync } from "node:fs";
import { MessageError } from "../messages/message";
import type { DeviceRef } from "../service/device";
import type { DeviceKind, Value, Values } from "../settings/setting";
import { claimsUnreadable } from "./messages";
import { toId } from "./state";

/** The variable that names a file of `writeClaims` to a provider. */
export const CLAIMS_FILE = "SOLAR_CHARGING_CLAIMS_FILE";

/** The declarations of a device by one resource. */
export type Claim = readonly [device: DeviceRef, values: Values];

/** Writes what several stacks declare together, so that none of them undoes what another sets. */
export function writeClaims(file: string, claims: readonly Claim[]): void {
  writeFileSync(file, JSON.stringify(claims.map(([device, values]) => [toId(device), values])));
}

/** Who declares a device: a resource, or one device of a site's resource. */
export interface Owner {
  /** The engine's name of the resource; undefined if it is not known. Then nothing is refused as declared twice. */
  readonly urn: string | undefined;
  /** In the words of a message: `VehicleSettings 'car'`, `vehicle/car of SiteSettings 'berlin'`. */
  readonly words: string;
  readonly kind: DeviceKind;
}

interface DeclaredKey {
  readonly value: unknown;
  readonly owner: Owner;
}

/**
 * What the program of this run declares, by device and key. Without it, two resources would overwrite each other in
 * turn, and a delete would reset a device that another resource has taken over. What other stacks of a fleet declare
 * is in the file that SOLAR_CHARGING_CLAIMS_FILE names.
 */
export class Claims {
  readonly #devices = new Map<string, { readonly first: Owner; readonly keys: Map<string, DeclaredKey> }>();
  readonly #devicesOf = new Map<string, Set<string>>();
  readonly #file: string | undefined;
  #elsewhere: ReadonlyMap<string, Values> | undefined;
  #anyUrn: string | undefined;

  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.#file = environment[CLAIMS_FILE];
  }

  /** Forgets what a resource declares: the engine checks a resource that is replaced twice. */
  release(urn: string | undefined): void {
    for (const id of this.#devicesOf.get(urn ?? "") ?? []) {
      const { first, keys } = this.#devices.get(id) ?? {};
      for (const [key, { owner }] of keys ?? []) if (owner.urn === urn) keys?.delete(key);
      if (first?.urn === urn && keys?.size === 0) this.#devices.delete(id);
    }
    this.#devicesOf.delete(urn ?? "");
  }

  /**
   * Declares keys of a device.
   * @param values one that is not known yet is like no other
   * @returns by key, who else declares it; by `deviceId`, who declares the device as another kind. Empty if nobody does
   */
  add(device: DeviceRef, values: Readonly<Record<string, unknown>>, owner: Owner): Readonly<Record<string, string>> {
    this.#anyUrn ??= owner.urn;
    const id = toId(device);
    const declared = this.#devices.get(id) ?? { first: owner, keys: new Map<string, DeclaredKey>() };
    this.#devices.set(id, declared);
    if (owner.urn !== undefined) {
      this.#devicesOf.set(owner.urn, (this.#devicesOf.get(owner.urn) ?? new Set()).add(id));
    }
    const isOther = (other: Owner) =>
      owner.urn !== undefined && other.urn !== undefined && (other.urn !== owner.urn || other.words !== owner.words);
    if (isOther(declared.first) && declared.first.kind.name !== owner.kind.name) {
      return { deviceId: declared.first.words };
    }
    const others: Record<string, string> = {};
    for (const [key, value] of Object.entries(values)) {
      const other = declared.keys.get(key);
      if (other && isOther(other.owner)) others[key] = other.owner.words;
      else declared.keys.set(key, { value, owner });
    }
    return others;
  }

  /** The resource that declares a key; undefined if that is not known. */
  urnOf(device: DeviceRef, key: string): string | undefined {
    return this.#devices.get(toId(device))?.keys.get(key)?.owner.urn;
  }

  /** Tells of a resource of the run that may declare nothing: one that is deleted. */
  see(urn: string): void {
    this.#anyUrn ??= urn;
  }

  /** Some resource of the program; undefined if none is known. */
  get anyUrn(): string | undefined {
    return this.#anyUrn;
  }

  /**
   * Who declares another value of a key than this; undefined if nobody does.
   * @throws Error if the file cannot be read, as then nobody knows
   */
  against(device: DeviceRef, key: string, value: Value | undefined): "this stack" | "another stack" | undefined {
    const id = toId(device);
    const here = this.#devices.get(id)?.keys.get(key);
    if (here) return here.value === value ? undefined : "this stack";
    this.#elsewhere ??= this.#read();
    const elsewhere = this.#elsewhere.get(id) ?? {};
    return Object.hasOwn(elsewhere, key) && elsewhere[key] !== value ? "another stack" : undefined;
  }

  #read(): ReadonlyMap<string, Values> {
    if (!this.#file) return new Map();
    try {
      const claims = new Map<string, Values>();
      for (const [id, values] of JSON.parse(readFileSync(this.#file, "utf8"))) {
        claims.set(id, { ...claims.get(id), ...values });
      }
      return claims;
    } catch (error) {
      throw new MessageError(claimsUnreadable(CLAIMS_FILE, error));
    }
  }
}
