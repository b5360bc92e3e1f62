import { inputOf, SecretInputs } from "../lifecycle/run/secretInputs";
import { isObject, type Properties, UNKNOWN } from "../settings/objects";
import { pathsOfPlanes } from "../settings/planes";
import { isSealed, SIGNATURE, sealed } from "./answers";

const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** The engine's markers of unknown values, one for each type; the first one is for texts. */
const UNKNOWNS: readonly unknown[] = [
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/**
 * The settings that are secrets, by device and key, not by place. Without this, a refresh would encrypt a whole
 * baseline because of one secret value in it, or show a value in `reported` that is secret in the inputs.
 */
export class Secrets {
  /** The paths of the secret settings in the inputs. */
  readonly #paths = new Set<string>();
  readonly #values = new Set<unknown>();

  /** The plain values of properties. Secrets are remembered; each unknown value becomes `UNKNOWN`. */
  open(properties: Properties): Record<string, unknown> {
    const opened = this.#open(properties, [], { isSecret: false }) as Record<string, unknown>;
    // If the latitude is secret, the planes and the values that are sent for them are hidden too: the latitude could be
    // computed from them.
    if (this.#paths.has("latitude")) for (const path of pathsOfPlanes(opened)) this.#paths.add(inputOf(path));
    return opened;
  }

  /** The properties with the secrets among them marked for the engine. @param always the paths of other secrets */
  seal(properties: Properties, always: readonly string[] = []): Properties {
    return this.inputs(always).shown(properties, sealed);
  }

  /** The inputs to which the secrets belong, with their values. */
  inputs(always: readonly string[] = []): SecretInputs {
    return new SecretInputs([...this.#paths, ...always], [...this.#values]);
  }

  #open(value: unknown, path: readonly string[], { isSecret }: { readonly isSecret: boolean }): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.#open(item, path, { isSecret }));
    }
    if (isObject(value)) {
      if (isSealed(value)) return this.#open(value.value, path, { isSecret: true });
      if (value[SIGNATURE] === OUTPUT) {
        return "value" in value
          ? this.#open(value.value, path, { isSecret: isSecret || value.secret === true })
          : UNKNOWN;
      }
      const entries = Object.entries(value).map(([key, item]) => [key, this.#open(item, [...path, key], { isSecret })]);
      return Object.fromEntries(entries);
    }
    if (isSecret) {
      this.#paths.add(inputOf(path));
      if (!UNKNOWNS.includes(value)) this.#values.add(value);
    }
    return UNKNOWNS.includes(value) ? UNKNOWN : value;
  }
}
