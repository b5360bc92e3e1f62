import { readFileSync, writeFileSync } from "node:fs";
import { reasonOf } from "../ledger/lineFile";
import type { DeviceRef } from "../service/device";
import type { Value, Values } from "../settings/setting";
import { toId } from "./state";

/** The variable that names a file of `writeClaims` to a provider. */
export const CLAIMS_FILE = "SOLAR_CHARGING_CLAIMS_FILE";

/** What somebody declares of a device. */
export type Claim = readonly [device: DeviceRef, values: Values];

/** Writes what several stacks declare together, so that none of them undoes what another sets. */
export function writeClaims(file: string, claims: readonly Claim[]): void {
  writeFileSync(file, JSON.stringify(claims.map(([device, values]) => [toId(device), values])));
}

/** A value that is declared, and by which resource, where that is known. */
interface Declared {
  readonly value: unknown;
  readonly urn: string | undefined;
}

/**
 * What the program of this run declares, and what the file of SOLAR_CHARGING_CLAIMS_FILE says of other stacks, by device
 * and key: a delete writes no other value.
 */
export class Claims {
  readonly #here = new Map<string, Map<string, Declared>>();
  readonly #file: string | undefined;
  #elsewhere: ReadonlyMap<string, Values> | undefined;
  #anyUrn: string | undefined;

  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.#file = environment[CLAIMS_FILE];
  }

  /** @param values one that is not known yet is like no other */
  add(device: DeviceRef, values: Readonly<Record<string, unknown>>, urn?: string): void {
    this.#anyUrn ??= urn;
    const id = toId(device);
    const declared = this.#here.get(id) ?? new Map<string, Declared>();
    this.#here.set(id, declared);
    for (const [key, value] of Object.entries(values)) declared.set(key, { value, urn });
  }

  /** The resource that declares a key; undefined where that is not known. */
  urnOf(device: DeviceRef, key: string): string | undefined {
    return this.#here.get(toId(device))?.get(key)?.urn;
  }

  /** Some resource of the program; undefined where none is known. */
  get anyUrn(): string | undefined {
    return this.#anyUrn;
  }

  /**
   * Who declares another value of a key than this; undefined where nobody does.
   * @throws Error where the file cannot be read, as then nobody knows
   */
  against(device: DeviceRef, key: string, value: Value | undefined): "this stack" | "another stack" | undefined {
    const id = toId(device);
    const here = this.#here.get(id)?.get(key);
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
      throw new Error(
        `${CLAIMS_FILE} cannot be read (${reasonOf(error)}), which says what other stacks declare: run again`,
      );
    }
  }
}
