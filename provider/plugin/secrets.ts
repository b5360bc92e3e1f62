import { AsyncLocalStorage } from "node:async_hooks";
import { UNKNOWN } from "../lifecycle/program";
import type { Properties } from "../lifecycle/state";
import { isObject } from "../settings/setting";
import { GROUP_NAMES, type Group, kindOf } from "../settings/site";

/** How the engine marks a value that is more than JSON. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** What the engine sends in place of a value that is not known yet, by type; the first one is that of a text. */
const UNKNOWNS: readonly unknown[] = [
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/** Texts shorter than this are left in messages: a message would become unreadable without the digit 1. */
const SHORTEST_HIDDEN = 3;

type Path = readonly string[];

/** The texts of the secret values of the RPC that is answered: another resource may have the same value in clear. */
const values = new AsyncLocalStorage<Set<string>>();

/** Answers an RPC so that no message shows what is a secret in its request. */
export function hidingSecrets<T>(work: () => T): T {
  return values.run(new Set(), work);
}

/**
 * Which settings are secrets, by the device and the key and not by the place. Without this, a refresh would seal a whole
 * baseline because one value in it is a secret, or show in `reported` what is a secret in the inputs.
 */
export class Secrets {
  readonly #leaves = new Set<string>();
  /** The plain values of properties. What is secret in them is remembered; a value that is not known has one sign. */
  open(properties: Properties): Record<string, unknown> {
    return this.#open(properties, [], false) as Record<string, unknown>;
  }

  /** The properties with the secrets among them marked as such for the engine. */
  seal(properties: Properties): Record<string, unknown> {
    if (this.#leaves.size === 0) return { ...properties };
    return this.#seal(properties, []) as Record<string, unknown>;
  }

  /** Whether the property at this path is a secret. */
  has(path: Path): boolean {
    return this.#leaves.has(leafOf(path));
  }

  /** The paths of the secrets among properties, as a check is told them: `vehicles.car.maxCapacity`. */
  pathsIn(properties: Properties, path: Path = []): string[] {
    return Object.entries(properties).flatMap(([key, value]) => {
      const at = [...path, key];
      if (this.has(at)) return [at.join(".")];
      return isObject(value) ? this.pathsIn(value, at) : [];
    });
  }

  #open(value: unknown, path: Path, isSecret: boolean): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.#open(item, path, isSecret));
    }
    if (isObject(value)) {
      if (value[SIGNATURE] === SECRET) return this.#open(value.value, path, true);
      if (value[SIGNATURE] === OUTPUT) {
        return "value" in value ? this.#open(value.value, path, isSecret || value.secret === true) : UNKNOWN;
      }
      const entries = Object.entries(value).map(([key, item]) => [key, this.#open(item, [...path, key], isSecret)]);
      return Object.fromEntries(entries);
    }
    if (isSecret) {
      this.#leaves.add(leafOf(path));
      if (!UNKNOWNS.includes(value) && String(value).length >= SHORTEST_HIDDEN) values.getStore()?.add(String(value));
    }
    return UNKNOWNS.includes(value) ? UNKNOWN : value;
  }

  #seal(value: unknown, path: Path): unknown {
    if (path.length > 0 && (this.has(path) || isTold(path)) && !isObject(value)) return sealed(value);
    if (Array.isArray(value)) return value.map((item) => this.#seal(item, path));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#seal(item, [...path, key])]));
  }
}

/** An output in words that quote values of any device. */
function isTold(path: Path): boolean {
  return path.length === 1 && path[0] === "unverified";
}

/** A value that the engine encrypts in state and hides from the screen. */
export function sealed(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

/** A message in which nobody can read secret values. */
export function hide(message: string): string {
  let hidden = message;
  for (const value of values.getStore() ?? []) {
    // Whole words: without this, the value 12 would be hidden in the id of the device `car-12`.
    const pattern = new RegExp(`(?<![\\w.-])${value.replace(/[^\w\s]/g, "\\$&")}(?![\\w-]|\\.\\d)`, "g");
    hidden = hidden.replace(pattern, "[secret]");
  }
  return hidden;
}

/** The device that a path is about, and the last key of the path. */
function leafOf(path: Path): string {
  const [first = "", second = ""] = path;
  const isOfSite = GROUP_NAMES.includes(first as Group) && path.length > 2;
  const device = isOfSite ? `${kindOf({ group: first as Group }).name}/${second}` : first === "devices" ? second : "";
  return JSON.stringify([device, path.at(-1)]);
}
