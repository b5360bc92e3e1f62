import { readFileSync, writeFileSync } from "node:fs";
import type { DeviceRef } from "../service/device";
import { reasonOf } from "./lineFile";
import { toId } from "./state";

/** The variable that names a file of `writeClaims` to a provider. */
export const CLAIMS_FILE = "SOLAR_CHARGING_CLAIMS_FILE";

/** A device, and the keys of it that somebody declares. */
export type Claim = readonly [device: DeviceRef, keys: readonly string[]];

/** Keys by the ids of resources. */
type KeysById = Readonly<Record<string, readonly string[]>>;

/** Writes what several stacks declare together, so that none of them undoes what another sets. */
export function writeClaims(file: string, claims: readonly Claim[]): void {
  const keys: Record<string, string[]> = {};
  for (const [device, some] of claims) keys[toId(device)] = [...(keys[toId(device)] ?? []), ...some];
  writeFileSync(file, JSON.stringify(keys));
}

/**
 * The keys that the program of this run declares, by device, and by which resource, and those that the file of
 * SOLAR_CHARGING_CLAIMS_FILE has: a delete leaves them alone.
 */
export class Claims {
  readonly #owners = new Map<string, Map<string, string | undefined>>();
  readonly #file: string | undefined;
  #elsewhere: KeysById | undefined;
  #anyUrn: string | undefined;

  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.#file = environment[CLAIMS_FILE];
  }

  add(device: DeviceRef, keys: Iterable<string>, urn?: string): void {
    this.#anyUrn ??= urn;
    const id = toId(device);
    const owners = this.#owners.get(id) ?? new Map<string, string | undefined>();
    this.#owners.set(id, owners);
    for (const key of keys) owners.set(key, urn);
  }

  /** The resource that declares a key; undefined where that is not known. */
  urnOf(device: DeviceRef, key: string): string | undefined {
    return this.#owners.get(toId(device))?.get(key);
  }

  /** Some resource of the program; undefined where none is known. */
  get anyUrn(): string | undefined {
    return this.#anyUrn;
  }

  /** @throws Error where the file cannot be read, as then nobody knows */
  has(device: DeviceRef, key: string): boolean {
    const id = toId(device);
    this.#elsewhere ??= this.#read();
    return (this.#owners.get(id)?.has(key) ?? false) || (this.#elsewhere[id]?.includes(key) ?? false);
  }

  #read(): KeysById {
    if (!this.#file) return {};
    try {
      return JSON.parse(readFileSync(this.#file, "utf8"));
    } catch (error) {
      throw new Error(
        `${CLAIMS_FILE} cannot be read (${reasonOf(error)}), which says what other stacks declare: run again`,
      );
    }
  }
}
